"""Copies of bases, rebuilds, previews and cached vectors in SQL."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

import sqlalchemy as sa

from domain.knowledge.copying import DatasetCopy
from domain.knowledge.error import DatasetNotFound, PreviewNotFound
from domain.knowledge.preview import Preview, PreviewId, PreviewState
from domain.knowledge.rebuild import Rebuild
from domain.knowledge.slice import Slice
from domain.knowledge.value import DatasetId, DocumentId, DocumentStatus, SliceId
from domain.shared.access import TenantScope
from domain.shared.ids import SpaceId
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.knowledge.slice import read_slices
from infra.impl.repository.sql.knowledge.table import documents, slices
from infra.impl.repository.sql.knowledge.upkeep_table import (
    COPIES,
    PREVIEWS,
    REBUILDS,
    copies,
    embeddings,
    previews,
    rebuilds,
)
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows
from infra.impl.repository.sql.mapping.upsert import upsert

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
        self._rows = TenantRows(uow, REBUILDS, missing=_no_dataset)

    async def add(self, scope: TenantScope, rebuild: Rebuild) -> None:
        await self._rows.save(scope, rebuild)

    async def latest(
        self, scope: TenantScope, dataset_ids: Sequence[DatasetId]
    ) -> dict[DatasetId, Rebuild]:
        found = await self._rows.all(
            scope, rebuilds.c.dataset_id.in_(dataset_ids), order=[rebuilds.c.id]
        )
        return {rebuild.dataset_id: rebuild for rebuild in found}

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
        await self._rows.delete(scope, rebuilds.c.dataset_id == dataset_id)


class SqlPreviewRepository:
    """Previews of files."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._rows = TenantRows(uow, PREVIEWS, missing=_no_preview)

    async def get(self, scope: TenantScope, preview_id: PreviewId) -> Preview:
        return await self._rows.get(scope, preview_id)

    async def save(self, scope: TenantScope, preview: Preview) -> None:
        await self._rows.save(scope, preview)

    async def forget(self, scope: TenantScope, preview_id: PreviewId) -> None:
        await self._rows.delete(scope, previews.c.id == preview_id)

    async def waiting(self, scope: TenantScope) -> int:
        return await self._rows.count(scope, previews.c.state == PreviewState.PROCESSING)


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


def _no_dataset(_: int) -> DatasetNotFound:
    return DatasetNotFound("No such knowledge base.")


def _no_preview(preview_id: int) -> PreviewNotFound:
    return PreviewNotFound(f"No preview {preview_id}.", preview_id=preview_id)


class SqlCopyRepository:
    """Copies, by the space of the new base."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow
        self._rows = TenantRows(uow, COPIES, missing=_not_found)

    async def find(self, scope: TenantScope, request_key: str) -> DatasetCopy | None:
        return await self._rows.find(scope, copies.c.request_key == request_key)

    async def save(self, scope: TenantScope, copy: DatasetCopy) -> None:
        await self._rows.save(scope, copy)

    async def forget(self, scope: TenantScope, dataset_id: DatasetId) -> None:
        await self._rows.delete(scope, copies.c.target_id == dataset_id)

    async def next_document(
        self, scope: TenantScope, dataset_id: DatasetId, *, after: DocumentId
    ) -> DocumentId | None:
        query = (
            sa.select(documents.c.id)
            .where(
                documents.c.dataset_id == dataset_id,
                documents.c.space_id.in_(scope.space_ids),
                documents.c.status != DocumentStatus.DELETED,
                documents.c.active_generation.is_not(None),
                documents.c.id > after,
            )
            .order_by(documents.c.id)
            .limit(1)
        )
        found = await self._uow.connection.scalar(query)
        return None if found is None else DocumentId(found)


def _not_found(_: int) -> DatasetNotFound:
    return DatasetNotFound("No such knowledge base.")
