"""Responses kept for the caller."""

import sqlalchemy as sa
from alembic import op

revision = "0029_stored_response"
down_revision = "0028_client_wait"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "stored_response",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("run_id", sa.BigInteger(), nullable=False),
        sa.Column("resumes", sa.Integer(), nullable=False),
        sa.Column("after_seq", sa.BigInteger(), nullable=False),
        sa.Column("used", sa.Text(), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("end_user_id", sa.String(256), nullable=False),
        sa.Column("conversation_id", sa.BigInteger(), nullable=True),
        sa.Column("previous_id", sa.BigInteger(), nullable=True),
        sa.Column("is_background", sa.Boolean(), nullable=False),
        sa.Column("request", sa.Text(), nullable=False),
        sa.Column("items", sa.Text(), nullable=False),
        sa.Column("output", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_stored_response_expires_at", "stored_response", ["expires_at"])
    op.create_index("uq_stored_response_run", "stored_response", ["run_id", "resumes"], unique=True)
    op.create_index("ix_stored_response_conversation_id", "stored_response", ["conversation_id"])
