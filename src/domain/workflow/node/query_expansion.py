"""Query expansion: a question in several wordings, for searches (FastGPT)."""

from domain.workflow.graph import NodeConfig, Template
from domain.workflow.node import NODE_TYPES, NodeType
from domain.workflow.node.choice import ModelChoice
from domain.workflow.value import STRING, Field


class QueryExpansionConfig(NodeConfig, frozen=True, kw_only=True):
    """Which model writes how many further wordings; ``background`` is what it is told before."""

    model: ModelChoice
    background: Template = Template()
    history_rounds: int = 0
    count: int = 3


NODE_TYPES.register("query_expansion")(
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
    )
)
