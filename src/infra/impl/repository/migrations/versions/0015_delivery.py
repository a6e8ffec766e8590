"""What a relay has told the broker."""

import sqlalchemy as sa
from alembic import op

revision = "0015_delivery"
down_revision = "0014_agent_team"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column("outbox", sa.Column("relay_until", sa.BigInteger(), nullable=True))
    op.add_column("outbox", sa.Column("relayed_at", sa.BigInteger(), nullable=True))
    op.create_index(
        "ix_outbox_unrelayed",
        "outbox",
        ["position"],
        unique=False,
        sqlite_where=sa.text("relayed_at IS NULL"),
        postgresql_where=sa.text("relayed_at IS NULL"),
    )
