"""The client: finds out how a server wants to be talked to, and remembers it.

What servers say about tools and results is read into our values within bounds.
"""

import asyncio
import base64
import binascii
import math
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final, TypeVar

import msgspec

from domain.shared.capacity.fair_share import OF_THE_DEPLOYMENT, FairShare
from domain.shared.limits import Limits
from infra.contract.mcp import (
    McpClient,
    McpPart,
    McpResult,
    McpServer,
    McpTool,
    McpToolList,
    McpUnavailable,
    OnProgress,
)
from infra.impl.http.gateway import HttpGateway
from infra.impl.mcp.http import (
    HandshakeSession,
    HttpRefused,
    McpHttp,
    ModernSession,
    discover,
    opened,
)
from infra.impl.mcp.mirror import is_well_marked
from infra.impl.mcp.programs import McpPrograms
from infra.impl.mcp.session import Session, SessionLost, ignore

__all__ = ["McpClient", "ProtocolMcpClient"]

T = TypeVar("T")
Work = Callable[[Session], Awaitable[T]]
_OLDER: Final = frozenset({400, 404, 405, 406, 415})
"""How servers of the oldest transport answer a POST to the address of their stream."""
_MESSAGE_CHARS: Final = 500
_WAITING: Final = 256
"""Calls of one server by one owner that wait for their turn."""
_NAME_CHARS: Final = 128
_DESCRIPTION_CHARS: Final = 8192
_TITLE_CHARS: Final = 256


@dataclass(slots=True)
class _Known:
    """How a server talks. ``version`` and ``session_id`` are those of a handshake."""

    places: FairShare
    kind: str = ""
    version: str = ""
    session_id: str = ""
    numbers: Iterator[int] = field(default_factory=lambda: count(1))


class ProtocolMcpClient:
    """Implements the port over the HTTP gateway and the operator's programs."""

    def __init__(self, *, gateway: HttpGateway, programs: McpPrograms, limits: Limits) -> None:
        self._gateway = gateway
        self._programs = programs
        self._limits = limits
        self._known: OrderedDict[object, _Known] = OrderedDict()

    async def list_tools(self, server: McpServer) -> McpToolList:
        """Read every page; the same cursor twice, or too many pages, end the reading."""

        async def work(session: Session) -> McpToolList:
            async with self._silence_limit(server):
                return await self._read_pages(session)

        return await self._with_session(server, work)

    async def call(
        self,
        server: McpServer,
        tool: McpTool,
        arguments: Mapping[str, Any],
        *,
        on_progress: OnProgress | None = None,
    ) -> McpResult:
        """Call once; nothing is repeated unless the server had forgotten the session."""

        async def work(session: Session) -> McpResult:
            async with self._silence_limit(server) as extend:
                said = await session.ask(
                    "tools/call",
                    {
                        "name": tool.name,
                        "arguments": dict(arguments),
                        "_meta": {"progressToken": "call"},
                    },
                    on_notice=lambda notice: _progress(notice, extend, on_progress),
                    tool=tool,
                )
                return read_result(said)

        return await self._with_session(server, work)

    async def _read_pages(self, session: Session) -> McpToolList:
        found: dict[str, McpTool] = {}
        cursors: set[str] = set()
        params: dict[str, Any] = {}
        for _ in range(self._limits.mcp_pages):
            page = await session.ask("tools/list", params, on_notice=ignore)
            entries = page.get("tools")
            if not isinstance(entries, list):
                raise McpUnavailable("The MCP server's list has no tools.")
            for tool in filter(None, map(read_tool, entries)):
                if not session.mirrors or is_well_marked(tool):
                    found.setdefault(tool.name, tool)
            if len(found) > self._limits.mcp_tools:
                raise McpUnavailable(
                    f"The MCP server offers more than {self._limits.mcp_tools} tools."
                )
            cursor = page.get("nextCursor")
            if not isinstance(cursor, str) or cursor in cursors:
                break
            cursors.add(cursor)
            params = {"cursor": cursor}
        return McpToolList(tools=tuple(sorted(found.values(), key=lambda tool: tool.name)))

    async def _with_session(self, server: McpServer, work: Work[T]) -> T:
        """Run the work on a session, once more if the server has lost the first one."""
        known = self._remembered(server)
        async with known.places.hold(OF_THE_DEPLOYMENT):
            if server.program:
                return await work(await self._programs.session(server))
            http = McpHttp(self._gateway, self._limits, server)
            try:
                return await self._over_http(server, http, known, work)
            except SessionLost:
                known.kind = ""
                return await self._over_http(server, http, known, work)

    async def _over_http(self, server: McpServer, http: McpHttp, known: _Known, work: Work[T]) -> T:
        if not known.kind:
            async with self._connecting():
                await self._introduce(server, http, known)
        match known.kind:
            case "modern":
                return await work(ModernSession(http))
            case "handshake":
                session = HandshakeSession(
                    http, known.numbers, version=known.version, session_id=known.session_id
                )
                return await work(session)
            case _:
                return await self._over_events(http, work)

    async def _introduce(self, server: McpServer, http: McpHttp, known: _Known) -> None:
        if server.transport == "sse":
            known.kind = "events"
            return
        if await discover(http):
            known.kind = "modern"
            return
        try:
            session = await HandshakeSession.open(http, known.numbers)
        except HttpRefused as exc:
            if server.transport == "streamable_http" or exc.status not in _OLDER:
                raise
            known.kind = "events"
        else:
            known.kind = "handshake"
            known.version, known.session_id = session.version, session.session_id

    async def _over_events(self, http: McpHttp, work: Work[T]) -> T:
        opening = opened(http)
        async with self._connecting():
            session = await opening.__aenter__()
        try:
            return await work(session)
        finally:
            await opening.__aexit__(None, None, None)

    @asynccontextmanager
    async def _connecting(self) -> AsyncGenerator[None, None]:
        try:
            async with asyncio.timeout(self._limits.mcp_connect_s):
                yield
        except TimeoutError as exc:
            raise McpUnavailable(
                f"The MCP server does not answer within {self._limits.mcp_connect_s:g} s."
            ) from exc

    @asynccontextmanager
    async def _silence_limit(self, server: McpServer) -> AsyncGenerator[Callable[[], None], None]:
        """Wait for as long as a call may be silent; what is given begins the wait anew."""
        loop = asyncio.get_running_loop()
        longest = self._limits.mcp_call_max_s
        silence = min(server.call_s or self._limits.mcp_call_s, longest)
        end = loop.time() + longest
        try:
            async with asyncio.timeout(silence) as clock:
                yield lambda: clock.reschedule(min(loop.time() + silence, end))
        except TimeoutError as exc:
            raise McpUnavailable(f"The MCP server did not answer within {silence:g} s.") from exc

    def _remembered(self, server: McpServer) -> _Known:
        """Find what is known of a server; headers belong to it, they name its user."""
        key = (
            server.owner,
            server.url,
            server.transport,
            server.program,
            frozenset(server.headers.items()),
        )
        known = self._known.get(key)
        if known is None:
            known = _Known(
                FairShare(
                    "the MCP server",
                    capacity=self._limits.mcp_calls_per_server,
                    waiting=_WAITING,
                    wait_s=self._limits.mcp_call_max_s,
                )
            )
            self._known[key] = known
            if len(self._known) > self._limits.mcp_servers:
                self._known.popitem(last=False)
        self._known.move_to_end(key)
        return known


def _progress(
    notice: Mapping[str, Any], extend: Callable[[], None], on_progress: OnProgress | None
) -> None:
    params = notice.get("params")
    if notice.get("method") != "notifications/progress" or not isinstance(params, dict):
        return
    extend()
    if on_progress is None:
        return
    text = params.get("message")
    on_progress(
        _fraction(params.get("progress"), params.get("total")),
        text[:_MESSAGE_CHARS] if isinstance(text, str) else "",
    )


def _fraction(done: object, total: object) -> float:
    if not isinstance(done, int | float) or not isinstance(total, int | float) or total <= 0:
        return -1.0
    fraction = done / total
    return min(max(fraction, 0.0), 1.0) if math.isfinite(fraction) else -1.0


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
