"""Applications that people and workspaces let act for them, with their requests and tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0040_oauth"
down_revision = "0039_usage_rollup"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column("api_token", sa.Column("source_id", sa.BigInteger(), nullable=True))
    op.create_table(
        "oauth_app",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(50), nullable=False),
        sa.Column("client_type", sa.String(16), nullable=False),
        sa.Column("permissions", sa.Text(), nullable=False),
        sa.Column("redirect_uris", sa.Text(), nullable=False),
        sa.Column("allows_plain", sa.Boolean(), nullable=False),
        sa.Column("public_key", sa.Text(), nullable=True),
        sa.Column("secret_digest", sa.LargeBinary(32), nullable=True),
        sa.Column("secret_last4", sa.String(4), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("last_used_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_oauth_app"),
    )
    op.create_index("ix_oauth_app_space_id_id", "oauth_app", ["space_id", "id"])
    op.create_table(
        "oauth_request",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("app_id", sa.BigInteger(), nullable=False),
        sa.Column("is_device", sa.Boolean(), nullable=False),
        sa.Column("handle", sa.LargeBinary(32), nullable=False),
        sa.Column("code", sa.LargeBinary(32), nullable=True),
        sa.Column("fixed_space_id", sa.BigInteger(), nullable=True),
        sa.Column("redirect_uri", sa.Text(), nullable=False),
        sa.Column("state_text", sa.Text(), nullable=False),
        sa.Column("challenge", sa.String(128), nullable=False),
        sa.Column("method", sa.String(16), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("space_id", sa.BigInteger(), nullable=True),
        sa.Column("interval_s", sa.Integer(), nullable=False),
        sa.Column("polled_at", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_oauth_request"),
        sa.UniqueConstraint("code", name="uq_oauth_request_code"),
        sa.UniqueConstraint("handle", name="uq_oauth_request_handle"),
    )
    op.create_index("ix_oauth_request_app_id_expires_at", "oauth_request", ["app_id", "expires_at"])
    op.create_table(
        "oauth_grant",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("app_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("permissions", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("last_used_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_oauth_grant"),
    )
    op.create_index("ix_oauth_grant_app_id_expires_at", "oauth_grant", ["app_id", "expires_at"])
    op.create_index("ix_oauth_grant_user_id_id", "oauth_grant", ["user_id", "id"])
    op.create_table(
        "oauth_token",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("app_id", sa.BigInteger(), nullable=False),
        sa.Column("grant_id", sa.BigInteger(), nullable=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("digest", sa.LargeBinary(32), nullable=False),
        sa.Column("permissions", sa.Text(), nullable=False),
        sa.Column("agent_ids", sa.Text(), nullable=True),
        sa.Column("end_user_id", sa.String(256), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("spent_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_oauth_token"),
        sa.UniqueConstraint("digest", name="uq_oauth_token_digest"),
    )
    op.create_index("ix_oauth_token_app_id_expires_at", "oauth_token", ["app_id", "expires_at"])
    op.create_index("ix_oauth_token_grant_id", "oauth_token", ["grant_id"])
    op.create_table(
        "oauth_assertion",
        sa.Column("app_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.LargeBinary(32), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("app_id", "name", name="pk_oauth_assertion"),
    )
