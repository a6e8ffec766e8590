"""Input receiver: asks the user to fill in a form."""

from typing import Final

from domain.workflow.canvas.blank import blank
from domain.workflow.canvas.cursor import Cursor
from domain.workflow.canvas.declaration import read_fields
from domain.workflow.canvas.node_reader import NodeReader
from domain.workflow.convert import convert_fields
from domain.workflow.engine.call import Call
from domain.workflow.engine.error import InvalidResume
from domain.workflow.engine.interrupt import Ask, InterruptKind
from domain.workflow.graph import NodeConfig, Template
from domain.workflow.node import NodeType, Result, Runner, config_of
from domain.workflow.template import render
from domain.workflow.text import BrokenJson, decode_json, encode_json
from domain.workflow.value import TEXTS, Schema, Type, TypeKind, Value


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


_WIDE_COLON: Final = "\uff1a"
"""What Chinese keyboards write."""


def _step(call: Call) -> Result:
    config = config_of(call.node, FormConfig)
    if call.answer is None:
        introduction = render(config.introduction, call.given)
        if introduction:
            call.host.say(call, introduction, is_last=True)
        data = {"content_type": "form_schema", "content": config.schema_text}
        raise Ask(InterruptKind.FORM, encode_json({**data}))
    conversion = convert_fields(_filled(call.answer, config.fields), config.fields)
    for problem in conversion.problems:
        call.warn(str(problem))
    values = conversion.value
    return Result(_declared(values if isinstance(values, dict) else {}, config.fields))


def _filled(answer: str, fields: Schema) -> dict[str, Value]:
    """Read an answer: a JSON object, or lines ``name:value`` as people write them in chats."""
    try:
        value = decode_json(answer)
    except BrokenJson:
        value = None
    if isinstance(value, dict):
        return value
    types = {field.name: field.type for field in fields}
    found: dict[str, Value] = {}
    for line in answer.splitlines():
        name, colon, text = line.replace(_WIDE_COLON, ":", 1).partition(":")
        if colon and name.strip() in types:
            found[name.strip()] = text.strip()
    if not found:
        if len(fields) == 1 and fields[0].type.kind in TEXTS:
            return {fields[0].name: answer}
        raise InvalidResume("The answer is neither a JSON object nor lines of name:value.")
    return found


def _declared(values: dict[str, Value], fields: Schema) -> dict[str, Value]:
    return {
        field.name: _inside(values[field.name], field.type)
        for field in fields
        if field.name in values
    }


def _inside(value: Value, wanted: Type) -> Value:
    match value:
        case dict(members) if wanted.kind is TypeKind.OBJECT and wanted.fields:
            return _declared(members, wanted.fields)
        case list(items) if wanted.item is not None:
            item = wanted.item
            return [_inside(each, item) for each in items]
        case _:
            return value


NodeType(
    kind="form",
    type_id="30",
    key="Input",
    names={"en": "Input", "zh": "输入"},
    blank=blank(
        inputs={"outputSchema": '[{"type": "string", "name": "input", "required": true}]'},
        outputs=[{"type": "string", "name": "input", "required": True}],
    ),
    group="basic",
    read=_read,
    config=FormConfig,
    null_fill=True,
    interrupts=True,
    runner=Runner(step=_step),
).register()
