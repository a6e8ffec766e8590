"""How the last test of each model ended."""

import sqlalchemy as sa
from alembic import op

revision = "0058_model_test"
down_revision = "0057_plugin_groups"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "model_test",
        sa.Column("model", sa.String(200), nullable=False),
        sa.Column("tested_at", sa.BigInteger(), nullable=False),
        sa.Column("is_ok", sa.Boolean(), nullable=False),
        sa.Column("failed", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("model", name="pk_model_test"),
    )
