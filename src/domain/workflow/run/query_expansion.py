"""Query expansion: the question and its other wordings, as a JSON array of texts."""

from domain.workflow.error import InvalidValue
from domain.workflow.execution_call import Call
from domain.workflow.node import config_of
from domain.workflow.node.query_expansion import QueryExpansionConfig
from domain.workflow.node.search import QUERY
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.run.needs import needed
from domain.workflow.run.reply import chosen_model, history
from domain.workflow.template import render
from domain.workflow.text import encode_json, to_text


async def _work(call: Call) -> Result:
    config = config_of(call.node, QueryExpansionConfig)
    question = to_text(call.inputs.get(QUERY)).strip()
    if not question:
        raise InvalidValue("The question is empty.")
    wordings = await needed(call.ports.questions, "questions").wordings(
        call.model_context,
        question,
        model=await chosen_model(call, config.model),
        background=render(config.background, call.given),
        history=await history(call, config.history_rounds),
        count=config.count,
    )
    return Result({"output": encode_json([question, *wordings])})


RUNNERS.register("query_expansion")(Runner(work=_work))
