"""What the usage context needs from a store; implemented in ``infra.impl.repository``."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol

from domain.shared.ids import SpaceId
from domain.usage.entry import UsageEntry
from domain.usage.value import Group, Sums, UsageQuery

EntryPlace = tuple[datetime, int, int]
"""Where an entry stands in the order of time: when it ended, its run, its number."""


class UsageLedger(Protocol):
    """Entries and sums of them."""

    async def sums(self, query: UsageQuery) -> dict[tuple[int | None, Group], Sums]:
        """Sum up by step (its begin in Unix seconds; None without a series) and group."""
        ...

    async def entries(
        self, query: UsageQuery, *, after: EntryPlace | None, is_newest_first: bool, limit: int
    ) -> Sequence[UsageEntry]:
        """Return the entries behind a place, in order."""
        ...

    async def roll(self, *, limit: int) -> int:
        """Take entries that no sum holds into the sums; return how many there were."""
        ...

    async def unroll(self, space_id: SpaceId, since: datetime, until: datetime) -> None:
        """Forget the sums of whole days, so that they are made anew."""
        ...

    async def extent(self) -> Sequence[tuple[SpaceId, datetime, datetime]]:
        """Return of each workspace when its first and its last entry ended."""
        ...


class UsageUnitOfWork(Protocol):
    """One transaction on usage."""

    @property
    def ledger(self) -> UsageLedger: ...

    async def serialise(self, what: str) -> None:
        """Go on alone among the transactions that name the same, until this one ends."""
        ...

    async def commit(self) -> None: ...


class UsageStore(Protocol):
    """Opens transactions on usage."""

    def transaction(self) -> AbstractAsyncContextManager[UsageUnitOfWork]:
        """Open a transaction for writing."""
        ...

    def snapshot(self) -> AbstractAsyncContextManager[UsageUnitOfWork]:
        """Open a transaction for reading, on a view of one instant."""
        ...
