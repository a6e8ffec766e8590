"""Exit: the output of the run, as variables or as an answer."""

from domain.workflow.execution_call import Call
from domain.workflow.graph import Node, Template
from domain.workflow.node import config_of
from domain.workflow.node.exit import ExitConfig
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.template import render
from domain.workflow.text import encode_json
from domain.workflow.value import Value


def _step(call: Call) -> Result:
    config = config_of(call.node, ExitConfig)
    if config.answers:
        text = render(config.content, call.given)
        output: dict[str, Value] = {"output": text}
        message = "" if call.is_streamed else text
    else:
        output = dict(call.inputs)
        message = encode_json(output) if call.scope.is_root else ""
    if call.scope.is_root:
        call.host.say(call, message, is_last=True)
    return Result(output)


def _message(node: Node) -> Template | None:
    config = config_of(node, ExitConfig)
    return config.content if config.answers and config.is_streamed else None


RUNNERS.register("exit")(Runner(step=_step, message=_message))
