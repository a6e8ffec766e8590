"""Commands and views of workflow definitions; ids are integers, times instants."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from application.shared.page import Listed, Part
from application.shared.projection import At, Projection
from domain.shared.ids import Id
from domain.shared.settlement import TraceLevel
from domain.workflow.canvas.importing import IdMapping
from domain.workflow.canvas.text import Dialect
from domain.workflow.catalogue import KindDescription, list_kinds
from domain.workflow.definition.reference import Need
from domain.workflow.definition.repository import ReferenceSource, WorkflowQuery, WorkflowState
from domain.workflow.definition.role import ChatflowRole, RoleOnboarding, RoleSuggestions
from domain.workflow.definition.workflow import WorkflowMode
from domain.workflow.limit import WorkflowLimits
from domain.workflow.lint.diagnostic import Diagnostic
from domain.workflow.run.workflow_run import RunPhase

__all__ = [
    "NO_MAPPING",
    "BroughtFile",
    "CanvasReview",
    "CanvasView",
    "ChatflowRole",
    "CreateWorkflow",
    "Diagnostic",
    "Dialect",
    "Findings",
    "IdMapping",
    "ImportReport",
    "ImportWorkflow",
    "KindDescription",
    "ListWorkflows",
    "Need",
    "NeedView",
    "PublishWorkflow",
    "ReferenceSource",
    "ReferenceView",
    "ReviewWorkflows",
    "RoleOnboarding",
    "RoleSuggestions",
    "SaveCanvas",
    "SavedCanvas",
    "UnknownNode",
    "UpdateWorkflow",
    "WorkflowLimits",
    "WorkflowMode",
    "WorkflowPage",
    "WorkflowReview",
    "WorkflowState",
    "WorkflowVersionPage",
    "WorkflowVersionView",
    "WorkflowView",
    "list_kinds",
]

NO_MAPPING = IdMapping()


class CreateWorkflow(msgspec.Struct, frozen=True, kw_only=True):
    """A draft with nothing between its entry and its exit."""

    space_id: int
    name: str
    description: str = ""
    icon_file_id: int | None = None
    mode: WorkflowMode = WorkflowMode.WORKFLOW
    app_id: int = 0
    language: str = "en"
    """Of the titles of its entry and its exit."""


class ImportWorkflow(msgspec.Struct, frozen=True, kw_only=True):
    """A workflow out of an export; what is left open is taken from the export."""

    space_id: int
    text: str
    name: str = ""
    fallback_name: str = ""
    """Used where neither the request nor the export names it, for instance the file's name."""
    description: str = ""
    icon_file_id: int | None = None
    mode: WorkflowMode | None = None
    app_id: int = 0
    mapping: IdMapping = NO_MAPPING


class BroughtFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file that may be imported; ``name`` is that of the file."""

    name: str
    text: str


class ReviewWorkflows(msgspec.Struct, frozen=True, kw_only=True):
    """Files that are to be looked at together, before anything of them is stored."""

    space_id: int
    files: tuple[BroughtFile, ...]
    app_id: int = 0
    mapping: IdMapping = NO_MAPPING


class UpdateWorkflow(msgspec.Struct, frozen=True, kw_only=True):
    """What lists show; absent fields stay."""

    workflow_id: int
    name: str | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    icon_file_id: int | UnsetType | None = UNSET
    trace_capture: TraceLevel | UnsetType | None = UNSET
    expected_revision: int | None = None


class SaveCanvas(msgspec.Struct, frozen=True, kw_only=True):
    """A new draft, stored to the character; an export may be given with its wrapping."""

    workflow_id: int
    text: str
    expected_revision: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListWorkflows(WorkflowQuery):
    """One page of workflows; ``space_id`` None looks at every space of the caller."""

    space_id: int | None = None


class PublishWorkflow(msgspec.Struct, frozen=True, kw_only=True):
    """Freeze the draft; ``commit_id`` names the draft that is meant, empty for any."""

    workflow_id: int
    version: str = ""
    description: str = ""
    is_forced: bool = False
    commit_id: str = ""


class Creator(msgspec.Struct, frozen=True, kw_only=True):
    """Who made something; ``name`` is empty when the account is gone."""

    id: Id
    name: str


class LastRun(msgspec.Struct, frozen=True, kw_only=True):
    """The newest run of a workflow, whoever began it."""

    id: Id
    phase: RunPhase
    created_at: datetime


class WorkflowFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What is around a workflow: how many workflows call it, and how it ran last."""

    callers: int
    last_run: LastRun | None


class WorkflowView(Projection):
    """A workflow without its canvas; ``commit_id`` names the draft by its content."""

    id: Id
    space_id: Id
    creator: Creator
    name: str
    description: str
    icon_file_id: Id | None
    icon_url: str
    mode: WorkflowMode
    app_id: Id
    dialect: Annotated[Dialect, At("draft.dialect")]
    revision: Annotated[int, At("draft_revision")]
    commit_id: Annotated[str, At("draft.digest")]
    latest_version: str
    is_draft_changed: bool
    test_run_passed: bool
    trace_capture: TraceLevel | None
    node_count: int | None
    facts: WorkflowFacts | None = None
    """In lists only."""
    created_at: datetime
    updated_at: datetime
    published_at: datetime | None

    @property
    def is_published(self) -> bool:
        """Whether it has a version."""
        return bool(self.latest_version)


class WorkflowPage(Part[WorkflowView]):
    """One page of workflows; ``total`` counts all matches."""


class CanvasView(msgspec.Struct, frozen=True, kw_only=True):
    """A canvas as it was stored; ``version`` is empty for the draft."""

    workflow_id: Id
    version: str
    dialect: Dialect
    commit_id: str
    revision: int
    test_run_passed: bool
    text: str


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """What the check says about one workflow; ``version`` is empty for a draft."""

    workflow_id: Id
    name: str
    version: str
    can_run: bool
    can_be_published: bool
    omitted: int
    diagnostics: tuple[Diagnostic, ...]


class SavedCanvas(msgspec.Struct, frozen=True, kw_only=True):
    """The workflow after its canvas was saved, and what the check says about it."""

    workflow: WorkflowView
    findings: Findings


class NeedView(msgspec.Struct, frozen=True, kw_only=True):
    """Something the canvas names; ``mapped_from``: the ids it replaced in the export."""

    need: Need
    exists: bool
    mapped_from: tuple[str, ...] = ()
    brought_by: int | None = None
    """The file of the same review that holds this workflow, counted from 0."""


class UnknownNode(msgspec.Struct, frozen=True, kw_only=True):
    """A node that cannot run here; it stays in the canvas."""

    node_id: str
    message: str


class ImportReport(msgspec.Struct, frozen=True, kw_only=True):
    """The imported workflow, what of it is not there, and what was replaced."""

    workflow: WorkflowView
    findings: Findings
    unknown_nodes: tuple[UnknownNode, ...]
    needs: tuple[NeedView, ...]
    unused: tuple[str, ...]
    """Ids of the mapping that the canvas does not name, or still names somewhere."""


class CanvasReview(msgspec.Struct, frozen=True, kw_only=True):
    """What one file would become.

    ``problem`` says why nothing can be made of it; everything else is then empty.
    """

    file_name: str
    name: str = ""
    mode: WorkflowMode = WorkflowMode.WORKFLOW
    dialect: Dialect = Dialect.COZE
    problem: str = ""
    nodes: tuple[tuple[str, str], ...] = ()
    """Ids and titles."""
    can_run: bool = False
    can_be_published: bool = False
    omitted: int = 0
    diagnostics: tuple[Diagnostic, ...] = ()
    unknown_nodes: tuple[UnknownNode, ...] = ()
    needs: tuple[NeedView, ...] = ()


class WorkflowReview(msgspec.Struct, frozen=True, kw_only=True):
    """What files would become, and in which ``order`` they are to be imported."""

    items: tuple[CanvasReview, ...]
    order: tuple[int, ...]


class WorkflowVersionView(Projection):
    """One version in a list."""

    workflow_id: Id
    version: Annotated[str, At("label")]
    description: Annotated[str, At("note")]
    commit_id: Annotated[str, At("canvas.digest")]
    creator: Creator
    created_at: datetime


class WorkflowVersionPage(Listed[WorkflowVersionView]):
    """One page of versions, newest first."""


class ReferenceView(msgspec.Struct, frozen=True, kw_only=True):
    """A workflow that calls this one; ``version`` is the one it calls, empty for the draft."""

    workflow_id: Id
    name: str
    source: ReferenceSource
    version: str
