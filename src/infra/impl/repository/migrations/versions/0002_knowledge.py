"""Knowledge bases: their documents, slices, jobs and objects."""

import sqlalchemy as sa
from alembic import op

revision = "0002_knowledge"
down_revision = "0001_foundation"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "knowledge_dataset",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("icon_file_id", sa.BigInteger(), nullable=True),
        sa.Column("format_type", sa.SmallInteger(), nullable=False),
        sa.Column("status", sa.SmallInteger(), nullable=False),
        sa.Column("embedding_model", sa.String(length=200), nullable=False),
        sa.Column("embedding_dimensions", sa.Integer(), nullable=False),
        sa.Column("analyzer_version", sa.String(length=32), nullable=False),
        sa.Column("index_version", sa.Integer(), nullable=False),
        sa.Column("chunk_rule", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_knowledge_dataset")),
    )
    op.create_index(
        "ix_knowledge_dataset_live_name",
        "knowledge_dataset",
        ["space_id", "name"],
        unique=True,
        sqlite_where=sa.text("deleted_at IS NULL"),
        postgresql_where=sa.text("deleted_at IS NULL"),
    )
    op.create_index(
        "ix_knowledge_dataset_space_id_created_at",
        "knowledge_dataset",
        ["space_id", "created_at"],
        unique=False,
    )
    op.create_table(
        "knowledge_document",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("dataset_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("extension", sa.String(length=16), nullable=False),
        sa.Column("format_type", sa.SmallInteger(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("char_count", sa.BigInteger(), nullable=False),
        sa.Column("slice_count", sa.Integer(), nullable=False),
        sa.Column("hit_count", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.SmallInteger(), nullable=False),
        sa.Column("is_disabled", sa.Boolean(), nullable=False),
        sa.Column("fail_code", sa.Integer(), nullable=False),
        sa.Column("fail_reason", sa.String(length=500), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("update_rule", sa.Text(), nullable=False),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("active_generation", sa.Integer(), nullable=True),
        sa.Column("pending_generation", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_knowledge_document")),
    )
    op.create_index(
        "ix_knowledge_document_dataset_id_created_at",
        "knowledge_document",
        ["dataset_id", "created_at"],
        unique=False,
    )
    op.create_index(
        "ix_knowledge_document_dataset_id_is_disabled",
        "knowledge_document",
        ["dataset_id", "is_disabled"],
        unique=False,
    )
    op.create_table(
        "knowledge_job",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("dataset_id", sa.BigInteger(), nullable=False),
        sa.Column("document_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("stage", sa.String(length=16), nullable=False),
        sa.Column("cursor", sa.BigInteger(), nullable=False),
        sa.Column("total_units", sa.Integer(), nullable=False),
        sa.Column("done_units", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("has_moved", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("next_run_at", sa.BigInteger(), nullable=False),
        sa.Column("lease_owner", sa.String(length=64), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=True),
        sa.Column("last_error_code", sa.Integer(), nullable=False),
        sa.Column("last_error", sa.String(length=500), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=True),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_knowledge_job")),
    )
    op.create_index("ix_knowledge_job_dataset_id", "knowledge_job", ["dataset_id"], unique=False)
    op.create_index(
        "ix_knowledge_job_document_id_generation",
        "knowledge_job",
        ["document_id", "generation"],
        unique=True,
    )
    op.create_index(
        "ix_knowledge_job_space_id_state", "knowledge_job", ["space_id", "state"], unique=False
    )
    op.create_index(
        "ix_knowledge_job_state_next_run_at",
        "knowledge_job",
        ["state", "next_run_at"],
        unique=False,
    )
    op.create_table(
        "knowledge_object",
        sa.Column("object_key", sa.String(length=512), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("document_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("object_key", name=op.f("pk_knowledge_object")),
    )
    op.create_index(
        "ix_knowledge_object_document_id", "knowledge_object", ["document_id"], unique=False
    )
    op.create_table(
        "knowledge_slice",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("dataset_id", sa.BigInteger(), nullable=False),
        sa.Column("document_id", sa.BigInteger(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.BigInteger(), nullable=False),
        sa.Column("sequence", sa.Double(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("char_count", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("index_text", sa.Text(), nullable=False),
        sa.Column("parent_id", sa.BigInteger(), nullable=True),
        sa.Column("heading_path", sa.Text(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("status", sa.SmallInteger(), nullable=False),
        sa.Column("fail_reason", sa.String(length=500), nullable=False),
        sa.Column("hit_count", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_knowledge_slice")),
    )
    op.create_index(
        "ix_knowledge_slice_document_id_generation_ordinal",
        "knowledge_slice",
        ["document_id", "generation", "ordinal"],
        unique=True,
    )
    op.create_index(
        "ix_knowledge_slice_document_id_generation_sequence",
        "knowledge_slice",
        ["document_id", "generation", "sequence"],
        unique=False,
    )
