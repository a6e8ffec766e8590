"""Tags of runs, and those whose question and answer are to be brought into the text index."""

import sqlalchemy as sa
from alembic import op

revision = "0060_trace_text"
down_revision = "0059_process_report"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column("trace", sa.Column("tags", sa.Text(), server_default="", nullable=False))
    op.create_table(
        "trace_text_due",
        sa.Column("run_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", name="pk_trace_text_due"),
    )
