"""A chat while this process works on it: its events, its task, and who is watching."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from application.conversation.dto import RunView
from application.conversation.run.event import RunEvent
from application.run.log import RunLog
from application.run.registry import RunRegistry, Stop
from domain.conversation.value import RunStatus
from domain.shared.access import TenantScope
from domain.shared.error import AppError
from domain.shared.ids import AgentId, RunId, SpaceId, UserId
from domain.shared.limits import Limits

_LINGER_S: Final = 5.0
"""How long an ended run can still be followed from memory."""


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
    def is_leased(self) -> bool:
        """Tell whether the run is stored."""
        return self.view is not None

    @property
    def lingers(self) -> bool:
        """Tell whether there is anything to follow."""
        return bool(self.log.last_seq)

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

    def refuse(self, error: AppError) -> bool:
        """Tell whoever asked for the run that there is none; False if it was accepted before."""
        if self.accepted.done():
            return False
        self.accepted.set_exception(error)
        return True

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
        # Whatever is awaited from here on looks at this count to tell its own timeout from a
        # cancel.
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

    @property
    def is_being_left(self) -> bool:
        """Nobody follows it, and it will be cancelled for that."""
        return self._leaving is not None

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
        # Once only: a second cancel would interrupt what stores the end.
        self._is_interrupted = True
        self._task.cancel()


ChatRegistry = RunRegistry[LiveRun]


def chat_registry(limits: Limits) -> ChatRegistry:
    """Make the registry of the chats of a process."""
    return RunRegistry(
        "runs of agents",
        limits=limits,
        crowded="Workspace {space_id} has {most} runs in progress.",
        waiting=2 * limits.runs_per_process,
        wait_s=limits.run_wait_s,
        grace_s=limits.shutdown_grace_s,
        linger_s=_LINGER_S,
    )
