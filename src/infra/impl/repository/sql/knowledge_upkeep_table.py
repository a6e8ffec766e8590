"""Tables of rebuilds, previews and the embedding cache."""

from typing import Final

import sqlalchemy as sa

from domain.knowledge.rebuild import IndexPlan
from domain.knowledge.value import ParseRule, Source
from infra.impl.repository.sql.schema import Instant, Json, id_column, metadata

rebuilds: Final = sa.Table(
    "knowledge_rebuild",
    metadata,
    id_column(),
    sa.Column("space_id", sa.BigInteger, nullable=False),
    sa.Column("dataset_id", sa.BigInteger, nullable=False),
    sa.Column("creator_id", sa.BigInteger, nullable=False),
    sa.Column("plan", Json(IndexPlan), nullable=False),
    sa.Column("old_collection", sa.String(64), nullable=False),
    sa.Column("cursor", sa.BigInteger, nullable=False),
    sa.Column("total", sa.Integer, nullable=False),
    sa.Column("done", sa.Integer, nullable=False),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("next_run_at", Instant, nullable=False),
    sa.Column("last_error_code", sa.Integer, nullable=False),
    sa.Column("last_error", sa.String(500), nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("finished_at", Instant),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Index("ix_knowledge_rebuild_dataset_id", "dataset_id"),
    sa.Index("ix_knowledge_rebuild_state_next_run_at", "state", "next_run_at"),
)

copies: Final = sa.Table(
    "knowledge_copy",
    metadata,
    id_column(),
    sa.Column("space_id", sa.BigInteger, nullable=False),
    sa.Column("source_space_id", sa.BigInteger, nullable=False),
    sa.Column("source_id", sa.BigInteger, nullable=False),
    sa.Column("target_id", sa.BigInteger, nullable=False),
    sa.Column("creator_id", sa.BigInteger, nullable=False),
    sa.Column("request_key", sa.String(128), nullable=False),
    sa.Column("cursor", sa.BigInteger, nullable=False),
    sa.Column("status", sa.SmallInteger, nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("next_run_at", Instant, nullable=False),
    sa.Column("last_error", sa.String(500), nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("finished_at", Instant),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Index("ix_knowledge_copy_space_id_request_key", "space_id", "request_key", unique=True),
    sa.Index("ix_knowledge_copy_status_next_run_at", "status", "next_run_at"),
)

previews: Final = sa.Table(
    "knowledge_preview",
    metadata,
    id_column(),
    sa.Column("space_id", sa.BigInteger, nullable=False),
    sa.Column("dataset_id", sa.BigInteger, nullable=False),
    sa.Column("creator_id", sa.BigInteger, nullable=False),
    sa.Column("name", sa.String(255), nullable=False),
    sa.Column("extension", sa.String(16), nullable=False),
    sa.Column("source", Json(Source), nullable=False),
    sa.Column("size", sa.BigInteger, nullable=False),
    sa.Column("content_hash", sa.String(64), nullable=False),
    sa.Column("rule", Json(ParseRule), nullable=False),
    sa.Column("state", sa.SmallInteger, nullable=False),
    sa.Column("fail_code", sa.Integer, nullable=False),
    sa.Column("fail_reason", sa.String(500), nullable=False),
    sa.Column("chunk_count", sa.Integer, nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("next_run_at", Instant, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Column("expires_at", Instant, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Index("ix_knowledge_preview_state_next_run_at", "state", "next_run_at"),
    sa.Index("ix_knowledge_preview_expires_at", "expires_at"),
)

embeddings: Final = sa.Table(
    "knowledge_embedding",
    metadata,
    id_column("space_id", primary_key=True),
    sa.Column("model", sa.String(200), primary_key=True),
    sa.Column("text_hash", sa.String(64), primary_key=True),
    sa.Column("vector", sa.LargeBinary, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Index("ix_knowledge_embedding_created_at", "created_at"),
)
