"""What the usage context needs from a store; implemented in ``infra.impl.repository``."""

from collections.abc import Collection, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final, Protocol

from domain.shared.access import TenantScope
from domain.shared.aggregate import DomainEvent
from domain.shared.chat import ModelCall
from domain.shared.ids import BudgetId, SpaceId
from domain.usage.budget import Budget
from domain.usage.entry import UsageEntry
from domain.usage.in_flight import InFlightCall
from domain.usage.portion import Taken
from domain.usage.reconciliation import ReportLine
from domain.usage.value import Group, Sums, UsageQuery

EntryPlace = tuple[datetime, int, int]
"""Where an entry stands in the order of time: when it ended, its run, its number."""
ROLLUP_LOCK: Final = "usage rollup"
"""What whoever changes sums of entries is serialised by."""


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

    async def of_runs(self, space_id: SpaceId, run_ids: Collection[int]) -> Sequence[ModelCall]:
        """Return the calls of some runs."""
        ...


class UsageRollups(Protocol):
    """System port: sums that entries of all workspaces are taken into."""

    async def roll(self, *, limit: int) -> int:
        """Take entries that no sum holds into the sums; return how many there were."""
        ...

    async def unroll(self, space_id: SpaceId, since: datetime, until: datetime) -> None:
        """Forget the sums of whole spans of five days, so that they are made anew."""
        ...

    async def extent(self) -> Sequence[tuple[SpaceId, datetime, datetime]]:
        """Return of each workspace when its first and its last entry ended."""
        ...


class BudgetRepository(Protocol):
    """Budgets of workspaces; one outside the scope is not found."""

    async def get(self, scope: TenantScope, budget_id: BudgetId) -> Budget:
        """Return a budget; raise ``BudgetNotFound``."""
        ...

    async def all(self, scope: TenantScope) -> list[Budget]:
        """Return those of the scope's workspaces, newest first."""
        ...

    async def save(self, scope: TenantScope, budget: Budget) -> None:
        """Insert or update; raise ``StaleRevision``."""
        ...

    async def require_subject(self, scope: TenantScope, budget: Budget) -> None:
        """Raise ``BudgetSubjectNotFound`` unless its workspace has what it is for."""
        ...

    async def delete(self, scope: TenantScope, budget: Budget) -> None:
        """Remove a budget with what was counted for it; raise ``BudgetNotFound``."""
        ...


@dataclass(frozen=True, slots=True)
class PeriodUsage:
    """How a period of a budget stands, in quanta; ``warned`` is the last percentage told of."""

    spent: int
    held: int
    warned: int


class BudgetCounters(Protocol):
    """System port: what was used of each period, and which process holds what of the rest."""

    async def limited_spaces(self) -> frozenset[SpaceId]:
        """Return the workspaces that have budgets."""
        ...

    async def of_space(self, space_id: SpaceId) -> Sequence[Budget]:
        """Return the budgets of a workspace."""
        ...

    async def open(self, budget_id: BudgetId, begins_at: datetime, spent: int) -> None:
        """Begin to count a period with what was used before, unless that was done."""
        ...

    async def period_usage(self, budget_id: BudgetId, begins_at: datetime) -> PeriodUsage | None:
        """Return how a period stands; None if nothing is counted for it yet."""
        ...

    async def take(
        self,
        budget: Budget,
        begins_at: datetime,
        *,
        owner: str,
        lacking: int,
        is_last: bool,
        now: datetime,
    ) -> Taken:
        """Take a portion for a process, alone among those who do."""
        ...

    async def give_back(
        self, budget_id: BudgetId, begins_at: datetime, *, owner: str, amount: int
    ) -> None:
        """Hold that much less."""
        ...

    async def drop(self, budget_id: BudgetId, begins_at: datetime, *, owner: str) -> None:
        """Hold nothing any more."""
        ...

    async def warn(self, budget_id: BudgetId, begins_at: datetime, percent: int) -> bool:
        """Note that a percentage is told of; False if it was, or a higher one."""
        ...

    async def renew(self, owner: str, now: datetime) -> Collection[tuple[BudgetId, datetime]]:
        """Tell that a process lives; return the periods that it holds portions of."""
        ...

    async def sweep(self, before: datetime) -> int:
        """Give back the portions of processes that have not been heard of since."""
        ...

    async def charged(self) -> Sequence[tuple[int, datetime]]:
        """Return the periods whose sums lack charges of entries; others count them all the same."""
        ...

    async def fold(self, periods: Collection[tuple[int, datetime]]) -> None:
        """Add the charges of periods to their sums, and have processes hold that much less."""
        ...


class ProviderReports(Protocol):
    """System port: what providers say that they sold to the deployment."""

    async def replace(self, provider: str, lines: Sequence[ReportLine], *, now: datetime) -> None:
        """Keep these lines instead of all that were known of their days."""
        ...

    async def lines(self, provider: str, first: date, last: date) -> Sequence[ReportLine]:
        """Return what is known of some days, the last included, in order."""
        ...


class FlightLog(Protocol):
    """System port: calls of all processes that have no entry yet."""

    async def add(self, calls: Sequence[InFlightCall], *, owner: str, now: datetime) -> None:
        """Insert calls of a process."""
        ...

    async def remove(self, ids: Collection[int]) -> None:
        """Forget calls; those that are gone do not matter."""
        ...

    async def renew(self, owner: str, now: datetime) -> None:
        """Tell that a process lives, and its calls with it."""
        ...

    async def lost(
        self, before: datetime, *, but: str | None, limit: int
    ) -> Sequence[InFlightCall]:
        """Return calls of processes that have not been heard of since.

        With ``but`` all that belong to another process than that, whenever it was heard of.
        """
        ...

    async def settle(self, call: InFlightCall, entry: ModelCall) -> bool:
        """Put an entry in the place of a call; False if somebody did, or its own came."""
        ...


class UsageUnitOfWork(Protocol):
    """One transaction on usage."""

    @property
    def ledger(self) -> UsageLedger: ...

    @property
    def rollups(self) -> UsageRollups: ...

    @property
    def budgets(self) -> BudgetRepository: ...

    @property
    def counters(self) -> BudgetCounters: ...

    @property
    def reports(self) -> ProviderReports: ...

    @property
    def in_flight(self) -> FlightLog: ...

    def collect(self, *events: DomainEvent) -> None:
        """Take events that no aggregate recorded."""
        ...

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
