"""Knowledge retrieval: the best passages for a question."""

from typing import Literal

import msgspec

from crossdomain.knowledge.contract import RetrievalStrategy
from domain.shared.chat import ChatMessage
from domain.workflow.error import InvalidValue
from domain.workflow.execution_call import Call
from domain.workflow.node import config_of
from domain.workflow.node.knowledge_retrieve import KnowledgeRetrieveConfig
from domain.workflow.node.search import FILTER, HISTORY, QUERY, Unreadable, read_filter
from domain.workflow.port import Passage, Search
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.run.needs import needed
from domain.workflow.run.reply import history
from domain.workflow.template import render
from domain.workflow.text import to_text
from domain.workflow.value import Value


async def _work(call: Call) -> Result:
    config = config_of(call.node, KnowledgeRetrieveConfig)
    said = call.inputs.get(HISTORY)
    passages = await needed(call.ports.knowledge, "knowledge bases").search(
        call.context,
        to_text(call.inputs.get(QUERY)),
        Search(
            dataset_ids=config.dataset_ids,
            strategy=_strategy(call, config),
            history=_messages(said) if said else tuple(await history(call, config.history_rounds)),
        ),
    )
    call.extra["found"] = [_source(each) for each in passages]
    found = [{"output": each.text, "documentId": each.document_id} for each in passages]
    return Result({"outputList": [{**each} for each in found]})


def _source(passage: Passage) -> Value:
    """Tell where a passage of the output is from, in the record of the node."""
    return {
        "slice_id": passage.slice_id,
        "dataset_id": passage.dataset_id,
        "document_id": passage.document_id,
        "document_name": passage.document_name,
        "scores": {name: score for name, score in passage.scores.items()},  # noqa: C416 - a Value
    }


def _strategy(call: Call, config: KnowledgeRetrieveConfig) -> RetrievalStrategy:
    """Complete the settings with what the run alone knows."""
    strategy = config.strategy
    try:
        wanted = read_filter(call.inputs.get(FILTER))
    except Unreadable as exc:
        raise InvalidValue(f"{FILTER}: {exc}") from exc
    if wanted is not None:
        strategy = msgspec.structs.replace(strategy, filter=wanted)
    if config.background.parts:
        background = render(config.background, call.given)
        strategy = msgspec.structs.replace(strategy, expansion_background=background)
    return strategy


def _messages(value: Value) -> tuple[ChatMessage, ...]:
    """Read messages as the conversation nodes give them; a plain text is the user's."""
    messages = []
    for item in value if isinstance(value, list) else [value]:
        said = item if isinstance(item, dict) else {"content": item}
        role: Literal["user", "assistant"] = (
            "assistant" if said.get("role") == "assistant" else "user"
        )
        messages.append(ChatMessage.of_text(role, to_text(said.get("content"))))
    return tuple(messages)


RUNNERS.register("knowledge_retrieve")(Runner(work=_work))
