"""HTTP requests to MCP servers, through the guarded door, and messages out of the replies."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

import msgspec

from domain.shared.limits import Limits
from infra.contract.egress import EgressDenied
from infra.contract.mcp import McpServer, McpUnauthorized, McpUnavailable
from infra.impl.chat_model.sse import SseEvent, SseReader
from infra.impl.http import error
from infra.impl.http.gateway import HttpGateway
from infra.impl.http.header import check_names
from infra.impl.http.reply import HttpReply, Timeouts
from infra.impl.http.url import Url
from infra.impl.mcp.message import Rejection, decode, error_in

EVENTS: Final = "text/event-stream"
_ACCEPT: Final = f"application/json, {EVENTS}"
_OURS: Final = frozenset({"accept", "accept-encoding", "content-type", "user-agent"})
_OUR_PREFIXES: Final = ("mcp-", "last-event-id")
_ERROR_BYTES: Final = 16 * 1024
_OK: Final = range(200, 300)
_REDIRECTS: Final = range(300, 400)
_NO_ACCESS: Final = frozenset({401, 403, 407})
_SLACK_S: Final = 5.0


class HttpRefused(McpUnavailable):
    """The server answered with another status than success."""

    def __init__(self, status: int, rejection: Rejection | None) -> None:
        reason = f": {rejection.message}" if rejection else "."
        super().__init__(f"The MCP server answers with HTTP status {status}{reason}")
        self.status = status
        self.rejection = rejection


class McpHttp:
    """Sends messages to one server. Redirects are not followed: credentials go nowhere else."""

    def __init__(self, door: HttpGateway, limits: Limits, server: McpServer) -> None:
        self._door = door
        self._limits = limits
        self.url = door.parse(server.url, profile="tenant")
        self._headers = _checked(server.headers)

    def join(self, reference: str) -> Url:
        """Resolve an address that the server named."""
        return self._door.parse(reference, profile="tenant", base=self.url)

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
            reply = await self._door.send(
                method,
                url or self.url,
                profile="tenant",
                patience=Timeouts(
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
            yield decode(await reply.read_all(limit_bytes=self._limits.mcp_message_bytes))
            return
        async for event in self.events(reply):
            if event.name in {b"", b"message"} and event.data:
                yield decode(event.data)

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
        raise HttpRefused(reply.status, error_in(body))


def _media_type(reply: HttpReply) -> str:
    return reply.headers.get("content-type", "").partition(";")[0].strip().lower()


def _checked(given: Mapping[str, str]) -> dict[str, str]:
    check_names(given)
    headers = {name.strip().lower(): value for name, value in given.items()}
    for name in headers:
        if name in _OURS or name.startswith(_OUR_PREFIXES):
            raise EgressDenied(f"The header {name[:64]!r} cannot be set.")
    return headers
