"""OpenAI's Agents SDK: an agent with a tool, a hand-over to another, a typed output."""

from typing import Any

from agents import (
    Agent,
    ModelSettings,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    Runner,
    function_tool,
    set_tracing_disabled,
)
from openai import AsyncOpenAI
from openai.types.responses import ResponseTextDeltaEvent
from task import (
    ADDRESS,
    AGENT,
    APIS,
    EXPERT,
    OTHER,
    QUESTION,
    WEATHER,
    WHERE,
    Place,
    joined,
    main,
    task,
    weather,
)

set_tracing_disabled(True)
get_weather = function_tool(weather, name_override="get_weather")
client = AsyncOpenAI(**ADDRESS)
MODELS = {"chat": OpenAIChatCompletionsModel, "responses": OpenAIResponsesModel}


def agent(api: str, name: str = "Helper", *, model: str = AGENT, **more: Any) -> Agent:
    return Agent(
        name=name,
        instructions=f"You are the {name}.",
        model=MODELS[api](model=model, openai_client=client),
        model_settings=ModelSettings(include_usage=True),
        **more,
    )


def reception(api: str, model: str) -> Agent:
    return agent(api, "Reception", handoffs=[agent(api, "Expert", model=model)])


async def whole(asked: Agent, text: str, **more: Any) -> Any:
    return (await Runner.run(asked, text, **more)).final_output


async def streamed(asked: Agent, text: str) -> Any:
    running = Runner.run_streamed(asked, text)
    pieces: list[str] = []
    async for event in running.stream_events():
        if event.type == "raw_response_event" and event.data.type == "response.created":
            pieces = []
        if event.type == "raw_response_event" and isinstance(event.data, ResponseTextDeltaEvent):
            pieces.append(event.data.delta)
    said = running.final_output
    assert not isinstance(said, str) or joined(pieces) == said
    return said


for each in APIS:
    for way, run in (("", whole), (" streamed", streamed)):

        @task(f"{each}/answer{way}", api=each, run=run)
        async def answer(api: str, run: Any) -> Any:
            return await run(agent(api), QUESTION)

        @task(f"{each}/tool{way}", api=each, run=run)
        async def tool(api: str, run: Any) -> Any:
            return await run(agent(api, tools=[get_weather]), WEATHER)

        @task(f"{each}/structured{way}", api=each, run=run)
        async def structured(api: str, run: Any) -> Any:
            return await run(agent(api, output_type=Place), WHERE)

        @task(f"{each}/hand-off{way}", api=each, run=run)
        async def hand_off(api: str, run: Any) -> Any:
            return await run(reception(api, AGENT), EXPERT)

        @task(f"{each}/hand-off to another agent{way}", api=each, run=run)
        async def hand_off_to_another(api: str, run: Any) -> Any:
            return await run(reception(api, OTHER), EXPERT)

    @task(f"{each}/tool, then once more", api=each)
    async def again(api: str) -> Any:
        asked = agent(api, tools=[get_weather])
        first = await Runner.run(asked, WEATHER)
        history = [*first.to_input_list(), {"role": "user", "content": QUESTION}]
        return (await Runner.run(asked, history)).final_output


@task("responses/tool with previous response")
async def chained() -> Any:
    asked = agent("responses", tools=[get_weather])
    return await whole(asked, WEATHER, auto_previous_response_id=True)


main()
