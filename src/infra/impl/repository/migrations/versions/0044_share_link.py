"""Links under which strangers talk to an agent, and the sessions of these visitors."""

import sqlalchemy as sa
from alembic import op

revision = "0044_share_link"
down_revision = "0043_budget"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "share_link",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("code", sa.String(22), nullable=False),
        sa.Column("target_kind", sa.String(16), nullable=False),
        sa.Column("target_id", sa.BigInteger(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("auth", sa.String(16), nullable=False),
        sa.Column("password_hash", sa.LargeBinary(), nullable=False),
        sa.Column("public_key", sa.Text(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
        sa.Column("sealed_user_key", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_share_link"),
        sa.UniqueConstraint("code", name="uq_share_link_code"),
    )
    op.create_index("ix_share_link_space_id_id", "share_link", ["space_id", "id"])
    op.create_table(
        "share_visit",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("link_id", sa.BigInteger(), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.LargeBinary(32), nullable=False),
        sa.Column("end_user_id", sa.String(256), nullable=False),
        sa.Column("source", sa.String(16), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_share_visit"),
        sa.UniqueConstraint("digest", name="uq_share_visit_digest"),
    )
    op.create_index("ix_share_visit_expires_at", "share_visit", ["expires_at"])
