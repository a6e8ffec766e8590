"""Continue: ends the running iteration."""

from domain.workflow.node import NODE_TYPES, NodeType

NODE_TYPES.register("continue")(
    NodeType(
        kind="continue",
        type_id="29",
        key="Continue",
        names={"en": "Continue", "zh": "继续循环"},
        group="logic",
    )
)
