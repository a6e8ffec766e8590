"""LangChain: a chat model with tools and structured output, and an agent around it."""

from typing import Any

from langchain.agents import create_agent
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from task import ADDRESS, AGENT, APIS, QUESTION, WEATHER, WHERE, Place, joined, main, task, weather

get_weather = tool("get_weather")(weather)
TOLD = {"messages": [{"role": "user", "content": WEATHER}]}


def model(api: str, **more: Any) -> ChatOpenAI:
    return ChatOpenAI(model=AGENT, use_responses_api=api == "responses", **ADDRESS, **more)


for each in APIS:

    @task(f"{each}/answer", api=each)
    def answer(api: str) -> str:
        return str(model(api).invoke(QUESTION).text)

    @task(f"{each}/answer streamed", api=each)
    def answer_streamed(api: str) -> str:
        return joined(piece.text for piece in model(api).stream(QUESTION))

    @task(f"{each}/tool", api=each)
    def bound(api: str) -> str:
        llm = model(api).bind_tools([get_weather])
        messages: list[Any] = [{"role": "user", "content": WEATHER}]
        while (said := llm.invoke(messages)).tool_calls:
            messages += [said, *(get_weather.invoke(call) for call in said.tool_calls)]
        return str(said.text)

    @task(f"{each}/tool streamed", api=each)
    def bound_streamed(api: str) -> str:
        llm = model(api).bind_tools([get_weather])
        messages: list[Any] = [{"role": "user", "content": WEATHER}]
        while True:
            pieces = list(llm.stream(messages))
            said = pieces[0]
            for piece in pieces[1:]:
                said += piece
            if not said.tool_calls:
                return joined(piece.text for piece in pieces)
            messages += [said, *(get_weather.invoke(call) for call in said.tool_calls)]

    @task(f"{each}/tool by agent", api=each)
    def agent(api: str) -> str:
        done = create_agent(model(api), tools=[get_weather]).invoke(TOLD)
        return str(done["messages"][-1].text)

    @task(f"{each}/tool by agent streamed", api=each)
    async def agent_streamed(api: str) -> str:
        pieces: list[str] = []
        asked = create_agent(model(api, streaming=True), tools=[get_weather])
        async for piece, _ in asked.astream(TOLD, stream_mode="messages"):
            pieces = [] if piece.type == "tool" else [*pieces, piece.text]
        return joined(pieces)

    for method in ("json_schema", "function_calling", "json_mode"):

        @task(f"{each}/structured by {method}", api=each, method=method)
        def structured(api: str, method: str) -> Any:
            return model(api).with_structured_output(Place, method=method).invoke(f"{WHERE} JSON")

        @task(f"{each}/structured by {method} streamed", api=each, method=method)
        def structured_streamed(api: str, method: str) -> Any:
            llm = model(api).with_structured_output(Place, method=method)
            return list(llm.stream(f"{WHERE} JSON"))[-1]


main()
