"""Passage merge: what several searches found, as one list (FastGPT)."""

from typing import Final

from domain.shared.chat import ChatMessage
from domain.workflow.engine.call import Call
from domain.workflow.graph import NodeConfig
from domain.workflow.node import NodeType, Result, Runner, config_of
from domain.workflow.node.needs import needed
from domain.workflow.text import encode_json, to_text
from domain.workflow.value import OBJECT, Field, Value, list_of


class PassageMergeConfig(NodeConfig, frozen=True, kw_only=True):
    """``lists`` names the inputs; the result has at most ``max_tokens`` tokens."""

    lists: tuple[str, ...]
    max_tokens: int = 5000


_RANK: Final = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke, Buettcher 2009)."""


def _step(call: Call) -> Result:
    config = config_of(call.node, PassageMergeConfig)
    scores: dict[str, float] = {}
    passages: dict[str, Value] = {}
    for name in config.lists:
        found = call.inputs.get(name)
        for rank, passage in enumerate(found if isinstance(found, list) else [], 1):
            key = _identity(passage)
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
        text = text_of_passage(passage)
        left -= models.count_tokens("", [ChatMessage.of_text("user", to_text(text))])
        if left < 0 and taken:
            break
        taken.append(passage)
    return taken


def _identity(passage: Value) -> str:
    """Tell passages apart; searches find the same one with different scores."""
    own = passage.get("id") if isinstance(passage, dict) else None
    return to_text(own) or encode_json(passage, sort_keys=True)


def text_of_passage(passage: Value) -> Value:
    """Return what a passage says: its text, or question and answer of a quote."""
    if not isinstance(passage, dict):
        return passage
    if "output" in passage:
        return passage["output"]
    return "\n".join(filter(None, (to_text(passage.get(key)) for key in ("q", "a"))))


NodeType(
    kind="passage_merge",
    type_id="",
    key="PassageMerge",
    names={"en": "Knowledge merging", "zh": "知识库搜索引用合并"},
    group="knowledge",
    config=PassageMergeConfig,
    outputs=(Field(name="outputList", type=list_of(OBJECT)),),
    null_fill=True,
    runner=Runner(step=_step),
).register()
