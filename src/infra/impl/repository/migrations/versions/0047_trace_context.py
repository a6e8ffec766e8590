"""Traces of others that runs and events are part of, and how long runs waited for their turn."""

import sqlalchemy as sa
from alembic import op

revision = "0047_trace_context"
down_revision = "0046_invitation"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column("trace", sa.Column("trace_id", sa.String(32), server_default="", nullable=False))
    op.add_column(
        "trace", sa.Column("waited_ms", sa.BigInteger(), server_default="0", nullable=False)
    )
    op.add_column("outbox", sa.Column("traceparent", sa.String(55), nullable=True))
