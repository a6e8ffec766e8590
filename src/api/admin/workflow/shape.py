"""Workflows in the spelling of the admin surface."""

from typing import Annotated, Any

import msgspec

from api.shape import IdOrEmpty, Shape
from application.shared.page import Listed, Paged
from application.shared.projection import After, At, By
from application.workflow.definition.dto import (
    CanvasReview,
    CanvasView,
    Creator,
    Diagnostic,
    Findings,
    ImportReport,
    KindDescription,
    LastRun,
    NeedView,
    ReferenceView,
    UnknownNode,
    WorkflowFacts,
    WorkflowReview,
    WorkflowVersionView,
    WorkflowView,
)
from application.workflow.definition.tool_settings import NodeToolSettings
from domain.workflow.value import Field


class Person(Shape, of=Creator):
    """Who made something; ``name`` is empty when the account is gone."""


class AdminLastRun(Shape, of=LastRun):
    """The newest run of a workflow."""

    phase: Annotated[str, By(str)]


class AdminWorkflowFacts(Shape, of=WorkflowFacts):
    """What is around a workflow."""

    last_run: AdminLastRun | None


class AdminWorkflow(Shape, of=WorkflowView, rename={"commit_id": "submit_commit_id"}):
    """A workflow without its canvas; ``submit_commit_id`` names the draft by its content."""

    creator: Person
    app_id: IdOrEmpty
    dialect: str
    facts: AdminWorkflowFacts | None
    is_published: Annotated[bool, After("latest_version")]


class AdminWorkflowList(Paged[AdminWorkflow]):
    """A page of workflows."""


class AdminFindings(Shape, of=Findings):
    """What the check says about one workflow; ``version`` is empty for a draft.

    ``omitted`` counts findings beyond the limit. Errors forbid publishing; those with
    ``blocks_run`` forbid running too.
    """


class AdminFindingsList(Listed[AdminFindings]):
    """The workflow itself first, then every workflow called from there."""


def _raw(text: str) -> msgspec.Raw:
    return msgspec.Raw(text.encode())


class AdminCanvas(Shape, of=CanvasView, rename={"commit_id": "submit_commit_id", "text": "schema"}):
    """A canvas as it was stored; ``version`` is empty for the draft."""

    dialect: str
    text: Annotated[Any, By(_raw)]


class SavedAdminCanvas(msgspec.Struct, frozen=True, kw_only=True):
    """The workflow after its canvas was saved, and what the check says."""

    workflow: AdminWorkflow
    findings: AdminFindings


class AdminNeed(Shape, of=NeedView, only=()):
    """Something a canvas names: ``kind`` is workflow, model, dataset, plugin or database.

    ``detail`` is the version of a workflow or the tool of a plugin; ``mapped_from`` all
    ids of the export that it replaced.
    """

    kind: Annotated[str, At("need.kind")]
    id: Annotated[str, At("need.id")]
    name: Annotated[str, At("need.name")]
    detail: Annotated[str, At("need.detail")]
    node_ids: Annotated[tuple[str, ...], At("need.node_ids")]
    exists: bool
    mapped_from: tuple[str, ...]


class AdminReviewedNeed(Shape, of=NeedView, only=("exists", "brought_by")):
    """Something a canvas names that is to be imported."""

    kind: Annotated[str, At("need.kind")]
    id: Annotated[str, At("need.id")]
    name: Annotated[str, At("need.name")]
    detail: Annotated[str, At("need.detail")]
    node_ids: Annotated[tuple[str, ...], At("need.node_ids")]


class AdminReviewedNode(msgspec.Struct, frozen=True, kw_only=True):
    """A node of a canvas that is to be imported."""

    id: str
    title: str


class AdminReviewedCanvas(msgspec.Struct, frozen=True, kw_only=True):
    """What one file would become; ``problem`` says why nothing can be made of it."""

    file_name: str
    name: str
    mode: int
    dialect: str
    problem: str
    nodes: list[AdminReviewedNode]
    can_run: bool
    can_be_published: bool
    omitted: int
    diagnostics: tuple[Diagnostic, ...]
    unknown_nodes: tuple[UnknownNode, ...]
    resources: list[AdminReviewedNeed]

    @classmethod
    def of(cls, review: CanvasReview) -> "AdminReviewedCanvas":
        return cls(
            file_name=review.file_name,
            name=review.name,
            mode=int(review.mode),
            dialect=review.dialect.value,
            problem=review.problem,
            nodes=[AdminReviewedNode(id=id_, title=title) for id_, title in review.nodes],
            can_run=review.can_run,
            can_be_published=review.can_be_published,
            omitted=review.omitted,
            diagnostics=review.diagnostics,
            unknown_nodes=review.unknown_nodes,
            resources=[AdminReviewedNeed.of(each) for each in review.needs],
        )


class AdminWorkflowReview(msgspec.Struct, frozen=True, kw_only=True):
    """What files would become, in the order of the request.

    ``order`` is the one to import them in: whatever is called comes before what calls it.
    """

    items: list[AdminReviewedCanvas]
    order: tuple[int, ...]

    @classmethod
    def of(cls, review: WorkflowReview) -> "AdminWorkflowReview":
        return cls(
            items=[AdminReviewedCanvas.of(each) for each in review.items], order=review.order
        )


class AdminImportReport(msgspec.Struct, frozen=True, kw_only=True):
    """The imported workflow, what of it is not here, and what was replaced."""

    workflow: AdminWorkflow
    findings: AdminFindings
    unknown_nodes: tuple[UnknownNode, ...]
    resources: list[AdminNeed]
    missing: list[AdminNeed]
    unused_mappings: tuple[str, ...]

    @classmethod
    def of(cls, report: ImportReport) -> "AdminImportReport":
        needs = [AdminNeed.of(each) for each in report.needs]
        return cls(
            workflow=AdminWorkflow.of(report.workflow),
            findings=AdminFindings.of(report.findings),
            unknown_nodes=report.unknown_nodes,
            resources=needs,
            missing=[each for each in needs if not each.exists],
            unused_mappings=report.unused,
        )


class AdminWorkflowVersion(Shape, of=WorkflowVersionView):
    """One version."""

    creator: Person


class AdminWorkflowVersionList(Paged[AdminWorkflowVersion]):
    """A page of versions, newest first."""


class PublishedWorkflow(msgspec.Struct, frozen=True, kw_only=True):
    """The workflow after publishing, and its new version."""

    workflow: AdminWorkflow
    version: AdminWorkflowVersion


class AdminWorkflowReference(Shape, of=ReferenceView):
    """A workflow that calls this one, from its ``draft`` or its ``published`` version."""

    source: str


class AdminWorkflowReferenceList(Listed[AdminWorkflowReference]):
    """Everything that calls a workflow."""


class NodeOutput(Shape, of=Field, only=("name", "type", "description")):
    """An output that nodes of a kind have even if the canvas does not declare it."""

    type: Annotated[str, By(str)]


class NodeKind(
    Shape,
    of=KindDescription,
    only=(
        "type_id",
        "key",
        "kind",
        "name",
        "names",
        "group",
        "defaults",
        "outputs",
        "required",
        "is_runnable",
        "is_composite",
        "has_batch_mode",
        "streams",
        "interrupts",
        "effects",
        "time_limit",
    ),
    rename={"group": "category", "required": "required_inputs", "is_runnable": "is_supported"},
):
    """A kind of node: ``type_id`` is its number in a canvas, ``key`` its name in records."""

    names: dict[str, str]
    defaults: dict[str, Any]
    outputs: list[NodeOutput]
    effects: str
    time_limit: str


class NodeKindList(Listed[NodeKind]):
    """Every kind that a canvas can name."""


class NodeTools(Shape, of=NodeToolSettings):
    """What a model node may call and search."""
