"""From JSON: reads a value of the declared type from JSON text."""

from domain.workflow.canvas.node_reader import output_field
from domain.workflow.node import NODE_TYPES, NodeType
from domain.workflow.value import ANY

NODE_TYPES.register("json_decode")(
    NodeType(
        kind="json_decode",
        type_id="59",
        key="FromJSON",
        names={"en": "JSON deserialization", "zh": "JSON 反序列化"},
        group="component",
        outputs=(output_field("output", ANY),),
        required=("input",),
        zero_fill=True,
        null_fill=True,
    )
)
