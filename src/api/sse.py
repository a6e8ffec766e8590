"""Event streams over HTTP: one task reads the run and writes, one watches the client."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from typing import Any, Final, Generic, TypeVar, cast

from litestar import Response
from litestar.types import Receive, Scope, Send

from api.context import BODY_WRITER
from api.entry.permit import WhilePermitted
from api.error import JSON_TYPE, ClientGone, Failure, encode_failure
from api.renderer import StreamRecord, StreamRenderer
from api.renderer.span import SpanRenderer
from application.conversation.run.event import TERMINAL, RunCanceled, RunFailed
from application.operation.http_metrics import HttpMetrics
from domain.shared.error import AppError, Unauthenticated
from domain.shared.limits import Limits

_logger: Final = logging.getLogger(__name__)

R = TypeVar("R", bound=StreamRecord)

BodyWriter = Callable[[bytes], Awaitable[None]]
_BROKEN: Final = (RunFailed, RunCanceled)


class EventStreamResponse(Response[Any], Generic[R]):
    """Response whose body follows a run; closing it ends the subscription, never the run.

    ``spans`` has frames that are no events of the run, which come whenever there are some.
    Nothing is read after an event of one of the types ``endings``, nor once the caller's rights in
    ``space_id``, where the run lives, have ended.
    """

    def __init__(
        self,
        batches: AsyncGenerator[list[R], None],
        renderer: StreamRenderer[R],
        *,
        limits: Limits,
        headers: Mapping[str, str] | None = None,
        endings: tuple[type, ...] = TERMINAL,
        space_id: int | None = None,
        spans: SpanRenderer[Any] | None = None,
    ) -> None:
        self._spans = spans
        super().__init__(content=None, media_type=renderer.content_type)
        self._space_id = space_id
        self._batches = batches
        self._renderer = renderer
        self._limits = limits
        self._endings = endings
        self._lines = [(k.encode(), v.encode()) for k, v in (headers or {}).items()]

    def to_asgi_response(self, *_: Any, **__: Any) -> Any:
        """Return the ASGI application that writes the stream."""
        return self._write

    async def _write(self, scope: Scope, receive: Receive, send: Send) -> None:
        metrics: HttpMetrics = scope["litestar_app"].state.http_metrics
        stream = _Stream(
            self._renderer,
            self._limits,
            metrics,
            send=send,
            write=cast("BodyWriter | None", scope.get(BODY_WRITER)),
            path=scope["path"],
            headers=self._lines,
            endings=self._endings,
            spans=self._spans,
        )
        async with aclosing(self._batches) as batches:
            try:
                with metrics.stream():
                    async with asyncio.TaskGroup() as tasks:
                        watchers = [tasks.create_task(stream.watch(receive))]
                        if self._spans is not None:
                            watchers.append(tasks.create_task(stream.pump_spans(self._spans)))
                        try:
                            async with WhilePermitted(scope, space_id=self._space_id):
                                await stream.pump(batches)
                        except Unauthenticated as exc:
                            await stream.cut(exc)
                        for watcher in watchers:
                            watcher.cancel()
            except* ClientGone:
                pass


class _Stream(Generic[R]):
    """The state of one response: begun or not, when last written, writing since when."""

    def __init__(
        self,
        renderer: StreamRenderer[R],
        limits: Limits,
        metrics: HttpMetrics,
        *,
        send: Send,
        write: BodyWriter | None,
        path: str,
        headers: list[tuple[bytes, bytes]],
        endings: tuple[type, ...],
        spans: SpanRenderer[Any] | None = None,
    ) -> None:
        self._endings = endings
        self._spans = spans
        self._turn = asyncio.Lock()
        """Held while frames are made and written, where two tasks do that."""
        self._renderer = renderer
        self._limits = limits
        self._metrics = metrics
        self._send = send
        self._put: BodyWriter = write or self._send_piece
        self._path = path
        self._headers = headers
        self._has_begun = False
        self._has_ended = False
        self._clock = asyncio.get_running_loop().time
        self._written_at = self._clock()
        self._writing_since: float | None = None

    async def pump(self, batches: AsyncGenerator[list[R], None]) -> None:
        """Write batch by batch; end the body right after the terminal event."""
        try:
            async for batch in batches:
                last = batch[-1].event
                if isinstance(last, _BROKEN) and await self._refuse_run(last):
                    return
                async with self._turn:
                    before = b"" if self._spans is None else self._spans.take()
                    frames = before + self._renderer.render(batch)
                    if isinstance(last, self._endings):
                        await self._end(frames)
                        return
                    await self._write(frames)
        except AppError as exc:
            if await self._fail(Failure.of(exc)):
                return
        except Exception:
            _logger.exception("An event stream broke")
            if await self._fail(Failure.unexpected()):
                return
        await self._end()

    async def pump_spans(self, spans: SpanRenderer[Any]) -> None:
        """Write spans between the events, until it is cancelled."""
        async for _ in spans.ready():
            async with self._turn:
                if self._has_ended:
                    return
                await self._write(spans.take())

    async def cut(self, error: AppError) -> None:
        """Tell why nothing follows, and end the body."""
        if not self._has_ended and not await self._fail(Failure.of(error)):
            await self._end()

    async def _end(self, frames: bytes = b"") -> None:
        self._has_ended = True
        # The watcher looks at this: a client may take not even the end.
        self._writing_since = self._clock()
        await self._begin()
        await self._send({"type": "http.response.body", "body": frames, "more_body": False})

    async def watch(self, receive: Receive) -> None:
        """Raise ``ClientGone`` when the peer leaves or stalls; keep a silent stream alive."""
        while True:
            try:
                async with asyncio.timeout(self._seconds_to_next_check()):
                    message = await receive()
            except TimeoutError:
                await self._check()
                continue
            if message["type"] == "http.disconnect":
                raise ClientGone

    def _seconds_to_next_check(self) -> float:
        due = self._written_at + self._limits.stream_keepalive_s
        if self._writing_since is not None:
            due = self._writing_since + self._limits.stream_write_stall_s
        return max(due - self._clock(), 0.001)

    async def _check(self) -> None:
        now = self._clock()
        if self._writing_since is not None:
            if now - self._writing_since >= self._limits.stream_write_stall_s:
                raise self._stalled()
        elif now - self._written_at >= self._limits.stream_keepalive_s:
            try:  # nobody watches the watcher
                async with asyncio.timeout(self._limits.stream_write_stall_s):
                    await self._write(self._renderer.keepalive)
            except TimeoutError:
                raise self._stalled() from None
            self._written_at = now  # some wires have nothing to say that is not content

    def _stalled(self) -> ClientGone:
        self._metrics.dropped("stalled")
        return ClientGone()

    async def _write(self, frames: bytes) -> None:
        if not frames:
            return
        self._writing_since = self._clock()
        if not self._has_begun:
            await self._begin()
        await self._put(frames)
        self._writing_since = None
        self._written_at = self._clock()

    async def _send_piece(self, frames: bytes) -> None:
        await self._send({"type": "http.response.body", "body": frames, "more_body": True})

    async def _begin(self) -> None:
        if self._has_begun:
            return
        self._has_begun = True
        lines = [
            (b"content-type", self._renderer.content_type.encode()),
            # ``no-transform``: a proxy that compresses would gather pieces as well.
            (b"cache-control", b"no-cache, no-transform"),
            (b"connection", b"keep-alive"),
            # nginx would hold pieces back until its buffer is full.
            (b"x-accel-buffering", b"no"),
            *self._headers,
        ]
        await self._send({"type": "http.response.start", "status": 200, "headers": lines})

    async def _refuse_run(self, event: RunFailed | RunCanceled) -> bool:
        """Answer a run that failed before the first byte like a request that failed."""
        if self._has_begun or not self._renderer.holds_headers or isinstance(event, RunCanceled):
            return False
        return await self._refuse(Failure.of_run(event.run.error))

    async def _fail(self, failure: Failure) -> bool:
        """Tell of a broken subscription; return whether that was the whole response."""
        if not self._has_begun:
            return await self._refuse(failure)
        self._metrics.dropped("failed")
        await self._write(self._renderer.fail(failure))
        return False

    async def _refuse(self, failure: Failure) -> bool:
        self._has_begun = self._has_ended = True
        status, headers, body = encode_failure(failure, path=self._path)
        lines = [(name.encode(), value.encode()) for name, value in headers.items()]
        lines.append((b"content-type", JSON_TYPE.encode()))
        lines.append((b"content-length", str(len(body)).encode()))
        await self._send({"type": "http.response.start", "status": status, "headers": lines})
        await self._send({"type": "http.response.body", "body": body, "more_body": False})
        return True
