"""Query expansion: a question in several wordings, for searches (FastGPT)."""

from domain.workflow.engine.call import Call
from domain.workflow.error import InvalidValue
from domain.workflow.graph import NodeConfig, Template
from domain.workflow.node import NodeType, Result, Runner, config_of
from domain.workflow.node.knowledge.search import QUERY
from domain.workflow.node.model.choice import ModelChoice
from domain.workflow.node.model.reply import chosen_model, history
from domain.workflow.node.needs import needed
from domain.workflow.template import render
from domain.workflow.text import encode_json, to_text
from domain.workflow.value import STRING, Field


class QueryExpansionConfig(NodeConfig, frozen=True, kw_only=True):
    """Which model writes how many further wordings; ``background`` is what it is told before."""

    model: ModelChoice
    background: Template = Template()
    history_rounds: int = 0
    history: str = ""
    """Input with what was said before; empty: rounds of the conversation."""
    count: int = 3


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
        history=await history(call, config.history_rounds, call.inputs.get(config.history)),
        count=config.count,
    )
    return Result({"output": encode_json([question, *wordings])})


NodeType(
    kind="query_expansion",
    type_id="",
    key="QueryExpansion",
    names={"en": "Question optimisation", "zh": "问题优化"},
    group="knowledge",
    config=QueryExpansionConfig,
    outputs=(Field(name="output", type=STRING),),
    null_fill=True,
    effects="read",
    time_limit="model",
    runner=Runner(work=_work),
).register()
