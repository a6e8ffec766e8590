"""Since when applications are disabled."""

import sqlalchemy as sa
from alembic import op

revision = "0069_oauth_app_disabled"
down_revision = "0068_space_defaults"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column("oauth_app", sa.Column("disabled_at", sa.BigInteger(), nullable=True))
