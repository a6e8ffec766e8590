"""Runs of workflows: rows, logs, states, request keys, and the canvases of drafts."""

import sqlalchemy as sa
from alembic import op

revision = "0004_workflow_run"
down_revision = "0003_workflow"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "workflow_run",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("workflow_id", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.String(length=32), nullable=False),
        sa.Column("version_hash", sa.String(length=200), nullable=False),
        sa.Column("canvas_digest", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("mode", sa.SmallInteger(), nullable=False),
        sa.Column("node_id", sa.String(length=200), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("end_user_id", sa.String(length=256), nullable=False),
        sa.Column("connector_id", sa.BigInteger(), nullable=False),
        sa.Column("app_id", sa.BigInteger(), nullable=False),
        sa.Column("agent_id", sa.BigInteger(), nullable=False),
        sa.Column("conversation_id", sa.BigInteger(), nullable=False),
        sa.Column("log_id", sa.String(length=64), nullable=False),
        sa.Column("input", sa.Text(), nullable=False),
        sa.Column("answers", sa.Boolean(), nullable=False),
        sa.Column("phase", sa.String(length=12), nullable=False),
        sa.Column("output", sa.Text(), nullable=False),
        sa.Column("fault", sa.Text(), nullable=True),
        sa.Column("pending", sa.Text(), nullable=False),
        sa.Column("executed", sa.BigInteger(), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("lease_owner", sa.String(length=32), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=True),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("deadline_at", sa.BigInteger(), nullable=True),
        sa.Column("remaining_s", sa.Float(precision=53), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("cancel_requested_at", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=True),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.Column("purged_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_workflow_run")),
    )
    op.create_index(
        "ix_workflow_run_canvas_digest",
        "workflow_run",
        ["canvas_digest"],
        unique=False,
        sqlite_where=sa.text("canvas_digest <> ''"),
        postgresql_where=sa.text("canvas_digest <> ''"),
    )
    op.create_index(
        "ix_workflow_run_expires_at",
        "workflow_run",
        ["expires_at"],
        unique=False,
        sqlite_where=sa.text("expires_at IS NOT NULL"),
        postgresql_where=sa.text("expires_at IS NOT NULL"),
    )
    op.create_index(
        "ix_workflow_run_finished_at",
        "workflow_run",
        ["finished_at"],
        unique=False,
        sqlite_where=sa.text("purged_at IS NULL"),
        postgresql_where=sa.text("purged_at IS NULL"),
    )
    op.create_index(
        "ix_workflow_run_live",
        "workflow_run",
        ["lease_until"],
        unique=False,
        sqlite_where=sa.text("phase IN ('created', 'running')"),
        postgresql_where=sa.text("phase IN ('created', 'running')"),
    )
    op.create_index(
        "ix_workflow_run_workflow_id_id", "workflow_run", ["workflow_id", "id"], unique=False
    )
    op.create_table(
        "workflow_run_canvas",
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("dialect", sa.String(length=16), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("space_id", "digest", name=op.f("pk_workflow_run_canvas")),
    )
    op.create_table(
        "workflow_run_log",
        sa.Column("run_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("entries_after", sa.BigInteger(), nullable=False),
        sa.Column("entries_to", sa.BigInteger(), nullable=False),
        sa.Column("entries", sa.LargeBinary(), nullable=False),
        sa.Column("first_seq", sa.BigInteger(), nullable=False),
        sa.Column("last_seq", sa.BigInteger(), nullable=False),
        sa.Column("events", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", "number", name=op.f("pk_workflow_run_log")),
    )
    op.create_table(
        "workflow_run_request",
        sa.Column("creator_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("run_id", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("creator_id", "key", name=op.f("pk_workflow_run_request")),
    )
    op.create_index(
        op.f("ix_workflow_run_request_run_id"), "workflow_run_request", ["run_id"], unique=False
    )
    op.create_table(
        "workflow_run_state",
        sa.Column("run_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", name=op.f("pk_workflow_run_state")),
    )
