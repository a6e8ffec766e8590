"""Incremental reader of ``text/event-stream`` (WHATWG HTML, section 9.2), and of chunks alike."""

from collections.abc import Callable
from typing import Final, Generic, TypeVar

import msgspec

_BOM: Final = b"\xef\xbb\xbf"


class SseEvent(msgspec.Struct, frozen=True, gc=False):
    """One dispatched event; ``data`` is undecoded, its lines joined by LF."""

    data: bytes
    name: bytes = b""


class SseReader:
    """Bytes in, events out; any split of the bytes gives the same events.

    Takes CR, LF and CRLF line ends, a byte order mark and comments. Never raises: what is not an
    event is skipped. Memory is bounded: an event whose lines exceed ``limit_bytes`` is dropped and
    counted. Time is linear in the input.
    """

    def __init__(self, *, limit_bytes: int) -> None:
        self._limit = limit_bytes
        self._held: list[bytes] = []  # pieces of the line that has not ended yet
        self._held_size = 0
        self._data: list[bytes] = []
        self._size = 0
        self._name = b""
        self._started = False
        self._after_cr = False
        self._skipping = False
        self._is_comment = False
        self.dropped = 0

    def takes_whole(self, chunk: bytes) -> bool:
        """Tell whether nothing is pending: the piece begins an event, and is not too large."""
        return (
            self._started
            and not (self._held or self._size or self._skipping or self._after_cr or self._name)
            and len(chunk) <= self._limit
        )

    def feed(self, chunk: bytes) -> list[SseEvent]:
        """Return the events that this piece completes."""
        if (  # most servers write one event of one line at a time
            chunk.startswith(b"data: ")
            and chunk.find(b"\n") == len(chunk) - 2
            and chunk.endswith(b"\n\n")
            and b"\r" not in chunk
            and len(chunk) <= self._limit
            and self._started
            and not (self._held or self._size or self._skipping or self._after_cr)
        ):
            return [SseEvent(chunk[6:-2])]
        if not self._started:
            chunk = self._without_mark(chunk)
        if self._after_cr and chunk:
            self._after_cr = False
            chunk = chunk.removeprefix(b"\n")
        if b"\r" in chunk:
            self._after_cr = chunk.endswith(b"\r")
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if b"\n" not in chunk:
            self._hold(chunk)
            return []
        lines = chunk.split(b"\n")
        if self._held:
            self._held.append(lines[0])
            lines[0] = b"".join(self._held)
            self._held.clear()
            self._held_size = 0
        rest = lines.pop()
        events: list[SseEvent] = []
        for line in lines:
            if line:
                self._take(line)
            else:
                self._dispatch(events)
        if rest:
            self._hold(rest)
        return events

    def finish(self) -> list[SseEvent]:
        """Return what the end of the input completes: servers forget the last empty line.

        The standard would discard it.
        """
        events: list[SseEvent] = []
        if not self._started:  # the input was a part of a byte order mark
            self._held.clear()
        if self._held:
            self._take(b"".join(self._held))
            self._held.clear()
        self._dispatch(events)
        return events

    def _without_mark(self, chunk: bytes) -> bytes:
        self._held.append(chunk)
        start = b"".join(self._held)
        if len(start) < len(_BOM) and _BOM.startswith(start):
            return b""
        self._held.clear()
        self._started = True
        return start.removeprefix(_BOM)

    def _hold(self, piece: bytes) -> None:
        """Keep a piece of an unfinished line; of a comment or a line to skip, only that it is."""
        if not piece:
            return
        if not self._held:
            self._is_comment = piece.startswith(b":")
        if self._is_comment or self._skipping:
            self._held = [b":"]
            return
        self._held.append(piece)
        self._held_size += len(piece)
        if self._size + self._held_size > self._limit:
            self._skip()
            self._held = [b":"]

    def _skip(self) -> None:
        self._skipping = True
        self._data.clear()

    def _take(self, line: bytes) -> None:
        if self._skipping or line.startswith(b":"):
            return
        self._size += len(line)
        if self._size > self._limit:
            self._skip()
        elif line.startswith(b"data:"):
            self._data.append(line[6:] if line.startswith(b" ", 5) else line[5:])
        elif line.startswith(b"event:"):
            self._name = line[6:].removeprefix(b" ")
        elif line == b"data":
            self._data.append(b"")

    def _dispatch(self, events: list[SseEvent]) -> None:
        if self._skipping:
            self.dropped += 1
        elif len(self._data) == 1:
            events.append(SseEvent(self._data[0], self._name))
        elif self._data:
            events.append(SseEvent(b"\n".join(self._data), self._name))
        self._data.clear()
        self._size = 0
        self._name = b""
        self._skipping = False


C = TypeVar("C")

_HEAD: Final = b"data: "
_TAIL: Final = b"\n\n"
_TRIES: Final = 4
"""A server that writes something new into every chunk is soon no longer looked at."""
_PROBE: Final = "a probe \u00b6"

_text_of: Final = msgspec.json.Decoder(str).decode
_encode: Final = msgspec.json.Encoder().encode


class TextChunks(Generic[C]):
    """What surrounds the texts of one stream, whose chunks are compared instead of decoded.

    A server writes the chunks of an answer with the same bytes around each text. Once these are
    known, a read of nothing but such chunks is cut at them and its texts are decoded together: a
    chunk alone takes 0.7 µs instead of 1.5, ten of one read 2.6 instead of 13. Everything else is
    read as usual.

    ``decode`` reads a chunk, ``plain`` returns the chunk that is nothing but a text, as like
    another one as possible, or None where the other one is more than a text.
    """

    __slots__ = ("_between", "_decode", "_head", "_plain", "_tail", "_tries")

    def __init__(
        self, *, decode: Callable[[bytes], C | None], plain: Callable[[C, str], C | None]
    ) -> None:
        self._decode = decode
        self._plain = plain
        self._head = self._tail = self._between = b""
        self._tries = _TRIES

    def read(self, piece: bytes) -> str:
        """Return the texts of whole chunks, joined; nothing if the piece is anything else."""
        head, tail = self._head, self._tail
        if not (head and piece.startswith(head) and piece.endswith(tail)):
            return ""
        body = piece[len(head) : -len(tail)]
        try:
            if b"\n" not in body:
                return _text_of(b'"%b"' % body)
            texts = body.split(self._between)
            if b"\\" in body:  # an escape ends with its text: joined, two halves would be another
                return "".join([_text_of(b'"%b"' % text) for text in texts])
            return _text_of(b'"%b"' % b"".join(texts))
        except (msgspec.DecodeError, UnicodeDecodeError):  # also where something else is between
            return ""

    def learn(self, data: bytes, chunk: C, text: str) -> None:
        """Take note of a chunk that was decoded and holds this text."""
        if not self._tries or not text:
            return
        self._tries -= 1
        written = _encode(text)
        at = data.find(b":" + written) + 1 or data.find(b": " + written) + 2
        before, after = data[: at + 1], data[at + len(written) - 1 :]
        if not data.startswith(written, at) or b"\n" in data or b"\r" in data:
            return
        probed = self._decode(before + _encode(_PROBE)[1:-1] + after)
        if probed is not None and probed == self._plain(chunk, _PROBE):
            self._head, self._tail = _HEAD + before, after + _TAIL
            self._between = self._tail + self._head
