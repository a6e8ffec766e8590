"""Port: what was committed lately, read by every process for itself."""

from typing import Protocol

from infra.contract.event_bus import Delivery


class EventTail(Protocol):
    """The newest committed events, whoever else has handled them."""

    async def read(self, after: int, topics: frozenset[str]) -> tuple[int, list[Delivery]]:
        """Return the newest position, and the events of these topics after a position, in order.

        An event may appear below positions that were seen before: positions are given when a
        transaction begins to write, and seen when it has ended. Positions may begin anew once all
        events were removed.
        """
        ...
