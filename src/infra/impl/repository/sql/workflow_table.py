"""Tables of workflow definitions, and how rows become entities."""

from typing import Any, Final

import sqlalchemy as sa

from domain.shared.access import TenantScope
from domain.shared.ids import FileId, SpaceId, UserId
from domain.workflow.canvas_text import CanvasStamp, Dialect
from domain.workflow.definition_role import ChatflowRole
from domain.workflow.version import WorkflowId, WorkflowVersion, WorkflowVersionId
from domain.workflow.workflow import Workflow, WorkflowMode
from infra.impl.repository.sql.schema import Instant, Json, id_column, metadata

_DIGEST: Final = sa.String(64)
_LABEL: Final = sa.String(24)
_NAME: Final = sa.String(16)

workflows: Final = sa.Table(
    "workflow",
    metadata,
    id_column(),
    id_column("space_id", nullable=False),
    id_column("creator_id", nullable=False),
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("description", sa.Text, nullable=False),
    id_column("icon_file_id", nullable=True),
    sa.Column("mode", sa.SmallInteger, nullable=False),
    id_column("app_id", nullable=False),
    sa.Column("draft_digest", _DIGEST, nullable=False),
    sa.Column("draft_dialect", _NAME, nullable=False),
    sa.Column("draft_size", sa.Integer, nullable=False),
    sa.Column("draft_revision", sa.Integer, nullable=False),
    sa.Column("tested", _DIGEST, nullable=False),
    sa.Column("latest_version", _LABEL, nullable=False),
    sa.Column("published_digest", _DIGEST, nullable=False),
    sa.Column("role", Json(ChatflowRole), nullable=True),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Column("published_at", Instant, nullable=True),
    sa.Column("deleted_at", Instant, nullable=True),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Index(None, "space_id", "updated_at"),
)
versions: Final = sa.Table(
    "workflow_version",
    metadata,
    id_column(),
    id_column("space_id", nullable=False),
    id_column("workflow_id", nullable=False),
    sa.Column("label", _LABEL, nullable=False),
    sa.Column("note", sa.Text, nullable=False),
    id_column("creator_id", nullable=False),
    sa.Column("canvas_digest", _DIGEST, nullable=False),
    sa.Column("canvas_dialect", _NAME, nullable=False),
    sa.Column("canvas_size", sa.Integer, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Index(None, "workflow_id", "label", unique=True),
)
canvases: Final = sa.Table(
    "workflow_canvas",
    metadata,
    id_column("workflow_id", primary_key=True),
    sa.Column("digest", _DIGEST, primary_key=True),
    id_column("space_id", nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
)
references: Final = sa.Table(
    "workflow_reference",
    metadata,
    id_column("workflow_id", primary_key=True),
    sa.Column("source", _NAME, primary_key=True),
    id_column("callee_id", primary_key=True),
    sa.Column("version", _LABEL, primary_key=True),
    id_column("space_id", nullable=False),
    sa.Index(None, "space_id", "callee_id"),
)


def visible(scope: TenantScope) -> sa.ColumnElement[bool]:
    """Workflows of the scope's spaces that are not deleted."""
    return workflows.c.space_id.in_(scope.space_ids) & workflows.c.deleted_at.is_(None)


def to_row(workflow: Workflow) -> dict[str, Any]:
    """Every column but the revision."""
    return {
        "id": workflow.id,
        "space_id": workflow.space_id,
        "creator_id": workflow.creator_id,
        "name": workflow.name,
        "description": workflow.description,
        "icon_file_id": workflow.icon_file_id,
        "mode": workflow.mode.value,
        "app_id": workflow.app_id,
        "draft_digest": workflow.draft.digest,
        "draft_dialect": workflow.draft.dialect.value,
        "draft_size": workflow.draft.size,
        "draft_revision": workflow.draft_revision,
        "tested": workflow.tested,
        "latest_version": workflow.latest_version,
        "published_digest": workflow.published_digest,
        "role": workflow.role,
        "created_at": workflow.created_at,
        "updated_at": workflow.updated_at,
        "published_at": workflow.published_at,
        "deleted_at": workflow.deleted_at,
    }


def to_workflow(row: sa.Row[Any]) -> Workflow:
    """Read a row of ``workflow``."""
    return Workflow(
        id=WorkflowId(row.id),
        space_id=SpaceId(row.space_id),
        creator_id=UserId(row.creator_id),
        name=row.name,
        description=row.description,
        icon_file_id=None if row.icon_file_id is None else FileId(row.icon_file_id),
        mode=WorkflowMode(row.mode),
        app_id=row.app_id,
        draft=CanvasStamp(row.draft_digest, Dialect(row.draft_dialect), row.draft_size),
        draft_revision=row.draft_revision,
        tested=row.tested,
        latest_version=row.latest_version,
        published_digest=row.published_digest,
        role=row.role,
        created_at=row.created_at,
        updated_at=row.updated_at,
        published_at=row.published_at,
        deleted_at=row.deleted_at,
        revision=row.revision,
    )


def to_version(row: sa.Row[Any]) -> WorkflowVersion:
    """Read a row of ``workflow_version``."""
    return WorkflowVersion(
        id=WorkflowVersionId(row.id),
        workflow_id=WorkflowId(row.workflow_id),
        space_id=SpaceId(row.space_id),
        label=row.label,
        note=row.note,
        creator_id=UserId(row.creator_id),
        created_at=row.created_at,
        canvas=CanvasStamp(row.canvas_digest, Dialect(row.canvas_dialect), row.canvas_size),
    )
