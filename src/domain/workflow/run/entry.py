"""Entry: the input of the run, with defaults, converted."""

from collections.abc import Mapping
from typing import Final

from domain.workflow.convert import Problem, convert_fields, raise_first
from domain.workflow.execution_call import Call
from domain.workflow.graph import Node
from domain.workflow.node import config_of
from domain.workflow.node.entry import EntryConfig
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.value import Value

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


RUNNERS.register("entry")(Runner(step=_step))
