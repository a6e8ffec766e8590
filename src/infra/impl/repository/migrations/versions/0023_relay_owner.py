"""Which relay is about to tell a broker of an event."""

import sqlalchemy as sa
from alembic import op

revision = "0023_relay_owner"
down_revision = "0022_job_pace"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column("outbox", sa.Column("relay_owner", sa.String(32), nullable=True))
