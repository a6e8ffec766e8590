"""Passage merge: reciprocal rank fusion over all lists, cut to a number of tokens."""

from typing import Final

from domain.shared.chat import ChatMessage
from domain.workflow.execution_call import Call
from domain.workflow.node import config_of
from domain.workflow.node.passage_merge import PassageMergeConfig
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.run.needs import needed
from domain.workflow.text import encode_json, to_text
from domain.workflow.value import Value

_RANK: Final = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke, Buettcher 2009)."""


def _step(call: Call) -> Result:
    config = config_of(call.node, PassageMergeConfig)
    scores: dict[str, float] = {}
    passages: dict[str, Value] = {}
    for name in config.lists:
        found = call.inputs.get(name)
        for rank, passage in enumerate(found if isinstance(found, list) else [], 1):
            key = encode_json(passage, sort_keys=True)
            passages.setdefault(key, passage)
            scores[key] = scores.get(key, 0.0) + 1 / (_RANK + rank)
    ranked = sorted(passages, key=lambda key: -scores[key])
    return Result({"outputList": _fitting(call, [passages[key] for key in ranked], config)})


def _fitting(call: Call, passages: list[Value], config: PassageMergeConfig) -> list[Value]:
    """Take passages until they are too long; the first one always."""
    models = needed(call.ports.models, "models")
    taken: list[Value] = []
    left = config.max_tokens
    for passage in passages:
        text = passage.get("output") if isinstance(passage, dict) else passage
        left -= models.count_tokens("", [ChatMessage.of_text("user", to_text(text))])
        if left < 0 and taken:
            break
        taken.append(passage)
    return taken


RUNNERS.register("passage_merge")(Runner(step=_step))
