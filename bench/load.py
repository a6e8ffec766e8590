"""Load generator: many concurrent streams read with as little work as possible.

Counts the tokens that ``bench.upstream`` stamped, however the server under test packed them.
"""

import asyncio
import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final, cast
from urllib.parse import urlsplit

_TOKEN: Final = re.compile(rb"t(\d{6,});")
_REPEATED: Final = b"event: conversation.message.completed"
"""From here on the Coze wire repeats the whole answer."""


@dataclass(slots=True)
class StreamResult:
    """What one stream delivered; times in seconds."""

    first_token_s: float | None = None
    ended_at: float = 0.0
    status: int = 0
    ages_s: list[float] = field(default_factory=list)
    """Age of each token on arrival: now minus the stamp."""


@dataclass(frozen=True, slots=True)
class LoadResult:
    """All streams of one run."""

    streams: list[StreamResult]
    wall_s: float

    @property
    def tokens(self) -> int:
        return sum(len(s.ages_s) for s in self.streams)

    @property
    def errors(self) -> int:
        return sum(s.status != 200 or not s.ages_s for s in self.streams)

    def age_ms(self, share: float) -> float:
        """Quantile of token age in milliseconds."""
        return quantile([a for s in self.streams for a in s.ages_s], share) * 1000

    def first_token_ms(self, share: float) -> float:
        """Quantile of the time from request to first token in milliseconds."""
        times = [s.first_token_s for s in self.streams if s.first_token_s is not None]
        return quantile(times, share) * 1000


def quantile(values: list[float], share: float) -> float:
    """The value below which this share of them lies."""
    if not values:
        return float("nan")
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def ratio_of(mine: Sequence[float], base: Sequence[float]) -> tuple[float, float]:
    """Return the median of the rounds' ratios, and half the width of what it may be (95 %)."""
    ratios = sorted(a / b for a, b in zip(mine, base, strict=True))
    middle, spread = len(ratios) / 2, 0.98 * len(ratios) ** 0.5
    least, most = int(max(0, middle - spread)), int(min(len(ratios) - 1, middle + spread))
    return round(median(ratios), 3), round((ratios[most] - ratios[least]) / 2, 3)


class _Reader(asyncio.Protocol):
    def __init__(self, request: bytes, done: asyncio.Future[StreamResult]) -> None:
        self._request = request
        self._done = done
        self._tail = b""
        self._is_repeated = False
        self._result = StreamResult()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is not a subclass
        self._started = time.monotonic()
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        now = time.monotonic_ns()
        result = self._result
        if not result.status:
            result.status = int(data[9:12])
            if result.status != 200:
                self._transport.close()  # a refusal keeps the connection open
                return
        data = self._tail + data
        end = 0
        fresh = 0 if self._is_repeated else len(data)
        if not self._is_repeated and (found := data.find(_REPEATED)) >= 0:
            self._is_repeated, fresh = True, found
        for match in _TOKEN.finditer(data, 0, fresh):
            result.ages_s.append((now - int(match[1])) / 1e9)
            end = match.end()
        if result.ages_s and result.first_token_s is None:
            result.first_token_s = now / 1e9 - self._started
        self._tail = data[end:][-64:]
        if self._tail.endswith(b"0\r\n\r\n"):
            self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._result.ended_at = time.monotonic()
        if not self._done.done():
            self._done.set_result(self._result)


async def run_load(
    url: str,
    body: dict[str, object],
    *,
    streams: int,
    headers: dict[str, str] | None = None,
    timeout_s: float = 120.0,
) -> LoadResult:
    """POST ``body`` on ``streams`` new connections at once and read each to its end."""
    parts = urlsplit(url)
    payload = json.dumps(body).encode()
    lines = [f"POST {parts.path}?{parts.query} HTTP/1.1", f"host: {parts.netloc}"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    lines += ["content-type: application/json", f"content-length: {len(payload)}"]
    request = ("\r\n".join(lines) + "\r\n\r\n").encode() + payload
    loop = asyncio.get_running_loop()
    started = time.monotonic()

    async def one() -> StreamResult:
        done: asyncio.Future[StreamResult] = loop.create_future()
        transport, _ = await loop.create_connection(
            lambda: _Reader(request, done), parts.hostname or "", parts.port or 80
        )
        try:
            async with asyncio.timeout(timeout_s):
                return await done
        except TimeoutError:
            transport.abort()
            return await done

    results = await asyncio.gather(*(one() for _ in range(streams)))
    return LoadResult(list(results), time.monotonic() - started)
