"""Cutting the bytes of a body into JSON texts."""

from typing import Final, Protocol

from infra.impl.chat_model.sse import SseReader

_BLANK: Final = b" \t\r\n\xef\xbb\xbf"
_NOT_A_STREAM: Final = (b"{", b"[", b"<")


class Frames(Protocol):
    """Bytes in, JSON texts out; any split of the bytes gives the same texts."""

    is_refused: bool
    """The body was larger than allowed."""

    @property
    def has_noise(self) -> bool:
        """Something came that was no frame."""
        ...

    def feed(self, piece: bytes) -> list[bytes]:
        """Return the texts that this piece completes."""
        ...

    def finish(self) -> list[bytes]:
        """Return what the end of the body completes."""
        ...


class SseFrames:
    """The data of server-sent events; a body that is no event stream is one whole text.

    Some gateways answer a stream request with a whole JSON object.
    """

    def __init__(self, *, event_bytes: int, body_bytes: int) -> None:
        self._reader = SseReader(limit_bytes=event_bytes)
        self._limit = body_bytes
        self._held: list[bytes] = []
        self._size = 0
        self._is_whole = False
        self._is_known = False
        self._has_bytes = False
        self.is_refused = False

    @property
    def has_noise(self) -> bool:
        return self._has_bytes

    def feed(self, piece: bytes) -> list[bytes]:
        self._has_bytes = self._has_bytes or bool(piece.strip(_BLANK))
        if not self._is_known:
            self._held.append(piece)
            start = b"".join(self._held)
            visible = start.lstrip(_BLANK)
            if not visible and len(start) <= self._limit:
                self._held = [start]
                return []
            self._is_known = True
            self._is_whole = visible.startswith(_NOT_A_STREAM)
            self._held = []
            piece = start
        if self._is_whole:
            self._hold(piece)
            return []
        return [event.data for event in self._reader.feed(piece)]

    def finish(self) -> list[bytes]:
        if self._is_whole:
            return [] if self.is_refused else [b"".join(self._held).strip(_BLANK)]
        return [event.data for event in self._reader.finish()]

    def _hold(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size > self._limit:
            self.is_refused = True
            self._held.clear()
        elif not self.is_refused:
            self._held.append(piece)


class LineFrames:
    """One JSON text per line; a line that is too long is skipped."""

    def __init__(self, *, line_bytes: int) -> None:
        self._limit = line_bytes
        self._held: list[bytes] = []
        self._size = 0
        self._has_bytes = False
        self.is_refused = False

    @property
    def has_noise(self) -> bool:
        return self._has_bytes

    def feed(self, piece: bytes) -> list[bytes]:
        self._has_bytes = self._has_bytes or bool(piece.strip(_BLANK))
        *ends, rest = piece.split(b"\n")
        texts: list[bytes] = []
        for end in ends:
            self._hold(end)
            texts.extend(self._release())
        self._hold(rest)
        return texts

    def finish(self) -> list[bytes]:
        return self._release()

    def _hold(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size > self._limit:
            self.is_refused = True
            self._held.clear()
        elif piece:
            self._held.append(piece)

    def _release(self) -> list[bytes]:
        line = b"".join(self._held).strip(_BLANK)
        is_whole = self._size <= self._limit
        self._held, self._size = [], 0
        return [line] if line and is_whole else []
