"""Feedback that a flow gives to its own answer."""

from domain.workflow.fastgpt.kind import FLOW_KINDS, FlowKind
from domain.workflow.fastgpt.node_reader import FlowReader
from domain.workflow.graph import NodeConfig
from domain.workflow.node.data.text import TextConfig
from domain.workflow.value import STRING, Field


def _read(reader: FlowReader) -> NodeConfig:
    """Read it as a text that only clients who ask for details see."""
    place = reader.value("system_textareaInput")
    reader.report("WF119", place, "The feedback is kept with the run and not with the message.")
    reader.outputs = (Field(name="output", type=STRING),)
    return TextConfig(
        method="concat",
        template=reader.template("system_textareaInput"),
        joins_lists=False,
        is_remark=True,
    )


FLOW_KINDS.register("customFeedback")(FlowKind(kind="text", read=_read))
