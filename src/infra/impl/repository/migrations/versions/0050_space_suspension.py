"""Workspaces that are closed for a while."""

import sqlalchemy as sa
from alembic import op

revision = "0050_space_suspension"
down_revision = "0049_audit_stream"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column("space", sa.Column("suspended_at", sa.BigInteger(), nullable=True))
