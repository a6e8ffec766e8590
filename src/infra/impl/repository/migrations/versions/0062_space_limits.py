"""Limits of single workspaces, and rate classes of service tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0062_space_limits"
down_revision = "0061_workflow_nodes"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column("space", sa.Column("limits", sa.Text(), nullable=True))
    op.add_column(
        "service_token",
        sa.Column("rate_class", sa.String(16), server_default="default", nullable=False),
    )
