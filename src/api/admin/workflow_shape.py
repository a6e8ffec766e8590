"""Workflows in the spelling of the admin surface."""

from typing import Any

import msgspec

from api.wire import seconds
from application.workflow.definition_dto import (
    CanvasView,
    Diagnostic,
    Findings,
    ImportReport,
    KindDescription,
    NeedView,
    ReferenceView,
    UnknownNode,
    WorkflowVersionView,
    WorkflowView,
)
from application.workflow.tool_settings import KnowledgeSetting, NodeToolSettings, ToolSetting


class Person(msgspec.Struct, frozen=True):
    """Who made something; ``name`` is empty when the account is gone."""

    id: str
    name: str


class AdminWorkflow(msgspec.Struct, frozen=True, kw_only=True):
    """A workflow without its canvas; ``submit_commit_id`` names the draft by its content."""

    id: str
    workspace_id: str
    creator: Person
    name: str
    description: str
    icon_file_id: str | None
    icon_url: str
    mode: int
    app_id: str
    dialect: str
    revision: int
    submit_commit_id: str
    latest_version: str
    is_published: bool
    is_draft_changed: bool
    test_run_passed: bool
    created_at: int
    updated_at: int
    published_at: int | None

    @classmethod
    def of(cls, view: WorkflowView) -> "AdminWorkflow":
        return cls(
            id=str(view.id),
            workspace_id=str(view.space_id),
            creator=Person(str(view.creator_id), view.creator_name),
            name=view.name,
            description=view.description,
            icon_file_id=None if view.icon_file_id is None else str(view.icon_file_id),
            icon_url=view.icon_url,
            mode=view.mode.value,
            app_id=str(view.app_id) if view.app_id else "",
            dialect=view.dialect.value,
            revision=view.revision,
            submit_commit_id=view.commit_id,
            latest_version=view.latest_version,
            is_published=bool(view.latest_version),
            is_draft_changed=view.is_draft_changed,
            test_run_passed=view.test_run_passed,
            created_at=seconds(view.created_at),
            updated_at=seconds(view.updated_at),
            published_at=None if view.published_at is None else seconds(view.published_at),
        )


class AdminWorkflowList(msgspec.Struct, frozen=True, kw_only=True):
    """A page of workflows."""

    items: list[AdminWorkflow]
    total: int
    next_cursor: str | None


class AdminFindings(msgspec.Struct, frozen=True, kw_only=True):
    """What the check says about one workflow; ``version`` is empty for a draft.

    ``omitted`` counts findings beyond the limit. Errors forbid publishing; those with
    ``blocks_run`` forbid running too.
    """

    workflow_id: str
    name: str
    version: str
    can_run: bool
    can_be_published: bool
    omitted: int
    diagnostics: tuple[Diagnostic, ...]

    @classmethod
    def of(cls, view: Findings) -> "AdminFindings":
        return cls(
            workflow_id=str(view.workflow_id),
            name=view.name,
            version=view.version,
            can_run=view.can_run,
            can_be_published=view.can_be_published,
            omitted=view.omitted,
            diagnostics=view.diagnostics,
        )


class AdminFindingsList(msgspec.Struct, frozen=True, kw_only=True):
    """The workflow itself first, then every workflow called from there."""

    items: list[AdminFindings]
    total: int


class AdminCanvas(msgspec.Struct, frozen=True, kw_only=True):
    """A canvas as it was stored; ``version`` is empty for the draft."""

    workflow_id: str
    version: str
    dialect: str
    submit_commit_id: str
    revision: int
    test_run_passed: bool
    schema: Any

    @classmethod
    def of(cls, view: CanvasView) -> "AdminCanvas":
        return cls(
            workflow_id=str(view.workflow_id),
            version=view.version,
            dialect=view.dialect.value,
            submit_commit_id=view.commit_id,
            revision=view.revision,
            test_run_passed=view.test_run_passed,
            schema=msgspec.Raw(view.text.encode()),
        )


class SavedAdminCanvas(msgspec.Struct, frozen=True, kw_only=True):
    """The workflow after its canvas was saved, and what the check says."""

    workflow: AdminWorkflow
    findings: AdminFindings


class AdminNeed(msgspec.Struct, frozen=True, kw_only=True):
    """Something a canvas names: ``kind`` is workflow, model, dataset, plugin or database.

    ``detail`` is the version of a workflow or the tool of a plugin; ``mapped_from`` all
    ids of the export that it replaced.
    """

    kind: str
    id: str
    name: str
    detail: str
    node_ids: tuple[str, ...]
    exists: bool
    mapped_from: tuple[str, ...]

    @classmethod
    def of(cls, view: NeedView) -> "AdminNeed":
        need = view.need
        return cls(
            kind=need.kind.value,
            id=need.id,
            name=need.name,
            detail=need.detail,
            node_ids=need.node_ids,
            exists=view.exists,
            mapped_from=view.mapped_from,
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


class AdminWorkflowVersion(msgspec.Struct, frozen=True, kw_only=True):
    """One version."""

    workflow_id: str
    version: str
    description: str
    commit_id: str
    creator: Person
    created_at: int

    @classmethod
    def of(cls, view: WorkflowVersionView) -> "AdminWorkflowVersion":
        return cls(
            workflow_id=str(view.workflow_id),
            version=view.version,
            description=view.description,
            commit_id=view.commit_id,
            creator=Person(str(view.creator_id), view.creator_name),
            created_at=seconds(view.created_at),
        )


class AdminWorkflowVersionList(msgspec.Struct, frozen=True, kw_only=True):
    """A page of versions, newest first."""

    items: list[AdminWorkflowVersion]
    total: int
    next_cursor: str | None


class PublishedWorkflow(msgspec.Struct, frozen=True, kw_only=True):
    """The workflow after publishing, and its new version."""

    workflow: AdminWorkflow
    version: AdminWorkflowVersion


class AdminWorkflowReference(msgspec.Struct, frozen=True, kw_only=True):
    """A workflow that calls this one, from its ``draft`` or its ``published`` version."""

    workflow_id: str
    name: str
    source: str
    version: str

    @classmethod
    def of(cls, view: ReferenceView) -> "AdminWorkflowReference":
        return cls(
            workflow_id=str(view.workflow_id),
            name=view.name,
            source=view.source.value,
            version=view.version,
        )


class AdminWorkflowReferenceList(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that calls a workflow."""

    items: list[AdminWorkflowReference]
    total: int


class NodeOutput(msgspec.Struct, frozen=True, kw_only=True):
    """An output that nodes of a kind have even if the canvas does not declare it."""

    name: str
    type: str
    description: str


class NodeKind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of node: ``type_id`` is its number in a canvas, ``key`` its name in records."""

    type_id: str
    key: str
    kind: str
    name: str
    category: str
    outputs: list[NodeOutput]
    required_inputs: tuple[str, ...]
    is_supported: bool
    is_composite: bool
    has_batch_mode: bool
    streams: bool
    interrupts: bool
    effects: str
    time_limit: str

    @classmethod
    def of(cls, kind: KindDescription) -> "NodeKind":
        return cls(
            type_id=kind.type_id,
            key=kind.key,
            kind=kind.kind,
            name=kind.name,
            category=kind.group,
            outputs=[
                NodeOutput(name=each.name, type=str(each.type), description=each.description)
                for each in kind.outputs
            ],
            required_inputs=kind.required,
            is_supported=kind.is_runnable,
            is_composite=kind.is_composite,
            has_batch_mode=kind.has_batch_mode,
            streams=kind.streams,
            interrupts=kind.interrupts,
            effects=kind.effects,
            time_limit=kind.time_limit,
        )


class NodeKindList(msgspec.Struct, frozen=True, kw_only=True):
    """Every kind that a canvas can name."""

    items: list[NodeKind]
    total: int


class NodeTools(msgspec.Struct, frozen=True, kw_only=True):
    """What a model node may call and search."""

    workflows: tuple[ToolSetting, ...]
    plugins: tuple[ToolSetting, ...]
    knowledge: KnowledgeSetting | None

    @classmethod
    def of(cls, view: NodeToolSettings) -> "NodeTools":
        return cls(workflows=view.workflows, plugins=view.plugins, knowledge=view.knowledge)
