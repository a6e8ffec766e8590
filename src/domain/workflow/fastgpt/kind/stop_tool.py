"""End of the dialogue between a model and its tools."""

from domain.workflow.fastgpt.kind import FLOW_KINDS, FlowKind
from domain.workflow.fastgpt.node_reader import FlowReader
from domain.workflow.graph import NoConfig, NodeConfig


def _read(_: FlowReader) -> NodeConfig:
    return NoConfig()


FLOW_KINDS.register("stopTool")(FlowKind(kind="tool_stop", read=_read))
