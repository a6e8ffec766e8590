"""Server-sent events, from bytes of any size to frames."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

_END: Final = b"\n\n"


class Frame(NamedTuple):
    """One event; ``id`` is 0 where the stream has no numbers."""

    id: int
    event: str
    data: bytes


class FrameReader:
    """Collects bytes until a frame is complete; comments and half a frame are nothing."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, piece: bytes) -> Iterator[Frame]:
        """Yield the frames that this piece completes."""
        parts = (self._rest + piece).replace(b"\r\n", b"\n").split(_END)
        self._rest = parts.pop()
        for part in parts:
            frame = _frame(part)
            if frame is not None:
                yield frame


def _frame(lines: bytes) -> Frame | None:
    number, event, data = 0, "message", list[bytes]()
    for line in lines.split(b"\n"):
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            data.append(value)
        elif name == b"event":
            event = value.decode()
        elif name == b"id" and value.isdigit():
            number = int(value)
    return Frame(number, event, b"\n".join(data)) if data else None
