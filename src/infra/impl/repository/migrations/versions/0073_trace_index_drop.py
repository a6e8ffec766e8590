"""Indexes of traces that each run writes, and nobody reads any more: nothing fails without them."""

from alembic import op

revision = "0073_trace_index_drop"
down_revision = "0072_trace_index"
branch_labels = None
depends_on = None
phase = "contract"


def upgrade() -> None:
    for columns in ("agent_id_started_at", "workflow_id_started_at", "started_at"):
        op.drop_index(f"ix_trace_{columns}", "trace")
