"""Providers of OpenID Connect, whom they know, and what came of sign-ins by them."""

import sqlalchemy as sa
from alembic import op

revision = "0041_oidc"
down_revision = "0040_oauth"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "oidc_provider",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(50), nullable=False),
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("client_id", sa.Text(), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("groups_claim", sa.Text(), nullable=False),
        sa.Column("trust_email", sa.Boolean(), nullable=False),
        sa.Column("create_accounts", sa.Boolean(), nullable=False),
        sa.Column("roles", sa.Text(), nullable=False),
        sa.Column("sealed_secret", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_oidc_provider"),
    )
    op.create_table(
        "oidc_identity",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("digest", sa.LargeBinary(32), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("provider", sa.String(40), nullable=False),
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("subject_name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("last_used_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_oidc_identity"),
        sa.UniqueConstraint("digest", name="uq_oidc_identity_digest"),
    )
    op.create_index("ix_oidc_identity_user_id", "oidc_identity", ["user_id"])
    op.create_table(
        "oidc_session",
        sa.Column("session_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("provider", sa.String(40), nullable=False),
        sa.Column("digest", sa.LargeBinary(32), nullable=False),
        sa.Column("provider_session", sa.String(255), nullable=False),
        sa.Column("sealed_id_token", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("session_id", name="pk_oidc_session"),
    )
    op.create_index("ix_oidc_session_provider_digest", "oidc_session", ["provider", "digest"])
    op.create_index("ix_oidc_session_user_id", "oidc_session", ["user_id"])
    op.create_table(
        "oidc_role",
        sa.Column("provider", sa.String(40), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("former_role", sa.String(16), nullable=True),
        sa.PrimaryKeyConstraint("provider", "user_id", "space_id", name="pk_oidc_role"),
    )
