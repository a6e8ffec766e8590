"""What every process has to hear of, although the bus gives each event to one of them."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from cachetools import LRUCache

from application.shared.background import Background
from infra.contract.messaging.event_bus import Delivery
from infra.contract.messaging.event_repository import EventTail
from infra.contract.messaging.signal import Signals


class CacheInvalidation:
    """Consumer that forgets here what an event makes wrong, and has all other processes do so.

    ``key_of`` says in short what is wrong now, ``forget`` takes that, more than once if need be: a
    process that misses the signal reads of the event a moment later (``InvalidationPoller``).
    Make it before the signals start.
    """

    def __init__(
        self,
        signals: Signals,
        *,
        name: str,
        topics: frozenset[str],
        key_of: Callable[[Delivery], str],
        forget: Callable[[str], None],
    ) -> None:
        self.name: Final = name
        self.topics: Final = topics
        self._signals = signals
        self._key_of = key_of
        self._forget = forget
        signals.listen(name, forget)

    async def handle(self, delivery: Delivery) -> None:
        """Forget here, and tell the others; idempotent by nature."""
        key = self._key_of(delivery)
        self._forget(key)
        self._signals.send(self.name, key)

    def hear(self, delivery: Delivery) -> None:
        """Forget here what others were told by the process that handled the event."""
        self._forget(self._key_of(delivery))


LOOK_S: Final = 0.5
"""How late a process hears of what no signal told it."""
_OVERLAP: Final = 10
"""Looks that are read again: so long may a transaction take from its first row to its end."""
_SEEN: Final = 4096


class InvalidationPoller:
    """Reads in every process what was committed lately, signals or not.

    One indexed read per look, whatever the number of callers and streams.
    """

    def __init__(self, tail: EventTail, heard: Sequence[CacheInvalidation]) -> None:
        self._tail = tail
        self._heard = heard
        self.topics: Final = frozenset[str]().union(*(each.topics for each in heard))
        self._newest: deque[int] = deque(maxlen=_OVERLAP)
        self._seen: LRUCache[str, None] = LRUCache(_SEEN)
        self._loop = Background(self.poll, name="invalidations", interval_s=LOOK_S)

    async def start(self) -> None:
        newest, _ = await self._tail.read(0, frozenset())
        self._newest.append(newest)
        await self._loop.start()

    async def aclose(self) -> None:
        await self._loop.aclose()

    async def poll(self) -> None:
        """Hear of what is new, in the order in which it was committed."""
        newest, deliveries = await self._tail.read(self._newest[0], self.topics)
        if newest < self._newest[-1]:  # positions began anew
            self._newest.clear()
            newest, deliveries = await self._tail.read(0, self.topics)
        self._newest.append(newest)
        for delivery in deliveries:
            if delivery.event_id in self._seen:
                continue
            self._seen[delivery.event_id] = None
            for each in self._heard:
                if delivery.topic in each.topics:
                    each.hear(delivery)
