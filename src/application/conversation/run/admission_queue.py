"""Places of chats, and the line of those that wait to be stored."""

from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

from application.conversation.run.live import ChatRegistry, LiveRun
from application.run.allowance import RunAllowance
from application.run.registry import Work
from application.shared.traffic import ShedMeter, ShedReason, Traffic
from domain.shared.capacity.fair_share import FairShare, ShareRefused
from domain.shared.capacity.share_meter import ShareFigures
from domain.shared.error import RateLimited
from domain.shared.ids import SpaceId, UserId
from domain.shared.limits import Limits
from infra.contract.storage.run_count import RunKind

_CROWD: Final = 4
"""Times those that are being stored: so few are no crowd, the machine is slow."""

_RETRY_AFTER_S: Final = 1.0

Visitor = tuple[UserId, str]
"""An end user whom a token is fixed to, and the account behind the token."""


@dataclass(slots=True)
class Slot:
    """A place in the process, which waits for its run."""

    space_id: SpaceId
    visitor: Visitor | None = None
    is_taken: bool = False


class AdmissionQueue:
    """Gives chats their places, of which an end user with a token of its own has a few only.

    Has the beginnings of a few runs stored at a time, in turn between workspaces.

    A database stores so many in a second. What waits inside it holds up the ends of other runs
    and requests to cancel; what waits here holds up nobody. Once the first run of a workspace has
    waited for ``run_wait_s`` and a crowd stands behind it, whoever of this workspace comes is
    refused at once. Who is in the line stays, so that many who come in one instant are all served;
    at most for ``run_wait_max_s``.
    """

    def __init__(
        self,
        *,
        registry: ChatRegistry,
        limits: Limits,
        meter: ShedMeter,
        allowance: RunAllowance | None = None,
        figures: ShareFigures | None = None,
    ) -> None:
        self._allowance = allowance
        if allowance is not None:
            allowance.watch(RunKind.CHAT, registry.places.held_by)
        self._registry = registry
        self._by_visitor: Counter[Visitor] = Counter()
        self._limits = limits
        self._meter = meter
        self._share = FairShare(
            "the start of chats",
            capacity=limits.run_starts,
            kept=limits.run_starts // 4,
            waiting=2 * limits.runs_per_process,
            wait_s=limits.run_wait_max_s,
        )
        if figures is not None:
            figures.show("starts", self._share)

    @asynccontextmanager
    async def slot(
        self, space_id: SpaceId, visitor: Visitor | None = None
    ) -> AsyncGenerator[Slot, None]:
        """Wait for the place of a run: ``run_wait_s``, or not at all if many wait.

        It is given back unless a run was launched into it.

        Raises:
            ShuttingDown: the process drains.
            RateLimited: too many runs in the process, in the space or of the visitor.
            Unavailable: it cannot be found out how many the space has.
        """
        self._registry.require_undrained()
        slot = Slot(space_id=space_id, visitor=visitor)
        if visitor is not None:
            # Counted before the wait: else many that come at once would all pass the check.
            self._require_few(visitor)
            self._by_visitor[visitor] += 1
        try:
            await self._place(space_id)
        # A caller who hangs up while it waits has to give the visitor's place back as well.
        except BaseException as exc:
            self._forget(visitor)
            if isinstance(exc, ShareRefused):
                raise self._registry.full(space_id) from exc
            raise
        try:
            yield slot
        finally:
            if not slot.is_taken:
                self._leave(slot)

    def launch(self, live: LiveRun, work: Work, *, slot: Slot) -> None:
        """Work on a run in this slot; raises as ``RunRegistry.launch``."""
        self._registry.launch(live, work, leave=partial(self._leave, slot))
        # From here on the end of the task gives the place back.
        slot.is_taken = True

    async def _place(self, space_id: SpaceId) -> None:
        if self._allowance is None:
            await self._registry.places.acquire(space_id)
            return
        async with self._allowance.admission(space_id, RunKind.CHAT):
            await self._registry.places.acquire(space_id)

    def _leave(self, slot: Slot) -> None:
        self._registry.places.release(slot.space_id)
        if self._allowance is not None:
            self._allowance.changed(slot.space_id)
        self._forget(slot.visitor)

    def _forget(self, visitor: Visitor | None) -> None:
        if visitor is None:
            return
        self._by_visitor[visitor] -= 1
        if not self._by_visitor[visitor]:
            del self._by_visitor[visitor]

    def _require_few(self, visitor: Visitor) -> None:
        most = self._limits.end_user_runs
        if most and self._by_visitor[visitor] >= most:
            raise RateLimited(
                f"{most} chats of yours are being answered; wait until one has ended.",
                retry_after_s=_RETRY_AFTER_S,
                limit="end_user_runs",
            )

    def require_short(self, space_id: int) -> None:
        """Raise ``RateLimited`` if who comes now would wait for too long."""
        count, waited_s = self._share.line_of(space_id)
        if count >= _CROWD * self._limits.run_starts and waited_s > self._limits.run_wait_s:
            raise self.refused(ShedReason.LINE)

    def refused(self, reason: ShedReason) -> RateLimited:
        """Count a run that is refused, and return what to tell its client."""
        self._meter.count(reason, Traffic.CHAT)
        return RateLimited(
            "The server is busy; try again.",
            retry_after_s=max(1.0, self._limits.run_wait_s / 2),
            limit="run_wait_s",
        )

    @asynccontextmanager
    async def turn(self, space_id: int) -> AsyncGenerator[None, None]:
        """Wait for a turn, and hold it.

        Raises:
            RateLimited: it did not come in time.
        """
        self.require_short(space_id)
        try:
            await self._share.acquire(space_id)
        except ShareRefused as exc:
            raise self.refused(ShedReason.LINE) from exc
        try:
            yield
        finally:
            self._share.release(space_id)
