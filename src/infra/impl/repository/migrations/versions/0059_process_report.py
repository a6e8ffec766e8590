"""What processes tell of themselves: state, samples, warnings; and when the whole was looked at."""

import sqlalchemy as sa
from alembic import op

revision = "0059_process_report"
down_revision = "0058_model_test"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "process_report",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.Column("report", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_process_report"),
    )
    op.create_table(
        "process_sample",
        sa.Column("span_s", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("process_id", sa.String(64), nullable=False),
        sa.Column("sample", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("span_s", "at", "process_id", name="pk_process_sample"),
    )
    op.create_table(
        "process_log",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_process_log"),
    )
    op.create_table(
        "operation_note",
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_operation_note"),
    )
