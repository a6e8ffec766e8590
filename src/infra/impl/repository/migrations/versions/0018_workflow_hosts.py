"""Which hosts a run of a workflow may call."""

import sqlalchemy as sa
from alembic import op

revision = "0018_workflow_hosts"
down_revision = "0017_duty"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column("workflow_run", sa.Column("egress_hosts", sa.Text(), nullable=True))
