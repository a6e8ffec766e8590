"""How many nodes the draft of a workflow has."""

import sqlalchemy as sa
from alembic import op

revision = "0061_workflow_nodes"
down_revision = "0060_trace_text"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column("workflow", sa.Column("node_count", sa.Integer(), nullable=True))
