"""Feedback that a flow gives to its own answer."""

from domain.workflow.fastgpt.kind import FLOW_KINDS, FlowKind
from domain.workflow.fastgpt.node_reader import FlowReader
from domain.workflow.graph import NodeConfig
from domain.workflow.node.data.text import TextConfig
from domain.workflow.value import STRING, Field


def _read(reader: FlowReader) -> NodeConfig:
    """Read it as a text that is kept beside the answers."""
    reader.outputs = (Field(name="output", type=STRING),)
    return TextConfig(
        method="concat",
        template=reader.template("system_textareaInput"),
        joins_lists=False,
        is_remark=True,
    )


FLOW_KINDS.register("customFeedback")(FlowKind(kind="text", read=_read))
