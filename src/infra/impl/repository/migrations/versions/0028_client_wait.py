"""Calls that runs wait with until their client sends the outputs."""

import sqlalchemy as sa
from alembic import op

revision = "0028_client_wait"
down_revision = "0027_unsettled_runs"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "client_wait",
        sa.Column("call_id", sa.String(64), nullable=False),
        sa.Column("run_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("ordinal", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("agent_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("creator_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("end_user_id", sa.String(256), nullable=False),
        sa.Column("conversation_id", sa.BigInteger(), autoincrement=False, nullable=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("upstream_id", sa.String(256), nullable=False),
        sa.Column("history", sa.String(64), nullable=False),
        sa.Column("answer", sa.String(64), nullable=False),
        sa.Column("last_event", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("usage", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("output", sa.String(64), nullable=False),
        sa.Column("request_key", sa.String(64), nullable=False),
        sa.Column("is_delivered", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("call_id", name="pk_client_wait"),
    )
    op.create_index("ix_client_wait_run_id", "client_wait", ["run_id"])
    op.create_index("ix_client_wait_expires_at", "client_wait", ["expires_at"])
