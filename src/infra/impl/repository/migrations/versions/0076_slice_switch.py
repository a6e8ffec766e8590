"""Whether searches see a slice."""

import sqlalchemy as sa
from alembic import op

revision = "0076_slice_switch"
down_revision = "0075_model_sums_index"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column(
        "knowledge_slice",
        sa.Column("is_disabled", sa.Boolean(), server_default=sa.false(), nullable=False),
    )
