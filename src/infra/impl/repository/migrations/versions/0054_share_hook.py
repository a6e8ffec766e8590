"""Hooks of share links, what their visitors showed, and what hooks are still to be told."""

import sqlalchemy as sa
from alembic import op

revision = "0054_share_hook"
down_revision = "0053_replaced_draft"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column("share_link", sa.Column("hook_url", sa.Text(), server_default="", nullable=False))
    op.add_column("share_visit", sa.Column("sealed_proof", sa.LargeBinary(), nullable=True))
    op.create_table(
        "share_hook_notice",
        sa.Column("run_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("link_id", sa.BigInteger(), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("end_user_id", sa.String(256), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("sealed_proof", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", name="pk_share_hook_notice"),
    )
    op.create_index("ix_share_hook_notice_due_at", "share_hook_notice", ["due_at"])
