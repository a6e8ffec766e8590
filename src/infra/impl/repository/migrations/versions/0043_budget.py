"""Budgets, the portions that processes hold of them, and what providers say that they sold."""

import sqlalchemy as sa
from alembic import op

from infra.impl.repository.sql.model.call import Points

revision = "0043_budget"
down_revision = "0042_trace_rule"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "budget",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("subject_type", sa.String(16), nullable=False),
        sa.Column("subject_id", sa.String(256), nullable=False),
        sa.Column("unit", sa.String(16), nullable=False),
        sa.Column("period", sa.String(16), nullable=False),
        sa.Column("zone", sa.String(64), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_budget"),
    )
    op.create_index("ix_budget_space_id_id", "budget", ["space_id", "id"])
    op.create_table(
        "budget_period",
        sa.Column("budget_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("begins_at", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("spent", sa.BigInteger(), nullable=False),
        sa.Column("warned", sa.SmallInteger(), nullable=False),
        sa.PrimaryKeyConstraint("budget_id", "begins_at", name="pk_budget_period"),
    )
    op.create_table(
        "budget_portion",
        sa.Column("budget_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("begins_at", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("owner", sa.String(32), nullable=False),
        sa.Column("held", sa.BigInteger(), nullable=False),
        sa.Column("renewed_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("budget_id", "begins_at", "owner", name="pk_budget_portion"),
    )
    op.create_index("ix_budget_portion_owner", "budget_portion", ["owner"])
    op.create_table(
        "provider_line",
        sa.Column("provider", sa.String(50), nullable=False),
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("model", sa.String(200), nullable=False),
        sa.Column("currency", sa.String(3), nullable=False),
        sa.Column("calls", sa.BigInteger(), nullable=True),
        sa.Column("input_tokens", sa.BigInteger(), nullable=True),
        sa.Column("output_tokens", sa.BigInteger(), nullable=True),
        sa.Column("cost", Points(), nullable=True),
        sa.Column("imported_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("provider", "day", "model", "currency", name="pk_provider_line"),
    )
