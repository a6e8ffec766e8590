"""Parameters of a tool that is a part of the flow."""

from domain.workflow.fastgpt.kind import FLOW_KINDS, FlowKind
from domain.workflow.fastgpt.node_reader import FlowReader
from domain.workflow.graph import NoConfig, NodeConfig
from domain.workflow.value import Field


def _read(reader: FlowReader) -> NodeConfig:
    reader.parameters()
    reader.outputs = tuple(Field(name=each.name, type=each.type) for each in reader.bindings)
    return NoConfig()


FLOW_KINDS.register("toolParams")(FlowKind(kind="tool_parameters", read=_read))
