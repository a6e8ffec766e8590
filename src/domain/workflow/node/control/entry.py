"""Entry: receives the input of the run."""

from collections.abc import Mapping
from typing import Final

from domain.workflow.canvas.blank import blank, out
from domain.workflow.canvas.node_reader import NodeReader
from domain.workflow.convert import Problem, convert, convert_fields, raise_first
from domain.workflow.engine.call import Call
from domain.workflow.graph import Node, NodeConfig
from domain.workflow.node import NodeType, Result, Runner, config_of
from domain.workflow.value import Value


class EntryConfig(NodeConfig, frozen=True, kw_only=True):
    """Defaults by field, converted; a field without one is not listed."""

    defaults: dict[str, Value]


def _read(reader: NodeReader) -> NodeConfig:
    reader.outputs = reader.declare_outputs(are_names_checked=True)
    places = {item["name"].text(): item["defaultValue"] for item in reader.data["outputs"]}
    defaults: dict[str, Value] = {}
    for field in reader.outputs:
        if field.default is None:
            continue
        if field.default == "" and field.type.kind != "string":
            continue
        conversion = convert(field.default, field.type, path=field.name)
        if conversion.problems:
            reader.report("WF304", places[field.name], f"Bad default of {conversion.problems[0]}")
        else:
            defaults[field.name] = conversion.value
    return EntryConfig(defaults=defaults)


_TEXT_VALUES: Final = 15_000
"""As many as a request may have itself: each is looked at several times before a run goes on."""


def _step(call: Call) -> Result:
    output, problems = read_input(call.node, call.scope.input, is_strict=call.scope.is_strict)
    for problem in problems:
        call.warn(str(problem))
    return Result(output)


def read_input(
    node: Node, given: Mapping[str, Value], *, is_strict: bool
) -> tuple[dict[str, Value], tuple[Problem, ...]]:
    """Convert what a run was given, with defaults for nothing; tell what was lost on the way.

    Raises:
        MissingValue: a required parameter is not there.
        InvalidValue: one cannot be converted, and ``is_strict``.
    """
    values = dict(given)
    defaults = config_of(node, EntryConfig).defaults
    for name, default in defaults.items():
        if values.get(name) in (None, ""):  # in any type a text of nothing says nothing
            values[name] = default
    conversion = convert_fields(values, node.outputs, text_values=_TEXT_VALUES)
    if is_strict:
        raise_first(conversion.problems)
    raise_first(tuple(each for each in conversion.problems if each.cause == "missing"))
    converted = conversion.value
    output = dict(converted) if isinstance(converted, dict) else {}
    for name, default in defaults.items():
        if output.get(name) in ([], {}):
            output[name] = default
    return output, conversion.problems


NodeType(
    kind="entry",
    type_id="1",
    key="Start",
    names={"en": "Start", "zh": "开始"},
    blank=blank(outputs=[out("input")]),
    group="basic",
    read=_read,
    config=EntryConfig,
    null_fill=True,
    runner=Runner(step=_step),
).register()
