"""Previews, rebuilds and caches of knowledge bases."""

import sqlalchemy as sa
from alembic import op

revision = "0006_knowledge_upkeep"
down_revision = "0005_knowledge_table"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column("knowledge_dataset", sa.Column("shadow", sa.Text(), nullable=True))
    op.add_column("knowledge_document", sa.Column("refresh_at", sa.BigInteger(), nullable=True))
    op.create_index(
        "ix_knowledge_document_refresh_at", "knowledge_document", ["refresh_at"], unique=False
    )
    op.create_index(
        "ix_knowledge_slice_dataset_id_id", "knowledge_slice", ["dataset_id", "id"], unique=False
    )
    # Copies of a base share the objects of its documents.
    with op.batch_alter_table("knowledge_object") as batch:
        batch.drop_constraint("pk_knowledge_object", type_="primary")
        batch.create_primary_key("pk_knowledge_object", ["object_key", "document_id"])
    op.create_table(
        "knowledge_rebuild",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("dataset_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("plan", sa.Text(), nullable=False),
        sa.Column("old_collection", sa.String(length=64), nullable=False),
        sa.Column("cursor", sa.BigInteger(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("next_run_at", sa.BigInteger(), nullable=False),
        sa.Column("last_error_code", sa.Integer(), nullable=False),
        sa.Column("last_error", sa.String(length=500), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_knowledge_rebuild")),
    )
    op.create_index(
        "ix_knowledge_rebuild_dataset_id", "knowledge_rebuild", ["dataset_id"], unique=False
    )
    op.create_index(
        "ix_knowledge_rebuild_state_next_run_at",
        "knowledge_rebuild",
        ["state", "next_run_at"],
        unique=False,
    )
    op.create_table(
        "knowledge_copy",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("source_space_id", sa.BigInteger(), nullable=False),
        sa.Column("source_id", sa.BigInteger(), nullable=False),
        sa.Column("target_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("request_key", sa.String(length=128), nullable=False),
        sa.Column("cursor", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.SmallInteger(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("next_run_at", sa.BigInteger(), nullable=False),
        sa.Column("last_error", sa.String(length=500), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_knowledge_copy")),
    )
    op.create_index(
        "ix_knowledge_copy_space_id_request_key",
        "knowledge_copy",
        ["space_id", "request_key"],
        unique=True,
    )
    op.create_index(
        "ix_knowledge_copy_status_next_run_at",
        "knowledge_copy",
        ["status", "next_run_at"],
        unique=False,
    )
    op.create_table(
        "knowledge_preview",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("dataset_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("extension", sa.String(length=16), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("state", sa.SmallInteger(), nullable=False),
        sa.Column("fail_code", sa.Integer(), nullable=False),
        sa.Column("fail_reason", sa.String(length=500), nullable=False),
        sa.Column("chunk_count", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("next_run_at", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_knowledge_preview")),
    )
    op.create_index(
        "ix_knowledge_preview_state_next_run_at",
        "knowledge_preview",
        ["state", "next_run_at"],
        unique=False,
    )
    op.create_index(
        "ix_knowledge_preview_expires_at", "knowledge_preview", ["expires_at"], unique=False
    )
    op.create_table(
        "knowledge_embedding",
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("model", sa.String(length=200), nullable=False),
        sa.Column("text_hash", sa.String(length=64), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("space_id", "model", "text_hash", name="pk_knowledge_embedding"),
    )
    op.create_index(
        "ix_knowledge_embedding_created_at", "knowledge_embedding", ["created_at"], unique=False
    )
