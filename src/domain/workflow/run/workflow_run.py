"""A run of a workflow as it is stored: its states, its lease, its questions and its end."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum, StrEnum
from typing import Any, Final

import msgspec

from domain.shared.access import TenantScope
from domain.shared.account import NOBODY, Account, Origin
from domain.shared.aggregate import DomainEvent
from domain.shared.error import Conflict, NotFound
from domain.shared.ids import RunId, SpaceId, UserId
from domain.shared.lease import Leased
from domain.workflow.engine.error import external_code_of
from domain.workflow.engine.interrupt import Interrupt

CANCELLED_CODE: Final = 777777777


class WorkflowRunNotFound(NotFound):
    """There is no such run, or it is not the caller's."""


class InterruptNotFound(NotFound):
    """The run does not wait for this event; it was answered already, or never asked."""


class RunNotWaiting(Conflict):
    """The run changed meanwhile; read it again."""


class RunMode(IntEnum):
    """How the caller waits; numbers of the wire."""

    SYNC = 0
    STREAM = 1
    ASYNC = 2


class RunKind(StrEnum):
    """What is run: a published version, the draft, one node of the draft, or from a node on."""

    RELEASE = "release"
    DEBUG = "debug"
    NODE = "node"
    FORK = "fork"


class RunPhase(StrEnum):
    """States of a run; the last three are final."""

    CREATED = "created"
    RUNNING = "running"
    INTERRUPTED = "interrupted"
    SUCCESS = "success"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_final(self) -> bool:
        return self in {RunPhase.SUCCESS, RunPhase.FAILED, RunPhase.CANCELLED}


class RunFault(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why a run failed: ``code`` for clients, ``internal_code`` for records."""

    code: int
    internal_code: int
    message: str
    node_id: str = ""
    node_title: str = ""

    @classmethod
    def internal(cls, code: int, message: str) -> "RunFault":
        """Describe a failure by its internal number."""
        return cls(code=external_code_of(code), internal_code=code, message=message)


ACCOUNT_DISABLED: Final = RunFault(
    code=4100,
    internal_code=4100,
    message="The account that started the run was disabled; its runs were stopped.",
)


class WorkflowRunEnded(DomainEvent, frozen=True, kw_only=True, tag="workflow.run_ended"):
    """A run came to its end; ``aggregate_id`` is the run."""

    workflow_id: int
    status: RunPhase
    error_code: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


class WorkflowRunInterrupted(
    DomainEvent, frozen=True, kw_only=True, tag="workflow.run_interrupted"
):
    """A run waits for an answer."""

    workflow_id: int
    question_ids: tuple[str, ...]


@dataclass(kw_only=True, eq=False)
class WorkflowRun(Leased):
    """One run. ``revision`` is its fencing token: whoever takes it over or ends it changes it.

    ``version`` is empty for a draft; ``version_hash`` says which program the state belongs to.
    """

    id: RunId
    space_id: SpaceId
    workflow_id: int
    version: str
    version_hash: str
    canvas_digest: str = ""
    """Names the canvas of a draft, which may change while the run waits; else empty."""
    kind: RunKind
    mode: RunMode
    node_id: str = ""
    """The single node of a run of kind ``node``, or where a ``fork`` begins."""
    creator_id: UserId
    end_user_id: str = ""
    connector_id: int
    app_id: int = 0
    agent_id: int = 0
    conversation_id: int = 0
    log_id: str = ""
    origin: Origin | None = None
    """Through what somebody asked for it; None where nobody noted it."""
    egress_hosts: frozenset[str] | None = None
    """The only hosts that nodes may call; None for all public ones."""
    input: dict[str, Any] = field(default_factory=dict)
    answers: bool = False
    """The workflow ends with an answer text instead of returned variables."""
    phase: RunPhase = RunPhase.CREATED
    output: str = ""
    """JSON text of the output once the run succeeded."""
    fault: RunFault | None = None
    pending: tuple[Interrupt, ...] = ()
    executed: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    deadline_at: datetime | None = None
    remaining_s: float = 0.0
    """Time left when it was interrupted; 0 for no limit."""
    expires_at: datetime | None = None
    """When its open questions lapse."""
    created_at: datetime
    started_at: datetime | None = None
    updated_at: datetime
    finished_at: datetime | None = None

    @property
    def scope(self) -> TenantScope:
        """What the run may touch: its own space, for whoever started it."""
        return TenantScope(self.creator_id, frozenset({self.space_id}), self.end_user_id)

    @property
    def account(self) -> Account:
        """Whom and what its calls are counted for."""
        origin = self.origin or NOBODY
        return Account(
            origin=origin if self.version else origin.of_draft(),
            app_id=self.app_id,
            agent_id=self.agent_id,
            version=self.version,
            workflow_id=self.workflow_id,
            member_id=self.creator_id,
            end_user_id=self.end_user_id,
        )

    @property
    def is_debug(self) -> bool:
        """Tell whether drafts are used and conversion is lenient."""
        return self.kind is not RunKind.RELEASE

    @property
    def is_final(self) -> bool:
        return self.phase.is_final

    @property
    def is_over(self) -> bool:
        """Tell whether nothing happens without another call: it ended, or waits for an answer."""
        return self.is_final or self.phase is RunPhase.INTERRUPTED

    def begin(self, owner: str, *, now: datetime, lease_s: float, limit_s: float) -> None:
        """Take a new run; ``limit_s`` 0 means no limit."""
        self.started_at = now
        self.remaining_s = limit_s
        self._take(owner, now=now, lease_s=lease_s)
        self.deadline_at = now + timedelta(seconds=limit_s) if limit_s else None

    def take_over(self, owner: str, *, now: datetime, lease_s: float) -> None:
        """Continue a run whose worker is gone."""
        self._take(owner, now=now, lease_s=lease_s)

    def interrupt(self, pending: Sequence[Interrupt], *, now: datetime, ttl_s: float) -> None:
        """Wait for answers."""
        self.attempt = 0
        self.phase = RunPhase.INTERRUPTED
        self.pending = tuple(pending)
        self.expires_at = now + timedelta(seconds=ttl_s) if ttl_s else None
        if self.deadline_at is not None:
            self.remaining_s = max((self.deadline_at - now).total_seconds(), 1.0)
            self.deadline_at = None
        self._give_back(now)
        self.record(
            WorkflowRunInterrupted(
                occurred_at=now,
                space_id=self.space_id,
                aggregate_id=self.id,
                actor_id=self.creator_id,
                workflow_id=self.workflow_id,
                question_ids=tuple(each.id for each in pending),
            )
        )

    def open_question(self, interrupt_id: str) -> Interrupt:
        """Return an open question; raise ``InterruptNotFound`` for any other id."""
        if self.phase is RunPhase.INTERRUPTED:
            for interrupt in self.pending:
                if interrupt.id == interrupt_id:
                    return interrupt
        raise InterruptNotFound(
            f"Run {self.id} does not wait for event {interrupt_id}; it was answered, or the run "
            "is over.",
            run_id=self.id,
        )

    def resume(
        self, owner: str, pending: Sequence[Interrupt], *, now: datetime, lease_s: float
    ) -> None:
        """Go on with an answer; ``pending`` are the questions that stay open."""
        self.pending = tuple(pending)
        self.expires_at = None
        if self.remaining_s:
            self.deadline_at = now + timedelta(seconds=self.remaining_s)
        self._take(owner, now=now, lease_s=lease_s)

    def release(self, *, now: datetime) -> None:
        """Give the lease back, so that another worker goes on at once."""
        self._give_back(now)

    def succeed(self, output: str, *, now: datetime) -> None:
        """End well."""
        self.output = output
        self._end(RunPhase.SUCCESS, now)

    def fail(self, fault: RunFault, *, now: datetime) -> None:
        """End with an error; what was to be its output is none."""
        self.output = ""
        self.fault = fault
        self._end(RunPhase.FAILED, now)

    def cancel(self, *, now: datetime) -> None:
        """End because somebody wanted it; questions lapse."""
        self.fault = RunFault(
            code=CANCELLED_CODE, internal_code=CANCELLED_CODE, message="The run was cancelled."
        )
        self._end(RunPhase.CANCELLED, now)

    def seconds_left(self, now: datetime) -> float | None:
        """Return how long the run may still take; None for no limit."""
        if self.deadline_at is None:
            return None
        return max((self.deadline_at - now).total_seconds(), 0.001)

    def _take(self, owner: str, *, now: datetime, lease_s: float) -> None:
        self.phase = RunPhase.RUNNING
        self._lend(owner, until=now + timedelta(seconds=lease_s))
        self.updated_at = now

    def _give_back(self, now: datetime) -> None:
        self._let_go()
        self.updated_at = now

    def _end(self, phase: RunPhase, now: datetime) -> None:
        self.phase = phase
        self.pending = ()
        self.finished_at = now
        self.deadline_at = self.expires_at = None
        self._give_back(now)
        self.record(
            WorkflowRunEnded(
                occurred_at=now,
                space_id=self.space_id,
                aggregate_id=self.id,
                actor_id=self.creator_id,
                workflow_id=self.workflow_id,
                status=phase,
                error_code=self.fault.internal_code if self.fault else 0,
                input_tokens=self.input_tokens,
                output_tokens=self.output_tokens,
            )
        )
