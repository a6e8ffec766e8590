"""Conversations of workflows: what runs wait for, and conversations with names."""

import sqlalchemy as sa
from alembic import op

revision = "0009_workflow_chat"
down_revision = "0008_answer_citations"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column(
        "run", sa.Column("workflow_run_id", sa.BigInteger(), nullable=False, server_default="0")
    )
    op.add_column("run", sa.Column("waits_for", sa.Text(), nullable=True))
    op.create_table(
        "named_conversation",
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("owner_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("end_user_id", sa.String(256), nullable=False),
        sa.Column("name", sa.String(256), nullable=False),
        sa.Column("conversation_id", sa.BigInteger(), nullable=False),
        sa.Column("is_fixed", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint(
            "space_id",
            "owner_id",
            "creator_id",
            "end_user_id",
            "name",
            name="pk_named_conversation",
        ),
    )
    op.create_index(
        "ix_named_conversation_conversation_id", "named_conversation", ["conversation_id"]
    )
