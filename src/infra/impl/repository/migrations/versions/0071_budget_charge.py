"""Charges of budgets in rows of their own, until they are folded into their period."""

import sqlalchemy as sa
from alembic import op

revision = "0071_budget_charge"
down_revision = "0070_trace_row"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "budget_charge",
        sa.Column("budget_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("begins_at", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("run_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("call_no", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("owner", sa.String(32), nullable=False),
        sa.Column("covered", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint(
            "budget_id", "begins_at", "run_id", "call_no", name="pk_budget_charge"
        ),
    )
