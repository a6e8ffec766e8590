"""How fast the work on a document goes."""

import sqlalchemy as sa
from alembic import op

revision = "0022_job_pace"
down_revision = "0021_baseline"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column("knowledge_job", sa.Column("pace", sa.Text(), nullable=True))
