"""Entry: the input of the run, with defaults, converted."""

from domain.workflow.convert import convert_fields, raise_first
from domain.workflow.execution_call import Call
from domain.workflow.node import config_of
from domain.workflow.node.entry import EntryConfig
from domain.workflow.run import RUNNERS, Result, Runner


def _step(call: Call) -> Result:
    values = dict(call.scope.input)
    defaults = config_of(call.node, EntryConfig).defaults
    for name, default in defaults.items():
        if values.get(name) in (None, ""):  # in any type a text of nothing says nothing
            values[name] = default
    conversion = convert_fields(values, call.node.outputs)
    if call.scope.is_strict:
        raise_first(conversion.problems)
    raise_first(tuple(each for each in conversion.problems if each.cause == "missing"))
    for problem in conversion.problems:
        call.warn(str(problem))
    converted = conversion.value
    output = dict(converted) if isinstance(converted, dict) else {}
    for name, default in defaults.items():
        if output.get(name) in (None, [], {}):
            output[name] = default
    return Result(output)


RUNNERS.register("entry")(Runner(step=_step))
