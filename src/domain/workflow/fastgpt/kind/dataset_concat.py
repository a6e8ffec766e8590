"""Findings of several searches put together."""

from typing import Final

from domain.workflow.fastgpt.kind import FLOW_KINDS, FlowKind
from domain.workflow.fastgpt.node_reader import FlowReader
from domain.workflow.graph import NodeConfig
from domain.workflow.node.knowledge.passage_merge import PassageMergeConfig
from domain.workflow.value import OBJECT, Field, list_of

_LISTS: Final = list_of(OBJECT)
_TOKENS: Final = 5000


def _read(reader: FlowReader) -> NodeConfig:
    names = tuple(
        name
        for item in reader.node.cursor["inputs"]
        if (key := item["key"].text()) and not key.startswith("system_") and key != "limit"
        if (name := reader.bind(key, wanted=_LISTS))
    )
    if not names:
        reader.report("WF401", reader.node.cursor["inputs"], "There is nothing to put together.")
    reader.outputs = (Field(name="outputList", type=_LISTS),)
    limit = reader.value("limit").integer(_TOKENS)
    return PassageMergeConfig(lists=names, max_tokens=limit if limit > 0 else _TOKENS)


FLOW_KINDS.register("datasetConcatNode")(
    FlowKind(
        kind="passage_merge",
        read=_read,
        outputs={"quoteQA": ("outputList",)},
        told=("outputList",),
    )
)
