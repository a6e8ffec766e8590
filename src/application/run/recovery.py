"""Recovery of runs in short transactions, batch after batch: nobody waits for one of them."""

from collections.abc import Awaitable, Callable

import msgspec

from domain.shared.ids import UserId
from infra.contract.messaging.event_bus import Delivery


class _Disabled(msgspec.Struct):
    aggregate_id: int


def disabled_account(delivery: Delivery) -> UserId:
    """Return the account that an event says was disabled."""
    return UserId(msgspec.json.decode(delivery.payload, type=_Disabled).aggregate_id)


async def in_batches(step: Callable[[], Awaitable[int]], *, full: int = 1) -> None:
    """Repeat a step until it has done less than ``full``: then nothing is left."""
    while await step() >= full:
        pass
