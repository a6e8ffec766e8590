"""Streamable HTTP: one address, a POST per message, answers as JSON or as a stream of events."""

from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import aclosing
from itertools import count
from typing import Any, Final

from infra.contract.mcp import McpTool, McpUnavailable
from infra.impl.mcp import message
from infra.impl.mcp.http import HttpRefused, McpHttp
from infra.impl.mcp.message import Rejection
from infra.impl.mcp.mirror import encoded, parameter_headers
from infra.impl.mcp.session import OnNotice, SessionLost, Tell, cancelling, ignore

_VERSION: Final = "mcp-protocol-version"
_SESSION: Final = "mcp-session-id"
_SESSION_CHARS: Final = 1024
_FORGOTTEN: Final = 404
_QUESTIONS: Final = 20
"""Requests of a server that are answered while it answers ours."""


class ModernSession:
    """Servers without handshake and memory: every request says everything."""

    mirrors = True

    def __init__(self, http: McpHttp) -> None:
        self._http = http
        self._numbers = count(1)

    async def ask(
        self,
        method: str,
        params: Mapping[str, Any],
        *,
        on_notice: OnNotice,
        tool: McpTool | None = None,
    ) -> dict[str, Any]:
        headers = {_VERSION: message.MODERN, "mcp-method": method}
        if tool is not None:
            headers["mcp-name"] = encoded(tool.name)
            headers |= parameter_headers(tool, params.get("arguments", {}))
        asked = message.request(next(self._numbers), method, message.modern(params))
        try:
            async with (
                self._http.exchange(asked, headers) as reply,
                aclosing(self._http.messages(reply)) as found,
            ):
                return await _answer(found, asked["id"], on_notice)
        except HttpRefused as exc:
            raise exc.rejection or exc from exc


class HandshakeSession:
    """Servers that agree on a revision first, and may remember their clients."""

    mirrors = False

    def __init__(
        self, http: McpHttp, numbers: Iterator[int], *, version: str = "", session_id: str = ""
    ) -> None:
        """``numbers`` belong to the session: no two requests of it may have the same."""
        self._http = http
        self._numbers = numbers
        self.version = version
        self.session_id = session_id

    @classmethod
    async def open(cls, http: McpHttp, numbers: Iterator[int]) -> "HandshakeSession":
        """Introduce ourselves; raise ``HttpRefused`` where this transport is not spoken."""
        session = cls(http, numbers)
        asked = message.request(next(numbers), "initialize", message.opening())
        async with http.exchange(asked) as reply:
            session.session_id = reply.headers.get(_SESSION, "")[:_SESSION_CHARS]
            async with aclosing(http.messages(reply)) as found:
                result = await _answer(found, asked["id"], ignore)
        session.version = message.agreed_version(result)
        await session._tell(message.notification("notifications/initialized"))
        return session

    async def ask(
        self,
        method: str,
        params: Mapping[str, Any],
        *,
        on_notice: OnNotice,
        tool: McpTool | None = None,
    ) -> dict[str, Any]:
        asked = message.request(next(self._numbers), method, params)
        try:
            async with (
                cancelling(self._tell, asked["id"]),
                self._http.exchange(asked, self._headers()) as reply,
                aclosing(self._http.messages(reply)) as found,
            ):
                return await _answer(found, asked["id"], on_notice, self._tell)
        except HttpRefused as exc:
            if exc.status == _FORGOTTEN and self.session_id:
                raise SessionLost("The MCP server has ended the session.") from exc
            raise exc.rejection or exc from exc

    def _headers(self) -> dict[str, str]:
        session = {_SESSION: self.session_id} if self.session_id else {}
        return {_VERSION: self.version, **session}

    async def _tell(self, said: Mapping[str, Any]) -> None:
        async with self._http.exchange(said, self._headers()):
            return


async def discover(http: McpHttp) -> bool:
    """Find out whether a server is of the later era; anything unclear means it is not."""
    try:
        result = await ModernSession(http).ask("server/discover", {}, on_notice=ignore)
    except Rejection as exc:
        supported = exc.data.get("supported") if isinstance(exc.data, dict) else None
        is_later = exc.number == message.UNSUPPORTED_VERSION and isinstance(supported, list)
        if is_later and not set(message.HANDSHAKE) & {str(each) for each in supported or ()}:
            raise McpUnavailable("The MCP server speaks only revisions unknown here.") from exc
        return False
    except HttpRefused:
        return False
    return message.speaks_modern(result)


async def _answer(
    found: AsyncGenerator[dict[str, Any], None],
    number: int,
    on_notice: OnNotice,
    tell: Tell | None = None,
) -> dict[str, Any]:
    """Read up to the answer of a request; pass notifications on, refuse requests."""
    questions = 0
    async for said in found:
        if message.is_reply(said, number):
            return message.outcome(said)
        if message.is_question(said):
            questions += 1
            if questions > _QUESTIONS:
                raise McpUnavailable("The MCP server asks too much.")
            if tell is not None:
                await tell(message.refusal_of(said))
        elif "method" in said:
            on_notice(said)
        elif said.get("id") is None and "error" in said:
            raise message.rejection_of(said["error"])
    raise McpUnavailable("The MCP server ended its answer early.")
