"""From JSON: reads a value of the declared type from JSON text."""

from domain.workflow.canvas.blank import blank, out, param, unset
from domain.workflow.canvas.node_reader import output_field
from domain.workflow.convert import convert
from domain.workflow.engine.call import Call
from domain.workflow.error import InvalidValue, MissingValue
from domain.workflow.node import NodeType, Result, Runner
from domain.workflow.text import BrokenJson, decode_json
from domain.workflow.value import ANY, TypeKind, Value, kind_of


def _step(call: Call) -> Result:
    text = call.inputs.get("input")
    if not isinstance(text, str):
        raise InvalidValue(f"The input is no JSON text but of kind {kind_of(text)}.")
    try:
        value = decode_json(text)
    except BrokenJson as error:
        raise InvalidValue(f"The input is not valid JSON: {str(error)[:200]}") from error
    wanted = next((field.type for field in call.node.outputs if field.name == "output"), ANY)
    _check_root(value, wanted.kind)
    conversion = convert(value, wanted, path="output")
    for problem in conversion.problems:
        if problem.cause == "missing":
            raise MissingValue(f"The JSON lacks the required {problem.path}.")
        call.warn(str(problem))
    return Result({"output": conversion.value})


def _check_root(value: Value, wanted: TypeKind) -> None:
    expected: dict[TypeKind, type] = {TypeKind.OBJECT: dict, TypeKind.LIST: list}
    if wanted in expected and not isinstance(value, expected[wanted]):
        raise InvalidValue(f"The JSON holds a value of kind {kind_of(value)}, not {wanted}.")


NodeType(
    kind="json_decode",
    type_id="59",
    key="FromJSON",
    names={"en": "JSON deserialization", "zh": "JSON 反序列化"},
    blank=blank(
        inputs={"inputParameters": [param("input", unset("string"))]},
        outputs=[out("output", "object", schema=[])],
    ),
    group="component",
    outputs=(output_field("output", ANY),),
    required=("input",),
    zero_fill=True,
    null_fill=True,
    runner=Runner(step=_step),
).register()
