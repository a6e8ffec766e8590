"""Requests for somebody's data, and how long workspaces keep theirs."""

import sqlalchemy as sa
from alembic import op

revision = "0048_data_rights"
down_revision = "0047_trace_context"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "data_request",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subject_kind", sa.String(), nullable=False),
        sa.Column("subject_name", sa.LargeBinary(), nullable=False),
        sa.Column("subject_digest", sa.String(64), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("problem", sa.String(500), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("proof", sa.Text(), nullable=False),
        sa.Column("object_key", sa.String(200), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=True),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_data_request"),
    )
    for columns in (["space_id", "id"], ["state", "id"], ["subject_digest"]):
        op.create_index(f"ix_data_request_{'_'.join(columns)}", "data_request", columns)
    op.create_table(
        "retention",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("days_conversations", sa.Integer(), nullable=True),
        sa.Column("days_files", sa.Integer(), nullable=True),
        sa.Column("days_logs", sa.Integer(), nullable=True),
        sa.Column("days_trace_content", sa.Integer(), nullable=True),
        sa.Column("days_traces", sa.Integer(), nullable=True),
        sa.Column("is_held", sa.Boolean(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=True),
        sa.Column("updated_by", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_retention"),
    )
