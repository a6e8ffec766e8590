"""What a reconciler asks, and the work of all spaces, in SQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import sqlalchemy as sa

from domain.knowledge.copying import CopyStatus, DatasetCopy
from domain.knowledge.dataset import Dataset
from domain.knowledge.document import Document
from domain.knowledge.job import LIVE
from domain.knowledge.preview import Preview, PreviewState
from domain.knowledge.rebuild import UNFINISHED, Rebuild
from domain.knowledge.value import (
    DatasetId,
    DatasetStatus,
    DocumentId,
    DocumentStatus,
    SliceId,
    SliceStatus,
)
from domain.shared.access import TenantScope
from infra.contract.storage.object_store import ObjectKey
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.identity.table import IS_OPEN, spaces
from infra.impl.repository.sql.knowledge.slice import ACTIVE
from infra.impl.repository.sql.knowledge.table import (
    DATASETS,
    DOCUMENTS,
    datasets,
    documents,
    jobs,
    objects,
    slices,
)
from infra.impl.repository.sql.knowledge.upkeep_table import (
    COPIES,
    PREVIEWS,
    REBUILDS,
    copies,
    embeddings,
    previews,
    rebuilds,
)
from infra.impl.repository.sql.knowledge.work import SqlWorkQueue

_IS_WORKED_ON: Final = sa.exists().where(
    jobs.c.document_id == documents.c.id, jobs.c.state.in_(LIVE)
)


class SqlReconcileRepository:
    """What should be true of a base."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._connection = uow.connection

    async def existing(
        self, scope: TenantScope, dataset_id: DatasetId, slice_ids: Sequence[SliceId]
    ) -> set[SliceId]:
        query = (
            sa.select(slices.c.id)
            .join(documents, documents.c.id == slices.c.document_id)
            .where(
                slices.c.id.in_(slice_ids),
                slices.c.dataset_id == dataset_id,
                slices.c.space_id.in_(scope.space_ids),
                documents.c.status != DocumentStatus.DELETED,
            )
        )
        return {SliceId(found) for found in await self._connection.scalars(query)}

    async def known(
        self, scope: TenantScope, document_ids: Sequence[DocumentId]
    ) -> set[DocumentId]:
        query = sa.select(documents.c.id).where(
            documents.c.id.in_(document_ids), documents.c.space_id.in_(scope.space_ids)
        )
        return {DocumentId(found) for found in await self._connection.scalars(query)}

    async def done(
        self, scope: TenantScope, dataset_id: DatasetId, *, after: SliceId, limit: int
    ) -> list[SliceId]:
        query = (
            sa.select(slices.c.id)
            .join(documents, ACTIVE)
            .where(
                slices.c.dataset_id == dataset_id,
                slices.c.space_id.in_(scope.space_ids),
                slices.c.id > after,
                slices.c.status == SliceStatus.DONE,
                documents.c.status != DocumentStatus.DELETED,
            )
            .order_by(slices.c.id)
            .limit(limit)
        )
        return [SliceId(found) for found in await self._connection.scalars(query)]

    async def waiting(
        self, scope: TenantScope, dataset_id: DatasetId, *, before: datetime, limit: int
    ) -> list[SliceId]:
        query = (
            sa.select(slices.c.id)
            .join(documents, ACTIVE)
            .where(
                slices.c.dataset_id == dataset_id,
                slices.c.space_id.in_(scope.space_ids),
                slices.c.status == SliceStatus.PENDING,
                slices.c.updated_at < before,
                documents.c.status != DocumentStatus.DELETED,
            )
            .order_by(slices.c.id)
            .limit(limit)
        )
        return [SliceId(found) for found in await self._connection.scalars(query)]

    async def jobless(
        self, scope: TenantScope, dataset_id: DatasetId, *, limit: int
    ) -> list[DocumentId]:
        query = (
            sa.select(documents.c.id)
            .where(
                _kept(scope, dataset_id),
                documents.c.pending_generation.is_not(None),
                sa.not_(_IS_WORKED_ON),
            )
            .limit(limit)
        )
        return [DocumentId(found) for found in await self._connection.scalars(query)]

    async def drop_orphan_jobs(self, scope: TenantScope, dataset_id: DatasetId) -> int:
        has_document = sa.exists().where(documents.c.id == jobs.c.document_id)
        result = await self._connection.execute(
            sa.delete(jobs).where(
                jobs.c.dataset_id == dataset_id,
                jobs.c.space_id.in_(scope.space_ids),
                sa.not_(has_document),
            )
        )
        return result.rowcount

    async def littered(
        self, scope: TenantScope, dataset_id: DatasetId, *, limit: int
    ) -> list[DocumentId]:
        is_kept = (slices.c.generation == documents.c.active_generation) | (
            slices.c.generation == documents.c.pending_generation
        )
        has_litter = sa.exists().where(
            slices.c.document_id == documents.c.id,
            sa.not_(sa.func.coalesce(is_kept, sa.false())),
        )
        query = (
            sa.select(documents.c.id)
            .where(_kept(scope, dataset_id), has_litter, sa.not_(_IS_WORKED_ON))
            .limit(limit)
        )
        return [DocumentId(found) for found in await self._connection.scalars(query)]

    async def unpurged(
        self, scope: TenantScope, dataset_id: DatasetId, *, before: datetime, limit: int
    ) -> list[DocumentId]:
        query = (
            sa.select(documents.c.id)
            .where(
                documents.c.dataset_id == dataset_id,
                documents.c.space_id.in_(scope.space_ids),
                documents.c.status == DocumentStatus.DELETED,
                documents.c.deleted_at < before,
            )
            .limit(limit)
        )
        return [DocumentId(found) for found in await self._connection.scalars(query)]

    async def lost_objects(self, scope: TenantScope, *, limit: int) -> list[ObjectKey]:
        query = (
            sa.select(objects.c.object_key)
            .where(objects.c.space_id.in_(scope.space_ids), _IS_LOST)
            .distinct()
            .limit(limit)
        )
        return [ObjectKey(found) for found in await self._connection.scalars(query)]

    async def forget_lost_objects(self, scope: TenantScope, keys: Sequence[ObjectKey]) -> None:
        await self._connection.execute(
            sa.delete(objects).where(
                objects.c.object_key.in_([key.value for key in keys]),
                objects.c.space_id.in_(scope.space_ids),
                _IS_LOST,
            )
        )


class SqlUpkeepQueue:
    """Work of all spaces."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow

    @property
    def rebuilds(self) -> SqlWorkQueue[Rebuild]:
        return SqlWorkQueue(self._uow, REBUILDS, lambda _: rebuilds.c.state.in_(UNFINISHED))

    @property
    def copies(self) -> SqlWorkQueue[DatasetCopy]:
        return SqlWorkQueue(self._uow, COPIES, lambda _: copies.c.status == CopyStatus.PROCESSING)

    @property
    def previews(self) -> SqlWorkQueue[Preview]:
        return SqlWorkQueue(
            self._uow,
            PREVIEWS,
            lambda now: (
                (previews.c.state == PreviewState.PROCESSING) & (previews.c.expires_at > now)
            ),
        )

    async def expired_previews(self, *, now: datetime, limit: int) -> list[Preview]:
        query = (
            sa.select(previews)
            .where(previews.c.expires_at <= now)
            .order_by(previews.c.expires_at)
            .limit(limit)
        )
        return await PREVIEWS.all(self._uow.connection, query)

    async def due_refreshes(self, *, now: datetime, limit: int) -> list[Document]:
        query = (
            sa.select(documents)
            .where(
                documents.c.refresh_at <= now,
                documents.c.status != DocumentStatus.DELETED,
                documents.c.pending_generation.is_(None),
                documents.c.space_id.not_in(sa.select(spaces.c.id).where(sa.not_(IS_OPEN))),
            )
            .order_by(documents.c.refresh_at)
            .limit(limit)
        )
        return await DOCUMENTS.all(self._uow.connection, query)

    async def datasets(self, *, after: DatasetId, limit: int) -> list[Dataset]:
        query = (
            sa.select(datasets)
            .where(datasets.c.id > after, datasets.c.status != DatasetStatus.DELETED)
            .order_by(datasets.c.id)
            .limit(limit)
        )
        return await DATASETS.all(self._uow.connection, query)

    async def known_datasets(self, dataset_ids: Sequence[DatasetId]) -> set[DatasetId]:
        query = sa.select(datasets.c.id).where(datasets.c.id.in_(dataset_ids))
        return {DatasetId(found) for found in await self._uow.connection.scalars(query)}

    async def unpurged_datasets(self, *, before: datetime, limit: int) -> list[Dataset]:
        query = (
            sa.select(datasets)
            .where(datasets.c.status == DatasetStatus.DELETED, datasets.c.deleted_at < before)
            .order_by(datasets.c.id)
            .limit(limit)
        )
        return await DATASETS.all(self._uow.connection, query)

    async def prune_embeddings(self, *, before: datetime, kept: int) -> None:
        connection = self._uow.connection
        await connection.execute(sa.delete(embeddings).where(embeddings.c.created_at < before))
        oldest = (
            sa.select(embeddings.c.created_at)
            .order_by(embeddings.c.created_at.desc())
            .limit(1)
            .offset(kept)
        )
        border = await connection.scalar(oldest)
        if border is not None:
            await connection.execute(sa.delete(embeddings).where(embeddings.c.created_at <= border))


_IS_LOST: Final = sa.not_(sa.exists().where(documents.c.id == objects.c.document_id)) & sa.not_(
    sa.exists().where(previews.c.id == objects.c.document_id)
)


def _kept(scope: TenantScope, dataset_id: DatasetId) -> sa.ColumnElement[bool]:
    return (
        (documents.c.dataset_id == dataset_id)
        & documents.c.space_id.in_(scope.space_ids)
        & (documents.c.status != DocumentStatus.DELETED)
    )
