"""What the cosines of a base mean."""

import sqlalchemy as sa
from alembic import op

revision = "0019_score_scale"
down_revision = "0018_workflow_hosts"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column("knowledge_dataset", sa.Column("scale", sa.Text(), nullable=True))
