"""Knowledge bases and documents as rows, and back."""

from typing import Any

import sqlalchemy as sa

from domain.knowledge.dataset import Dataset
from domain.knowledge.document import Document
from domain.knowledge.value import (
    DatasetId,
    DatasetStatus,
    DocumentId,
    DocumentStatus,
    FormatType,
)
from domain.shared.ids import FileId, SpaceId, UserId


def dataset_row(dataset: Dataset) -> dict[str, Any]:
    """All columns but the revision and the scale."""
    return {
        "id": dataset.id,
        "space_id": dataset.space_id,
        "creator_id": dataset.creator_id,
        "name": dataset.name,
        "description": dataset.description,
        "icon_file_id": dataset.icon_file_id,
        "format_type": dataset.format_type,
        "status": dataset.status,
        "embedding_model": dataset.embedding_model,
        "embedding_dimensions": dataset.embedding_dimensions,
        "analyzer_version": dataset.analyzer_version,
        "index_version": dataset.index_version,
        "chunk_rule": dataset.chunk_rule,
        "created_at": dataset.created_at,
        "updated_at": dataset.updated_at,
        "deleted_at": dataset.deleted_at,
        "shadow": dataset.shadow,
    }


def to_dataset(row: sa.RowMapping) -> Dataset:
    """Read a base back."""
    icon = row["icon_file_id"]
    return Dataset(
        id=DatasetId(row["id"]),
        space_id=SpaceId(row["space_id"]),
        creator_id=UserId(row["creator_id"]),
        name=row["name"],
        description=row["description"],
        icon_file_id=None if icon is None else FileId(icon),
        format_type=FormatType(row["format_type"]),
        status=DatasetStatus(row["status"]),
        embedding_model=row["embedding_model"],
        embedding_dimensions=row["embedding_dimensions"],
        analyzer_version=row["analyzer_version"],
        index_version=row["index_version"],
        chunk_rule=row["chunk_rule"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        deleted_at=row["deleted_at"],
        shadow=row["shadow"],
        scale=row["scale"],
        revision=row["revision"],
    )


def document_row(document: Document) -> dict[str, Any]:
    """All columns but the revision and the hits."""
    return {
        "id": document.id,
        "space_id": document.space_id,
        "dataset_id": document.dataset_id,
        "creator_id": document.creator_id,
        "name": document.name,
        "extension": document.extension,
        "format_type": document.format_type,
        "source": document.source,
        "size": document.size,
        "char_count": document.char_count,
        "slice_count": document.slice_count,
        "status": document.status,
        "is_disabled": document.is_disabled,
        "fail_code": document.fail_code,
        "fail_reason": document.fail_reason,
        "rule": document.rule,
        "update_rule": document.update_rule,
        "tags": document.tags,
        "content_hash": document.content_hash,
        "replaces": document.replaces,
        "table_columns": document.columns or None,
        "generation": document.generation,
        "active_generation": document.active_generation,
        "pending_generation": document.pending_generation,
        "created_at": document.created_at,
        "updated_at": document.updated_at,
        "deleted_at": document.deleted_at,
        "refresh_at": document.refresh_at,
    }


def to_document(row: sa.RowMapping) -> Document:
    """Read a document back."""
    return Document(
        id=DocumentId(row["id"]),
        space_id=SpaceId(row["space_id"]),
        dataset_id=DatasetId(row["dataset_id"]),
        creator_id=UserId(row["creator_id"]),
        name=row["name"],
        extension=row["extension"],
        format_type=FormatType(row["format_type"]),
        source=row["source"],
        size=row["size"],
        char_count=row["char_count"],
        slice_count=row["slice_count"],
        hit_count=row["hit_count"],
        status=DocumentStatus(row["status"]),
        is_disabled=row["is_disabled"],
        fail_code=row["fail_code"],
        fail_reason=row["fail_reason"],
        rule=row["rule"],
        update_rule=row["update_rule"],
        tags=row["tags"],
        content_hash=row["content_hash"],
        replaces=tuple(map(DocumentId, row["replaces"] or ())),
        columns=row["table_columns"] or (),
        generation=row["generation"],
        active_generation=row["active_generation"],
        pending_generation=row["pending_generation"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        deleted_at=row["deleted_at"],
        refresh_at=row["refresh_at"],
        revision=row["revision"],
    )
