"""Sessions over HTTP, through the egress gate: streamable without and with handshake, and events.

Streamable HTTP has one address, a POST per message, answers as JSON or as a stream of events. In
the oldest transport answers come on a stream that stays open, which names where requests go.
"""

from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from itertools import count
from typing import Any, Final

import msgspec

from domain.shared.limits import Limits
from infra.contract.egress import EgressDenied
from infra.contract.mcp import McpServer, McpTool, McpUnauthorized, McpUnavailable
from infra.impl.chat_model.sse import SseEvent, SseReader
from infra.impl.http import error
from infra.impl.http.gateway import HttpGateway
from infra.impl.http.header import check_names
from infra.impl.http.reply import HttpReply, Timeouts
from infra.impl.http.url import Url, origin_of
from infra.impl.mcp import message as rpc
from infra.impl.mcp.mirror import encoded, parameter_headers
from infra.impl.mcp.session import OnNotice, SessionLost, Tell, cancelling, ignore

EVENTS: Final = "text/event-stream"
_ACCEPT: Final = f"application/json, {EVENTS}"
_OURS: Final = frozenset({"accept", "accept-encoding", "content-type", "user-agent"})
_OUR_PREFIXES: Final = ("mcp-", "last-event-id")
_ERROR_BYTES: Final = 16 * 1024
_OK: Final = range(200, 300)
_REDIRECTS: Final = range(300, 400)
_NO_ACCESS: Final = frozenset({401, 403, 407})
_SLACK_S: Final = 5.0
_VERSION: Final = "mcp-protocol-version"
_SESSION: Final = "mcp-session-id"
_SESSION_CHARS: Final = 1024
_FORGOTTEN: Final = 404
_QUESTIONS: Final = 20
"""Requests of a server that are answered while it answers ours."""
_ADDRESS_BYTES: Final = 8192


class HttpRefused(McpUnavailable):
    """The server answered with another status than success."""

    def __init__(self, status: int, rejection: rpc.Rejection | None) -> None:
        reason = f": {rejection.message}" if rejection else "."
        super().__init__(f"The MCP server answers with HTTP status {status}{reason}")
        self.status = status
        self.rejection = rejection


class McpHttp:
    """Sends messages to one server. Redirects are not followed: credentials go nowhere else."""

    def __init__(self, gateway: HttpGateway, limits: Limits, server: McpServer) -> None:
        self._gateway = gateway
        self._limits = limits
        self.url = gateway.parse(server.url, profile="tenant")
        self._headers = _checked(server.headers)

    def join(self, reference: str) -> Url:
        """Resolve an address that the server named."""
        return self._gateway.parse(reference, profile="tenant", base=self.url)

    @asynccontextmanager
    async def exchange(
        self,
        message: Mapping[str, Any] | None,
        headers: Mapping[str, str] | None = None,
        *,
        url: Url | None = None,
        method: str = "POST",
    ) -> AsyncGenerator[HttpReply, None]:
        """Send a message, or just ask, and give the successful reply.

        Leaving early closes the connection, which servers of the later era take as cancellation.

        Raises:
            HttpRefused: the status is no success.
            McpUnauthorized: it is 401 or 403.
            McpUnavailable: there was no proper answer.
        """
        body = b"" if message is None else msgspec.json.encode(message)
        accept = {"accept": _ACCEPT if message is not None else EVENTS}
        kind = {"content-type": "application/json"} if message is not None else {}
        longest = self._limits.mcp_call_max_s + self._limits.mcp_connect_s + _SLACK_S
        try:
            reply = await self._gateway.send(
                method,
                url or self.url,
                profile="tenant",
                timeouts=Timeouts(
                    connect_s=self._limits.mcp_connect_s,
                    first_s=longest,  # the client's own clock is the stricter one
                    idle_s=longest,
                    total_s=longest,
                ),
                headers={
                    **self._headers,
                    **accept,
                    **kind,
                    **(headers or {}),
                    "accept-encoding": "identity",
                    "user-agent": "coterie",
                },
                body=body,
            )
        except error.LocalProtocolError as exc:
            raise EgressDenied("A header contains characters that are not allowed.") from exc
        except error.TransportError as exc:
            raise McpUnavailable(f"The MCP server could not be reached. {exc}") from exc
        try:
            reply.begun()
            await self._check(reply)
            yield reply
        except error.TransportError as exc:
            raise McpUnavailable(f"The MCP server's answer could not be read. {exc}") from exc
        finally:
            reply.close()

    async def messages(self, reply: HttpReply) -> AsyncGenerator[dict[str, Any], None]:
        """Yield what a reply holds: one message, or those of its events."""
        if _media_type(reply) != EVENTS:
            yield rpc.decode(await reply.read_all(limit_bytes=self._limits.mcp_message_bytes))
            return
        async for said in _decoded(self.events(reply)):
            yield said

    async def events(self, reply: HttpReply) -> AsyncGenerator[SseEvent, None]:
        """Yield the events of a stream; raise ``McpUnavailable`` for one that is too large."""
        reader = SseReader(limit_bytes=self._limits.mcp_message_bytes)
        while piece := await reply.read_any():
            for event in reader.feed(piece):
                yield event
            if reader.dropped:
                raise McpUnavailable("The MCP server's answer is larger than allowed.")
        for event in reader.finish():
            yield event

    async def _check(self, reply: HttpReply) -> None:
        if reply.status in _OK:
            return
        if reply.status in _NO_ACCESS:
            raise McpUnauthorized(
                "The MCP server does not accept the credentials; correct its headers."
            )
        if reply.status in _REDIRECTS:
            raise McpUnavailable("The MCP server redirects; use the address it redirects to.")
        body = await reply.read_prefix(limit_bytes=_ERROR_BYTES)
        raise HttpRefused(reply.status, rpc.error_in(body))


def _media_type(reply: HttpReply) -> str:
    return reply.headers.get("content-type", "").partition(";")[0].strip().lower()


def _checked(given: Mapping[str, str]) -> dict[str, str]:
    check_names(given)
    headers = {name.strip().lower(): value for name, value in given.items()}
    for name in headers:
        if name in _OURS or name.startswith(_OUR_PREFIXES):
            raise EgressDenied(f"The header {name[:64]!r} cannot be set.")
    return headers


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
        headers = {_VERSION: rpc.MODERN, "mcp-method": method}
        if tool is not None:
            headers["mcp-name"] = encoded(tool.name)
            headers |= parameter_headers(tool, params.get("arguments", {}))
        asked = rpc.request(next(self._numbers), method, rpc.modern(params))
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
        asked = rpc.request(next(numbers), "initialize", rpc.opening())
        async with http.exchange(asked) as reply:
            session.session_id = reply.headers.get(_SESSION, "")[:_SESSION_CHARS]
            async with aclosing(http.messages(reply)) as found:
                result = await _answer(found, asked["id"], ignore)
        session.version = rpc.agreed_version(result)
        await session._tell(rpc.notification("notifications/initialized"))
        return session

    async def ask(
        self,
        method: str,
        params: Mapping[str, Any],
        *,
        on_notice: OnNotice,
        tool: McpTool | None = None,
    ) -> dict[str, Any]:
        asked = rpc.request(next(self._numbers), method, params)
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
    except rpc.Rejection as exc:
        supported = exc.data.get("supported") if isinstance(exc.data, dict) else None
        is_later = exc.number == rpc.UNSUPPORTED_VERSION and isinstance(supported, list)
        if is_later and not set(rpc.HANDSHAKE) & {str(each) for each in supported or ()}:
            raise McpUnavailable("The MCP server speaks only revisions unknown here.") from exc
        return False
    except HttpRefused:
        return False
    return rpc.speaks_modern(result)


async def _decoded(events: AsyncGenerator[SseEvent, None]) -> AsyncGenerator[dict[str, Any], None]:
    async for event in events:
        if event.name in {b"", b"message"} and event.data:
            yield rpc.decode(event.data)


async def _answer(
    found: AsyncGenerator[dict[str, Any], None],
    number: int,
    on_notice: OnNotice,
    tell: Tell | None = None,
) -> dict[str, Any]:
    """Read up to the answer of a request; pass notifications on, refuse requests."""
    questions = 0
    async for said in found:
        if rpc.is_reply(said, number):
            return rpc.outcome(said)
        if rpc.is_question(said):
            questions += 1
            if questions > _QUESTIONS:
                raise McpUnavailable("The MCP server asks too much.")
            if tell is not None:
                await tell(rpc.refusal_of(said))
        elif "method" in said:
            on_notice(said)
        elif said.get("id") is None and "error" in said:
            raise rpc.rejection_of(said["error"])
    raise McpUnavailable("The MCP server ended its answer early.")


class EventSession:
    """A stream of answers, and the address that takes the requests."""

    mirrors = False

    def __init__(self, http: McpHttp, events: AsyncGenerator[SseEvent, None], url: Url) -> None:
        self._http = http
        self._found = _decoded(events)
        self._url = url
        self._numbers = count(1)

    async def ask(
        self,
        method: str,
        params: Mapping[str, Any],
        *,
        on_notice: OnNotice,
        tool: McpTool | None = None,
    ) -> dict[str, Any]:
        asked = rpc.request(next(self._numbers), method, params)
        async with cancelling(self.tell, asked["id"]):
            await self.tell(asked)
            return await _answer(self._found, asked["id"], on_notice, self.tell)

    async def tell(self, said: Mapping[str, Any]) -> None:
        """Send a message; the answer comes on the stream."""
        async with self._http.exchange(said, url=self._url):
            return


@asynccontextmanager
async def opened(http: McpHttp) -> AsyncGenerator[EventSession, None]:
    """Open a stream and introduce ourselves; leaving closes it, which ends what is being done."""
    async with (
        http.exchange(None, method="GET") as reply,
        aclosing(http.events(reply)) as events,
    ):
        session = EventSession(http, events, await _address(http, events))
        result = await session.ask("initialize", rpc.opening(), on_notice=ignore)
        rpc.agreed_version(result)
        await session.tell(rpc.notification("notifications/initialized"))
        yield session


async def _address(http: McpHttp, events: AsyncGenerator[SseEvent, None]) -> Url:
    """Return where requests go; the server may name no other origin than its own."""
    first: SseEvent | None = None
    with suppress(StopAsyncIteration):
        first = await anext(events)
    if first is None or first.name != b"endpoint" or len(first.data) > _ADDRESS_BYTES:
        raise McpUnavailable("The address is not one of an MCP server.")
    url = http.join(first.data.decode("utf-8", "replace"))
    if origin_of(url) != origin_of(http.url):
        raise McpUnavailable("The MCP server wants its requests sent to another server.")
    return url
