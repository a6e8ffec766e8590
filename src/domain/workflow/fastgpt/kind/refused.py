"""Kinds of nodes that FastGPT runs and that cannot run here, with the reason."""

from collections.abc import Callable
from functools import partial
from typing import Final

from domain.workflow.fastgpt.kind import FLOW_KINDS, FlowKind
from domain.workflow.fastgpt.node_reader import FlowReader
from domain.workflow.graph import NodeConfig
from domain.workflow.node.control.unsupported import UnsupportedConfig

REASONS: Final = {
    "toolSet": "A set of tools belongs to another system; attach its tools one by one.",
}


def _read(reason: str, reader: FlowReader) -> NodeConfig:
    reader.report("WF114", reader.node.cursor["flowNodeType"], reason)
    return UnsupportedConfig(type_name=reader.node.type)


def _reader(reason: str) -> Callable[[FlowReader], NodeConfig]:
    return partial(_read, reason)


for _name, _reason in REASONS.items():
    FLOW_KINDS.register(_name)(FlowKind(kind="foreign", read=_reader(_reason)))
