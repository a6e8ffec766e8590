"""Workflows: drafts, versions, canvases and references."""

import sqlalchemy as sa
from alembic import op

revision = "0003_workflow"
down_revision = "0002_knowledge"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "workflow",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("creator_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("icon_file_id", sa.BigInteger(), autoincrement=False, nullable=True),
        sa.Column("mode", sa.SmallInteger(), nullable=False),
        sa.Column("app_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("draft_digest", sa.String(length=64), nullable=False),
        sa.Column("draft_dialect", sa.String(length=16), nullable=False),
        sa.Column("draft_size", sa.Integer(), nullable=False),
        sa.Column("draft_revision", sa.Integer(), nullable=False),
        sa.Column("tested", sa.String(length=64), nullable=False),
        sa.Column("latest_version", sa.String(length=24), nullable=False),
        sa.Column("published_digest", sa.String(length=64), nullable=False),
        sa.Column("role", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("published_at", sa.BigInteger(), nullable=True),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_workflow")),
    )
    op.create_index(
        "ix_workflow_space_id_updated_at",
        "workflow",
        ["space_id", "updated_at"],
        unique=False,
    )
    op.create_table(
        "workflow_version",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("workflow_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("label", sa.String(length=24), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("canvas_digest", sa.String(length=64), nullable=False),
        sa.Column("canvas_dialect", sa.String(length=16), nullable=False),
        sa.Column("canvas_size", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_workflow_version")),
    )
    op.create_index(
        "ix_workflow_version_workflow_id_label",
        "workflow_version",
        ["workflow_id", "label"],
        unique=True,
    )
    op.create_table(
        "workflow_canvas",
        sa.Column("workflow_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("workflow_id", "digest", name=op.f("pk_workflow_canvas")),
    )
    op.create_table(
        "workflow_reference",
        sa.Column("workflow_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("source", sa.String(length=16), nullable=False),
        sa.Column("callee_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("version", sa.String(length=24), nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint(
            "workflow_id", "source", "callee_id", "version", name=op.f("pk_workflow_reference")
        ),
    )
    op.create_index(
        "ix_workflow_reference_space_id_callee_id",
        "workflow_reference",
        ["space_id", "callee_id"],
        unique=False,
    )
