"""Break: leaves the nearest loop."""

from domain.workflow.node import NODE_TYPES, NodeType

NODE_TYPES.register("break")(
    NodeType(
        kind="break",
        type_id="19",
        key="Break",
        names={"en": "Break", "zh": "终止循环"},
        group="logic",
    )
)
