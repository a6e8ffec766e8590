"""Code of users, called as FastGPT calls it."""

import ast
from collections.abc import Iterator
from typing import Final, Literal

from domain.workflow.canvas.cursor import Cursor
from domain.workflow.fastgpt.flow import ERROR_TEXT
from domain.workflow.fastgpt.kind import FLOW_KINDS, FlowKind
from domain.workflow.fastgpt.node_reader import FlowReader
from domain.workflow.graph import NodeConfig
from domain.workflow.node.data.code import CodeConfig
from domain.workflow.node.data.javascript import TokenKind, tokens
from domain.workflow.value import ANY, Field

RAW: Final = "system_rawResponse"
_SETTINGS: Final = frozenset({"code", "codeType"})
_NOT_HERE: Final = {
    "httpRequest": "cannot reach the network",
    "http_request": "cannot reach the network",
    "SystemHelper.fs": "has no files",
    "system_helper.fs": "has no files",
}
"""Helpers of FastGPT, and what code that uses them lacks."""


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
    used = _python_names if language == "python" else _javascript_names
    for name in dict.fromkeys(name for name in used(source.text()) if name in _NOT_HERE):
        text = f"Code {_NOT_HERE[name]} here: {name} fails when it runs."
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


def _javascript_names(source: str) -> Iterator[str]:
    """Yield names, and pairs of a name and its member."""
    found = list(tokens(source))
    for at, token in enumerate(found):
        if token.kind is TokenKind.NAME:
            yield token.text
            if [each.text for each in found[at + 1 : at + 2]] == ["."] and found[at + 2 :]:
                yield f"{token.text}.{found[at + 2].text}"


def _python_names(source: str) -> Iterator[str]:
    """The same of Python; code that cannot be parsed has another finding."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name):
                yield name
            case ast.Attribute(value=ast.Name(id=name), attr=member):
                yield f"{name}.{member}"
            case _:
                pass


def _is_added(item: Cursor) -> bool:
    return item["canEdit"].flag() and item["key"].text() not in _SETTINGS


FLOW_KINDS.register("code")(
    FlowKind(kind="code", read=_read, outputs={"error": ERROR_TEXT}, told=(RAW,))
)
