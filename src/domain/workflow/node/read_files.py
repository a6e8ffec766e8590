"""Read files: the texts of documents given by address (FastGPT)."""

from typing import Final

from domain.workflow.graph import NodeConfig
from domain.workflow.node import NODE_TYPES, NodeType
from domain.workflow.value import OBJECT, STRING, Field, list_of

FILES: Final = "$files"


class ReadFilesConfig(NodeConfig, frozen=True, kw_only=True):
    """The input ``FILES`` is a list of addresses; those beyond ``most`` are not read."""

    most: int = 20


NODE_TYPES.register("read_files")(
    NodeType(
        kind="read_files",
        type_id="",
        key="ReadFiles",
        names={"en": "Document parsing", "zh": "文档解析"},
        group="knowledge",
        config=ReadFilesConfig,
        outputs=(Field(name="text", type=STRING), Field(name="files", type=list_of(OBJECT))),
        null_fill=True,
        effects="read",
        time_limit="remote",
    )
)
