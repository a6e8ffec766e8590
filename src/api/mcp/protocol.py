"""JSON-RPC messages of MCP clients of both eras: with a handshake, and without."""

import base64
import binascii
from collections.abc import Mapping
from typing import Any, Final

import msgspec

MODERN: Final = "2026-07-28"
HANDSHAKE: Final = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
SUPPORTED: Final = (MODERN, *HANDSHAKE)

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
HEADER_MISMATCH: Final = -32020
UNSUPPORTED_VERSION: Final = -32022

_STATUS: Final[Mapping[int, int]] = {
    PARSE_ERROR: 400,
    INVALID_REQUEST: 400,
    INVALID_PARAMS: 400,
    HEADER_MISMATCH: 400,
    UNSUPPORTED_VERSION: 400,
    METHOD_NOT_FOUND: 404,
}
_META: Final = "io.modelcontextprotocol/"
_NAMED: Final = "tools/call"
_CACHE: Final = {"ttlMs": 0, "cacheScope": "private"}

Id = str | int | None


class RpcError(Exception):
    """A request that is answered with an error of the protocol."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    def body(self, number: Id) -> dict[str, Any]:
        """The answer to the request of this number."""
        error = {"code": self.code, "message": self.message}
        if self.data is not None:
            error["data"] = self.data
        return {"jsonrpc": "2.0", "id": number, "error": error}

    @property
    def status(self) -> int:
        """HTTP status that clients of the later era expect with it."""
        return _STATUS.get(self.code, 200)


class Incoming(msgspec.Struct, frozen=True, kw_only=True):
    """A message of a client. ``number`` None: it wants no answer."""

    method: str
    params: Mapping[str, Any]
    number: Id
    is_modern: bool

    @classmethod
    def of(cls, document: Any, headers: Mapping[str, str]) -> "Incoming":
        """Read one message; raise ``RpcError`` for what is none or contradicts its headers."""
        if not isinstance(document, dict) or document.get("jsonrpc") != "2.0":
            raise RpcError(INVALID_REQUEST, "Send one JSON-RPC 2.0 message, not a batch.")
        if "method" not in document and ("result" in document or "error" in document):
            return cls(method="", params={}, number=None, is_modern=False)
        method, params = document.get("method"), document.get("params", {})
        number = document.get("id")
        is_numbered = isinstance(number, str | int) and not isinstance(number, bool)
        if not isinstance(method, str) or ("id" in document and not is_numbered):
            raise RpcError(INVALID_REQUEST, "The message needs a method, and an id that is one.")
        if not isinstance(params, dict):
            raise RpcError(INVALID_PARAMS, "params: expected an object.")
        version = headers.get("mcp-protocol-version", "")
        meta = params.get("_meta", {})
        meta = meta if isinstance(meta, dict) else {}
        is_modern = f"{_META}protocolVersion" in meta or version not in {"", *HANDSHAKE}
        if is_modern and "id" in document:
            _check_modern(method, params, meta, headers)
        return cls(method=method, params=params, number=number, is_modern=is_modern)

    @property
    def progress_token(self) -> str | int | None:
        """What progress is to be reported under, if at all."""
        meta = self.params.get("_meta")
        token = meta.get("progressToken") if isinstance(meta, dict) else None
        return token if isinstance(token, str | int) else None

    def reply(self, result: Mapping[str, Any], *, is_cacheable: bool = False) -> dict[str, Any]:
        """The answer of a request, in the words of its era."""
        more: dict[str, Any] = {}
        if self.is_modern:
            more = {"resultType": "complete", **(_CACHE if is_cacheable else {})}
        return {"jsonrpc": "2.0", "id": self.number, "result": {**result, **more}}

    def progress(self, count: int, text: str) -> dict[str, Any]:
        """A notification that the request is getting on."""
        params = {"progressToken": self.progress_token, "progress": count, "message": text}
        return {"jsonrpc": "2.0", "method": "notifications/progress", "params": params}


def _check_modern(
    method: str, params: Mapping[str, Any], meta: Mapping[str, Any], headers: Mapping[str, str]
) -> None:
    """Refuse what is incomplete, or said differently to whoever reads only the headers."""
    for key in ("protocolVersion", "clientCapabilities"):
        if f"{_META}{key}" not in meta:
            raise RpcError(INVALID_PARAMS, f"params._meta: {_META}{key} is required.")
    version = meta[f"{_META}protocolVersion"]
    if headers.get("mcp-protocol-version") != version:
        raise RpcError(HEADER_MISMATCH, "MCP-Protocol-Version: differs from the body.")
    if headers.get("mcp-method") != method:
        raise RpcError(HEADER_MISMATCH, "Mcp-Method: differs from the body.")
    if method == _NAMED and _decoded(headers.get("mcp-name")) != params.get("name"):
        raise RpcError(HEADER_MISMATCH, "Mcp-Name: differs from the body.")
    if version != MODERN:
        data = {"supported": list(SUPPORTED), "requested": version}
        raise RpcError(UNSUPPORTED_VERSION, "This protocol version is not supported.", data)


def _decoded(value: str | None) -> str | None:
    if value is None or not (value.startswith("=?base64?") and value.endswith("?=")):
        return value
    try:
        return base64.b64decode(value[9:-2], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return None
