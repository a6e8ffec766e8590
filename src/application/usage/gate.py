"""Gate of budgets: sets aside what a call may cost before it is made, in portions per process."""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

import msgspec
from cachetools import LRUCache

from application.shared.background import Background
from crossdomain.usage.contract import Bound, BudgetExceeded
from domain.shared.account import Account
from domain.shared.chat import BudgetCharge, ModelCall
from domain.shared.error import AppError
from domain.shared.ids import BudgetId, SpaceId
from domain.usage.budget import Budget, Window
from domain.usage.portion import Portion, Taken
from domain.usage.repository import UsageStore, UsageUnitOfWork
from domain.usage.value import Sums, UsageQuery
from infra.contract.clock import Clock

MAX_WAIT_S: Final = 5.0
"""How long a call waits while others hold what is left."""
_LOOK_S: Final = 0.25
"""How often it looks whether another process gave back."""
IDLE_S: Final = 60.0
"""After so long without a call, what is idle is given back."""
_FORGOTTEN_S: Final = 3600.0
_STEP_S: Final = 10.0
SWEPT_S: Final = 120.0
"""A process that was not heard of for so long is dead; what it held is given back."""
_SPACES: Final = 4096
_log: Final = logging.getLogger(__name__)


@dataclass(eq=False, slots=True)
class _Counter:
    """One period of a budget as this process sees it."""

    budget: Budget
    window: Window
    portion: Portion = field(default_factory=Portion)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    returned: asyncio.Event = field(default_factory=asyncio.Event)
    is_open: bool = False
    used_at: float = 0.0
    is_changed: bool = False
    """Something was used since the soft limits were looked at."""


class CallHold:
    """What one call has set aside of each budget; as long as it is open, more may come."""

    def __init__(
        self, owner: str, space_id: SpaceId, account: Account, open_: dict["CallHold", None]
    ) -> None:
        self.space_id: Final = space_id
        self.account: Final = account
        self._owner = owner
        self._open = open_
        self._parts: list[tuple[_Counter, int, bool]] = []

    def add(self, counter: _Counter, reserved: int, *, is_hard: bool) -> None:
        """Note what was set aside of one budget; of a soft one that is nothing."""
        self._parts.append((counter, reserved, is_hard))

    def add_later(self, counter: _Counter) -> None:
        """Have a budget count the call that was not known when it began; too late to refuse it."""
        is_known = any(each.budget.id == counter.budget.id for each, *_ in self._parts)
        if self in self._open and not is_known:
            self.add(counter, 0, is_hard=False)

    def settled(self, call: ModelCall) -> ModelCall:
        """Return the entry of the call with what it takes from budgets; only the first does."""
        charges = [
            charge
            for counter, reserved, is_hard in self._ended()
            if (charge := self._settle(counter, reserved, counter.budget.cost(call), is_hard))
        ]
        return msgspec.structs.replace(call, charges=tuple(charges)) if charges else call

    def release(self) -> None:
        """Give back what no entry took."""
        for counter, reserved, is_hard in self._ended():
            self._settle(counter, reserved, 0, is_hard)

    def _ended(self) -> list[tuple[_Counter, int, bool]]:
        self._open.pop(self, None)
        parts, self._parts = self._parts, []
        return parts

    def _settle(
        self, counter: _Counter, reserved: int, cost: int, is_hard: bool
    ) -> BudgetCharge | None:
        covered = 0
        if is_hard:
            covered = counter.portion.settle(reserved, cost)
            counter.returned.set()
        if not cost:
            return None
        counter.is_changed = True
        return BudgetCharge(
            budget_id=counter.budget.id,
            begins_at=counter.window.begins_at,
            amount=cost,
            owner=self._owner if covered else "",
            covered=covered,
        )


class BudgetGate:
    """Lets calls pass as long as budgets allow; implements ``Budgets``.

    Budgets are known by heart and forgotten when they change, so that calls to which none applies
    read nothing. What a process holds of a budget it hands out by itself.
    """

    def __init__(
        self,
        *,
        store: UsageStore,
        clock: Clock,
        owner: str,
        currency: str,
        max_wait_s: float = MAX_WAIT_S,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._clock = clock
        self._owner = owner
        self._currency = currency
        self._max_wait_s = max_wait_s
        self._monotonic = monotonic
        self._limited: frozenset[SpaceId] | None = None
        self._known: LRUCache[SpaceId, Sequence[Budget]] = LRUCache(_SPACES)
        self._changes = 0
        self._counters: dict[BudgetId, _Counter] = {}
        self._open: dict[CallHold, None] = {}
        self._caught_up = 0
        """Up to which change calls under way are counted by all budgets."""
        self._past: list[_Counter] = []
        """Periods that are over, of which calls may still be under way."""
        self._loop = Background(self.tend, name="budgets", interval_s=_STEP_S)

    async def start(self) -> None:
        await self._applying(SpaceId(0), Account())
        await self._loop.start()

    async def aclose(self) -> None:
        """Give back what is idle."""
        await self._loop.aclose()
        try:
            for counter in [*self._counters.values(), *self._past]:
                await self._give_back(counter)
        except AppError:  # the sweeper of another process does it
            _log.exception("What budgets had given to this process is given back later.")

    def forget(self, _: object = None) -> None:
        """Know nothing by heart: some budget changed."""
        self._changes += 1
        self._limited = None
        self._known.clear()
        self._loop.wake()

    async def require(self, space_id: SpaceId, account: Account) -> None:
        """Raise ``BudgetExceeded`` if nothing new may begin on an account."""
        for budget in await self._applying(space_id, account):
            if not budget.rules.is_hard:
                continue
            counter = await self._counter(budget)
            if counter.portion.idle or counter.portion.calls:
                continue
            taken = await self._take(counter, 1)
            if not taken.granted and taken.spent >= budget.limit:
                raise _exceeded(counter, taken)

    async def hold(
        self, space_id: SpaceId, account: Account, bound: Callable[[], Bound]
    ) -> CallHold:
        """Set aside what a call takes at most; nothing if no budget applies."""
        changes = self._changes
        budgets = await self._applying(space_id, account)
        hold = CallHold(self._owner, space_id, account, self._open)
        if budgets:
            await self._set_aside(hold, budgets, bound())
        self._open[hold] = None
        if changes != self._changes:  # whoever caught up meanwhile did not see this call
            self._caught_up = changes
            self._loop.wake()
        return hold

    async def _set_aside(self, hold: CallHold, budgets: Sequence[Budget], most: Bound) -> None:
        try:
            for budget in budgets:
                counter = await self._counter(budget)
                counter.used_at = self._monotonic()
                is_hard, reserved = budget.rules.is_hard, 0
                if is_hard:
                    wanted = budget.quanta(tokens=most.tokens, points=most.points, money=most.money)
                    reserved = await self._reserve(counter, wanted)
                hold.add(counter, reserved, is_hard=is_hard)
        except BaseException:
            hold.release()
            raise

    async def tend(self) -> None:
        """Give back what is idle, tell of soft limits, sweep after the dead, fold charges."""
        await self._catch_up()
        now = self._clock.now()
        for counter in [*self._counters.values(), *self._past]:
            unused_s = self._monotonic() - counter.used_at
            if unused_s >= IDLE_S or not counter.window.holds(now):
                await self._give_back(counter)
            if counter.is_changed:
                counter.is_changed = False
                await self._tell(counter)
            if unused_s >= _FORGOTTEN_S and not counter.portion.calls:
                await self._drop(counter)
        await self._renew(now)
        await self._fold()

    async def _catch_up(self) -> None:
        """Have new budgets count calls that were under way when this process heard of them.

        The period is open before the entry of such a call is stored, so that it does not count what
        the call takes already.
        """
        if (changes := self._changes) == self._caught_up:
            return
        for hold in list(self._open):
            for budget in await self._applying(hold.space_id, hold.account):
                hold.add_later(await self._counter(budget))
        self._caught_up = changes

    async def _applying(self, space_id: SpaceId, account: Account) -> Sequence[Budget]:
        limited = self._limited
        if limited is None:
            changes = self._changes
            async with self._store.snapshot() as uow:
                limited = await uow.counters.limited_spaces()
            if changes == self._changes:
                self._limited = limited
        if space_id not in limited:
            return ()
        found = self._known.get(space_id)
        if found is None:
            changes = self._changes
            async with self._store.snapshot() as uow:
                found = await uow.counters.of_space(space_id)
            if changes == self._changes:
                self._known[space_id] = found
        return [budget for budget in found if budget.applies(account)]

    async def _counter(self, budget: Budget) -> _Counter:
        """Return the counter of the period that is now, which the database counts, too."""
        now = self._clock.now()
        counter = self._counters.get(budget.id)
        if counter is None or not counter.window.holds(now):
            if counter is not None:
                self._past.append(counter)
            counter = self._counters[budget.id] = _Counter(budget, budget.window(now))
        counter.budget = budget
        if not counter.is_open:
            async with counter.turn:
                if not counter.is_open:
                    await open_period(
                        self._store, budget, counter.window, now=now, currency=self._currency
                    )
                    counter.is_open = True
        return counter

    async def _reserve(self, counter: _Counter, wanted: int) -> int:
        """Set an amount aside; return how much it was, which is less for the last call."""
        portion = counter.portion
        if portion.reserve(wanted):
            return wanted
        end = self._monotonic() + self._max_wait_s
        while True:
            counter.returned.clear()
            taken = await self._take(counter, wanted)
            if portion.reserve(wanted):
                return wanted
            if (rest := portion.idle) and not portion.calls:
                portion.reserve(rest)
                return rest
            left_s = end - self._monotonic()
            if taken.spent >= counter.budget.limit or left_s <= 0:
                raise _exceeded(counter, taken)
            try:
                async with asyncio.timeout(min(_LOOK_S, left_s)):
                    await counter.returned.wait()
            except TimeoutError:
                pass

    async def _take(self, counter: _Counter, wanted: int) -> Taken:
        """Ask the shared row for what is lacking; one caller of this process at a time."""
        portion, budget = counter.portion, counter.budget
        async with counter.turn:
            lacking = wanted - portion.idle
            if lacking <= 0:  # somebody before us got enough
                return Taken(0, 0)
            async with self._store.transaction() as uow:
                taken = await uow.counters.take(
                    budget,
                    counter.window.begins_at,
                    owner=self._owner,
                    lacking=lacking,
                    is_last=not portion.calls,
                    now=self._clock.now(),
                )
                await uow.commit()
            portion.idle += taken.granted
        if taken.spent >= budget.limit:
            counter.is_changed = True
        return taken

    async def _give_back(self, counter: _Counter) -> None:
        async with counter.turn:
            amount = counter.portion.give_back()
            if not amount:
                return
            async with self._store.transaction() as uow:
                await uow.counters.give_back(
                    counter.budget.id,
                    counter.window.begins_at,
                    owner=self._owner,
                    amount=amount,
                )
                await uow.commit()

    async def _drop(self, counter: _Counter) -> None:
        """Hold nothing of a period any more: what was not stored by now never will be."""
        async with counter.turn, self._store.transaction() as uow:
            await uow.counters.drop(counter.budget.id, counter.window.begins_at, owner=self._owner)
            await uow.commit()
        if counter in self._past:
            self._past.remove(counter)
        elif self._counters.get(counter.budget.id) is counter:
            del self._counters[counter.budget.id]

    async def _tell(self, counter: _Counter) -> None:
        """Tell owners once of each percentage that they want to hear of."""
        budget, window = counter.budget, counter.window
        async with self._store.snapshot() as uow:
            period_usage = await uow.counters.period_usage(budget.id, window.begins_at)
        if period_usage is None or not (
            percent := budget.reached(period_usage.spent, period_usage.warned)
        ):
            return
        async with self._store.transaction() as uow:
            if await uow.counters.warn(budget.id, window.begins_at, percent):
                uow.collect(
                    budget.tell(
                        percent, spent=period_usage.spent, window=window, now=self._clock.now()
                    )
                )
            await uow.commit()

    async def _renew(self, now: datetime) -> None:
        """Show that this process lives; what the others took for a dead one's is lost to it."""
        holding = [each for each in (*self._counters.values(), *self._past) if each.portion.idle]
        if not (holding or self._limited):
            return
        async with self._store.transaction() as uow:
            held = set(await uow.counters.renew(self._owner, now))
            await uow.counters.sweep(now - timedelta(seconds=SWEPT_S))
            await uow.commit()
        for counter in holding:
            if (counter.budget.id, counter.window.begins_at) not in held:
                counter.portion.give_back()

    async def _fold(self) -> None:
        """Keep the charges few that whoever reads a period has to add up."""
        async with self._store.snapshot() as uow:
            periods = await uow.counters.charged()
        if periods:
            async with self._store.transaction() as uow:
                await uow.counters.fold(periods)
                await uow.commit()


async def open_period(
    store: UsageStore, budget: Budget, window: Window, *, now: datetime, currency: str
) -> None:
    """Begin to count a period, with what the ledger has of it already."""
    async with store.snapshot() as uow:
        if await uow.counters.period_usage(budget.id, window.begins_at) is not None:
            return
    async with store.transaction() as uow:
        await uow.serialise(f"budget {budget.id}")
        spent = await used(uow, budget, window, now=now, currency=currency)
        await uow.counters.open(budget.id, window.begins_at, spent)
        await uow.commit()


async def used(
    uow: UsageUnitOfWork, budget: Budget, window: Window, *, now: datetime, currency: str
) -> int:
    """Return what the ledger has of a period, to the quarter of an hour."""
    if window.begins_at >= now:
        return 0
    found = await uow.ledger.sums(
        UsageQuery(
            space_ids=frozenset({budget.space_id}),
            since=window.begins_at,
            until=now,
            zone=ZoneInfo("UTC"),
            filters=({} if budget.is_of_workspace else {budget.dimension: frozenset({budget.key})}),
        )
    )
    return budget.counted(Sums.total(found.values()), currency)


def _exceeded(counter: _Counter, taken: Taken) -> BudgetExceeded:
    budget, ends_at = counter.budget, counter.window.ends_at
    period = "in all" if ends_at is None else f"per {budget.period.value}"
    state = (
        "is used up"
        if taken.spent >= budget.limit
        else "is held by calls under way; try again when they ended"
    )
    anew = f"It begins anew at {ends_at:%Y-%m-%d %H:%M} UTC." if ends_at else "Have it raised."
    return BudgetExceeded(
        f"The budget {budget.title!r} ({budget.rules.amount:f} {budget.unit.value} {period}) "
        f"{state}. {anew}",
        reason=budget.subject_type.value,
        resets_at=int(ends_at.timestamp()) if ends_at else None,
        budget_id=budget.id,
    )
