"""What storage of runs must offer."""

from collections.abc import Collection, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol

import msgspec

from domain.shared.access import TenantScope
from domain.shared.aggregate import DomainEvent
from domain.shared.chat import ModelCall
from domain.shared.ids import RunId, SpaceId, UserId
from domain.shared.lease import RunLeases
from domain.shared.settlement import SettlementPart, Settles
from domain.workflow.canvas.text import Canvas
from domain.workflow.run.workflow_run import RunKind, RunMode, RunPhase, WorkflowRun


class LogBatch(msgspec.Struct, frozen=True, kw_only=True):
    """What a run did between two commits.

    ``entries`` are journal entries ``entries_after + 1`` to ``entries_to``; ``events`` are what
    followers saw, numbered ``first_seq`` to ``last_seq`` (0 and 0 for none).
    """

    number: int
    entries_after: int
    entries_to: int
    entries: bytes
    first_seq: int
    last_seq: int
    events: bytes


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """The whole state of a run after ``sequence`` journal entries."""

    sequence: int
    state: bytes


class StoredState(msgspec.Struct, frozen=True, kw_only=True):
    """From what a run can continue: a snapshot, if there is one, and what came after it."""

    snapshot: Snapshot | None
    batches: tuple[LogBatch, ...]
    last_number: int
    last_seq: int
    last_call: int


class RunWrite(msgspec.Struct, frozen=True, kw_only=True):
    """What one run has to write in a group commit; all of it or nothing.

    ``revision`` is the fencing token (0 inserts the run). ``saves``: the row itself changed.
    """

    run: WorkflowRun
    revision: int
    saves: bool
    batch: LogBatch | None = None
    snapshot: Snapshot | None = None
    first_call: int = 1
    calls: tuple[ModelCall, ...] = ()
    events: tuple[DomainEvent, ...] = ()
    parts: tuple[SettlementPart, ...] = ()
    """What else is stored with the end of a stretch."""


class RunQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Which runs of a workflow to list, newest first."""

    workflow_id: int
    phase: RunPhase | None = None
    mode: RunMode | None = None
    kind: RunKind | None = None
    since: datetime | None = None
    until: datetime | None = None
    before_id: int | None = None
    limit: int = 50


class WorkflowRunRepository(Protocol):
    """Runs and what they left behind, of the spaces of a scope."""

    async def get(self, scope: TenantScope, run_id: RunId) -> WorkflowRun:
        """Return a run; raise ``WorkflowRunNotFound``."""
        ...

    async def find_request(self, scope: TenantScope, key: str) -> tuple[WorkflowRun, str] | None:
        """Return the run that this caller started under an idempotency key, and its digest."""
        ...

    async def save(self, scope: TenantScope, run: WorkflowRun) -> None:
        """Insert or update a run under its revision; raise ``StaleRevision``."""
        ...

    async def remember_request(
        self, scope: TenantScope, run: WorkflowRun, key: str, digest: str
    ) -> None:
        """Bind an idempotency key to a run; raise ``StaleRevision`` if it has one already."""
        ...

    async def append(self, scope: TenantScope, run_id: RunId, batch: LogBatch) -> None:
        """Append to the log of a run."""
        ...

    async def state(self, scope: TenantScope, run_id: RunId) -> StoredState:
        """Return everything to continue a run from."""
        ...

    async def log(self, scope: TenantScope, run_id: RunId, *, after: int) -> Sequence[LogBatch]:
        """Return the batches with events after number ``after``, in order."""
        ...

    async def request_cancel(self, scope: TenantScope, run_id: RunId, *, now: datetime) -> None:
        """Leave word for the worker of a run."""
        ...

    async def newest(
        self, scope: TenantScope, workflow_ids: Collection[int]
    ) -> Sequence[WorkflowRun]:
        """Return the newest run of each workflow that has one."""
        ...

    async def page(self, scope: TenantScope, query: RunQuery) -> Sequence[WorkflowRun]:
        """Return runs, newest first."""
        ...

    async def put_canvas(self, scope: TenantScope, space_id: SpaceId, canvas: Canvas) -> None:
        """Keep the canvas of a draft that is being run, once."""
        ...

    async def canvas(self, scope: TenantScope, space_id: SpaceId, digest: str) -> Canvas | None:
        """Return the canvas of a draft as it was run."""
        ...


class WorkflowRunQueue(RunLeases, Protocol):
    """System port: runs of all spaces, for the processes that carry them out."""

    async def write(self, writes: Sequence[RunWrite], *, is_repeated: bool) -> set[RunId]:
        """Write for many runs; return those whose fencing token is no longer valid.

        ``is_repeated``: an attempt before may have succeeded after all.
        """
        ...

    async def has_due(self, owner: str, *, now: datetime, is_alone: bool) -> bool:
        """Tell whether ``due`` would find any; needs no transaction that writes."""
        ...

    async def due(
        self,
        owner: str,
        *,
        now: datetime,
        is_alone: bool,
        limit: int,
        but: Collection[int] = (),
    ) -> list[WorkflowRun]:
        """Return runs that wait for a worker, or whose worker is gone; locked.

        Spaces have turns; those of ``but`` have none. ``is_alone``: whoever else holds a lease is
        gone.
        """
        ...

    async def save(self, run: WorkflowRun) -> None:
        """Update a run under its revision; raise ``StaleRevision``."""
        ...

    async def lapsed(self, *, now: datetime, limit: int) -> list[WorkflowRun]:
        """Return interrupted runs whose questions lapsed; locked."""
        ...

    async def waiting(self, creator_id: UserId, *, limit: int) -> list[WorkflowRun]:
        """Return an account's runs that nobody works on: queued or interrupted; locked."""
        ...

    async def purge(self, *, before: datetime, limit: int) -> int:
        """Remove logs, states and keys of runs that ended before; return how many runs."""
        ...


class WorkflowRunUnitOfWork(Settles, Protocol):
    """One transaction: made to last by ``commit``, rolled back by leaving without it."""

    @property
    def runs(self) -> WorkflowRunRepository: ...

    @property
    def queue(self) -> WorkflowRunQueue: ...

    async def commit(self) -> None: ...


class WorkflowRunStore(Protocol):
    """Opens transactions on runs."""

    def transaction(self) -> AbstractAsyncContextManager[WorkflowRunUnitOfWork]:
        """Open a transaction that writes."""
        ...

    def snapshot(self) -> AbstractAsyncContextManager[WorkflowRunUnitOfWork]:
        """Open a transaction that only reads, and waits for no writer."""
        ...
