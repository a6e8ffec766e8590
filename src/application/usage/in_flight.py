"""Register of calls in flight: what a process that dies takes with it is still accounted for."""

import logging
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Final

import msgspec

from application.shared.background import Background
from crossdomain.usage.contract import Bound, Budgets
from domain.shared.account import Account
from domain.shared.chat import ModelCall
from domain.shared.error import AppError
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import SpaceId
from domain.usage.in_flight import InFlightCall
from domain.usage.repository import UsageStore
from infra.contract.clock import Clock

STEP_S: Final = 0.5
"""Calls that took less have no row: hardly any is lost, and no call waits for its row."""
LANDING_S: Final = 60.0
"""The entry of a call that ended is stored within this, or nobody is going to store it."""
_RENEW_S: Final = 30.0
LOST_S: Final = 120.0
"""A process that was not heard of for so long is dead."""
_AT_ONCE: Final = 100
_NOTHING: Final = Bound(tokens=0)
_log: Final = logging.getLogger(__name__)


class _Flight:
    """One call; ``id`` is that of its row, once it is being written."""

    def __init__(
        self,
        register: "CallRegister",
        space_id: SpaceId,
        account: Account,
        most: Callable[[], ModelCall],
    ) -> None:
        self.id = 0
        self._register = register
        self._space_id = space_id
        self._account = account
        self._most = most

    def settled(self, call: ModelCall) -> ModelCall:
        """Return the entry of the call, which takes its row along."""
        self._register.over(self, LANDING_S)
        return msgspec.structs.replace(call, in_flight_id=self.id) if self.id else call

    def release(self) -> None:
        """Forget a call that gets no entry; nothing if it was settled."""
        self._register.over(self, 0.0)

    def row(self) -> InFlightCall:
        return InFlightCall(
            id=self.id, space_id=self._space_id, account=self._account, most=self._most()
        )


class CallRegister:
    """Writes in the background which calls take long, all of a process in one transaction.

    Implements ``InFlightCalls``. The transaction that stores the entry of a call removes its row,
    so that a row without its process is a call without its entry: it becomes one that says
    ``unsettled``, with what the call took at most.
    """

    def __init__(
        self,
        *,
        store: UsageStore,
        budgets: Budgets,
        ids: IdGenerator,
        clock: Clock,
        owner: str,
        begins_alone: bool,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._budgets = budgets
        self._ids = ids
        self._clock = clock
        self._owner = owner
        self._begins_alone = begins_alone
        self._monotonic = monotonic
        self._open: dict[_Flight, None] = {}
        self._going: dict[int, float] = {}
        """Rows to be removed, if they are still there by then."""
        self._renewed_at = monotonic()
        self._loop = Background(self.step, name="calls in flight", interval_s=STEP_S)

    async def start(self) -> None:
        if self._begins_alone:
            await self.settle_lost(but=self._owner)
        await self._loop.start()

    async def aclose(self) -> None:
        await self._loop.aclose()
        try:
            await self._remove(list(self._going))
        except AppError:  # another process takes them for lost
            _log.exception("Calls that ended are still said to be in flight.")

    def begin(self, space_id: SpaceId, account: Account, most: Callable[[], ModelCall]) -> _Flight:
        """Take note of a call."""
        flight = _Flight(self, space_id, account, most)
        self._open[flight] = None
        return flight

    def over(self, flight: _Flight, within_s: float) -> None:
        """Take note of the end of a call, whose row is gone by then."""
        if flight in self._open:
            del self._open[flight]
            if flight.id:
                self._going[flight.id] = self._monotonic() + within_s

    async def step(self) -> None:
        """Write what began, remove what is over, and now and then look after the dead."""
        await self._write([flight for flight in self._open if not flight.id])
        now = self._monotonic()
        await self._remove([each for each, at in self._going.items() if at <= now])
        if now - self._renewed_at >= _RENEW_S:
            self._renewed_at = now
            await self._renew()
            await self.settle_lost()

    async def settle_lost(self, *, but: str | None = None) -> int:
        """Store entries of calls whose process is dead; return how many."""
        count = 0
        before = self._clock.now() - timedelta(seconds=LOST_S)
        while True:
            async with self._store.snapshot() as uow:
                lost = await uow.in_flight.lost(before, but=but, limit=_AT_ONCE)
            if not lost:
                return count
            entries = [(call, await self._charged(call)) for call in lost]
            async with self._store.transaction() as uow:
                settled = [await uow.in_flight.settle(call, entry) for call, entry in entries]
                await uow.commit()
            count += sum(settled)
            _log.warning("%d calls were lost with their process; they are unsettled.", sum(settled))

    async def _charged(self, call: InFlightCall) -> ModelCall:
        """Have budgets count what the call took at most; it is too late to refuse it."""
        try:
            hold = await self._budgets.hold(call.space_id, call.account, lambda: _NOTHING)
        except AppError:
            _log.warning("Budgets do not count a lost call.", exc_info=True)
            return call.most
        return hold.settled(call.most)

    async def _write(self, flights: list[_Flight]) -> None:
        if not flights:
            return
        for flight in flights:  # a call that ends from here on removes its row
            flight.id = self._ids.next_id()
        try:
            async with self._store.transaction() as uow:
                rows = [flight.row() for flight in flights]
                await uow.in_flight.add(rows, owner=self._owner, now=self._clock.now())
                await uow.commit()
        except BaseException:
            for flight in flights:
                flight.id = 0
            raise
        # The entries of some may have been stored before their rows.
        await self._remove([flight.id for flight in flights if flight not in self._open])

    async def _remove(self, ids: list[int]) -> None:
        if not ids:
            return
        async with self._store.transaction() as uow:
            await uow.in_flight.remove(ids)
            await uow.commit()
        for each in ids:
            self._going.pop(each, None)

    async def _renew(self) -> None:
        if any(flight.id for flight in self._open) or self._going:
            async with self._store.transaction() as uow:
                await uow.in_flight.renew(self._owner, self._clock.now())
                await uow.commit()
