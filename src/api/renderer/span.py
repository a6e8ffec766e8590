"""Frames of spans in a stream of events: they are not numbered, and not stored."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import Any, Final, Generic, TypeVar

from api.error import Failure
from api.renderer import StreamRenderer
from api.renderer.line import json_line
from application.run.log import Record
from application.trace.live import RENEWED_S, FollowedSpans, LiveSpan, SpanFeed

R = TypeVar("R", bound=Record[Any])
_NAMES: Final = {True: "span.ended", False: "span.started"}


class SpanRenderer(Generic[R]):
    """Renders events as another renderer does, and the spans of one feed beside them.

    The ``id`` of a span's frame is the number of the last event: who goes on after it misses none.
    """

    def __init__(
        self, inner: StreamRenderer[R], feed: SpanFeed, spans: FollowedSpans, *, after: int
    ) -> None:
        self.content_type = inner.content_type
        self.keepalive = inner.keepalive
        self.holds_headers = inner.holds_headers
        self._inner = inner
        self._feed = feed
        self._spans = spans
        self._last = after

    def render(self, batch: Sequence[R]) -> bytes:
        self._last = batch[-1].seq
        return self._inner.render(batch)

    def fail(self, failure: Failure) -> bytes:
        return self._inner.fail(failure)

    async def ready(self) -> AsyncGenerator[None, None]:
        """Yield whenever there are spans; say now and then that somebody follows."""
        asked_at = asyncio.get_running_loop().time()
        while True:
            try:
                async with asyncio.timeout(RENEWED_S):
                    await self._feed.wait()
            except TimeoutError:
                pass
            else:
                yield
            now = asyncio.get_running_loop().time()
            if now - asked_at >= RENEWED_S:
                asked_at = now
                self._spans.ask()

    def take(self) -> bytes:
        """Return a frame for each span."""
        return b"".join(map(self._frame, self._feed.take()))

    def _frame(self, span: LiveSpan) -> bytes:
        name = _NAMES[span.has_ended]
        data: dict[str, Any] = {
            "type": name,
            "id": span.id,
            "parent_id": span.parent_id,
            "run_id": span.run_id,
            "kind": span.kind.value,
            "name": span.name,
            "started_at_us": span.started_at_us,
        }
        if span.status is not None:
            data |= {"duration_us": span.duration_us, "status": span.status.value}
        return b"id: %d\nevent: %s\ndata: %s\n\n" % (self._last, name.encode(), json_line(data))
