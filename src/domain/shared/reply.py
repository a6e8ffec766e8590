"""Replies of models that somebody only wants as a whole."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from domain.shared.chat import ContentReplaced, ModelEvent, TextDelta, Usage, UsageReported


async def whole_text(
    stream: AsyncGenerator[ModelEvent, None],
    *,
    on_usage: Callable[[Usage], None] | None = None,
) -> str:
    """Read a stream to its end, close it in any case, and return the text; raises as it does.

    ``on_usage`` hears what the reply took, also if it fails after that.
    """
    pieces: list[str] = []
    async with aclosing(stream) as events:
        async for event in events:
            match event:
                case TextDelta(text):
                    pieces.append(text)
                case ContentReplaced():
                    pieces = [event.text]
                case UsageReported() if on_usage is not None:
                    on_usage(event.usage)
                case _:
                    pass
    return "".join(pieces)
