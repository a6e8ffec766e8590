"""Sessions of browsers, passwords, one-time links, and what people prefer."""

import sqlalchemy as sa
from alembic import op

revision = "0035_browser_session"
down_revision = "0034_grant"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column(
        "user_account", sa.Column("email", sa.String(254), server_default="", nullable=False)
    )
    op.add_column(
        "user_account",
        sa.Column("is_email_trusted", sa.Boolean(), server_default=sa.false(), nullable=False),
    )
    op.add_column("user_account", sa.Column("email_key", sa.String(254), nullable=True))
    op.create_table(
        "browser_session",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.LargeBinary(32), nullable=False),
        sa.Column("way", sa.String(20), nullable=False),
        sa.Column("is_remembered", sa.Boolean(), nullable=False),
        sa.Column("device", sa.String(256), nullable=False),
        sa.Column("address", sa.String(64), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("signed_in_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("token_id", sa.BigInteger(), nullable=True),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
        sa.Column("last_used_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest"),
    )
    op.create_index(
        "ix_browser_session_user_id_last_used_at", "browser_session", ["user_id", "last_used_at"]
    )
    op.create_table(
        "sign_in_ticket",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.LargeBinary(32), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("spent_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest"),
    )
    op.create_index("ix_sign_in_ticket_user_id", "sign_in_ticket", ["user_id"])
    op.create_table(
        "user_password",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("encoded", sa.String(200), nullable=False),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "sign_in_attempt",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("account", sa.LargeBinary(32), nullable=False),
        sa.Column("address", sa.String(64), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_sign_in_attempt_account_at", "sign_in_attempt", ["account", "at"])
    op.create_index("ix_sign_in_attempt_address_at", "sign_in_attempt", ["address", "at"])
    op.create_index("ix_sign_in_attempt_at", "sign_in_attempt", ["at"])
    op.create_table(
        "user_preference",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("user_id"),
    )
