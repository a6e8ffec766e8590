"""The run aggregate: one execution that answers one user input, and its states."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Self

import msgspec

from domain.conversation.error import RunAlreadySettled
from domain.conversation.event import (
    RunCanceled,
    RunCompleted,
    RunCreated,
    RunFailed,
    RunStarted,
    RunSuspended,
)
from domain.conversation.value import (
    TERMINAL_STATUSES,
    CancelReason,
    RunError,
    RunPhase,
    RunStatus,
    WaitingFor,
)
from domain.shared.account import NOBODY, Account, Origin
from domain.shared.chat import Usage
from domain.shared.ids import (
    AgentId,
    ConversationId,
    MessageId,
    RunId,
    SectionId,
    SpaceId,
    UserId,
)
from domain.shared.lease import Leased

_NEXT: Final[Mapping[RunStatus, frozenset[RunStatus]]] = {
    RunStatus.CREATED: frozenset({RunStatus.IN_PROGRESS, RunStatus.CANCELED, RunStatus.FAILED}),
    RunStatus.IN_PROGRESS: frozenset(
        {RunStatus.REQUIRES_ACTION, RunStatus.COMPLETED, RunStatus.CANCELED, RunStatus.FAILED}
    ),
    RunStatus.REQUIRES_ACTION: frozenset(
        {RunStatus.IN_PROGRESS, RunStatus.COMPLETED, RunStatus.CANCELED, RunStatus.FAILED}
    ),
    RunStatus.COMPLETED: frozenset(),
    RunStatus.FAILED: frozenset(),
    RunStatus.CANCELED: frozenset(),
}


class RunRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What the caller asked for besides messages; kept for inspection, without secrets."""

    variables: Mapping[str, str] = {}
    is_draft: bool = False
    origin: Origin = NOBODY
    version: str = ""
    """The version that was asked for by name; empty: the active one."""

    answer_meta: Mapping[str, str] = {}


@dataclass(kw_only=True, eq=False)
class Run(Leased):
    """One execution. Terminal states never change; every save is a compare-and-set.

    ``is_saved`` False: nothing of the run enters its conversation, only this row is kept.
    """

    id: RunId
    space_id: SpaceId
    conversation_id: ConversationId
    section_id: SectionId
    agent_id: AgentId
    agent_version: str
    creator_id: UserId
    end_user_id: str
    connector_id: int
    question_id: MessageId | None
    request: RunRequest = field(default_factory=RunRequest)
    meta: Mapping[str, str] = field(default_factory=dict)
    inserted_message_ids: tuple[int, ...] = ()
    replaces_run_id: RunId | None = None
    is_saved: bool = True
    workflow_run_id: int = 0
    """The run of the workflow that answers; 0 if none does."""
    waits_for: WaitingFor | None = None
    status: RunStatus = RunStatus.CREATED
    phase: RunPhase = RunPhase.PREPARING
    usage: Usage = field(default_factory=Usage)
    finish_reason: str = ""
    error: RunError = field(default_factory=RunError)
    cancel_reason: str = ""
    created_at: datetime
    started_at: datetime | None = None
    first_token_at: datetime | None = None
    completed_at: datetime | None = None
    failed_at: datetime | None = None
    canceled_at: datetime | None = None
    deleted_at: datetime | None = None

    @property
    def is_terminal(self) -> bool:
        return self.status in TERMINAL_STATUSES

    @property
    def is_finishing(self) -> bool:
        """The answer is durable; only extras remain, so a new run may take its place."""
        return self.status is RunStatus.IN_PROGRESS and self.phase is RunPhase.FINISHING

    def account(self, origin: Origin) -> Account:
        """Return whom and what the calls of the run are counted for."""
        return Account(
            origin=origin.of_draft() if not self.agent_version else origin,
            agent_id=self.agent_id,
            version=self.agent_version,
            member_id=self.creator_id,
            end_user_id=self.end_user_id,
        )

    def accepted(self) -> Self:
        """Record that the run came into being; once, before its first save."""
        self.record(
            RunCreated(
                occurred_at=self.created_at,
                space_id=self.space_id,
                aggregate_id=self.id,
                conversation_id=self.conversation_id,
                agent_id=self.agent_id,
            )
        )
        return self

    def claim(self, owner: str, *, until: datetime, now: datetime) -> None:
        """Take the run for one executor."""
        self._move(RunStatus.IN_PROGRESS)
        self._lend(owner, until=until)
        self.waits_for = None
        self.started_at = self.started_at or now
        self.record(
            RunStarted(
                occurred_at=now,
                space_id=self.space_id,
                aggregate_id=self.id,
                conversation_id=self.conversation_id,
                attempt=self.attempt,
            )
        )

    def suspend(
        self,
        waits_for: WaitingFor,
        *,
        now: datetime,
        usage: Usage,
        until: datetime | None = None,
    ) -> None:
        """Wait for the user, at most ``until`` then; nobody works on the run meanwhile."""
        self._move(RunStatus.REQUIRES_ACTION)
        self.waits_for, self.usage = waits_for, usage
        self._let_go()
        self.lease_until = until
        self.record(
            RunSuspended(
                occurred_at=now,
                space_id=self.space_id,
                aggregate_id=self.id,
                conversation_id=self.conversation_id,
                agent_id=self.agent_id,
                question_id=waits_for.question_id,
            )
        )

    def complete(self, *, now: datetime, usage: Usage, finish_reason: str) -> None:
        self._end(RunStatus.COMPLETED)
        self.usage, self.finish_reason, self.completed_at = usage, finish_reason, now
        self.record(
            RunCompleted(
                occurred_at=now,
                space_id=self.space_id,
                aggregate_id=self.id,
                conversation_id=self.conversation_id,
                agent_id=self.agent_id,
                total_tokens=usage.total_tokens,
            )
        )

    def fail(self, error: RunError, *, now: datetime, usage: Usage | None = None) -> None:
        self._end(RunStatus.FAILED)
        self.error, self.failed_at = error, now
        self.usage = usage or self.usage
        self.record(
            RunFailed(
                occurred_at=now,
                space_id=self.space_id,
                aggregate_id=self.id,
                conversation_id=self.conversation_id,
                agent_id=self.agent_id,
                error_code=error.code,
                error=error.slug,
            )
        )

    def cancel(self, reason: CancelReason, *, now: datetime, usage: Usage | None = None) -> None:
        self._end(RunStatus.CANCELED)
        self.cancel_reason, self.canceled_at = reason.value, now
        self.usage = usage or self.usage
        self.record(
            RunCanceled(
                occurred_at=now,
                space_id=self.space_id,
                aggregate_id=self.id,
                conversation_id=self.conversation_id,
                agent_id=self.agent_id,
                reason=reason.value,
            )
        )

    def withdraw(self, *, now: datetime) -> None:
        """Take a finished run out of the conversation, because another one redoes it."""
        if not self.is_terminal:
            raise RunAlreadySettled("The run is not finished.", run_id=self.id)
        self.deleted_at = now

    def _end(self, status: RunStatus) -> None:
        """Reach a terminal state; what an unsaved run waited with is nobody's any more."""
        self._move(status)
        if not self.is_saved:
            self.waits_for = None

    def _move(self, to: RunStatus) -> None:
        if to not in _NEXT[self.status]:
            raise RunAlreadySettled(
                f"A run that is {self.status.value} cannot become {to.value}.", run_id=self.id
            )
        self.status = to
