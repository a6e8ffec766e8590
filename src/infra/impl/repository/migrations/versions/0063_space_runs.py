"""Runs of workspaces with limits of their own, counted over all processes."""

import sqlalchemy as sa
from alembic import op

revision = "0063_space_runs"
down_revision = "0062_space_limits"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "space_run_rate",
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("remaining", sa.Float(), nullable=False),
        sa.Column("refilled_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("space_id", name="pk_space_run_rate"),
    )
    op.create_table(
        "space_run_hold",
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("owner", sa.String(32), nullable=False),
        sa.Column("held", sa.Integer(), nullable=False),
        sa.Column("renewed_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("space_id", "kind", "owner", name="pk_space_run_hold"),
    )
