"""What searches read, and how often they found it."""

from collections.abc import Callable, Collection, Sequence
from functools import cache, partial
from typing import Any, Final

import sqlalchemy as sa

from domain.knowledge.ranking.filter import DocumentFacts
from domain.knowledge.slice import FoundSlice, Slice
from domain.knowledge.value import (
    DatasetId,
    DatasetStatus,
    DocumentId,
    DocumentStatus,
    SliceId,
    SliceKind,
)
from domain.shared.access import TenantScope
from domain.shared.ids import SpaceId, UserId
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.fastpath.prepared import Prepared, padded
from infra.impl.repository.sql.knowledge.slice import ACTIVE, read_slices
from infra.impl.repository.sql.knowledge.table import SLICES, datasets, documents, slices

_SEARCHABLE: Final = (
    (documents.c.status != DocumentStatus.DELETED)
    & documents.c.is_disabled.is_(False)
    & documents.c.active_generation.is_not(None)
)
_ID, _DATASET, _DOCUMENT, _SEQUENCE, _KIND, _CONTENT, _INDEX_TEXT, _PARENT = map(
    slices.c.keys().index,
    (
        *("id", "dataset_id", "document_id", "sequence", "kind"),
        *("content", "index_text", "parent_id"),
    ),
)
"""Where columns stand that are stored as they are read."""


class SqlRetrievalRepository:
    """What searches may show, and how often they did."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow

    async def hydrate(self, scope: TenantScope, slice_ids: Sequence[SliceId]) -> list[FoundSlice]:
        if not slice_ids:
            return []
        values = {"spaces": list(scope.space_ids), "ids": padded(slice_ids)}
        found, read = await _hydrate().stored(self._uow.connection, values)
        return [
            FoundSlice(
                id=row[_ID],
                dataset_id=row[_DATASET],
                document_id=row[_DOCUMENT],
                sequence=row[_SEQUENCE],
                kind=SliceKind(row[_KIND]),
                content=row[_CONTENT],
                index_text=row[_INDEX_TEXT],
                parent_id=row[_PARENT],
                read=partial(_read, row, read),
            )
            for row in found
        ]

    async def add_hits(self, scope: TenantScope, hits: dict[SliceId, int]) -> None:
        query = sa.select(slices.c.id, slices.c.document_id).where(
            slices.c.id.in_(hits), slices.c.space_id.in_(scope.space_ids)
        )
        by_slice: dict[int, int] = {}
        by_document: dict[int, int] = {}
        for slice_id, document_id in await self._uow.connection.execute(query):
            by_slice[slice_id] = hits[slice_id]
            by_document[document_id] = by_document.get(document_id, 0) + hits[slice_id]
        for table, counts in ((slices, by_slice), (documents, by_document)):
            if counts:
                await self._uow.connection.execute(
                    sa.update(table)
                    .where(table.c.id == sa.bindparam("hit"))
                    .values(
                        hit_count=table.c.hit_count + sa.bindparam("hits", type_=sa.BigInteger)
                    ),
                    # In one order, so that two flushes never wait for each other.
                    [{"hit": key, "hits": counts[key]} for key in sorted(counts)],
                )

    async def hidden(
        self, scope: TenantScope, dataset_ids: Sequence[DatasetId], *, limit: int
    ) -> list[DocumentId]:
        values = {"spaces": list(scope.space_ids), "bases": list(dataset_ids), "most": limit}
        found = await _hidden().rows(self._uow.connection, values)
        return [DocumentId(document_id) for (document_id,) in found]

    async def facts(
        self,
        scope: TenantScope,
        dataset_ids: Sequence[DatasetId],
        *,
        document_ids: Sequence[DocumentId] = (),
        creator_id: UserId | None = None,
        after: int = 0,
        limit: int,
    ) -> list[DocumentFacts]:
        wanted = _within(scope, dataset_ids) & _SEARCHABLE & (documents.c.id > after)
        if document_ids:
            wanted &= documents.c.id.in_(document_ids)
        if creator_id is not None:
            wanted &= documents.c.creator_id == creator_id
        query = (
            sa.select(
                documents.c.id,
                documents.c.name,
                documents.c.format_type,
                documents.c.source,
                documents.c.creator_id,
                documents.c.created_at,
                documents.c.updated_at,
                documents.c.tags,
            )
            .where(wanted)
            .order_by(documents.c.id)
            .limit(limit)
        )
        rows = (await self._uow.connection.execute(query)).mappings()
        return [_to_facts(row) for row in rows]

    async def column_names(
        self, scope: TenantScope, dataset_ids: Sequence[DatasetId], *, limit: int
    ) -> dict[DatasetId, list[str]]:
        query = (
            sa.select(documents.c.dataset_id, documents.c.table_columns)
            .where(_within(scope, dataset_ids), _SEARCHABLE)
            .order_by(documents.c.id.desc())
            .limit(limit)
        )
        found: dict[DatasetId, list[str]] = {}
        for dataset_id, columns in await self._uow.connection.execute(query):
            found.setdefault(DatasetId(dataset_id), []).extend(c.name for c in columns or ())
        return found

    async def family(
        self, scope: TenantScope, items: Sequence[Slice], *, limit: int
    ) -> list[Slice]:
        query = (
            _shown(scope)
            .where(
                slices.c.document_id.in_(sorted({item.document_id for item in items})),
                slices.c.parent_id.in_(
                    sorted({item.parent_id for item in items if item.parent_id is not None})
                ),
            )
            .order_by(slices.c.parent_id, slices.c.sequence, slices.c.id)
            .limit(limit)
        )
        return await read_slices(self._uow, query)

    async def neighbours(self, scope: TenantScope, item: Slice, *, count: int) -> list[Slice]:
        beside = _shown(scope).where(slices.c.document_id == item.document_id)
        before = await read_slices(
            self._uow,
            beside.where(slices.c.sequence < item.sequence)
            .order_by(slices.c.sequence.desc(), slices.c.id.desc())
            .limit(count),
        )
        after = await read_slices(
            self._uow,
            beside.where(slices.c.sequence > item.sequence)
            .order_by(slices.c.sequence, slices.c.id)
            .limit(count),
        )
        return [*reversed(before), item, *after]


def _within(scope: TenantScope, dataset_ids: Sequence[DatasetId]) -> sa.ColumnElement[bool]:
    return documents.c.dataset_id.in_(dataset_ids) & documents.c.space_id.in_(scope.space_ids)


def _shown(scope: TenantScope) -> sa.Select[Any]:
    return _shown_in(scope.space_ids)


def _shown_in(spaces: Collection[SpaceId] | sa.BindParameter[Any]) -> sa.Select[Any]:
    """Slices that a search may show."""
    return (
        sa.select(slices)
        .join(documents, ACTIVE)
        .join(datasets, datasets.c.id == slices.c.dataset_id)
        .where(
            slices.c.space_id.in_(spaces),
            documents.c.status != DocumentStatus.DELETED,
            documents.c.is_disabled.is_(False),
            slices.c.is_disabled.is_(False),
            datasets.c.status == DatasetStatus.READY,
        )
    )


def _read(row: Sequence[Any], read: Callable[[Sequence[Any]], Sequence[Any]]) -> Slice:
    return SLICES.read(read(row))


@cache
def _hydrate() -> Prepared:
    wanted = slices.c.id.in_(sa.bindparam("ids", expanding=True))
    shown = _shown_in(sa.bindparam("spaces", expanding=True))
    return Prepared(shown.where(wanted).order_by(slices.c.id))


@cache
def _hidden() -> Prepared:
    return Prepared(
        sa.select(documents.c.id)
        .where(
            documents.c.dataset_id.in_(sa.bindparam("bases", expanding=True)),
            documents.c.space_id.in_(sa.bindparam("spaces", expanding=True)),
            documents.c.is_disabled.is_(True),
        )
        .limit(sa.bindparam("most", type_=sa.Integer))
    )


def _to_facts(row: sa.RowMapping) -> DocumentFacts:
    return DocumentFacts(
        document_id=row["id"],
        name=row["name"],
        type=row["format_type"],
        source_type=row["source"].type,
        creator_id=row["creator_id"],
        create_time=row["created_at"],
        update_time=row["updated_at"],
        tags=row["tags"],
    )
