"""Knowledge bases, documents and images in SQL, and the transactions on all knowledge."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache, cached_property
from typing import Any, Final, assert_never

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.knowledge.dataset import Dataset
from domain.knowledge.document import Document
from domain.knowledge.error import (
    DatasetNameTaken,
    DatasetNotFound,
    DocumentNotFound,
    RequestKeyReused,
)
from domain.knowledge.image import ImageWords
from domain.knowledge.ranking.score import LearntScale
from domain.knowledge.slice import Slice
from domain.knowledge.value import (
    EVERYTHING,
    HAS_FAILED,
    IN_WORK,
    NAMES_SHOWN,
    DatasetId,
    DatasetState,
    DatasetStatus,
    DatasetTotals,
    DocumentId,
    DocumentListing,
    DocumentOrder,
    DocumentStatus,
    FormatType,
    Page,
    SliceKind,
)
from domain.shared.access import TenantScope
from domain.shared.error import StaleRevision
from infra.contract.storage.object_store import ObjectKey
from infra.impl.repository.sql.engine.database import Database, SqlStore
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork, write_later
from infra.impl.repository.sql.knowledge.health import SqlHealthRepository
from infra.impl.repository.sql.knowledge.job import SqlJobQueue, SqlJobRepository
from infra.impl.repository.sql.knowledge.reconcile import SqlReconcileRepository, SqlUpkeepQueue
from infra.impl.repository.sql.knowledge.retrieval import SqlRetrievalRepository
from infra.impl.repository.sql.knowledge.slice import (
    SqlBatchRepository,
    SqlSliceRepository,
)
from infra.impl.repository.sql.knowledge.table import (
    DATASETS,
    DOCUMENTS,
    SLICES,
    datasets,
    documents,
    jobs,
    objects,
    slices,
)
from infra.impl.repository.sql.knowledge.upkeep import (
    SqlCopyRepository,
    SqlEmbeddingRepository,
    SqlPreviewRepository,
    SqlRebuildRepository,
)
from infra.impl.repository.sql.mapping.tenant_rows import InSpaces, TenantRows, listed
from infra.impl.repository.sql.mapping.upsert import upsert
from infra.impl.repository.sql.request_key import SqlRequestKeys
from infra.impl.repository.sql.usage import SqlUsageCounter

_NUMBER: Final = re.compile(r"-?[0-9]+([.][0-9]+)?")
_HAS_FAILED: Final = documents.c.status.in_(HAS_FAILED)
_IN_WORK: Final = documents.c.status.in_(IN_WORK)
_LIVE: Final = InSpaces(datasets, datasets.c.status != DatasetStatus.DELETED)
_KEPT: Final = InSpaces(documents, documents.c.status != DocumentStatus.DELETED)
_CAPTION = (
    (slices.c.document_id == documents.c.id)
    & (slices.c.generation == documents.c.active_generation)
    & (slices.c.kind == SliceKind.IMAGE)
)

_IS_CAPTIONED = slices.c.id.is_not(None) & slices.c.content.not_like("%\n")
"""Captions never end with a line break, but the line of an image without one does."""


def _is_in(state: DatasetState) -> sa.ColumnElement[bool]:
    """Tell bases of a state; deleted ones are left out elsewhere."""

    def has(*wanted: sa.ColumnElement[bool]) -> sa.ColumnElement[bool]:
        kept = documents.c.status != DocumentStatus.DELETED
        found = sa.select(sa.literal(1)).where(documents.c.dataset_id == datasets.c.id, kept)
        return found.where(*wanted).correlate(datasets).exists()

    is_off = datasets.c.status == DatasetStatus.DISABLED
    match state:
        case DatasetState.FAILED:
            return has(_HAS_FAILED)
        case DatasetState.IN_WORK:
            return has(_IN_WORK)
        case DatasetState.OFF:
            return is_off
        case DatasetState.EMPTY:
            return sa.not_(has())
        case DatasetState.READY:
            return ~is_off & has() & sa.not_(has(_HAS_FAILED | _IN_WORK))
        case _:
            assert_never(state)


class SqlImageRepository:
    """Documents that are images, with the words of their one slice."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow

    async def page(
        self,
        scope: TenantScope,
        dataset_id: DatasetId,
        *,
        keyword: str,
        has_caption: bool | None,
        page: Page,
    ) -> tuple[list[tuple[Document, ImageWords]], int]:
        source = documents.outerjoin(slices, _CAPTION)
        wanted = (
            documents.c.space_id.in_(scope.space_ids)
            & (documents.c.dataset_id == dataset_id)
            & (documents.c.status != DocumentStatus.DELETED)
        )
        if keyword:
            wanted &= documents.c.name.icontains(
                keyword, autoescape=True
            ) | slices.c.index_text.icontains(keyword, autoescape=True)
        if has_caption is not None:
            wanted &= _IS_CAPTIONED if has_caption else sa.not_(_IS_CAPTIONED)
        total = await self._uow.connection.scalar(
            sa.select(sa.func.count()).select_from(source).where(wanted)
        )
        query = (
            sa.select(
                documents,
                slices.c.content.label("slice_content"),
                slices.c.index_text.label("slice_words"),
            )
            .select_from(source)
            .where(wanted)
            .order_by(documents.c.created_at.desc(), documents.c.id.desc())
            .limit(page.size)
            .offset(page.offset)
        )
        rows = await self._uow.connection.execute(query)
        return [
            (DOCUMENTS.read(row), ImageWords.of(row.slice_content or "", row.slice_words or ""))
            for row in rows
        ], total or 0

    async def slice_of(self, scope: TenantScope, document: Document) -> Slice | None:
        query = (
            sa.select(slices)
            .where(
                slices.c.document_id == document.id,
                slices.c.generation == document.active_generation,
                slices.c.space_id.in_(scope.space_ids),
            )
            .order_by(slices.c.id)
            .limit(1)
        )
        return await SLICES.one(self._uow.connection, query)


class SqlDatasetRepository:
    """Knowledge bases."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow
        self._rows = TenantRows(uow, DATASETS, missing=_no_dataset, visible=_LIVE)

    async def get(self, scope: TenantScope, dataset_id: DatasetId) -> Dataset:
        return await self._rows.get(scope, dataset_id)

    async def lock(self, scope: TenantScope, dataset_id: DatasetId) -> Dataset:
        return await self._rows.lock(scope, dataset_id)

    async def get_many(
        self, scope: TenantScope, dataset_ids: Sequence[DatasetId]
    ) -> dict[DatasetId, Dataset]:
        found = await self._rows.by_ids(scope, dataset_ids)
        return {dataset.id: dataset for dataset in found}

    async def page(
        self,
        scope: TenantScope,
        *,
        name: str,
        format_type: FormatType | None,
        state: DatasetState | None = None,
        page: Page,
    ) -> tuple[list[Dataset], int]:
        wanted = listed(datasets, scope)
        if state is not None:
            wanted.append(_is_in(state))
        if name:
            wanted.append(datasets.c.name.icontains(name, autoescape=True))
        if format_type is not None:
            wanted.append(datasets.c.format_type == format_type)
        return await self._rows.page(
            scope,
            *wanted,
            order=[datasets.c.created_at.desc(), datasets.c.id.desc()],
            limit=page.size,
            offset=page.offset,
        )

    async def totals(
        self, scope: TenantScope, dataset_ids: Sequence[DatasetId]
    ) -> dict[DatasetId, DatasetTotals]:
        held = _KEPT(scope) & documents.c.dataset_id.in_(dataset_ids)
        sums = sa.select(
            documents.c.dataset_id,
            sa.func.count().label("documents"),
            _count(_HAS_FAILED).label("failed"),
            _count(_IN_WORK).label("processing"),
            sa.func.sum(documents.c.slice_count).label("slices"),
            sa.func.sum(documents.c.size).label("bytes"),
            sa.func.sum(documents.c.hit_count).label("hits"),
        ).where(held)
        found = {
            DatasetId(row["dataset_id"]): row
            for row in (
                await self._uow.connection.execute(sums.group_by(documents.c.dataset_id))
            ).mappings()
        }
        names = await self._names(held)
        failed = await self._names(held & _HAS_FAILED)
        processing = await self._names(held & _IN_WORK)
        return {
            dataset_id: DatasetTotals(
                documents=row["documents"],
                failed=row["failed"],
                processing=row["processing"],
                slices=int(row["slices"]),
                bytes=int(row["bytes"]),
                hits=int(row["hits"]),
                names=tuple(item["name"] for item in names.get(dataset_id, ())),
                failed_names=tuple(item["name"] for item in failed.get(dataset_id, ())),
                processing_names=tuple(item["name"] for item in processing.get(dataset_id, ())),
                processing_ids=tuple(
                    DocumentId(item["id"]) for item in processing.get(dataset_id, ())
                ),
            )
            for dataset_id, row in found.items()
        } | {one: DatasetTotals() for one in dataset_ids if one not in found}

    async def save(self, scope: TenantScope, dataset: Dataset) -> None:
        taken = DatasetNameTaken(
            f"name: there is a knowledge base {dataset.name!r} already.", field="name"
        )
        try:
            await self._rows.save(scope, dataset)
        except IntegrityError as exc:
            raise taken from exc
        except StaleRevision as exc:
            if isinstance(exc.__cause__, IntegrityError):
                raise taken from exc
            raise

    async def keep_scale(
        self, scope: TenantScope, dataset_id: DatasetId, version: int, scale: LearntScale | None
    ) -> None:
        wanted = (
            _LIVE(scope) & (datasets.c.id == dataset_id) & (datasets.c.index_version == version)
        )
        await self._uow.connection.execute(sa.update(datasets).where(wanted).values(scale=scale))

    async def forget(self, scope: TenantScope, dataset_id: DatasetId) -> None:
        await self._uow.connection.execute(
            sa.delete(datasets).where(
                datasets.c.id == dataset_id,
                datasets.c.space_id.in_(scope.space_ids),
                datasets.c.status == DatasetStatus.DELETED,
            )
        )

    async def _names(self, held: sa.ColumnElement[bool]) -> dict[int, list[sa.RowMapping]]:
        """Return the oldest documents of each base."""
        turn = sa.func.row_number().over(
            partition_by=documents.c.dataset_id, order_by=documents.c.id
        )
        ranked = (
            sa.select(
                documents.c.dataset_id,
                documents.c.id,
                documents.c.name,
                turn.label("turn"),
            )
            .where(held)
            .subquery()
        )
        query = sa.select(ranked).where(ranked.c.turn <= NAMES_SHOWN).order_by(ranked.c.id)
        names: dict[int, list[sa.RowMapping]] = {}
        for row in (await self._uow.connection.execute(query)).mappings():
            names.setdefault(row["dataset_id"], []).append(row)
        return names


_ORDERS: Final[Mapping[DocumentOrder, sa.ColumnElement[Any]]] = {
    DocumentOrder.CREATED: documents.c.created_at,
    DocumentOrder.CHANGED: documents.c.updated_at,
    DocumentOrder.NAME: sa.func.lower(documents.c.name),
    DocumentOrder.SIZE: documents.c.size,
    DocumentOrder.SLICES: documents.c.slice_count,
    DocumentOrder.CHARACTERS: documents.c.char_count,
    DocumentOrder.HITS: documents.c.hit_count,
}


def _wanted(listing: DocumentListing) -> Iterator[sa.ColumnElement[bool]]:
    if listing.statuses:
        yield documents.c.status.in_(listing.statuses)
    if listing.keyword:
        yield documents.c.name.icontains(listing.keyword, autoescape=True)
    if listing.extension:
        yield documents.c.extension == listing.extension
    if listing.source_types:
        # The source is a document whose first member is its type.
        yield sa.or_(
            *(
                sa.type_coerce(documents.c.source, sa.Text).contains(f'"type":{each:d},')
                for each in listing.source_types
            )
        )
    if listing.tag:
        yield _is_tagged(listing.tag)


def _is_tagged(tag: str) -> sa.ColumnElement[bool]:
    """Find a tag in the text that holds them: no text in it has a bare quotation mark."""
    name, has_value, value = tag.partition("=")
    key = f"{msgspec.json.encode(name).decode()}:"
    stored = sa.type_coerce(documents.c.tags, sa.Text)
    if not has_value:
        return stored.contains(key, autoescape=True)
    spelled = [msgspec.json.encode(value).decode()]
    if value in {"true", "false"} or _NUMBER.fullmatch(value):
        spelled.append(value)
    return sa.or_(
        *(stored.contains(key + each + end, autoescape=True) for each in spelled for end in ",}")
    )


class SqlDocumentRepository:
    """Documents."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow
        self._rows = TenantRows(uow, DOCUMENTS, missing=_no_document, visible=_KEPT)

    async def get(self, scope: TenantScope, document_id: DocumentId) -> Document:
        return await self._rows.get(scope, document_id)

    async def lock(self, scope: TenantScope, document_id: DocumentId) -> Document:
        return await self._rows.lock(scope, document_id)

    async def get_many(
        self, scope: TenantScope, document_ids: Sequence[DocumentId]
    ) -> dict[DocumentId, Document]:
        found = await self._rows.by_ids(scope, document_ids)
        return {document.id: document for document in found}

    async def page(
        self,
        scope: TenantScope,
        dataset_id: DatasetId,
        *,
        page: Page,
        listing: DocumentListing = EVERYTHING,
    ) -> tuple[list[Document], int]:
        by = _ORDERS[listing.order]
        order = [by, documents.c.id]
        return await self._rows.page(
            scope,
            documents.c.dataset_id == dataset_id,
            *_wanted(listing),
            order=order if listing.is_ascending else [each.desc() for each in order],
            limit=page.size,
            offset=page.offset,
        )

    async def with_content(
        self, scope: TenantScope, dataset_id: DatasetId, hashes: Sequence[str]
    ) -> list[Document]:
        return await self._rows.all(
            scope,
            documents.c.dataset_id == dataset_id,
            documents.c.content_hash.in_(hashes),
            documents.c.status != DocumentStatus.FAILED,
            order=[documents.c.id],
        )

    async def save(self, scope: TenantScope, document: Document) -> None:
        await self._rows.save(scope, document)

    async def delete_all(self, scope: TenantScope, dataset_id: DatasetId, *, now: datetime) -> None:
        await self._uow.connection.execute(
            sa.update(documents)
            .where(_KEPT(scope), documents.c.dataset_id == dataset_id)
            .values(
                status=DocumentStatus.DELETED,
                pending_generation=None,
                deleted_at=now,
                updated_at=now,
                revision=documents.c.revision + 1,
            )
        )

    async def deleted(
        self, scope: TenantScope, dataset_id: DatasetId, *, limit: int
    ) -> list[DocumentId]:
        query = (
            sa.select(documents.c.id)
            .where(
                documents.c.dataset_id == dataset_id,
                documents.c.space_id.in_(scope.space_ids),
                documents.c.status == DocumentStatus.DELETED,
            )
            .limit(limit)
        )
        return [DocumentId(found) for found in await self._uow.connection.scalars(query)]

    async def forget(self, scope: TenantScope, document_ids: Sequence[DocumentId]) -> None:
        connection = self._uow.connection
        for table in (jobs, objects):
            await connection.execute(
                sa.delete(table).where(
                    table.c.document_id.in_(document_ids), table.c.space_id.in_(scope.space_ids)
                )
            )
        await connection.execute(
            sa.delete(documents).where(
                documents.c.id.in_(document_ids),
                documents.c.space_id.in_(scope.space_ids),
                documents.c.status == DocumentStatus.DELETED,
            )
        )


@cache
def _note(dialect: str) -> Any:
    return upsert(dialect, objects).on_conflict_do_nothing()


class SqlObjectNameRepository:
    """Names of the objects of documents."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def note(self, scope: TenantScope, document: Document, key: ObjectKey) -> None:
        if document.space_id not in scope.space_ids:
            raise _no_document(document.id)
        row = {
            "object_key": key.value,
            "space_id": document.space_id,
            "document_id": document.id,
        }
        await write_later(self._connection, _note(self._connection.dialect.name), [row])

    async def of(
        self, scope: TenantScope, document_ids: Sequence[DocumentId], *, limit: int
    ) -> list[ObjectKey]:
        query = (
            sa.select(objects.c.object_key)
            .where(objects.c.document_id.in_(document_ids), objects.c.space_id.in_(scope.space_ids))
            .distinct()
            .limit(limit)
        )
        return [ObjectKey(found) for found in await self._connection.scalars(query)]

    async def shared(
        self,
        scope: TenantScope,
        keys: Sequence[ObjectKey],
        *,
        besides: Sequence[DocumentId],
    ) -> set[ObjectKey]:
        # Copies in other spaces count too: this is about bytes, and shows nobody's data.
        query = sa.select(objects.c.object_key).where(
            objects.c.object_key.in_([key.value for key in keys]),
            objects.c.document_id.not_in(besides),
        )
        return {ObjectKey(found) for found in await self._connection.scalars(query)}

    async def forget(
        self, scope: TenantScope, keys: Sequence[ObjectKey], document_ids: Sequence[DocumentId]
    ) -> None:
        await self._connection.execute(
            sa.delete(objects).where(
                objects.c.object_key.in_([key.value for key in keys]),
                objects.c.document_id.in_(document_ids),
                objects.c.space_id.in_(scope.space_ids),
            )
        )


class SqlKnowledgeUnitOfWork(SqlUnitOfWork):
    """One transaction on knowledge."""

    @cached_property
    def datasets(self) -> SqlDatasetRepository:
        return SqlDatasetRepository(self)

    @cached_property
    def documents(self) -> SqlDocumentRepository:
        return SqlDocumentRepository(self)

    @cached_property
    def slices(self) -> SqlSliceRepository:
        return SqlSliceRepository(self)

    @cached_property
    def health(self) -> SqlHealthRepository:
        return SqlHealthRepository(self)

    @cached_property
    def images(self) -> SqlImageRepository:
        return SqlImageRepository(self)

    @cached_property
    def batches(self) -> SqlBatchRepository:
        return SqlBatchRepository(self)

    @cached_property
    def retrieval(self) -> SqlRetrievalRepository:
        return SqlRetrievalRepository(self)

    @cached_property
    def usage(self) -> SqlUsageCounter:
        return SqlUsageCounter(self.connection)

    @cached_property
    def objects(self) -> SqlObjectNameRepository:
        return SqlObjectNameRepository(self.connection)

    @cached_property
    def request_keys(self) -> SqlRequestKeys:
        return SqlRequestKeys(self.connection, refusal=RequestKeyReused)

    @cached_property
    def jobs(self) -> SqlJobRepository:
        return SqlJobRepository(self)

    @cached_property
    def queue(self) -> SqlJobQueue:
        return SqlJobQueue(self)

    @cached_property
    def rebuilds(self) -> SqlRebuildRepository:
        return SqlRebuildRepository(self)

    @cached_property
    def copies(self) -> SqlCopyRepository:
        return SqlCopyRepository(self)

    @cached_property
    def previews(self) -> SqlPreviewRepository:
        return SqlPreviewRepository(self)

    @cached_property
    def embeddings(self) -> SqlEmbeddingRepository:
        return SqlEmbeddingRepository(self)

    @cached_property
    def reconciling(self) -> SqlReconcileRepository:
        return SqlReconcileRepository(self)

    @cached_property
    def upkeep(self) -> SqlUpkeepQueue:
        return SqlUpkeepQueue(self)


class SqlKnowledgeStore(SqlStore[SqlKnowledgeUnitOfWork]):
    """Opens transactions on knowledge."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, SqlKnowledgeUnitOfWork)


def _no_dataset(dataset_id: int) -> DatasetNotFound:
    return DatasetNotFound(f"No knowledge base {dataset_id}.", dataset_id=dataset_id)


def _no_document(document_id: int) -> DocumentNotFound:
    return DocumentNotFound(f"No document {document_id}.", document_id=document_id)


def _count(condition: sa.ColumnElement[bool]) -> sa.Function[int]:
    return sa.func.sum(sa.case((condition, 1), else_=0))
