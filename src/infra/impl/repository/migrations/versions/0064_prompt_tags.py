"""Tags of prompts."""

import sqlalchemy as sa
from alembic import op

revision = "0064_prompt_tags"
down_revision = "0063_space_runs"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column("prompt", sa.Column("tags", sa.Text(), server_default="[]", nullable=False))
