"""Rolling of usage: entries are taken into the sums that reports are read from."""

from datetime import UTC, datetime, timedelta
from typing import Final

from application.shared.leader import scheduled
from domain.usage.repository import ROLLUP_LOCK, UsageStore
from domain.usage.span import FIVE_DAYS
from infra.contract.messaging.leader_election import LeaderElection

_AT_ONCE: Final = 500
"""Entries in one transaction: nobody else writes to a SQLite database meanwhile."""
_INTERVAL_S: Final = 30.0
_SPAN: Final = timedelta(seconds=FIVE_DAYS)
"""The longest that sums are kept for: what is made anew is whole."""


class UsageRolling:
    """Takes entries into sums in the background; reports are exact with and without it."""

    def __init__(
        self, *, store: UsageStore, election: LeaderElection, interval_s: float = _INTERVAL_S
    ) -> None:
        self._store = store
        self._loop = scheduled(
            self.roll, name=ROLLUP_LOCK, interval_s=interval_s, election=election
        )

    async def start(self) -> None:
        await self._loop.start()

    async def aclose(self) -> None:
        await self._loop.aclose()

    async def roll(self) -> int:
        """Take in all that is there; return how many entries that were."""
        count = 0
        while True:
            async with self._store.transaction() as uow:
                await uow.serialise(ROLLUP_LOCK)
                rolled = await uow.rollups.roll(limit=_AT_ONCE)
                await uow.commit()
            count += rolled
            if rolled < _AT_ONCE:
                return count

    async def rebuild(self) -> int:
        """Make all sums anew from the entries, bit by bit; return how many entries there were."""
        async with self._store.snapshot() as uow:
            extent = await uow.rollups.extent()
        for space_id, first, last in extent:
            begin = datetime.fromtimestamp(first.timestamp() // FIVE_DAYS * FIVE_DAYS, UTC)
            while begin <= last:
                async with self._store.transaction() as uow:
                    await uow.serialise(ROLLUP_LOCK)
                    await uow.rollups.unroll(space_id, begin, begin + _SPAN)
                    await uow.commit()
                begin += _SPAN
        return await self.roll()
