"""What the draft of an agent was before a version was restored."""

import sqlalchemy as sa
from alembic import op

revision = "0053_replaced_draft"
down_revision = "0052_in_flight_call"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column("agent", sa.Column("replaced_draft", sa.Text(), nullable=True))
