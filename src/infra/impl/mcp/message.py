"""JSON-RPC messages of the protocol, in its two eras: with a handshake, and without."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from infra.contract.mcp import McpRejected, McpUnavailable

MODERN: Final = "2026-07-28"
"""The revision whose requests carry everything themselves."""
HANDSHAKE: Final = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Revisions that begin with ``initialize``, newest first."""

METHOD_NOT_FOUND: Final = -32601
UNSUPPORTED_VERSION: Final = -32022
HEADER_MISMATCH: Final = -32020
_MODERN_ERRORS: Final = frozenset({-32020, -32021, UNSUPPORTED_VERSION})

_META: Final = "io.modelcontextprotocol/"
_CLIENT: Final = {"name": "coterie", "version": "1"}
_TEXT_CHARS: Final = 500


class Rejection(McpRejected):
    """An error that the server answered a request with, and its number."""

    def __init__(self, number: int, text: str, data: object = None) -> None:
        super().__init__(f"The MCP server rejects the request: {text[:_TEXT_CHARS]}")
        self.number = number
        self.data = data

    @property
    def is_modern(self) -> bool:
        """Whether only servers of the later era answer so."""
        return self.number in _MODERN_ERRORS


def request(number: int, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Make a request."""
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": dict(params)}


def notification(method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Make a message that nobody answers."""
    return {"jsonrpc": "2.0", "method": method, **({"params": dict(params)} if params else {})}


def refusal_of(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a request of the server: it may know that we are there, nothing else."""
    if asked.get("method") == "ping":
        return {"jsonrpc": "2.0", "id": asked["id"], "result": {}}
    error = {"code": METHOD_NOT_FOUND, "message": "This client offers nothing to servers."}
    return {"jsonrpc": "2.0", "id": asked["id"], "error": error}


def opening() -> dict[str, Any]:
    """Parameters of ``initialize``."""
    return {"protocolVersion": HANDSHAKE[0], "capabilities": {}, "clientInfo": _CLIENT}


def modern(params: Mapping[str, Any]) -> dict[str, Any]:
    """Add what each request of the later era says about its sender."""
    meta = {
        **params.get("_meta", {}),
        f"{_META}protocolVersion": MODERN,
        f"{_META}clientInfo": _CLIENT,
        f"{_META}clientCapabilities": {},
    }
    return {**params, "_meta": meta}


def decode(data: bytes) -> dict[str, Any]:
    """Read one message; raise ``McpUnavailable`` if it is none."""
    try:
        message = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as exc:
        raise McpUnavailable("The MCP server's answer is not JSON.") from exc
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise McpUnavailable("The MCP server's answer is not a JSON-RPC message.")
    return message


def is_reply(message: Mapping[str, Any], number: int) -> bool:
    """Whether a message answers our request of this number."""
    return "method" not in message and message.get("id") == number


def is_question(message: Mapping[str, Any]) -> bool:
    """Whether the server waits for an answer to this."""
    return isinstance(message.get("method"), str) and isinstance(message.get("id"), str | int)


def outcome(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result of a reply; raise ``Rejection`` for an error."""
    error = message.get("error")
    if error is not None:
        raise rejection_of(error)
    result = message.get("result")
    if not isinstance(result, dict):
        raise McpUnavailable("The MCP server's answer has no result.")
    return result


def rejection_of(error: object) -> Rejection:
    """Read the error of a reply, whatever it looks like."""
    if not isinstance(error, dict):
        return Rejection(0, "without saying why")
    number = error.get("code")
    return Rejection(
        number if isinstance(number, int) else 0,
        str(error.get("message", "")),
        error.get("data"),
    )


def error_in(body: bytes) -> Rejection | None:
    """Find a JSON-RPC error in the body of a failed HTTP request."""
    try:
        message = decode(body)
    except McpUnavailable:
        return None
    return rejection_of(message["error"]) if "error" in message else None


def agreed_version(result: Mapping[str, Any]) -> str:
    """Return the revision that the server chose; raise ``McpUnavailable`` for an unknown one."""
    version = result.get("protocolVersion")
    if version not in HANDSHAKE:
        raise McpUnavailable(
            f"The MCP server speaks the revision {str(version)[:40]!r}, which is unknown here."
        )
    return str(version)


def speaks_modern(result: Mapping[str, Any]) -> bool:
    """Whether the answer to ``server/discover`` offers the later era."""
    versions = result.get("supportedVersions")
    return isinstance(versions, list) and MODERN in versions
