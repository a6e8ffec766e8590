"""What people opened last."""

import sqlalchemy as sa
from alembic import op

revision = "0051_opened_resource"
down_revision = "0050_space_suspension"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "opened_resource",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("type", sa.String(16), nullable=False),
        sa.Column("resource_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "type", "resource_id", name="pk_opened_resource"),
    )
    op.create_index(
        "ix_opened_resource_user_id_opened_at", "opened_resource", ["user_id", "opened_at"]
    )
