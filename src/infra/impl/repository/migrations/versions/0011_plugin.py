"""Plugins: tools, versions, grants, and the hosts that spaces allow."""

import sqlalchemy as sa
from alembic import op

revision = "0011_plugin"
down_revision = "0010_memory"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "plugin",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("icon_file_id", sa.BigInteger(), autoincrement=False, nullable=True),
        sa.Column("app_id", sa.BigInteger(), nullable=False),
        sa.Column("manifest", sa.Text(), nullable=False),
        sa.Column("sealed_secrets", sa.LargeBinary(), nullable=False),
        sa.Column("latest_version", sa.String(length=24), nullable=False),
        sa.Column("is_draft_changed", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("published_at", sa.BigInteger(), nullable=True),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_plugin")),
    )
    op.create_index(op.f("ix_plugin_space_id_id"), "plugin", ["space_id", "id"], unique=False)
    op.create_table(
        "plugin_grant",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("plugin_id", sa.BigInteger(), nullable=False),
        sa.Column("holder", sa.String(length=300), nullable=False),
        sa.Column("sealed_tokens", sa.LargeBinary(), nullable=False),
        sa.Column("refresh_at", sa.BigInteger(), nullable=True),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("last_used_at", sa.BigInteger(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_plugin_grant")),
    )
    op.create_index(
        op.f("ix_plugin_grant_plugin_id_holder"),
        "plugin_grant",
        ["plugin_id", "holder"],
        unique=True,
    )
    op.create_table(
        "plugin_hosts",
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("hosts", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("space_id", name=op.f("pk_plugin_hosts")),
    )
    op.create_table(
        "plugin_pending_grant",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("plugin_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("holder", sa.String(length=300), nullable=False),
        sa.Column("sealed_verifier", sa.LargeBinary(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_plugin_pending_grant")),
    )
    op.create_index(
        op.f("ix_plugin_pending_grant_expires_at"),
        "plugin_pending_grant",
        ["expires_at"],
        unique=False,
    )
    op.create_table(
        "plugin_tool",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("plugin_id", sa.BigInteger(), nullable=False),
        sa.Column("definition", sa.Text(), nullable=False),
        sa.Column("is_checked", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_plugin_tool")),
    )
    op.create_index(
        op.f("ix_plugin_tool_plugin_id_id"), "plugin_tool", ["plugin_id", "id"], unique=False
    )
    op.create_table(
        "plugin_version",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("plugin_id", sa.BigInteger(), nullable=False),
        sa.Column("label", sa.String(length=24), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("manifest", sa.Text(), nullable=False),
        sa.Column("tool_count", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_plugin_version")),
    )
    op.create_index(
        op.f("ix_plugin_version_plugin_id_label"),
        "plugin_version",
        ["plugin_id", "label"],
        unique=True,
    )
    op.create_table(
        "plugin_version_tool",
        sa.Column("version_id", sa.BigInteger(), nullable=False),
        sa.Column("tool_id", sa.BigInteger(), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("definition", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("version_id", "tool_id", name=op.f("pk_plugin_version_tool")),
    )
