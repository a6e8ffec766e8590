"""What every process has to hear of, although the bus gives each event to one of them."""

from collections.abc import Callable
from typing import Final

from infra.contract.event_bus import Delivery
from infra.contract.signal import Signals


class Everywhere:
    """Consumer that forgets here what an event makes wrong, and has all other processes do so.

    ``key_of`` says in short what is wrong now, ``forget`` takes that. A process that misses the
    signal remembers something wrong for as long as it trusts its memory anyway. Make it before
    the signals start.
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
