"""Groups that a plugin is limited to."""

import sqlalchemy as sa
from alembic import op

revision = "0057_plugin_groups"
down_revision = "0056_end_user_index"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column("plugin", sa.Column("groups", sa.Text(), server_default="[]", nullable=False))
