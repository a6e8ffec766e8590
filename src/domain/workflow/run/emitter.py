"""Output emitter: a message during the run."""

from domain.workflow.execution_call import Call
from domain.workflow.graph import Node, Template
from domain.workflow.node import config_of
from domain.workflow.node.emitter import EmitterConfig
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.template import render


def _step(call: Call) -> Result:
    config = config_of(call.node, EmitterConfig)
    text = render(config.content, call.given)
    call.host.say(
        call,
        "" if call.is_streamed else text,
        is_last=True,
        writes_history=config.writes_history,
    )
    if config.is_output:
        call.said = text
    return Result({"output": text})


def _message(node: Node) -> Template | None:
    config = config_of(node, EmitterConfig)
    return config.content if config.is_streamed else None


RUNNERS.register("emitter")(Runner(step=_step, message=_message))
