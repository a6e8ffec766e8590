"""The runs this process executes: owner of their tasks, never of what they store."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Final

from application.conversation.dto import RunView
from application.conversation.run.event import RunEvent
from application.run.log import RunLog
from domain.conversation.value import RunStatus
from domain.shared.access import TenantScope
from domain.shared.error import AppError, Conflict, InternalError, RateLimited, ShuttingDown
from domain.shared.fair_share import FairShare, ShareRefused
from domain.shared.ids import AgentId, RunId, SpaceId, UserId
from domain.shared.limits import Limits
from domain.shared.processor import work_for
from domain.shared.share_meter import ShareFigures

_logger: Final = logging.getLogger(__name__)

_RETRY_AFTER_S: Final = 1.0
_LINGER_S: Final = 5.0
"""How long an ended run can still be followed from memory."""

_LINGERING: Final = 256
_KEPT: Final = 10
"""One place of so many is never had by one workspace alone: a run may last for half an hour."""


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


class LiveRun:
    """A run in this process: its events, its task, and who is watching."""

    def __init__(
        self,
        run_id: RunId,
        *,
        scope: TenantScope,
        space_id: SpaceId,
        agent_id: AgentId,
        log: RunLog[RunEvent],
        cancel_on_disconnect: bool,
        grace_s: float,
    ) -> None:
        self.run_id = run_id
        self.space_id = space_id
        self._agent_id = agent_id
        self.log = log
        self.view: RunView | None = None
        """The run as last stored; None until it is."""
        self.stopped_by: Stop | None = None
        self.ended = asyncio.Event()
        self.accepted: asyncio.Future[RunView] = asyncio.get_running_loop().create_future()
        self._scope = scope
        self._cancel_on_disconnect = cancel_on_disconnect
        self._grace_s = grace_s
        self._task: asyncio.Task[None] | None = None
        self._sealed = 0
        self._is_interrupted = False
        self._is_settling = False
        self._followers = 0
        self._leaving: asyncio.TimerHandle | None = None

    def is_visible_to(self, scope: TenantScope) -> bool:
        """Tell whether the scope belongs to the owner of the run."""
        return (
            self._scope.principal_id == scope.principal_id
            and self.space_id in scope.space_ids
            and (not scope.end_user_id or self._scope.end_user_id == scope.end_user_id)
            and (scope.agent_ids is None or self._agent_id in scope.agent_ids)
        )

    def is_of(self, user_id: UserId) -> bool:
        """Tell whether the run acts for an account."""
        return self._scope.principal_id == user_id

    @property
    def is_waiting(self) -> bool:
        """The run waits for somebody, so its row may have changed since."""
        return self.view is not None and self.view.status is RunStatus.REQUIRES_ACTION

    def attach(self, task: asyncio.Task[None]) -> None:
        self._task = task

    def accept(self, view: RunView) -> None:
        """Answer whoever asked for the run: it, or the one it turned out to repeat, is stored."""
        self.view = view
        if not self.accepted.done():
            self.accepted.set_result(view)

    def refuse(self, error: BaseException) -> None:
        if not self.accepted.done():
            self.accepted.set_exception(error)

    def stop(self, why: Stop) -> None:
        """Cancel the task, now or when it has stored what it is storing; the first reason wins."""
        if self.stopped_by is not None or self._is_settling:
            return
        self.stopped_by = why
        self._interrupt()

    @contextmanager
    def sealed(self) -> Iterator[None]:
        """Keep ``stop`` from interrupting: what is being stored must not end half known."""
        self._sealed += 1
        try:
            yield
        finally:
            self._sealed -= 1
            if self.stopped_by is not None:
                self._interrupt()

    async def settle(self) -> None:
        """Refuse further interruptions; swallows one that is under way."""
        self._is_settling = True
        task = asyncio.current_task()
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(0)  # here a pending cancellation arrives, if there is one
        while task is not None and task.cancelling():
            task.uncancel()

    @contextmanager
    def followed(self) -> Iterator[None]:
        """Count a follower; once the last one has left, the policy for disconnects applies."""
        self._followers += 1
        self._stay()
        try:
            yield
        finally:
            self._followers -= 1
            self.watch_departure()

    def watch_departure(self) -> None:
        """Cancel the run if nobody follows it within the grace period and its policy says so."""
        if self._cancel_on_disconnect and not self._followers and not self.ended.is_set():
            self._stay()
            loop = asyncio.get_running_loop()
            self._leaving = loop.call_later(self._grace_s, self.stop, Stop.DISCONNECTED)

    def end(self) -> None:
        """Say that the task is over."""
        self._stay()
        self.log.close()
        self.ended.set()

    def _stay(self) -> None:
        if self._leaving is not None:
            self._leaving.cancel()
            self._leaving = None

    def _interrupt(self) -> None:
        if self._task is None or self._sealed or self._is_settling or self._is_interrupted:
            return
        self._is_interrupted = True
        self._task.cancel()


Work = Callable[[], Awaitable["Work | None"]]
"""Part of what a task does; the next one follows when it is over, not inside of it."""

Visitor = tuple[UserId, str]
"""An end user whom a token is fixed to, and the account behind the token."""


@dataclass(slots=True)
class Room:
    """A place that waits for its run."""

    space_id: SpaceId
    visitor: Visitor | None = None
    is_taken: bool = False


class RunRegistry:
    """Starts tasks, finds live runs, and brings all to an end when the process ends."""

    def __init__(self, *, limits: Limits, figures: ShareFigures | None = None) -> None:
        self._limits = limits
        self._live: dict[RunId, LiveRun] = {}
        self._ended: dict[RunId, LiveRun] = {}
        most = limits.runs_per_process
        self._places = FairShare(
            "runs of agents",
            capacity=most,
            kept=max(most // _KEPT, most - limits.runs_per_space, 0),
            waiting=2 * most,
            wait_s=limits.run_wait_s,
        )
        if figures is not None:
            figures.show("runs", self._places)
        self._by_visitor: Counter[Visitor] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()
        self._stack = AsyncExitStack()
        self._group: asyncio.TaskGroup | None = None
        self._is_draining = False

    @property
    def size(self) -> int:
        """Number of runs in progress."""
        return len(self._live)

    async def start(self) -> None:
        self._group = await self._stack.enter_async_context(asyncio.TaskGroup())

    async def aclose(self) -> None:
        """Drain, then end."""
        await self.drain(self._limits.shutdown_grace_s)
        await self._stack.aclose()

    async def drain(self, grace_s: float) -> None:
        """Refuse new runs, wait for the others, and fail those that need longer."""
        self._is_draining = True
        self._places.refuse_all(_shutting_down)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=grace_s)
        for live in list(self._live.values()):
            live.stop(Stop.SHUTDOWN)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=self._limits.run_finalise_s)
        for task in list(self._tasks):  # storage does not answer: the sweeper will settle them
            task.cancel()

    @asynccontextmanager
    async def room(
        self, space_id: SpaceId, visitor: Visitor | None = None
    ) -> AsyncGenerator[Room, None]:
        """Wait for the place of a run: ``run_wait_s``, or not at all if many wait.

        It is given back unless a run was launched into it. A ``visitor`` has a few places only.

        Raises:
            ShuttingDown: the process drains.
            RateLimited: too many runs in the process, in the space or of the visitor.
        """
        if self._is_draining:
            raise _shutting_down()
        room = Room(space_id=space_id, visitor=visitor)
        if visitor is not None:
            self._require_few(visitor)
            self._by_visitor[visitor] += 1
        try:
            await self._places.acquire(space_id)
        except BaseException as exc:
            self._forget_visitor(visitor)
            if isinstance(exc, ShareRefused):
                raise self._full(space_id) from exc
            raise
        try:
            yield room
        finally:
            if not room.is_taken:
                self._leave(room)

    def launch(self, live: LiveRun, work: Work, *, room: Room) -> None:
        """Run ``work`` as a task of the process, in this room.

        Raises:
            ShuttingDown: the process drains.
            Conflict: the run is in progress here already.
        """
        if live.run_id in self._live:
            raise Conflict("The run is in progress already.", run_id=live.run_id)
        if self._is_draining or self._group is None:
            raise _shutting_down()
        room.is_taken = True
        self._live[live.run_id] = live
        task = self._group.create_task(self._supervise(live, work), name=f"run {live.run_id}")
        live.attach(task)
        self._tasks.add(task)
        task.add_done_callback(partial(self._forget, live, room))

    def find(self, run_id: int) -> LiveRun | None:
        """Return a run in progress, or one that ended a moment ago."""
        return self._live.get(RunId(run_id)) or self._ended.get(RunId(run_id))

    def is_in_progress(self, run_id: RunId) -> bool:
        """Tell whether this process executes a run."""
        return run_id in self._live

    def in_progress(self) -> list[LiveRun]:
        """Return the runs in progress."""
        return list(self._live.values())

    def stop_account(self, user_id: UserId) -> None:
        """Stop what acts here for an account that was disabled."""
        for live in self.in_progress():
            if live.is_of(user_id):
                live.stop(Stop.ACCOUNT_DISABLED)

    def _leave(self, room: Room) -> None:
        self._places.release(room.space_id)
        self._forget_visitor(room.visitor)

    def _forget_visitor(self, visitor: Visitor | None) -> None:
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

    def _full(self, space_id: SpaceId) -> RateLimited:
        """Return what to tell if no run can be added."""
        if self._places.held_by(space_id) >= self._limits.runs_per_space:
            return RateLimited(
                f"Workspace {space_id} has {self._limits.runs_per_space} runs in progress.",
                retry_after_s=_RETRY_AFTER_S,
                limit="runs_per_space",
            )
        return RateLimited(
            "The server is busy; try again.",
            retry_after_s=_RETRY_AFTER_S,
            limit="runs_per_process",
        )

    async def _supervise(self, live: LiveRun, work: Work) -> None:
        """Give every run exactly one end; a failure must not reach the group and its other runs."""
        work_for(live.space_id)
        try:
            stage: Work | None = work
            while stage is not None:
                stage = await stage()
        except AppError as exc:
            live.refuse(exc)
        except Exception as exc:  # the run's row is settled by the sweeper
            _logger.exception("Run %d ended by a defect.", live.run_id)
            error = InternalError("The run failed by a defect of the server.", run_id=live.run_id)
            error.__cause__ = exc
            live.refuse(error)

    def _forget(self, live: LiveRun, room: Room, task: asyncio.Task[None]) -> None:
        """Called when the task is over, even if it never began."""
        self._tasks.discard(task)
        del self._live[live.run_id]
        self._leave(room)
        live.refuse(_shutting_down())
        live.end()
        if live.log.last_seq:
            self._ended[live.run_id] = live
            while len(self._ended) > _LINGERING:
                del self._ended[next(iter(self._ended))]
            task.get_loop().call_later(_LINGER_S, self._ended.pop, live.run_id, None)


def _shutting_down() -> ShuttingDown:
    return ShuttingDown("The server is shutting down.", retry_after_s=_RETRY_AFTER_S)
