"""Table and image knowledge."""

import sqlalchemy as sa
from alembic import op

revision = "0005_knowledge_table"
down_revision = "0004_workflow_run"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column("knowledge_document", sa.Column("table_columns", sa.Text(), nullable=True))
    op.add_column("knowledge_job", sa.Column("intake", sa.Text(), nullable=True))
