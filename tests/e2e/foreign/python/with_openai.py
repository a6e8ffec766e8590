"""OpenAI's own library: completions and responses, whole, streamed, parsed, with a tool."""

import json
from typing import Any

from openai import OpenAI, pydantic_function_tool
from pydantic import BaseModel, Field
from task import ADDRESS, AGENT, QUESTION, WEATHER, WHERE, Place, joined, main, task, weather

client = OpenAI(max_retries=0, **ADDRESS)


class GetWeather(BaseModel):
    """Tell the weather of a city."""

    city: str = Field(description="Name of the city")


CHAT_TOOL: Any = pydantic_function_tool(GetWeather, name="get_weather")
TOOL: Any = {"type": "function", **CHAT_TOOL["function"]}


def outputs(response: Any) -> list[Any]:
    """What the called functions gave, as items."""
    return [
        {
            "type": "function_call_output",
            "call_id": item.call_id,
            "output": weather(**json.loads(item.arguments)),
        }
        for item in response.output
        if item.type == "function_call"
    ]


def user(text: str) -> list[Any]:
    return [{"role": "user", "content": text}]


def results(message: Any) -> list[Any]:
    """What the called functions gave, as messages after the one that asked for them."""
    return [
        message.model_dump(exclude_none=True),
        *(
            {
                "role": "tool",
                "tool_call_id": call.id,
                "content": weather(call.function.parsed_arguments.city),
            }
            for call in message.tool_calls
        ),
    ]


@task("chat/answer")
def answer() -> Any:
    done = client.chat.completions.create(model=AGENT, messages=user(QUESTION))
    return done.choices[0].message.content


@task("chat/answer streamed")
def answer_streamed() -> Any:
    with client.chat.completions.stream(model=AGENT, messages=user(QUESTION)) as events:
        text = joined(event.delta for event in events if event.type == "content.delta")
        assert events.get_final_completion().choices[0].message.content == text
    return text


@task("chat/tool")
def chat_tool() -> Any:
    messages = user(WEATHER)
    while True:
        done = client.chat.completions.parse(model=AGENT, messages=messages, tools=[CHAT_TOOL])
        message = done.choices[0].message
        if not message.tool_calls:
            return message.content
        messages += results(message)


@task("chat/tool streamed")
def chat_tool_streamed() -> Any:
    messages = user(WEATHER)
    while True:
        kinds = set()
        with client.chat.completions.stream(
            model=AGENT, messages=messages, tools=[CHAT_TOOL]
        ) as events:
            kinds = {event.type for event in events}
            message = events.get_final_completion().choices[0].message
        if not message.tool_calls:
            return message.content
        assert "tool_calls.function.arguments.done" in kinds
        messages += results(message)


@task("chat/structured")
def parsed() -> Any:
    done = client.chat.completions.parse(model=AGENT, messages=user(WHERE), response_format=Place)
    return done.choices[0].message.parsed


@task("chat/structured streamed")
def parsed_streamed() -> Any:
    with client.chat.completions.stream(
        model=AGENT, messages=user(WHERE), response_format=Place
    ) as events:
        events.until_done()
        return events.get_final_completion().choices[0].message.parsed


@task("responses/answer")
def response() -> Any:
    return client.responses.create(model=AGENT, input=QUESTION).output_text


@task("responses/answer streamed")
def response_streamed() -> Any:
    with client.responses.stream(model=AGENT, input=QUESTION) as events:
        text = joined(event.delta for event in events if event.type == "response.output_text.delta")
        assert events.get_final_response().output_text == text
    return text


@task("responses/structured")
def response_parsed() -> Any:
    return client.responses.parse(model=AGENT, input=WHERE, text_format=Place).output_parsed


@task("responses/structured streamed")
def response_parsed_streamed() -> Any:
    with client.responses.stream(model=AGENT, input=WHERE, text_format=Place) as events:
        return events.get_final_response().output_parsed


@task("responses/tool")
def response_tool() -> Any:
    done = client.responses.create(model=AGENT, input=WEATHER, tools=[TOOL])
    while given := outputs(done):
        done = client.responses.create(
            model=AGENT, input=given, tools=[TOOL], previous_response_id=done.id
        )
    return done.output_text


@task("responses/tool streamed")
def response_tool_streamed() -> Any:
    given: Any = WEATHER
    previous: dict[str, Any] = {}
    while True:
        with client.responses.stream(model=AGENT, input=given, tools=[TOOL], **previous) as events:
            done = events.get_final_response()
        given, previous = outputs(done), {"previous_response_id": done.id}
        if not given:
            return done.output_text


@task("responses/tool without a store")
def response_tool_stateless() -> Any:
    items = user(WEATHER)
    while True:
        done = client.responses.create(model=AGENT, input=items, tools=[TOOL], store=False)
        given = outputs(done)
        if not given:
            return done.output_text
        items += [item.to_dict() for item in done.output] + given


main()
