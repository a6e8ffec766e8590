"""Responses that follow a run with its spans."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, TypeVar

from api.renderer import StreamRenderer
from api.renderer.span import SpanRenderer
from api.sse import EventStreamResponse
from application.conversation.run.event import TERMINAL
from application.run.log import Record
from application.trace.live import FollowedSpans
from domain.shared.limits import Limits

R = TypeVar("R", bound=Record[Any])


def span_stream(
    batches: AsyncGenerator[list[R], None],
    renderer: StreamRenderer[R],
    spans: FollowedSpans,
    *,
    after: int,
    limits: Limits,
    space_id: int,
    endings: tuple[type, ...] = TERMINAL,
) -> EventStreamResponse[R]:
    """Return a stream of events after a number, with spans between them."""
    feed = spans.feed()
    shown = SpanRenderer(renderer, feed, spans, after=after)

    async def followed() -> AsyncGenerator[list[R], None]:
        with spans.open(feed):
            async with aclosing(batches):
                async for batch in batches:
                    yield batch

    return EventStreamResponse(
        followed(), shown, limits=limits, endings=endings, space_id=space_id, spans=shown
    )
