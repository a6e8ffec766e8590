"""Inputs of test runs that people keep under a name."""

import sqlalchemy as sa
from alembic import op

revision = "0055_saved_input"
down_revision = "0054_share_hook"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "workflow_saved_input",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("workflow_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("is_shared", sa.Boolean(), nullable=False),
        sa.Column("inputs", sa.Text(), nullable=False),
        sa.Column("mocks", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_workflow_saved_input"),
    )
    op.create_index(
        "ix_workflow_saved_input_workflow_id_creator_id_name",
        "workflow_saved_input",
        ["workflow_id", "creator_id", "name"],
        unique=True,
    )
