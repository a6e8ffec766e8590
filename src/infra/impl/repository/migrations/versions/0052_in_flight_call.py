"""Calls of models that have begun, for when their process dies."""

import sqlalchemy as sa
from alembic import op

revision = "0052_in_flight_call"
down_revision = "0051_opened_resource"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "in_flight_call",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("owner", sa.String(32), nullable=False),
        sa.Column("renewed_at", sa.BigInteger(), nullable=False),
        sa.Column("call", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_in_flight_call"),
    )
