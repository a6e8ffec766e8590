"""Input receiver: asks the user to fill in a form."""

from domain.workflow.canvas.cursor import Cursor
from domain.workflow.canvas.declaration import read_fields
from domain.workflow.canvas.node_reader import NodeReader
from domain.workflow.graph import NodeConfig, Template
from domain.workflow.node import NODE_TYPES, NodeType
from domain.workflow.text import BrokenJson, decode_json
from domain.workflow.value import Schema


class FormConfig(NodeConfig, frozen=True, kw_only=True):
    """The fields to fill in, and their description as clients get it.

    ``introduction`` is said before the form is shown.
    """

    fields: Schema
    schema_text: str
    introduction: Template = Template()


def _read(reader: NodeReader) -> NodeConfig:
    reader.outputs = reader.declare_outputs()
    cursor = reader.inputs["outputSchema"]
    text = reader.require(cursor, "The form")
    try:
        schema = Cursor(decode_json(text or "[]"))
    except BrokenJson:
        reader.report("WF443", cursor, "The form is not JSON.")
        return FormConfig(fields=reader.outputs, schema_text="[]")
    if not schema.is_list:
        reader.report("WF443", cursor, "The form is not a list of fields.")
    fields = read_fields(schema, lambda _, __, message: reader.report("WF443", cursor, message))
    shape = {field.name: field.type for field in fields}
    if text and shape != {field.name: field.type for field in reader.outputs}:
        reader.report("WF443", cursor, "The form differs from the declared outputs.")
    return FormConfig(fields=fields, schema_text=text)


NODE_TYPES.register("form")(
    NodeType(
        kind="form",
        type_id="30",
        key="Input",
        names={"en": "Input", "zh": "输入"},
        group="basic",
        read=_read,
        config=FormConfig,
        null_fill=True,
        interrupts=True,
    )
)
