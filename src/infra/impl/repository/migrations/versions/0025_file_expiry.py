"""What an uploaded file is for, and until when it is kept."""

import sqlalchemy as sa
from alembic import op

revision = "0025_file_expiry"
down_revision = "0024_long_work"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column("file", sa.Column("purpose", sa.String(16), server_default="", nullable=False))
    op.add_column("file", sa.Column("expires_at", sa.BigInteger(), nullable=True))
