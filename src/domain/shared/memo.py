"""What is read again and again, remembered for some seconds."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from infra.contract.clock import Clock

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class _Entry(Generic[V]):
    value: V
    expires_at: datetime


@dataclass(slots=True)
class _Loading:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0


class Memo(Generic[K, V]):
    """Values by key for ``ttl_s`` seconds, at most ``size`` of them; failures are not kept.

    Of many who ask for the same at once only the first one loads it.
    """

    def __init__(self, *, clock: Clock, ttl_s: float, size: int) -> None:
        self._clock = clock
        self._ttl = timedelta(seconds=ttl_s)
        self._size = size
        self._entries: dict[K, _Entry[V]] = {}
        self._loading: dict[K, _Loading] = {}
        self._generation = 0

    async def get(self, key: K, load: Callable[[], Awaitable[V]]) -> V:
        """Return the value, loaded if it is not known or too old."""
        entry = self._fresh(key)
        if entry is None:
            async with self._alone(key):
                entry = self._fresh(key) or await self._load(key, load)
        return entry.value

    def forget(self, is_wrong: Callable[[K], bool]) -> None:
        """Drop the values of some keys, loads under way included."""
        self._generation += 1
        for key in [key for key in self._entries if is_wrong(key)]:
            del self._entries[key]

    def _fresh(self, key: K) -> _Entry[V] | None:
        entry = self._entries.get(key)
        return entry if entry is not None and self._clock.now() < entry.expires_at else None

    async def _load(self, key: K, load: Callable[[], Awaitable[V]]) -> _Entry[V]:
        now, generation = self._clock.now(), self._generation
        entry = _Entry(await load(), now + self._ttl)
        if generation == self._generation:
            self._entries.pop(key, None)
            while len(self._entries) >= self._size:
                del self._entries[next(iter(self._entries))]  # the one loaded longest ago
            self._entries[key] = entry
        return entry

    @asynccontextmanager
    async def _alone(self, key: K) -> AsyncGenerator[None, None]:
        loading = self._loading.setdefault(key, _Loading())
        loading.users += 1
        try:
            async with loading.lock:
                yield
        finally:
            loading.users -= 1
            if not loading.users:
                del self._loading[key]
