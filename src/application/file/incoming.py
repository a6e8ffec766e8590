"""The bytes of an upload on their way to the store."""

from collections.abc import AsyncIterable, AsyncIterator

from domain.file.sniff import HEAD_BYTES, sniff


class SniffedStream:
    """Passes chunks on and remembers the first ones, by which the content is recognised.

    An iterator and no generator: there is nothing to close when its reader gives up.
    """

    def __init__(self, chunks: AsyncIterable[bytes]) -> None:
        self._chunks = aiter(chunks)
        self._head = bytearray()

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        chunk = await anext(self._chunks)
        missing = HEAD_BYTES - len(self._head)
        if missing > 0:
            self._head += chunk[:missing]
        return chunk

    def media_type(self, *, name: str, declared: str) -> str:
        """Name the type of what has passed."""
        return sniff(bytes(self._head), name=name, declared=declared)
