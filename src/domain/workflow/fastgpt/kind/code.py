"""Code of users, called as FastGPT calls it."""

import re
from typing import Final, Literal

from domain.workflow.canvas.cursor import Cursor
from domain.workflow.fastgpt.flow import ERROR_TEXT
from domain.workflow.fastgpt.kind import FLOW_KINDS, FlowKind
from domain.workflow.fastgpt.node_reader import FlowReader
from domain.workflow.graph import NodeConfig
from domain.workflow.node.data.code import CodeConfig
from domain.workflow.value import ANY, Field

RAW: Final = "system_rawResponse"
_SETTINGS: Final = frozenset({"code", "codeType"})
_NOT_HERE: Final = (
    (re.compile(r"\b(?:httpRequest|http_request)\s*\("), "cannot reach the network"),
    (re.compile(r"\b(?:SystemHelper|system_helper)\.fs\b"), "has no files"),
)


def _read(reader: FlowReader) -> NodeConfig:
    added = [item for item in reader.node.cursor["inputs"] if _is_added(item)]
    names = {item["key"].text() for item in added} | reader.generated
    others = [item["key"].text() for item in reader.node.cursor["inputs"]]
    # Where somebody marked inputs as added by the user, the others are settings of the node.
    unused = [key for key in others if key not in names] if names else []
    reader.parameters(*_SETTINGS, *unused)
    source = reader.value("code")
    language: Literal["python", "javascript"] = (
        "python" if reader.value("codeType").text("js") == "py" else "javascript"
    )
    reader.fields["source"] = source.pointer
    if not source.text().strip():
        reader.report("WF401", source, "There is no code.")
    for pattern, what in _NOT_HERE:
        match = pattern.search(source.text())
        if match is not None:
            text = f"Code {what} here: {match[0].rstrip('(')} fails when it runs."
            reader.report("WF442", source, text)
    keeps, failure = reader.kept_failure()
    reader.outputs = (
        *(field for field in reader.outputs if field.name not in {"error", RAW}),
        Field(name=RAW, type=ANY),
        *failure,
    )
    return CodeConfig(
        language=language,
        source=source.text(),
        convention="inputs",
        whole=RAW,
        keeps_failures=keeps,
    )


def _is_added(item: Cursor) -> bool:
    return item["canEdit"].flag() and item["key"].text() not in _SETTINGS


FLOW_KINDS.register("code")(
    FlowKind(kind="code", read=_read, outputs={"error": ERROR_TEXT}, told=(RAW,))
)
