"""Live runs of this process: owner of their tasks, never of what they store."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from enum import StrEnum
from functools import partial
from typing import Final, Generic, Protocol, TypeVar

from domain.shared.capacity.fair_share import FairShare
from domain.shared.capacity.processor import work_for
from domain.shared.error import AppError, Conflict, InternalError, RateLimited, ShuttingDown
from domain.shared.ids import RunId, SpaceId, UserId
from domain.shared.limits import Limits

_logger: Final = logging.getLogger(__name__)

_RETRY_AFTER_S: Final = 1.0
_LINGERING: Final = 256
_KEPT: Final = 10
"""One place of so many is never had by one workspace alone: a run may last for a day."""


class Stop(StrEnum):
    """Why a run is being stopped from outside."""

    REQUESTED = "requested"
    SUPERSEDED = "superseded"
    DISCONNECTED = "disconnected"
    CONVERSATION_DELETED = "conversation_deleted"
    SHUTDOWN = "shutdown"
    TIMED_OUT = "timed_out"
    LEASE_LOST = "lease_lost"
    ACCOUNT_DISABLED = "account_disabled"


class Live(Protocol):
    """A run in this process, whatever its steps are."""

    ended: asyncio.Event
    """Its task is over."""

    @property
    def run_id(self) -> RunId: ...

    @property
    def space_id(self) -> SpaceId: ...

    @property
    def is_leased(self) -> bool:
        """It has a row, whose lease is this process's."""
        ...

    @property
    def lingers(self) -> bool:
        """Who comes a moment after its end may still follow it from memory."""
        ...

    def is_of(self, user_id: UserId) -> bool: ...

    def attach(self, task: asyncio.Task[None]) -> None: ...

    def stop(self, why: Stop) -> None:
        """Have it end, or go on elsewhere if that is what the reason means."""
        ...

    def refuse(self, error: AppError) -> bool:
        """Tell whoever waits for the run to begin; False if nobody does any more."""
        ...

    def end(self) -> None: ...


L = TypeVar("L", bound=Live)

Work = Callable[[], Awaitable["Work | None"]]
"""Part of what a task does; the next one follows when it is over, not inside of it."""


class RunRegistry(Generic[L]):
    """Starts tasks, finds live runs, and brings all to an end when the process ends.

    ``crowded`` is what a workspace is told that has all it may have, of ``space_id`` and ``most``.
    Of one workspace ``waiting`` may wait for a place, each for ``wait_s``. Runs go on for
    ``grace_s`` if the process closes without a ``drain``; one that ``lingers`` is found for
    ``linger_s`` after its end.
    """

    def __init__(
        self,
        resource: str,
        *,
        limits: Limits,
        crowded: str,
        waiting: int = 0,
        wait_s: float = 0.0,
        grace_s: float = 0.0,
        linger_s: float = 0.0,
    ) -> None:
        most = limits.runs_per_process
        self.places = FairShare(
            resource,
            capacity=most,
            kept=max(most // _KEPT, most - limits.runs_per_space, 0),
            waiting=waiting,
            wait_s=wait_s,
        )
        self._crowded = crowded
        self._limits = limits
        self._grace_s = grace_s
        self._linger_s = linger_s
        self._live: dict[RunId, L] = {}
        self._ended: dict[RunId, L] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._stack = AsyncExitStack()
        self._group: asyncio.TaskGroup | None = None
        self._is_draining = False

    @property
    def size(self) -> int:
        """Number of runs in progress."""
        return len(self._live)

    @property
    def is_draining(self) -> bool:
        return self._is_draining

    async def start(self) -> None:
        self._group = await self._stack.enter_async_context(asyncio.TaskGroup())

    async def aclose(self) -> None:
        """Drain, then end."""
        await self.drain(self._grace_s)
        await self._stack.aclose()

    async def drain(self, grace_s: float) -> None:
        """Refuse new runs, wait for the others, and stop those that need longer."""
        # First of all, for whoever is refused below may come again before this function goes on.
        self._is_draining = True
        self.places.refuse_all(shutting_down)
        if self._tasks and grace_s:
            await asyncio.wait(self._tasks, timeout=grace_s)
        for live in self.in_progress():
            # It is not over by that: each run gets ``run_finalise_s`` more to store how it ended.
            live.stop(Stop.SHUTDOWN)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=self._limits.run_finalise_s)
        for task in list(self._tasks):  # storage does not answer: another process settles them
            task.cancel()

    def require_undrained(self) -> None:
        """Raise ``ShuttingDown`` once the process takes no new runs."""
        if self._is_draining:
            raise shutting_down()

    def require_room(self, space_id: SpaceId) -> None:
        """Raise ``RateLimited`` or ``ShuttingDown`` unless another run can be launched."""
        self.require_undrained()
        if not self.places.has_room(space_id):
            raise self.full(space_id)

    def full(self, space_id: SpaceId) -> RateLimited:
        """Return what to tell if no run can be added."""
        most = self._limits.runs_per_space
        if self.places.held_by(space_id) >= most:
            return RateLimited(
                self._crowded.format(space_id=space_id, most=most),
                retry_after_s=_RETRY_AFTER_S,
                limit="runs_per_space",
            )
        return RateLimited(
            "The server is busy; try again.",
            retry_after_s=_RETRY_AFTER_S,
            limit="runs_per_process",
        )

    def launch(self, live: L, work: Work, *, leave: Callable[[], None]) -> None:
        """Work on a run as a task of the process; ``leave`` gives its place back at the end.

        Raises:
            ShuttingDown: the process drains.
            Conflict: the run is in progress here already.
        """
        if live.run_id in self._live:
            raise Conflict("The run is in progress already.", run_id=live.run_id)
        if self._is_draining or self._group is None:
            raise shutting_down()
        self._live[live.run_id] = live
        task = self._group.create_task(_supervised(live, work), name=f"run {live.run_id}")
        live.attach(task)
        self._tasks.add(task)
        task.add_done_callback(partial(self._forget, live, leave))

    async def vacancy(self, run_id: RunId) -> None:
        """Wait until nothing here works on a run whose last event may be out already.

        Raises:
            TimeoutError: something still does.
        """
        if (live := self._live.get(run_id)) is not None:
            async with asyncio.timeout(self._limits.run_finalise_s):
                await live.ended.wait()

    def find(self, run_id: int) -> L | None:
        """Return a run in progress, or one that ended a moment ago."""
        return self._live.get(RunId(run_id)) or self._ended.get(RunId(run_id))

    def is_in_progress(self, run_id: RunId) -> bool:
        """Tell whether this process works on a run."""
        return run_id in self._live

    def in_progress(self) -> list[L]:
        """Return the runs in progress."""
        return list(self._live.values())

    def stop_account(self, user_id: UserId) -> None:
        """Stop what acts here for an account that was disabled."""
        for live in self.in_progress():
            if live.is_of(user_id):
                live.stop(Stop.ACCOUNT_DISABLED)

    def _forget(self, live: L, leave: Callable[[], None], task: asyncio.Task[None]) -> None:
        """Called when the task is over, even if it never began."""
        self._tasks.discard(task)
        del self._live[live.run_id]
        leave()
        # Here and not in the task: one that is cancelled before its first step never runs a line of
        # its own.
        live.refuse(shutting_down())
        live.end()
        if self._linger_s and live.lingers:
            self._ended[live.run_id] = live
            while len(self._ended) > _LINGERING:
                del self._ended[next(iter(self._ended))]
            task.get_loop().call_later(self._linger_s, self._ended.pop, live.run_id, None)


async def _supervised(live: Live, work: Work) -> None:
    """Give every run exactly one end; a failure must not reach the group and its other runs."""
    work_for(live.space_id)
    try:
        stage: Work | None = work
        # One after the other instead of one awaiting the next: each frame below a task costs every
        # token.
        while stage is not None:
            stage = await stage()
    except AppError as exc:
        # Who waited for the beginning gets the error. Once the run is accepted its own code has to
        # end it.
        if not live.refuse(exc):
            _logger.exception("Run %d ended by a defect.", live.run_id)
    except Exception as exc:  # its row is settled by whoever looks for lost runs
        _logger.exception("Run %d ended by a defect.", live.run_id)
        error = InternalError("The run failed by a defect of the server.", run_id=live.run_id)
        error.__cause__ = exc
        live.refuse(error)


def shutting_down() -> ShuttingDown:
    """Return what to tell who comes while the process drains."""
    return ShuttingDown("The server is shutting down.", retry_after_s=_RETRY_AFTER_S)
