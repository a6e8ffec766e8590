"""The oldest transport: answers on a stream that the client opened before it asks."""

import asyncio
import secrets
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, suppress
from typing import Any, Final

import msgspec
from litestar import Request, Response
from litestar.background_tasks import BackgroundTask

from api.error import Failure
from api.mcp.gateway import McpGateway, Toolset, frame
from api.mcp.protocol import Incoming, RpcError
from api.sse import EventStreamResponse
from domain.shared.access import Principal
from domain.shared.capacity.fair_share import FairShare
from domain.shared.error import NotFound, RateLimited
from domain.shared.ids import TokenId
from domain.shared.limits import Limits

_KEPT: Final = 10
"""One place of so many is never had by one account alone: streams stay open."""
_MESSAGES: Final = 64
_PUT_S: Final = 30.0
_KEY_BYTES: Final = 24


class Frame(msgspec.Struct, frozen=True):
    """Bytes of a stream; they end with the client, or with the process."""

    event: bytes


class FrameRenderer:
    """Writes frames as they are."""

    content_type = "text/event-stream"
    keepalive = b": alive\r\n\r\n"
    holds_headers = False

    def render(self, batch: list[Frame] | Any) -> bytes:
        return b"".join(each.event for each in batch)

    def fail(self, failure: Failure) -> bytes:
        """End without a word: no request is being answered."""
        return b""


class _Stream:
    """One client that listens."""

    def __init__(self, token_id: TokenId, path: str) -> None:
        self.token_id = token_id
        self.path = path
        self.is_open = True
        self._frames: asyncio.Queue[bytes] = asyncio.Queue(maxsize=_MESSAGES)

    async def put(self, message: Mapping[str, Any]) -> None:
        async with asyncio.timeout(_PUT_S):
            await self._frames.put(frame(message))

    async def get(self) -> bytes:
        """Return the next message, or nothing when there will be no more."""
        return await self._frames.get()

    def end(self) -> None:
        """Have who waits for a message see that none will come."""
        self.is_open = False
        with suppress(asyncio.QueueFull):  # then nobody waits
            self._frames.put_nowait(b"")


class EventStreams:
    """The open streams of this process; answers go nowhere else."""

    def __init__(self, *, gateway: McpGateway, limits: Limits) -> None:
        self._gateway = gateway
        self._limits = limits
        self._has_ended = False
        self._streams: dict[str, _Stream] = {}
        most = limits.mcp_streams
        self._places = FairShare(
            "event streams", capacity=most, kept=most // _KEPT, waiting=0, wait_s=0.0
        )

    def end(self) -> None:
        """End all streams, also those that are about to begin: the process leaves."""
        self._has_ended = True
        for stream in self._streams.values():
            stream.end()

    def open(self, request: Request[Any, Any, Any], principal: Principal) -> Response[Any]:
        """Open a stream; its first event says where messages go.

        Raises:
            RateLimited: too many are open in this process.
        """
        self._gateway.check_origin(request)
        if not self._places.has_room(principal.personal_space_id):
            raise RateLimited(
                "Too many event streams are open; use streamable HTTP instead.", limit="mcp_streams"
            )
        path = request.scope["path"]
        key = secrets.token_urlsafe(_KEY_BYTES)
        stream = _Stream(principal.token_id, path)
        return EventStreamResponse(
            self._frames(key, stream, principal.personal_space_id),
            FrameRenderer(),
            limits=self._limits,
            endings=(),
        )

    async def take(
        self, request: Request[Any, Any, Any], principal: Principal, tools: Toolset
    ) -> Response[Any]:
        """Accept a message whose answer goes to the stream; raise ``NotFound`` without one."""
        self._gateway.check_origin(request)
        stream = self._streams.get(request.query_params.get("session_id", ""))
        if (
            stream is None
            or stream.token_id != principal.token_id
            or stream.path != request.scope["path"]
        ):
            raise NotFound("There is no such stream; open one first.")
        try:
            asked = await self._gateway.read(request)
        except RpcError as exc:
            return Response(msgspec.json.encode(exc.body(None)), status_code=400)
        if asked.number is None:
            return Response(b"", status_code=202)
        work = BackgroundTask(self._answer, stream, asked, principal, tools)
        return Response(b"", status_code=202, background=work)

    async def _answer(
        self, stream: _Stream, asked: Incoming, principal: Principal, tools: Toolset
    ) -> None:
        try:
            async with aclosing(await self._gateway.speak(asked, principal, tools)) as spoken:
                async for said in spoken:
                    if not stream.is_open:
                        return  # which gives up what is being done
                    await stream.put(said.message)
        except RpcError as exc:
            await stream.put(exc.body(asked.number))

    async def _frames(
        self, key: str, stream: _Stream, account: int
    ) -> AsyncGenerator[list[Frame], None]:
        is_counted = self._places.try_acquire(account)
        self._streams[key] = stream
        if self._has_ended:
            stream.end()
        try:
            address = f"{stream.path}?session_id={key}"
            yield [Frame(f"event: endpoint\r\ndata: {address}\r\n\r\n".encode())]
            while stream.is_open and (message := await stream.get()):
                yield [Frame(message)]
        finally:
            stream.is_open = False
            del self._streams[key]
            if is_counted:
                self._places.release(account)
