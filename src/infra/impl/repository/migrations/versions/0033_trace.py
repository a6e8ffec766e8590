"""Traces of runs."""

import sqlalchemy as sa
from alembic import op

revision = "0033_trace"
down_revision = "0032_service_token"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "trace",
        sa.Column("run_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("parent_run_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("agent_id", sa.BigInteger(), nullable=False),
        sa.Column("workflow_id", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.String(32), nullable=False),
        sa.Column("source", sa.String(16), nullable=False),
        sa.Column("connector_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("end_user_id", sa.String(256), nullable=False),
        sa.Column("conversation_id", sa.BigInteger(), nullable=False),
        sa.Column("capture", sa.String(16), nullable=False),
        sa.Column("status", sa.String(12), nullable=False),
        sa.Column("error_code", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.Column("duration_us", sa.BigInteger(), nullable=False),
        sa.Column("first_token_ms", sa.Integer(), nullable=True),
        sa.Column("steps", sa.Integer(), nullable=False),
        sa.Column("tool_calls", sa.Integer(), nullable=False),
        sa.Column("spans", sa.Integer(), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cached_tokens", sa.BigInteger(), nullable=False),
        sa.Column("reasoning_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cost", sa.BigInteger(), nullable=False),
        sa.Column("models", sa.Text(), nullable=False),
        sa.Column("tools", sa.Text(), nullable=False),
        sa.Column("is_rebuilt", sa.Boolean(), nullable=False),
        sa.Column("pinned_at", sa.BigInteger(), nullable=True),
        sa.Column("pinned_by", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("run_id"),
    )
    listed, called = sa.text("parent_run_id = 0"), sa.text("parent_run_id <> 0")
    op.create_index(
        "ix_trace_space_id_started_at",
        "trace",
        ["space_id", "started_at"],
        sqlite_where=listed,
        postgresql_where=listed,
    )
    op.create_index("ix_trace_agent_id_started_at", "trace", ["agent_id", "started_at"])
    op.create_index("ix_trace_workflow_id_started_at", "trace", ["workflow_id", "started_at"])
    op.create_index("ix_trace_started_at", "trace", ["started_at"])
    op.create_index(
        "ix_trace_parent_run_id",
        "trace",
        ["parent_run_id"],
        sqlite_where=called,
        postgresql_where=called,
    )
    op.create_table(
        "trace_body",
        sa.Column("run_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("began_at", sa.BigInteger(), nullable=False),
        sa.Column("object_key", sa.String(200), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", "began_at"),
    )
    kept = sa.text("object_key <> ''")
    op.create_index(
        "ix_trace_body_object_key",
        "trace_body",
        ["object_key"],
        sqlite_where=kept,
        postgresql_where=kept,
    )
