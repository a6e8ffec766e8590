"""A response whose body is still on its way, and how long it is waited for."""

import asyncio
import zlib
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NoReturn, Protocol, cast

import httpx

from infra.impl.http.error import ReplyTooLarge
from infra.impl.http.pace import ReadPace

_TAIL_S: Final = 1.0  # how long the end of a body that nobody reads may take


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """Seconds to wait: for a connection, the first useful data, between reads, in total."""

    connect_s: float
    first_s: float
    idle_s: float
    total_s: float


class Body(Protocol):
    """What arrives behind the head of a response; see the transport, which is loaded late."""

    ERRORS: tuple[type[Exception], ...]

    async def read(self) -> bytes: ...

    @property
    def is_complete(self) -> bool: ...

    def rest(self, seconds: float) -> None: ...

    def fail(self, exc: Exception) -> NoReturn: ...

    def abort(self) -> None: ...


class HttpReply:
    """A response whose body is still on its way; close it, whatever happens.

    One timer watches the body. Before ``begun`` it allows the time for the first useful data,
    after that the idle time while a reader waits; the total always counts.
    """

    def __init__(
        self,
        response: httpx.Response,
        timeouts: Timeouts,
        *,
        started_at: float,
        left: "set[HttpReply]",
        pace: ReadPace,
    ) -> None:
        self.status = response.status_code
        self.headers: Mapping[str, str] = response.headers
        self._stream = cast("Body", response.stream)
        self._loop = asyncio.get_running_loop()
        self._timeouts = timeouts
        self._first_at: float | None = started_at + timeouts.first_s
        self._total_at = started_at + timeouts.total_s
        self._waiting_since: float | None = None
        self._expired = ""
        self._is_left = False
        self._pace = pace
        self._is_paced = False
        self._left = left  # replies that nobody reads but whose end may still come
        self._is_plain = self.headers.get("content-encoding") in {None, "", "identity"}
        self._decoder: Decoder | None = None
        self._raw_left: int | None = None
        self._pieces: Iterator[bytes] = iter(())
        self._timer: asyncio.TimerHandle | None = None
        self._watch(min(self._first_at, self._total_at))

    def read_any(self) -> Awaitable[bytes]:
        """Return the data of one network read, decoded; empty at the end.

        Raises:
            ReadTimeout: the time is over; the connection is closed.
            TransportError: the connection broke or the body is malformed.
        """
        return self._read() if self._is_plain else self._read_decoded()

    async def read_all(self, *, limit_bytes: int) -> bytes:
        """Return the whole body; raise ``ReplyTooLarge`` beyond ``limit_bytes``, raw or decoded."""
        parts: list[bytes] = []
        size = 0
        self._raw_left = limit_bytes
        while piece := await self.read_any():
            size += len(piece)
            if size > limit_bytes:
                self._refuse()
            parts.append(piece)
        return b"".join(parts)

    async def read_prefix(self, *, limit_bytes: int) -> bytes:
        """Return the beginning of the body; what is longer is cut."""
        start = b""
        while len(start) < limit_bytes and (piece := await self.read_any()):
            start += piece
        return start[:limit_bytes]

    def begun(self) -> None:
        """The first useful data is here: from now on only idle and total time count."""
        if self._first_at is not None:
            self._first_at = None
            self._watch(min(self._loop.time() + self._timeouts.idle_s, self._total_at))

    def gather(self) -> None:
        """From now on what arrives while the process is late may be taken together."""
        if not self._is_paced:
            self._is_paced = True
            self._pace.enter()

    def hurry(self, seconds: float) -> None:
        """All that matters is here: wait no longer than this for the rest."""
        self.begun()
        self._end_pace()
        self._total_at = min(self._total_at, self._loop.time() + seconds)
        self._watch(self._total_at)

    def leave(self) -> None:
        """Nothing more is wanted: keep the connection if the body ends at once, else close it."""
        self._is_left = True
        if self._stream.is_complete:
            self.drop()
        else:
            self._left.add(self)
            self._rearm(self._loop.time() + _TAIL_S, self.drop)

    def close(self) -> None:
        """Close the socket unless the body is complete; at once, without draining."""
        if not self._is_left:
            self.drop()

    def drop(self) -> None:
        """Close it even if it was left; harmless when repeated."""
        self._end_pace()
        self._left.discard(self)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._expired = self._expired or "closed"
        if not self._stream.is_complete:
            self._stream.abort()

    def _end_pace(self) -> None:
        if self._is_paced:
            self._is_paced = False
            self._pace.leave()

    async def _read(self) -> bytes:
        if self._is_paced and (window_s := self._pace.window_s):
            self._stream.rest(window_s)
        self._waiting_since = self._loop.time()
        try:
            return await self._stream.read()
        except self._stream.ERRORS as exc:
            if self._expired:
                raise httpx.ReadTimeout(self._expired) from None
            self._stream.fail(exc)
        finally:
            self._waiting_since = None

    async def _read_decoded(self) -> bytes:
        if self._decoder is None:
            self._decoder = decoder_for(self.headers["content-encoding"])
        while True:
            for piece in self._pieces:
                return piece
            raw = await self._read()
            if not raw:
                return b""
            if self._raw_left is not None:  # data that decodes to nothing counts too
                self._raw_left -= len(raw)
                if self._raw_left < 0:
                    self._refuse()
            self._pieces = self._decoder.feed(raw)

    def _refuse(self) -> NoReturn:
        self.close()
        raise ReplyTooLarge("The answer is larger than allowed.")

    def _watch(self, at: float) -> None:
        self._rearm(at, self._check)

    def _rearm(self, at: float, action: Callable[[], None]) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(at, action)

    def _check(self) -> None:
        """Close when time is up, else look again at the next moment that could matter."""
        now = self._loop.time()
        if now >= self._total_at:
            self._expire(f"not complete after {self._timeouts.total_s:g} s")
        elif self._first_at is not None:
            self._expire(f"no data within {self._timeouts.first_s:g} s")
        else:
            due = (self._waiting_since or now) + self._timeouts.idle_s
            if due <= now:
                self._expire(f"silent for {self._timeouts.idle_s:g} s")
            else:
                self._watch(min(due, self._total_at))

    def _expire(self, reason: str) -> None:
        self._expired = reason
        self._timer = None
        self._stream.abort()


_PIECE: Final = 256 * 1024
_ZLIB_OR_GZIP: Final = 32 + zlib.MAX_WBITS
_RAW_DEFLATE: Final = -zlib.MAX_WBITS
_ZLIB_MARK: Final = 0x0F  # low nibble of the first byte: 8 in a zlib header


class Decoder(Protocol):
    """Undoes one content encoding."""

    def feed(self, raw: bytes) -> Iterator[bytes]:
        """Yield decoded pieces of bounded size."""
        ...


class Inflater:
    """Gzip, zlib and raw deflate."""

    def __init__(self, encoding: str) -> None:
        self._encoding = encoding
        self._inflate = zlib.decompressobj(_ZLIB_OR_GZIP)
        self._started = False

    def feed(self, raw: bytes) -> Iterator[bytes]:
        """Yield decoded pieces; raise ``RemoteProtocolError`` if the data is damaged."""
        if not self._started and raw:
            self._started = True
            if self._encoding == "deflate" and raw[0] & _ZLIB_MARK != zlib.DEFLATED:
                self._inflate = zlib.decompressobj(_RAW_DEFLATE)
        try:
            while raw:
                piece = self._inflate.decompress(raw, _PIECE)
                raw = self._inflate.unconsumed_tail
                if piece:
                    yield piece
        except zlib.error as exc:
            raise httpx.RemoteProtocolError("The compressed body is damaged.") from exc


def decoder_for(encoding: str) -> Decoder:
    """Return the decoder of a ``Content-Encoding``.

    Raises:
        RemoteProtocolError: an encoding nobody asked for, or several on top of each other.
    """
    name = encoding.strip().lower()
    if name in {"gzip", "x-gzip", "deflate"}:
        return Inflater(name)
    raise httpx.RemoteProtocolError("The body is encoded in a way that was not asked for.")
