"""What workflow definitions need from a store; implemented in ``infra.impl.repository``."""

from collections.abc import Collection, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from domain.shared.access import TenantScope
from domain.shared.ids import UserId
from domain.workflow.canvas.text import Canvas, CanvasStamp
from domain.workflow.definition.saved_input import SavedInput, SavedInputId
from domain.workflow.definition.version import WorkflowId, WorkflowVersion
from domain.workflow.definition.workflow import Workflow, WorkflowMode


class WorkflowState(StrEnum):
    """Which workflows a listing shows."""

    ALL = "all"
    PUBLISHED = "published_online"
    UNPUBLISHED = "unpublished_draft"


class ReferenceSource(StrEnum):
    """Which canvas of a workflow a reference stands in."""

    DRAFT = "draft"
    PUBLISHED = "published"
    """The newest version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowQuery:
    """A page of workflows: newest change first by ``offset``, or by id from ``after_id`` on.

    ``text`` is searched in names and descriptions; ``plugin_id`` is one that the draft or the
    newest version names.
    """

    limit: int
    offset: int = 0
    by_id: bool = False
    descending: bool = True
    after_id: int | None = None
    state: WorkflowState = WorkflowState.ALL
    mode: WorkflowMode | None = None
    app_id: int | None = None
    text: str = ""
    creator_id: int | None = None
    plugin_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Callee:
    """A workflow that a canvas names; an empty version is the draft."""

    workflow_id: int
    version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Where a workflow is called from."""

    workflow: Workflow
    source: ReferenceSource
    version: str
    """Version of the called workflow; empty for its draft."""


class WorkflowRepository(Protocol):
    """Workflows that are not deleted."""

    async def get(self, scope: TenantScope, workflow_id: WorkflowId) -> Workflow:
        """Return the workflow; raise ``WorkflowNotFound``."""
        ...

    async def get_deleted(
        self, scope: TenantScope, workflow_id: WorkflowId, *, since: datetime
    ) -> Workflow:
        """Return one that was deleted since then; raise ``WorkflowNotFound``."""
        ...

    async def find(
        self, scope: TenantScope, workflow_ids: Collection[WorkflowId]
    ) -> Sequence[Workflow]:
        """Return those that exist in the scope, by id."""
        ...

    async def search(
        self, scope: TenantScope, query: WorkflowQuery
    ) -> tuple[Sequence[Workflow], int]:
        """Return one page and the number of all matches."""
        ...

    async def save(self, scope: TenantScope, workflow: Workflow) -> None:
        """Insert or update.

        Raises:
            StaleRevision: the workflow was saved by someone else meanwhile.
            WorkflowNotFound: its space is outside the scope.
        """
        ...


class WorkflowVersionRepository(Protocol):
    """Immutable versions of workflows that are not deleted."""

    async def add(self, scope: TenantScope, version: WorkflowVersion) -> None: ...

    async def get(self, scope: TenantScope, workflow_id: WorkflowId, label: str) -> WorkflowVersion:
        """Return the version; raise ``WorkflowNotFound`` or ``WorkflowNotPublished``."""
        ...

    async def page(
        self, scope: TenantScope, workflow_id: WorkflowId, *, offset: int, limit: int
    ) -> tuple[Sequence[WorkflowVersion], int]:
        """Newest first, with the number of all."""
        ...


class CanvasRepository(Protocol):
    """Texts of canvases, by workflow and stamp."""

    async def put(self, scope: TenantScope, workflow: Workflow, canvas: Canvas) -> None:
        """Store a text unless it is there, and drop those that draft and versions left behind."""
        ...

    async def get(self, scope: TenantScope, workflow_id: WorkflowId, stamp: CanvasStamp) -> Canvas:
        """Return the text; raise ``WorkflowNotFound``."""
        ...


class ReferenceRepository(Protocol):
    """Which workflow calls which."""

    async def replace(
        self,
        scope: TenantScope,
        workflow: Workflow,
        source: ReferenceSource,
        callees: Collection[Callee],
    ) -> None:
        """Remember what a canvas of the workflow calls."""
        ...

    async def callers(self, scope: TenantScope, workflow_id: WorkflowId) -> Sequence[Caller]:
        """Who calls it, by id."""
        ...

    async def count_callers(
        self, scope: TenantScope, workflow_ids: Collection[WorkflowId]
    ) -> dict[WorkflowId, int]:
        """How many workflows call each; those that nothing calls may be left out."""
        ...

    async def callees(
        self, scope: TenantScope, callers: Collection[Callee]
    ) -> dict[Callee, tuple[Callee, ...]]:
        """What these call; those that call nothing may be left out."""
        ...


class SavedInputRepository(Protocol):
    """Inputs of test runs that somebody kept under a name; others see those that are shared."""

    async def of(
        self, scope: TenantScope, workflow_id: WorkflowId, reader_id: UserId
    ) -> Sequence[SavedInput]:
        """Return what somebody may use of a workflow, by name."""
        ...

    async def put(self, scope: TenantScope, saved: SavedInput) -> None:
        """Store; what the same person called the same before is replaced."""
        ...

    async def delete(
        self, scope: TenantScope, workflow_id: WorkflowId, saved_id: SavedInputId, user_id: UserId
    ) -> None:
        """Remove what somebody may use; raise ``SavedInputNotFound``."""
        ...


class WorkflowUnitOfWork(Protocol):
    """One transaction: committed by ``commit``, rolled back by leaving the block without it."""

    @property
    def workflows(self) -> WorkflowRepository: ...

    @property
    def versions(self) -> WorkflowVersionRepository: ...

    @property
    def canvases(self) -> CanvasRepository: ...

    @property
    def references(self) -> ReferenceRepository: ...

    @property
    def saved_inputs(self) -> SavedInputRepository: ...

    async def commit(self) -> None: ...


class WorkflowStore(Protocol):
    """Opens transactions."""

    def transaction(self) -> AbstractAsyncContextManager[WorkflowUnitOfWork]:
        """Open a transaction for writing."""
        ...

    def snapshot(self) -> AbstractAsyncContextManager[WorkflowUnitOfWork]:
        """Open a transaction for reading only."""
        ...
