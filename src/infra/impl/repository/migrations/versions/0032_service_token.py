"""Tokens of workspaces, and networks that tokens may be used from."""

import sqlalchemy as sa
from alembic import op

revision = "0032_service_token"
down_revision = "0031_usage_unrolled"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column("api_token", sa.Column("networks", sa.Text(), nullable=True))
    op.create_table(
        "service_token",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(50), nullable=False),
        sa.Column("permissions", sa.Text(), nullable=False),
        sa.Column("agent_ids", sa.Text(), nullable=True),
        sa.Column("networks", sa.Text(), nullable=True),
        sa.Column("digest", sa.LargeBinary(32), nullable=False),
        sa.Column("last4", sa.String(4), nullable=False),
        sa.Column("former_digest", sa.LargeBinary(32), nullable=True),
        sa.Column("former_until", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("issued_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("warned_at", sa.BigInteger(), nullable=True),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
        sa.Column("last_used_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_service_token"),
        sa.UniqueConstraint("digest", name="uq_service_token_digest"),
        sa.UniqueConstraint("former_digest", name="uq_service_token_former_digest"),
    )
    op.create_index("ix_service_token_expires_at", "service_token", ["expires_at"])
    op.create_index("ix_service_token_space_id_id", "service_token", ["space_id", "id"])
