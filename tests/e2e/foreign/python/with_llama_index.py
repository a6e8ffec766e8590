"""LlamaIndex: a model like OpenAI's, an agent with a tool, structured answers."""

from typing import Any

from llama_index.core.agent.workflow import AgentStream, FunctionAgent
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.tools import FunctionTool
from llama_index.llms.openai_like import OpenAILike
from task import ADDRESS, AGENT, QUESTION, WEATHER, WHERE, Place, joined, main, task, weather

get_weather = FunctionTool.from_defaults(weather, name="get_weather")
llm = OpenAILike(
    model=AGENT,
    api_base=ADDRESS["base_url"],
    api_key=ADDRESS["api_key"],
    is_chat_model=True,
    is_function_calling_model=True,
)


@task("chat/answer")
def answer() -> str:
    return str(llm.chat([ChatMessage(QUESTION)]).message.content)


@task("chat/answer streamed")
def answer_streamed() -> str:
    return joined(piece.delta for piece in llm.stream_chat([ChatMessage(QUESTION)]))


@task("chat/tool")
async def agent() -> str:
    asked = FunctionAgent(tools=[get_weather], llm=llm, streaming=False)
    return str(await asked.run(WEATHER))


@task("chat/tool streamed")
async def agent_streamed() -> str:
    running = FunctionAgent(tools=[get_weather], llm=llm).run(WEATHER)
    pieces = [each.delta async for each in running.stream_events() if isinstance(each, AgentStream)]
    said = str(await running)
    assert joined(pieces).endswith(said)
    return said


@task("chat/structured")
def structured() -> Any:
    return llm.as_structured_llm(Place).complete(WHERE).raw


@task("chat/structured streamed")
def structured_streamed() -> Any:
    asked = llm.as_structured_llm(Place).stream_chat([ChatMessage(WHERE)])
    pieces = [piece.raw for piece in asked]
    assert pieces
    return pieces[-1]


main()
