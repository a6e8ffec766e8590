"""Which calls are in the sums by model alone."""

import sqlalchemy as sa
from alembic import op

revision = "0074_model_sums"
down_revision = "0073_trace_index_drop"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column(
        "model_call",
        sa.Column("has_model_sums", sa.Boolean(), server_default=sa.false(), nullable=False),
    )
