"""How far data is that moves into this database."""

import sqlalchemy as sa
from alembic import op

revision = "0016_transfer"
down_revision = "0015_delivery"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "transfer",
        sa.Column("origin", sa.String(length=64), nullable=False),
        sa.Column("is_over", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("origin", name=op.f("pk_transfer")),
    )
    op.create_table(
        "transfer_step",
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("cursor", sa.LargeBinary(), nullable=False),
        sa.Column("done", sa.BigInteger(), nullable=False),
        sa.Column("is_over", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_transfer_step")),
    )
