"""Tables of knowledge bases, documents, slices and jobs."""

from typing import Final

import sqlalchemy as sa

from domain.knowledge.column import Column
from domain.knowledge.rebuild import IndexPlan
from domain.knowledge.score import LearntScale
from domain.knowledge.slice import Place
from domain.knowledge.value import ChunkRule, Intake, ParseRule, Source, TagValue, UpdateRule
from infra.impl.repository.sql.schema import Instant, Json, id_column, metadata, only_where

datasets: Final = sa.Table(
    "knowledge_dataset",
    metadata,
    id_column(),
    sa.Column("space_id", sa.BigInteger, nullable=False),
    sa.Column("creator_id", sa.BigInteger, nullable=False),
    sa.Column("name", sa.String(100), nullable=False),
    sa.Column("description", sa.Text, nullable=False),
    sa.Column("icon_file_id", sa.BigInteger),
    sa.Column("format_type", sa.SmallInteger, nullable=False),
    sa.Column("status", sa.SmallInteger, nullable=False),
    sa.Column("embedding_model", sa.String(200), nullable=False),
    sa.Column("embedding_dimensions", sa.Integer, nullable=False),
    sa.Column("analyzer_version", sa.String(32), nullable=False),
    sa.Column("index_version", sa.Integer, nullable=False),
    sa.Column("chunk_rule", Json(ChunkRule), nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Column("deleted_at", Instant),
    sa.Column("shadow", Json(IndexPlan)),
    sa.Column("scale", Json(LearntScale)),
    sa.Column("revision", sa.Integer, nullable=False),
)
sa.Index(
    "ix_knowledge_dataset_live_name",
    datasets.c.space_id,
    datasets.c.name,
    unique=True,
    **only_where(datasets.c.deleted_at.is_(None)),
)
sa.Index("ix_knowledge_dataset_space_id_created_at", datasets.c.space_id, datasets.c.created_at)

documents: Final = sa.Table(
    "knowledge_document",
    metadata,
    id_column(),
    sa.Column("space_id", sa.BigInteger, nullable=False),
    sa.Column("dataset_id", sa.BigInteger, nullable=False),
    sa.Column("creator_id", sa.BigInteger, nullable=False),
    sa.Column("name", sa.String(255), nullable=False),
    sa.Column("extension", sa.String(16), nullable=False),
    sa.Column("format_type", sa.SmallInteger, nullable=False),
    sa.Column("source", Json(Source), nullable=False),
    sa.Column("size", sa.BigInteger, nullable=False),
    sa.Column("char_count", sa.BigInteger, nullable=False),
    sa.Column("slice_count", sa.Integer, nullable=False),
    sa.Column("hit_count", sa.BigInteger, nullable=False, default=0),
    sa.Column("status", sa.SmallInteger, nullable=False),
    sa.Column("is_disabled", sa.Boolean, nullable=False),
    sa.Column("fail_code", sa.Integer, nullable=False),
    sa.Column("fail_reason", sa.String(500), nullable=False),
    sa.Column("rule", Json(ParseRule), nullable=False),
    sa.Column("update_rule", Json(UpdateRule), nullable=False),
    sa.Column("tags", Json(dict[str, TagValue]), nullable=False),
    sa.Column("content_hash", sa.String(64), nullable=False),
    sa.Column("replaces", Json(tuple[int, ...])),
    sa.Column("table_columns", Json(tuple[Column, ...])),
    sa.Column("generation", sa.Integer, nullable=False),
    sa.Column("active_generation", sa.Integer),
    sa.Column("pending_generation", sa.Integer),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Column("deleted_at", Instant),
    sa.Column("refresh_at", Instant),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Index("ix_knowledge_document_dataset_id_created_at", "dataset_id", "created_at"),
    sa.Index("ix_knowledge_document_dataset_id_content_hash", "dataset_id", "content_hash"),
    sa.Index("ix_knowledge_document_refresh_at", "refresh_at"),
    sa.Index("ix_knowledge_document_dataset_id_is_disabled", "dataset_id", "is_disabled"),
)

slices: Final = sa.Table(
    "knowledge_slice",
    metadata,
    id_column(),
    sa.Column("space_id", sa.BigInteger, nullable=False),
    sa.Column("dataset_id", sa.BigInteger, nullable=False),
    sa.Column("document_id", sa.BigInteger, nullable=False),
    sa.Column("generation", sa.Integer, nullable=False),
    sa.Column("ordinal", sa.BigInteger, nullable=False),
    sa.Column("sequence", sa.Double, nullable=False),
    sa.Column("content", sa.Text, nullable=False),
    sa.Column("content_hash", sa.String(64), nullable=False),
    sa.Column("char_count", sa.Integer, nullable=False),
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("index_text", sa.Text, nullable=False),
    sa.Column("parent_id", sa.BigInteger),
    sa.Column("heading_path", Json(tuple[str, ...]), nullable=False),
    sa.Column("place", Json(Place), nullable=False),
    sa.Column("status", sa.SmallInteger, nullable=False),
    sa.Column("fail_reason", sa.String(500), nullable=False),
    sa.Column("hit_count", sa.BigInteger, nullable=False, default=0),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Index(
        "ix_knowledge_slice_document_id_generation_ordinal",
        "document_id",
        "generation",
        "ordinal",
        unique=True,
    ),
    sa.Index(
        "ix_knowledge_slice_document_id_generation_sequence",
        "document_id",
        "generation",
        "sequence",
    ),
    sa.Index("ix_knowledge_slice_dataset_id_id", "dataset_id", "id"),
)

jobs: Final = sa.Table(
    "knowledge_job",
    metadata,
    id_column(),
    sa.Column("space_id", sa.BigInteger, nullable=False),
    sa.Column("dataset_id", sa.BigInteger, nullable=False),
    sa.Column("document_id", sa.BigInteger, nullable=False),
    sa.Column("creator_id", sa.BigInteger, nullable=False),
    sa.Column("generation", sa.Integer, nullable=False),
    sa.Column("intake", Json(Intake)),
    sa.Column("stage", sa.String(16), nullable=False),
    sa.Column("cursor", sa.BigInteger, nullable=False),
    sa.Column("total_units", sa.Integer, nullable=False),
    sa.Column("done_units", sa.Integer, nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("has_moved", sa.Boolean, nullable=False),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("next_run_at", Instant, nullable=False),
    sa.Column("lease_owner", sa.String(64), nullable=False),
    sa.Column("lease_until", Instant),
    sa.Column("last_error_code", sa.Integer, nullable=False),
    sa.Column("last_error", sa.String(500), nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("started_at", Instant),
    sa.Column("finished_at", Instant),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Index("ix_knowledge_job_document_id_generation", "document_id", "generation", unique=True),
    sa.Index("ix_knowledge_job_state_next_run_at", "state", "next_run_at"),
    sa.Index("ix_knowledge_job_space_id_state", "space_id", "state"),
    sa.Index("ix_knowledge_job_dataset_id", "dataset_id"),
)

objects: Final = sa.Table(
    "knowledge_object",
    metadata,
    sa.Column("object_key", sa.String(512), primary_key=True),
    sa.Column("space_id", sa.BigInteger, nullable=False),
    id_column("document_id", primary_key=True),
    sa.Index("ix_knowledge_object_document_id", "document_id"),
)
