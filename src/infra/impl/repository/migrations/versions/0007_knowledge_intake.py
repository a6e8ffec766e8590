"""Requests that may be repeated, and documents found by their bytes."""

import sqlalchemy as sa
from alembic import op

revision = "0007_knowledge_intake"
down_revision = "0006_knowledge_upkeep"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "knowledge_request_key",
        sa.Column("principal_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("operation", sa.String(length=32), nullable=False),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("ids", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint(
            "principal_id", "operation", "key", name=op.f("pk_knowledge_request_key")
        ),
    )
    op.add_column("knowledge_document", sa.Column("replaces", sa.Text(), nullable=True))
    op.create_index(
        "ix_knowledge_document_dataset_id_content_hash",
        "knowledge_document",
        ["dataset_id", "content_hash"],
        unique=False,
    )
