"""Model and language that things of a workspace begin with."""

import sqlalchemy as sa
from alembic import op

revision = "0068_space_defaults"
down_revision = "0067_later_sums_index"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    for name, length in (("default_model", 256), ("language", 8)):
        op.add_column(
            "space", sa.Column(name, sa.String(length), server_default="", nullable=False)
        )
