"""To JSON: writes a value as JSON text."""

from domain.workflow.canvas.blank import blank, out, param, unset
from domain.workflow.canvas.node_reader import output_field
from domain.workflow.engine.call import Call
from domain.workflow.node import NodeType, Result, Runner
from domain.workflow.text import encode_json
from domain.workflow.value import STRING


def _step(call: Call) -> Result:
    return Result({"output": encode_json(call.inputs.get("input"))})


NodeType(
    kind="json_encode",
    type_id="58",
    key="ToJSON",
    names={"en": "JSON serialization", "zh": "JSON 序列化"},
    blank=blank(
        inputs={"inputParameters": [param("input", unset("object", schema=[]))]},
        outputs=[out("output")],
    ),
    group="component",
    outputs=(output_field("output", STRING),),
    required=("input",),
    zero_fill=True,
    null_fill=True,
    runner=Runner(step=_step),
).register()
