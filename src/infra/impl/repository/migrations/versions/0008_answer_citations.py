"""What answers cite, apart from their text."""

import sqlalchemy as sa
from alembic import op

revision = "0008_answer_citations"
down_revision = "0007_knowledge_intake"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column("message", sa.Column("citations", sa.Text(), nullable=True))
