"""Summaries of conversations and what agents remember of their users."""

import sqlalchemy as sa
from alembic import op

revision = "0013_agent_memory"
down_revision = "0012_library"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "section_summary",
        sa.Column("section_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("conversation_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("upto_seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("basis", sa.String(length=64), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("section_id", name=op.f("pk_section_summary")),
    )
    op.create_index(
        op.f("ix_section_summary_conversation_id"), "section_summary", ["conversation_id"]
    )
    op.create_table(
        "memory_item",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("agent_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("side", sa.String(length=8), nullable=False),
        sa.Column("connector_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("end_user_id", sa.String(length=256), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.Column("embedding", sa.String(length=300), nullable=False),
        sa.Column("importance", sa.Float(), nullable=False),
        sa.Column("origin", sa.String(length=16), nullable=False),
        sa.Column("conversation_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("run_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("message_ids", sa.Text(), nullable=False),
        sa.Column("valid_from", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("last_used_at", sa.BigInteger(), nullable=False),
        sa.Column("superseded_by", sa.BigInteger(), autoincrement=False, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_memory_item")),
    )
    op.create_index(
        "ix_memory_item_holder",
        "memory_item",
        ["agent_id", "end_user_id", "connector_id", "side"],
    )
    op.create_index(op.f("ix_memory_item_conversation_id"), "memory_item", ["conversation_id"])
    op.create_table(
        "memory_opt_out",
        sa.Column("agent_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("side", sa.String(length=8), nullable=False),
        sa.Column("connector_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("end_user_id", sa.String(length=256), nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint(
            "agent_id",
            "side",
            "connector_id",
            "end_user_id",
            name=op.f("pk_memory_opt_out"),
        ),
    )
