"""Tables of knowledge bases, documents, slices and jobs."""

from typing import Final

import sqlalchemy as sa

from domain.knowledge.dataset import Dataset
from domain.knowledge.document import Document
from domain.knowledge.job import IngestJob
from domain.knowledge.slice import Slice
from domain.knowledge.tables.column import Column
from domain.knowledge.value import DocumentId
from infra.impl.repository.sql.mapping.column import Json, id_column, metadata, only_where
from infra.impl.repository.sql.mapping.personal import OF_THE_WORKSPACE, PERSONAL
from infra.impl.repository.sql.mapping.row_mapper import RowMapper
from infra.impl.repository.sql.mapping.tenancy import TENANCY

_HITS: Final = "hit_count"
_HASH: Final = sa.String(64)
_REASON: Final = sa.String(500)

DATASETS: Final = RowMapper(
    Dataset,
    "knowledge_dataset",
    sa.Index(
        "ix_knowledge_dataset_live_name",
        "space_id",
        "name",
        unique=True,
        **only_where(sa.text("deleted_at IS NULL")),
    ),
    sa.Index("ix_knowledge_dataset_space_id_created_at", "space_id", "created_at"),
    columns={
        "name": sa.String(100),
        "embedding_model": sa.String(200),
        "analyzer_version": sa.String(32),
    },
    read_only=["scale"],  # searches learn it beside the revision
)
DOCUMENTS: Final = RowMapper(
    Document,
    "knowledge_document",
    sa.Index("ix_knowledge_document_dataset_id_created_at", "dataset_id", "created_at"),
    sa.Index("ix_knowledge_document_dataset_id_content_hash", "dataset_id", "content_hash"),
    sa.Index("ix_knowledge_document_refresh_at", "refresh_at"),
    sa.Index("ix_knowledge_document_dataset_id_is_disabled", "dataset_id", "is_disabled"),
    names={"columns": "table_columns"},
    columns={
        "name": sa.String(255),
        "extension": sa.String(16),
        "size": sa.BigInteger,
        "char_count": sa.BigInteger,
        _HITS: sa.Column(sa.BigInteger, default=0),
        "fail_reason": _REASON,
        "content_hash": _HASH,
        "replaces": Json(tuple[DocumentId, ...], empty=()),
        "table_columns": Json(tuple[Column, ...], empty=()),
    },
    read_only=[_HITS],
)
SLICES: Final = RowMapper(
    Slice,
    "knowledge_slice",
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
    columns={
        "ordinal": sa.BigInteger,
        "sequence": sa.Double,
        "kind": sa.String(8),
        "fail_reason": _REASON,
        _HITS: sa.Column(sa.BigInteger, default=0),
    },
    read_only=[_HITS],
    extra=[
        sa.Column("content_hash", _HASH, nullable=False),
        sa.Column("char_count", sa.Integer, nullable=False),
    ],
    derived={
        "content_hash": lambda item: item.content_hash,
        "char_count": lambda item: item.char_count,
    },
)
JOBS: Final = RowMapper(
    IngestJob,
    "knowledge_job",
    sa.Index("ix_knowledge_job_document_id_generation", "document_id", "generation", unique=True),
    sa.Index("ix_knowledge_job_state_next_run_at", "state", "next_run_at"),
    sa.Index("ix_knowledge_job_space_id_state", "space_id", "state"),
    sa.Index("ix_knowledge_job_dataset_id", "dataset_id"),
    omitted=["calls"],
    columns={
        "cursor": sa.BigInteger,
        "lease_owner": sa.String(64),
        "last_error": _REASON,
    },
    # Releases before read it.
    extra=[sa.Column("has_moved", sa.Boolean, nullable=False, default=False)],
)
datasets: Final = DATASETS.table
documents: Final = DOCUMENTS.table
slices: Final = SLICES.table
jobs: Final = JOBS.table

objects: Final = sa.Table(
    "knowledge_object",
    metadata,
    sa.Column("object_key", sa.String(512), primary_key=True),
    sa.Column("space_id", sa.BigInteger, nullable=False),
    id_column("document_id", primary_key=True),
    sa.Index("ix_knowledge_object_document_id", "document_id"),
)
PERSONAL.keep(OF_THE_WORKSPACE, datasets, documents, jobs)
TENANCY.keep_objects(objects.c.object_key)
