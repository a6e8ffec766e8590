"""To JSON: writes a value as JSON text."""

from domain.workflow.canvas.node_reader import output_field
from domain.workflow.node import NODE_TYPES, NodeType
from domain.workflow.value import STRING

NODE_TYPES.register("json_encode")(
    NodeType(
        kind="json_encode",
        type_id="58",
        key="ToJSON",
        names={"en": "JSON serialization", "zh": "JSON 序列化"},
        group="component",
        outputs=(output_field("output", STRING),),
        required=("input",),
        zero_fill=True,
        null_fill=True,
    )
)
