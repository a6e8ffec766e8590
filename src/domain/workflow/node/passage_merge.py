"""Passage merge: what several searches found, as one list (FastGPT)."""

from domain.workflow.graph import NodeConfig
from domain.workflow.node import NODE_TYPES, NodeType
from domain.workflow.value import OBJECT, Field, list_of


class PassageMergeConfig(NodeConfig, frozen=True, kw_only=True):
    """``lists`` names the inputs; the result has at most ``max_tokens`` tokens."""

    lists: tuple[str, ...]
    max_tokens: int = 5000


NODE_TYPES.register("passage_merge")(
    NodeType(
        kind="passage_merge",
        type_id="",
        key="PassageMerge",
        names={"en": "Knowledge merging", "zh": "知识库搜索引用合并"},
        group="knowledge",
        config=PassageMergeConfig,
        outputs=(Field(name="outputList", type=list_of(OBJECT)),),
        null_fill=True,
    )
)
