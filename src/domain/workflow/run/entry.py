"""Entry: the input of the run, with defaults, converted."""

from domain.workflow.convert import convert_fields, raise_first
from domain.workflow.execution_call import Call
from domain.workflow.node import config_of
from domain.workflow.node.entry import EntryConfig
from domain.workflow.run import RUNNERS, Result, Runner


def _step(call: Call) -> Result:
    values = dict(call.scope.input)
    for name, default in config_of(call.node, EntryConfig).defaults.items():
        value = values.get(name)
        if value is None or value in ("", [], {}):
            values[name] = default
    conversion = convert_fields(values, call.node.outputs)
    if call.scope.is_strict:
        raise_first(conversion.problems)
    raise_first(tuple(each for each in conversion.problems if each.cause == "missing"))
    for problem in conversion.problems:
        call.warn(str(problem))
    output = conversion.value
    return Result(output if isinstance(output, dict) else {})


RUNNERS.register("entry")(Runner(step=_step))
