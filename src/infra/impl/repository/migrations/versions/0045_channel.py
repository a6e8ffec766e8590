"""Messaging platforms on which agents answer, and the messages that wait for it."""

import sqlalchemy as sa
from alembic import op

revision = "0045_channel"
down_revision = "0044_share_link"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "channel",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("public_id", sa.String(22), nullable=False),
        sa.Column("platform", sa.String(32), nullable=False),
        sa.Column("target_kind", sa.String(16), nullable=False),
        sa.Column("target_id", sa.BigInteger(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("bot_id", sa.String(200), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.Column("sealed_credentials", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_channel"),
        sa.UniqueConstraint("public_id", name="uq_channel_public_id"),
    )
    op.create_index("ix_channel_space_id_id", "channel", ["space_id", "id"])
    op.create_table(
        "channel_message",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("lease_owner", sa.String(64), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=True),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("platform_id", sa.String(200), nullable=False),
        sa.Column("thread", sa.String(40), nullable=False),
        sa.Column("end_user_id", sa.String(256), nullable=False),
        sa.Column("command", sa.String(16), nullable=False),
        sa.Column("incoming", sa.Text(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("run_id", sa.BigInteger(), nullable=False),
        sa.Column("runs", sa.Integer(), nullable=False),
        sa.Column("is_told", sa.Boolean(), nullable=False),
        sa.Column("live_id", sa.String(200), nullable=False),
        sa.Column("sent", sa.Integer(), nullable=False),
        sa.Column("next_run_at", sa.BigInteger(), nullable=False),
        sa.Column("last_error", sa.String(500), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_channel_message"),
    )
    op.create_index(
        "ix_channel_message_state_next_run_at", "channel_message", ["state", "next_run_at"]
    )
    op.create_index(
        "ix_channel_message_channel_id_thread_state",
        "channel_message",
        ["channel_id", "thread", "state"],
    )
    op.create_index("ix_channel_message_space_id_state", "channel_message", ["space_id", "state"])
    op.create_index(
        "ix_channel_message_channel_id_platform_id",
        "channel_message",
        ["channel_id", "platform_id"],
        unique=True,
    )
    op.create_table(
        "channel_thread",
        sa.Column("channel_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("thread", sa.String(40), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("end_user_id", sa.String(256), nullable=False),
        sa.Column("begun_by", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("channel_id", "thread", name="pk_channel_thread"),
    )
