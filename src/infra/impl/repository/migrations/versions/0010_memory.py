"""Variables and database tables."""

import sqlalchemy as sa
from alembic import op

revision = "0010_memory"
down_revision = "0009_workflow_chat"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "memory_database",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("creator_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("live_name", sa.String(length=200), nullable=True),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("icon_file_id", sa.BigInteger(), autoincrement=False, nullable=True),
        sa.Column("app_id", sa.BigInteger(), autoincrement=False, nullable=True),
        sa.Column("row_mode", sa.SmallInteger(), nullable=False),
        sa.Column("is_prompt_disabled", sa.Boolean(), nullable=False),
        sa.Column("fields", sa.Text(), nullable=False),
        sa.Column("next_field", sa.Integer(), nullable=False),
        sa.Column("next_column", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_memory_database")),
    )
    op.create_index(
        op.f("ix_memory_database_space_id_id"), "memory_database", ["space_id", "id"], unique=False
    )
    op.create_index(
        op.f("ix_memory_database_space_id_live_name"),
        "memory_database",
        ["space_id", "live_name"],
        unique=True,
    )
    op.create_table(
        "memory_database_binding",
        sa.Column("agent_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("database_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("agent_id", "database_id", name=op.f("pk_memory_database_binding")),
    )
    op.create_index(
        op.f("ix_memory_database_binding_database_id"),
        "memory_database_binding",
        ["database_id"],
        unique=False,
    )
    op.create_table(
        "memory_import",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("database_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("side", sa.String(length=8), nullable=False),
        sa.Column("file_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("file_name", sa.Text(), nullable=False),
        sa.Column("sheet", sa.Integer(), nullable=True),
        sa.Column("header_line", sa.Integer(), nullable=False),
        sa.Column("end_user_id", sa.Text(), nullable=False),
        sa.Column("connector_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_memory_import")),
    )
    op.create_index(
        op.f("ix_memory_import_database_id"), "memory_import", ["database_id"], unique=False
    )
    op.create_table(
        "memory_variable",
        sa.Column("owner_kind", sa.String(length=8), nullable=False),
        sa.Column("owner_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("side", sa.String(length=8), nullable=False),
        sa.Column("connector_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("end_user_id", sa.String(length=256), nullable=False),
        sa.Column("keyword", sa.String(length=100), nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint(
            "owner_kind",
            "owner_id",
            "side",
            "connector_id",
            "end_user_id",
            "keyword",
            name=op.f("pk_memory_variable"),
        ),
    )
