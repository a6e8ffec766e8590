"""Rebuilds, previews and cached vectors in SQL."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa

from domain.knowledge.error import DatasetNotFound, PreviewNotFound
from domain.knowledge.preview import Preview, PreviewId, PreviewState
from domain.knowledge.rebuild import Rebuild, RebuildId, RebuildState
from domain.knowledge.slice import Slice
from domain.knowledge.value import DatasetId, DocumentStatus, SliceId
from domain.shared.access import TenantScope
from domain.shared.ids import SpaceId, UserId
from infra.impl.repository.sql.database import SqlUnitOfWork
from infra.impl.repository.sql.knowledge_slice import read_slices
from infra.impl.repository.sql.knowledge_table import documents, slices
from infra.impl.repository.sql.knowledge_upkeep_table import embeddings, previews, rebuilds
from infra.impl.repository.sql.upsert import upsert

_LIVE: Final = (documents.c.status != DocumentStatus.DELETED) & (
    (slices.c.generation == documents.c.active_generation)
    | (slices.c.generation == documents.c.pending_generation)
)

_SCATTER: Final = 9973
"""A prime: remainders of ids that grow in time are in no order."""


class SqlRebuildRepository:
    """Rebuilds as the owners of bases see them."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow

    async def add(self, scope: TenantScope, rebuild: Rebuild) -> None:
        if rebuild.space_id not in scope.space_ids:
            raise DatasetNotFound(f"No knowledge base {rebuild.dataset_id}.")
        await self._uow.save(rebuilds, rebuild, rebuild_row(rebuild))

    async def latest(
        self, scope: TenantScope, dataset_ids: Sequence[DatasetId]
    ) -> dict[DatasetId, Rebuild]:
        query = (
            sa.select(rebuilds)
            .where(rebuilds.c.dataset_id.in_(dataset_ids), rebuilds.c.space_id.in_(scope.space_ids))
            .order_by(rebuilds.c.id)
        )
        rows = (await self._uow.connection.execute(query)).mappings()
        return {DatasetId(row["dataset_id"]): to_rebuild(row) for row in rows}

    async def slices(
        self, scope: TenantScope, dataset_id: DatasetId, *, after: SliceId, limit: int
    ) -> list[Slice]:
        query = (
            sa.select(slices)
            .join(documents, documents.c.id == slices.c.document_id)
            .where(_of(scope, dataset_id), slices.c.id > after)
            .order_by(slices.c.id)
            .limit(limit)
        )
        return await read_slices(self._uow, query)

    async def reread(
        self, scope: TenantScope, dataset_id: DatasetId, slice_ids: Sequence[SliceId]
    ) -> list[Slice]:
        query = (
            sa.select(slices)
            .join(documents, documents.c.id == slices.c.document_id)
            .where(_of(scope, dataset_id), slices.c.id.in_(slice_ids))
            .order_by(slices.c.id)
        )
        return await read_slices(self._uow, query)

    async def sample(self, scope: TenantScope, dataset_id: DatasetId, *, limit: int) -> list[Slice]:
        query = (
            sa.select(slices)
            .join(documents, documents.c.id == slices.c.document_id)
            .where(_of(scope, dataset_id))
            .order_by(slices.c.id % _SCATTER, slices.c.id)
            .limit(limit)
        )
        return await read_slices(self._uow, query)

    async def count(self, scope: TenantScope, dataset_id: DatasetId) -> int:
        query = (
            sa.select(sa.func.count())
            .select_from(slices.join(documents, documents.c.id == slices.c.document_id))
            .where(_of(scope, dataset_id))
        )
        return await self._uow.connection.scalar(query) or 0

    async def forget(self, scope: TenantScope, dataset_id: DatasetId) -> None:
        await self._uow.connection.execute(
            sa.delete(rebuilds).where(
                rebuilds.c.dataset_id == dataset_id, rebuilds.c.space_id.in_(scope.space_ids)
            )
        )


class SqlPreviewRepository:
    """Previews of files."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow

    async def get(self, scope: TenantScope, preview_id: PreviewId) -> Preview:
        query = sa.select(previews).where(
            previews.c.id == preview_id, previews.c.space_id.in_(scope.space_ids)
        )
        row = (await self._uow.connection.execute(query)).mappings().one_or_none()
        if row is None:
            raise PreviewNotFound(f"No preview {preview_id}.", preview_id=preview_id)
        return to_preview(row)

    async def save(self, scope: TenantScope, preview: Preview) -> None:
        if preview.space_id not in scope.space_ids:
            raise PreviewNotFound(f"No preview {preview.id}.", preview_id=preview.id)
        await self._uow.save(previews, preview, _preview_row(preview))

    async def forget(self, scope: TenantScope, preview_id: PreviewId) -> None:
        await self._uow.connection.execute(
            sa.delete(previews).where(
                previews.c.id == preview_id, previews.c.space_id.in_(scope.space_ids)
            )
        )

    async def waiting(self, scope: TenantScope) -> int:
        query = (
            sa.select(sa.func.count())
            .select_from(previews)
            .where(
                previews.c.space_id.in_(scope.space_ids),
                previews.c.state == PreviewState.PROCESSING,
            )
        )
        return await self._uow.connection.scalar(query) or 0


class SqlEmbeddingRepository:
    """Vectors by space, model and hash of the text."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow

    async def get(
        self,
        scope: TenantScope,
        space_id: SpaceId,
        model: str,
        hashes: Sequence[str],
        *,
        since: datetime,
    ) -> dict[str, bytes]:
        query = sa.select(embeddings.c.text_hash, embeddings.c.vector).where(
            embeddings.c.space_id.in_(scope.space_ids),
            embeddings.c.space_id == space_id,
            embeddings.c.model == model,
            embeddings.c.text_hash.in_(hashes),
            embeddings.c.created_at >= since,
        )
        return {row.text_hash: row.vector for row in await self._uow.connection.execute(query)}

    async def put(
        self,
        scope: TenantScope,
        space_id: SpaceId,
        model: str,
        vectors: Mapping[str, bytes],
        *,
        now: datetime,
    ) -> None:
        if space_id not in scope.space_ids:
            raise DatasetNotFound(f"No workspace {space_id}.")
        connection = self._uow.connection
        insert = upsert(connection.dialect.name, embeddings)
        keys = [embeddings.c.space_id, embeddings.c.model, embeddings.c.text_hash]
        renewed = {
            "vector": insert.excluded.vector,
            "created_at": insert.excluded.created_at,
        }
        # In one order, so that two writers never wait for each other.
        rows = [
            {
                "space_id": space_id,
                "model": model,
                "text_hash": key,
                "vector": vectors[key],
                "created_at": now,
            }
            for key in sorted(vectors)
        ]
        await connection.execute(
            insert.on_conflict_do_update(index_elements=keys, set_=renewed), rows
        )


def _of(scope: TenantScope, dataset_id: DatasetId) -> sa.ColumnElement[bool]:
    return _LIVE & (slices.c.dataset_id == dataset_id) & slices.c.space_id.in_(scope.space_ids)


def rebuild_row(rebuild: Rebuild) -> dict[str, Any]:
    """All columns but the revision."""
    return {
        "id": rebuild.id,
        "space_id": rebuild.space_id,
        "dataset_id": rebuild.dataset_id,
        "creator_id": rebuild.creator_id,
        "plan": rebuild.plan,
        "old_collection": rebuild.old_collection,
        "cursor": rebuild.cursor,
        "total": rebuild.total,
        "done": rebuild.done,
        "state": rebuild.state,
        "attempt": rebuild.attempt,
        "next_run_at": rebuild.next_run_at,
        "last_error_code": rebuild.last_error_code,
        "last_error": rebuild.last_error,
        "created_at": rebuild.created_at,
        "finished_at": rebuild.finished_at,
    }


def to_rebuild(row: sa.RowMapping) -> Rebuild:
    """Read a rebuild back."""
    return Rebuild(
        id=RebuildId(row["id"]),
        space_id=SpaceId(row["space_id"]),
        dataset_id=DatasetId(row["dataset_id"]),
        creator_id=UserId(row["creator_id"]),
        plan=row["plan"],
        old_collection=row["old_collection"],
        cursor=SliceId(row["cursor"]),
        total=row["total"],
        done=row["done"],
        state=RebuildState(row["state"]),
        attempt=row["attempt"],
        next_run_at=row["next_run_at"],
        last_error_code=row["last_error_code"],
        last_error=row["last_error"],
        created_at=row["created_at"],
        finished_at=row["finished_at"],
        revision=row["revision"],
    )


def _preview_row(preview: Preview) -> dict[str, Any]:
    return {
        "id": preview.id,
        "space_id": preview.space_id,
        "dataset_id": preview.dataset_id,
        "creator_id": preview.creator_id,
        "name": preview.name,
        "extension": preview.extension,
        "source": preview.source,
        "size": preview.size,
        "content_hash": preview.content_hash,
        "rule": preview.rule,
        "state": preview.state,
        "fail_code": preview.fail_code,
        "fail_reason": preview.fail_reason,
        "chunk_count": preview.chunk_count,
        "attempt": preview.attempt,
        "next_run_at": preview.next_run_at,
        "created_at": preview.created_at,
        "updated_at": preview.updated_at,
        "expires_at": preview.expires_at,
    }


def to_preview(row: sa.RowMapping) -> Preview:
    """Read a preview back."""
    return Preview(
        id=PreviewId(row["id"]),
        space_id=SpaceId(row["space_id"]),
        dataset_id=DatasetId(row["dataset_id"]),
        creator_id=UserId(row["creator_id"]),
        name=row["name"],
        extension=row["extension"],
        source=row["source"],
        size=row["size"],
        content_hash=row["content_hash"],
        rule=row["rule"],
        state=PreviewState(row["state"]),
        fail_code=row["fail_code"],
        fail_reason=row["fail_reason"],
        chunk_count=row["chunk_count"],
        attempt=row["attempt"],
        next_run_at=row["next_run_at"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        expires_at=row["expires_at"],
        revision=row["revision"],
    )
