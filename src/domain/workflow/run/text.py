"""Text processor: puts texts together or splits them."""

from domain.workflow.execution_call import Call
from domain.workflow.node import config_of
from domain.workflow.node.text import SPLIT_INPUT, TextConfig
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.template import render, written_text
from domain.workflow.text import to_text
from domain.workflow.value import Value


def _step(call: Call) -> Result:
    config = config_of(call.node, TextConfig)
    if config.method == "split":
        return Result({"output": _split(to_text(call.inputs.get(SPLIT_INPUT)), config)})

    def write(value: Value) -> str:
        if config.joins_lists and isinstance(value, list):
            return config.separator.join(map(written_text, value))
        return written_text(value)

    return Result({"output": render(config.template, call.given, write=write)})


def _split(text: str, config: TextConfig) -> list[Value]:
    pieces = [text]
    for delimiter in config.delimiters:
        pieces = [
            part
            for piece in pieces
            for part in (piece.split(delimiter) if delimiter else list(piece))
        ]
    return list(pieces)


RUNNERS.register("text")(Runner(step=_step))
