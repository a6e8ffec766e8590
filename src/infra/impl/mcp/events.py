"""HTTP with events, the oldest transport: answers come on a stream that stays open."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from itertools import count
from typing import Any, Final

from infra.contract.mcp import McpTool, McpUnavailable
from infra.impl.chat_model.sse import SseEvent
from infra.impl.http.url import Url, origin_of
from infra.impl.mcp import message
from infra.impl.mcp.http import McpHttp
from infra.impl.mcp.session import OnNotice, cancelling, ignore

_QUESTIONS: Final = 20
_ADDRESS_BYTES: Final = 8192


class EventSession:
    """A stream of answers, and the address that takes the requests."""

    mirrors = False

    def __init__(self, http: McpHttp, events: AsyncGenerator[SseEvent, None], url: Url) -> None:
        self._http = http
        self._events = events
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
        asked = message.request(next(self._numbers), method, params)
        async with cancelling(self.tell, asked["id"]):
            await self.tell(asked)
            return await self._answer(asked["id"], on_notice)

    async def tell(self, said: Mapping[str, Any]) -> None:
        """Send a message; the answer comes on the stream."""
        async with self._http.exchange(said, url=self._url):
            return

    async def _answer(self, number: int, on_notice: OnNotice) -> dict[str, Any]:
        questions = 0
        async for event in self._events:
            if event.name not in {b"", b"message"} or not event.data:
                continue
            said = message.decode(event.data)
            if message.is_reply(said, number):
                return message.outcome(said)
            if message.is_question(said):
                questions += 1
                if questions > _QUESTIONS:
                    raise McpUnavailable("The MCP server asks too much.")
                await self.tell(message.refusal_of(said))
            elif "method" in said:
                on_notice(said)
        raise McpUnavailable("The MCP server ended its stream early.")


@asynccontextmanager
async def opened(http: McpHttp) -> AsyncGenerator[EventSession, None]:
    """Open a stream and introduce ourselves; leaving closes it, which ends what is being done."""
    async with (
        http.exchange(None, method="GET") as reply,
        aclosing(http.events(reply)) as events,
    ):
        session = EventSession(http, events, await _address(http, events))
        result = await session.ask("initialize", message.opening(), on_notice=ignore)
        message.agreed_version(result)
        await session.tell(message.notification("notifications/initialized"))
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
