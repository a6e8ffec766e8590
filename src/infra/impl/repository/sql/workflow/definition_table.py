"""Tables of workflow definitions."""

from typing import Final

import sqlalchemy as sa

from domain.workflow.definition.saved_input import SAVED_NAME_CHARS, SavedInput
from domain.workflow.definition.version import WorkflowVersion
from domain.workflow.definition.workflow import Workflow
from infra.impl.repository.sql.mapping.column import Instant, id_column, metadata
from infra.impl.repository.sql.mapping.personal import OF_THE_WORKSPACE, PERSONAL
from infra.impl.repository.sql.mapping.row_mapper import RowMapper
from infra.impl.repository.sql.mapping.tenant_rows import InSpaces, in_spaces

LABEL_CHARS: Final = 24
_DIGEST: Final = sa.String(64)
_LABEL: Final = sa.String(LABEL_CHARS)
_NAME: Final = sa.String(16)

WORKFLOWS: Final = RowMapper(
    Workflow,
    "workflow",
    sa.Index(None, "space_id", "updated_at"),
    flat={"draft": "draft_"},
    columns={
        "name": sa.String(200),
        "app_id": sa.BigInteger,
        "trace_capture": sa.String(10),
        "draft_digest": _DIGEST,
        "tested": _DIGEST,
        "latest_version": _LABEL,
        "published_digest": _DIGEST,
    },
)
VERSIONS: Final = RowMapper(
    WorkflowVersion,
    "workflow_version",
    sa.Index(None, "workflow_id", "label", unique=True),
    flat={"canvas": "canvas_"},
    columns={"label": _LABEL, "canvas_digest": _DIGEST},
)
SAVED_INPUTS: Final = RowMapper(
    SavedInput,
    "workflow_saved_input",
    sa.Index(None, "workflow_id", "creator_id", "name", unique=True),
    columns={"name": sa.String(SAVED_NAME_CHARS)},
)
workflows: Final = WORKFLOWS.table
versions: Final = VERSIONS.table
saved_inputs: Final = SAVED_INPUTS.table
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
visible: Final = in_spaces(workflows)
deleted: Final = InSpaces(workflows, workflows.c.deleted_at.is_not(None))
PERSONAL.keep(OF_THE_WORKSPACE, workflows, versions, saved_inputs)
