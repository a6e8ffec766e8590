"""How the newest call of each plugin went."""

import sqlalchemy as sa
from alembic import op

revision = "0065_plugin_last_call"
down_revision = "0064_prompt_tags"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column("plugin", sa.Column("last_call", sa.Text(), nullable=True))
    op.add_column("plugin", sa.Column("last_used_at", sa.BigInteger(), nullable=True))
