"""Which calls are in the sums that releases before did not keep."""

import sqlalchemy as sa
from alembic import op

revision = "0066_later_sums"
down_revision = "0065_plugin_last_call"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column(
        "model_call",
        sa.Column("has_later_sums", sa.Boolean(), server_default=sa.false(), nullable=False),
    )
