"""What servers say about tools and results, read into our values within bounds."""

import base64
import binascii
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from infra.contract.mcp import McpPart, McpResult, McpTool, McpUnavailable

_NAME_CHARS: Final = 128
_DESCRIPTION_CHARS: Final = 8192
_TITLE_CHARS: Final = 256


def read_tool(said: Any) -> McpTool | None:
    """Read one entry of a list; None if it cannot be called."""
    if not isinstance(said, dict):
        return None
    name, schema = said.get("name"), said.get("inputSchema")
    if not isinstance(name, str) or not 0 < len(name) <= _NAME_CHARS:
        return None
    if not isinstance(schema, dict):
        return None
    hints = said.get("annotations")
    hints = hints if isinstance(hints, dict) else {}
    return McpTool(
        name=name,
        title=_text(said.get("title") or hints.get("title"))[:_TITLE_CHARS],
        description=_text(said.get("description"))[:_DESCRIPTION_CHARS],
        input_schema=schema,
        is_read_only=hints.get("readOnlyHint") is True,
        is_destructive=hints.get("destructiveHint") is not False,
        says_destructive=hints.get("destructiveHint") is True,
    )


def read_result(said: Mapping[str, Any]) -> McpResult:
    """Read the result of a call; raise ``McpUnavailable`` for one that asks for more input."""
    if said.get("resultType", "complete") != "complete":
        raise McpUnavailable("The MCP tool asks for input in between, which is not supported.")
    content = said.get("content", [])
    if not isinstance(content, list):
        raise McpUnavailable("The MCP server's result has no content.")
    texts: list[str] = []
    parts: list[McpPart] = []
    for block in content:
        text, part = _read_block(block) if isinstance(block, dict) else ("", None)
        if text:
            texts.append(text)
        if part is not None:
            parts.append(part)
    structured = said.get("structuredContent")
    text = "\n".join(texts)
    if structured is not None:
        text = msgspec.json.encode(structured).decode()
    return McpResult(
        text=text,
        structured=structured,
        parts=tuple(parts),
        is_error=said.get("isError") is True,
    )


def _read_block(block: Mapping[str, Any]) -> tuple[str, McpPart | None]:
    match block.get("type"):
        case "text":
            return _text(block.get("text")), None
        case "image" | "audio":
            return "", _part(block.get("data"), block.get("mimeType"), uri="")
        case "resource_link":
            name, uri = _text(block.get("name")), _text(block.get("uri"))
            return f"[resource: {name} {uri}]", None
        case "resource":
            held = block.get("resource")
            held = held if isinstance(held, dict) else {}
            if "text" in held:
                return _text(held["text"]), None
            return "", _part(held.get("blob"), held.get("mimeType"), uri=_text(held.get("uri")))
        case unknown:
            return f"[content of an unknown kind: {_text(unknown)[:40]}]", None


def _part(data: object, media_type: object, *, uri: str) -> McpPart | None:
    if not isinstance(data, str):
        return None
    try:
        raw = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError) as exc:
        raise McpUnavailable("The MCP server's result holds broken base64.") from exc
    return McpPart(media_type=_text(media_type) or "application/octet-stream", data=raw, uri=uri)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
