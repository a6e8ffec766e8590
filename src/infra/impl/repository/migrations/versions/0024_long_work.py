"""Who works on a rebuild, a copy or a preview, and until when."""

import sqlalchemy as sa
from alembic import op

revision = "0024_long_work"
down_revision = "0023_relay_owner"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    for table in ("knowledge_rebuild", "knowledge_copy", "knowledge_preview"):
        op.add_column(
            table, sa.Column("lease_owner", sa.String(32), server_default="", nullable=False)
        )
        op.add_column(table, sa.Column("lease_until", sa.BigInteger(), nullable=True))
    op.add_column(
        "knowledge_copy",
        sa.Column("last_error_code", sa.Integer(), server_default="0", nullable=False),
    )
