"""Documents whose text a flow reads."""

from domain.workflow.fastgpt.kind import FLOW_KINDS, FlowKind
from domain.workflow.fastgpt.node_reader import FlowReader
from domain.workflow.graph import NodeConfig
from domain.workflow.node.model.read_files import FILES, ReadFilesConfig
from domain.workflow.value import OBJECT, STRING, Field, list_of


def _read(reader: FlowReader) -> NodeConfig:
    if not reader.bind("fileUrlList", name=FILES, wanted=list_of(STRING)):
        reader.report("WF401", reader.node.input("fileUrlList"), "The files are missing.")
    reader.outputs = (
        Field(name="text", type=STRING),
        Field(name="files", type=list_of(OBJECT)),
    )
    return ReadFilesConfig()


FLOW_KINDS.register("readFiles")(
    FlowKind(
        kind="read_files",
        read=_read,
        outputs={"system_text": ("text",), "system_rawResponse": ("files",)},
        told=("text",),
    )
)
