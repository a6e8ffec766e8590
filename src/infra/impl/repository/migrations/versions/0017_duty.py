"""Which process does work that is to be done by one of them."""

import sqlalchemy as sa
from alembic import op

revision = "0017_duty"
down_revision = "0016_transfer"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "duty",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("owner", sa.String(length=64), nullable=False),
        sa.Column("held_until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_duty")),
    )
