"""Variables that workflows leave in conversations."""

import sqlalchemy as sa
from alembic import op

revision = "0020_flow_variable"
down_revision = "0019_score_scale"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "flow_variable",
        sa.Column("conversation_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("workflow_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("variables", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("conversation_id", "workflow_id", name=op.f("pk_flow_variable")),
    )
