"""What is left of a stream that is read as a whole."""

from collections.abc import AsyncGenerator

import pytest

from domain.shared.chat import ContentReplaced, ModelEvent, TextDelta, Usage, UsageReported
from domain.shared.error import Unavailable
from domain.shared.reply import whole_text


class Reply:
    """A stream that tells whether it was closed."""

    def __init__(self, *events: ModelEvent | Exception) -> None:
        self._events = events
        self.is_closed = False

    async def stream(self) -> AsyncGenerator[ModelEvent, None]:
        try:
            for event in self._events:
                if isinstance(event, Exception):
                    raise event
                yield event
        finally:
            self.is_closed = True


async def test_what_replaces_the_text_counts() -> None:
    reply = Reply(TextDelta("a"), ContentReplaced(text="b", reasoning=""), TextDelta("c"))

    assert await whole_text(reply.stream()) == "bc"


async def test_usage_is_told_although_the_reply_fails() -> None:
    told: list[Usage] = []
    usage = Usage(input_tokens=3)
    reply = Reply(TextDelta("a"), UsageReported(usage), Unavailable("gone"), TextDelta("b"))

    with pytest.raises(Unavailable):
        await whole_text(reply.stream(), on_usage=told.append)

    assert told == [usage]
    assert reply.is_closed
