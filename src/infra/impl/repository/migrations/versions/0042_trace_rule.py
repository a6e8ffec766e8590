"""What workspaces, agents and workflows say about their traces."""

import sqlalchemy as sa
from alembic import op

revision = "0042_trace_rule"
down_revision = "0041_oidc"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column("agent", sa.Column("trace_capture", sa.String(10), nullable=True))
    op.add_column("workflow", sa.Column("trace_capture", sa.String(10), nullable=True))
    op.create_table(
        "trace_rule",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("capture", sa.String(10), nullable=True),
        sa.Column("expressions", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=True),
        sa.Column("updated_by", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_trace_rule"),
    )
