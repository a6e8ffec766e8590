"""Questions made clear before a search."""

from domain.workflow.fastgpt.kind import FLOW_KINDS, FlowKind
from domain.workflow.fastgpt.kind.model import choice, past, rounds
from domain.workflow.fastgpt.node_reader import FlowReader
from domain.workflow.graph import NodeConfig
from domain.workflow.node.knowledge.query_expansion import QueryExpansionConfig
from domain.workflow.node.knowledge.search import QUERY
from domain.workflow.value import STRING, Field


def _read(reader: FlowReader) -> NodeConfig:
    if not reader.bind("userChatInput", name=QUERY, wanted=STRING):
        reader.report("WF401", reader.node.input("userChatInput"), "The question is missing.")
    reader.outputs = (Field(name="output", type=STRING),)
    return QueryExpansionConfig(
        model=choice(reader),
        background=reader.template("systemPrompt"),
        history_rounds=rounds(reader),
        history=past(reader),
    )


FLOW_KINDS.register("cfr")(
    FlowKind(kind="query_expansion", read=_read, outputs={"system_text": ("output",)})
)
