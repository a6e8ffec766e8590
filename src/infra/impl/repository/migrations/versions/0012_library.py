"""Prompts, apps, shortcuts and templates."""

import sqlalchemy as sa
from alembic import op

revision = "0012_library"
down_revision = "0011_plugin"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "app",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("creator_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("icon_file_id", sa.BigInteger(), autoincrement=False, nullable=True),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("latest_version", sa.String(length=24), nullable=False),
        sa.Column("connector_ids", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("published_at", sa.BigInteger(), nullable=True),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_app")),
    )
    op.create_index("ix_app_space_id_updated_at", "app", ["space_id", "updated_at"], unique=False)
    op.create_table(
        "app_version",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("app_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("label", sa.String(length=24), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("connector_ids", sa.Text(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("icon_file_id", sa.BigInteger(), autoincrement=False, nullable=True),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_app_version")),
    )
    op.create_index("ix_app_version_app_id_label", "app_version", ["app_id", "label"], unique=True)
    op.create_table(
        "prompt",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("creator_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_prompt")),
    )
    op.create_index("ix_prompt_space_id_id", "prompt", ["space_id", "id"], unique=False)
