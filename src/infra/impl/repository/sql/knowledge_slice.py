"""Slices in SQL."""

from collections.abc import Sequence
from typing import Any, Final

import sqlalchemy as sa

from domain.knowledge.chunking_row import LONGEST_INDEX_TEXT
from domain.knowledge.error import SliceNotFound
from domain.knowledge.repository import SliceTotals
from domain.knowledge.slice import Slice
from domain.knowledge.value import (
    DatasetId,
    DocumentId,
    DocumentStatus,
    Page,
    SliceId,
    SliceKind,
    SliceStatus,
)
from domain.shared.access import TenantScope
from domain.shared.ids import SpaceId
from infra.impl.repository.sql.database import SqlUnitOfWork
from infra.impl.repository.sql.knowledge_table import documents, slices
from infra.impl.repository.sql.upsert import upsert

_INSERTED_AT_ONCE: Final = 500
ACTIVE: Final = (documents.c.id == slices.c.document_id) & (
    documents.c.active_generation == slices.c.generation
)
"""Joins a slice of the active generation with its document."""
_IS_CUT: Final = (slices.c.kind == SliceKind.ROW) & (
    sa.func.length(slices.c.index_text) >= LONGEST_INDEX_TEXT
)


class SqlSliceRepository:
    """Slices of active generations as people see and edit them."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow

    async def get(self, scope: TenantScope, slice_id: SliceId) -> Slice:
        found = await self.get_many(scope, [slice_id])
        if not found:
            raise SliceNotFound(f"No slice {slice_id}.", slice_id=slice_id)
        return found[0]

    async def get_many(self, scope: TenantScope, slice_ids: Sequence[SliceId]) -> list[Slice]:
        query = (
            sa.select(slices)
            .join(documents, ACTIVE)
            .where(
                slices.c.id.in_(slice_ids),
                slices.c.space_id.in_(scope.space_ids),
                documents.c.status != DocumentStatus.DELETED,
            )
            .order_by(slices.c.id)
        )
        return await read_slices(self._uow, query)

    async def page(
        self,
        scope: TenantScope,
        document_id: DocumentId,
        generation: int,
        *,
        keyword: str,
        status: SliceStatus | None,
        page: Page,
    ) -> tuple[list[Slice], int]:
        wanted = _generation(scope, document_id, generation)
        if keyword:
            wanted &= slices.c.content.icontains(keyword, autoescape=True)
        if status is not None:
            wanted &= slices.c.status == status
        total = await self._uow.connection.scalar(
            sa.select(sa.func.count()).select_from(slices).where(wanted)
        )
        query = (
            sa.select(slices)
            .where(wanted)
            .order_by(slices.c.sequence, slices.c.id)
            .limit(page.size)
            .offset(page.offset)
        )
        return await read_slices(self._uow, query), total or 0

    async def around(
        self, scope: TenantScope, document_id: DocumentId, generation: int, *, position: int
    ) -> tuple[float | None, float | None]:
        first = max(position - 2, 0)
        query = (
            sa.select(slices.c.sequence)
            .where(_generation(scope, document_id, generation))
            .order_by(slices.c.sequence, slices.c.id)
            .limit(position - first)
            .offset(first)
        )
        found = list(await self._uow.connection.scalars(query))
        if position == 1:
            return None, found[0] if found else None
        return found[0], found[1] if len(found) > 1 else None

    async def renumber(self, scope: TenantScope, document_id: DocumentId, generation: int) -> None:
        numbered = (
            sa.select(
                slices.c.id,
                sa.func.row_number()
                .over(order_by=(slices.c.sequence, slices.c.id))
                .label("position"),
            )
            .where(_generation(scope, document_id, generation))
            .subquery()
        )
        position = (
            sa.select(numbered.c.position).where(numbered.c.id == slices.c.id).scalar_subquery()
        )
        await self._uow.connection.execute(
            sa.update(slices)
            .where(_generation(scope, document_id, generation))
            .values(sequence=sa.cast(position, sa.Double))
        )

    async def totals(
        self, scope: TenantScope, document_id: DocumentId, generation: int
    ) -> SliceTotals:
        def counted(status: SliceStatus) -> sa.ColumnElement[int]:
            return sa.func.coalesce(
                sa.func.sum(sa.case((slices.c.status == status, 1), else_=0)), 0
            )

        query = sa.select(
            sa.func.count().label("count"),
            sa.func.coalesce(sa.func.sum(slices.c.char_count), 0).label("chars"),
            counted(SliceStatus.DONE).label("done"),
            counted(SliceStatus.FAILED).label("failed"),
            sa.func.count().filter(_IS_CUT).label("cut"),
        ).where(_generation(scope, document_id, generation))
        row = (await self._uow.connection.execute(query)).mappings().one()
        return SliceTotals(
            count=row["count"],
            chars=int(row["chars"]),
            done=int(row["done"]),
            failed=int(row["failed"]),
            cut=row["cut"],
        )

    async def save(self, scope: TenantScope, item: Slice) -> None:
        if item.space_id not in scope.space_ids:
            raise SliceNotFound(f"No slice {item.id}.", slice_id=item.id)
        await self._uow.save(slices, item, _to_row(item))

    async def remove(self, scope: TenantScope, slice_ids: Sequence[SliceId]) -> None:
        await self._uow.connection.execute(
            sa.delete(slices).where(
                slices.c.id.in_(slice_ids), slices.c.space_id.in_(scope.space_ids)
            )
        )


class SqlBatchRepository:
    """Slices by the hundred."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow

    async def add_new(self, scope: TenantScope, items: Sequence[Slice]) -> None:
        connection = self._uow.connection
        insert = upsert(connection.dialect.name, slices).on_conflict_do_nothing(
            index_elements=[slices.c.document_id, slices.c.generation, slices.c.ordinal]
        )
        rows = [{**_to_row(item), "revision": 1} for item in items]
        if any(item.space_id not in scope.space_ids for item in items):
            raise SliceNotFound("These slices belong to another workspace.")
        for start in range(0, len(rows), _INSERTED_AT_ONCE):
            await connection.execute(insert, rows[start : start + _INSERTED_AT_ONCE])
        for item in items:
            item.revision = 1

    async def pending(
        self,
        scope: TenantScope,
        document_id: DocumentId,
        generation: int,
        *,
        after: int = 0,
        limit: int,
    ) -> list[Slice]:
        query = (
            sa.select(slices)
            .where(
                _generation(scope, document_id, generation),
                slices.c.ordinal > after,
                slices.c.status == SliceStatus.PENDING,
            )
            .order_by(slices.c.ordinal)
            .limit(limit)
        )
        return await read_slices(self._uow, query)

    async def settle(self, scope: TenantScope, items: Sequence[Slice]) -> None:
        by_outcome: dict[tuple[SliceStatus, str], list[SliceId]] = {}
        for item in items:
            by_outcome.setdefault((item.status, item.fail_reason), []).append(item.id)
        for (status, reason), ids in by_outcome.items():
            await self._uow.connection.execute(
                sa.update(slices)
                .where(slices.c.id.in_(ids), slices.c.space_id.in_(scope.space_ids))
                .values(status=status, fail_reason=reason)
            )

    async def adopt(
        self, scope: TenantScope, document_id: DocumentId, generation: int, *, into: int
    ) -> None:
        last = await self._uow.connection.scalar(
            sa.select(sa.func.max(slices.c.sequence)).where(_generation(scope, document_id, into))
        )
        await self._uow.connection.execute(
            sa.update(slices)
            .where(_generation(scope, document_id, generation))
            # Ids are unique, grow with the ordinals and are greater than all of them.
            .values(
                generation=into,
                ordinal=slices.c.id,
                sequence=slices.c.sequence + float(int(last or 0)),
            )
        )

    async def outdated(
        self, scope: TenantScope, document_id: DocumentId, *, limit: int
    ) -> list[SliceId]:
        is_kept = (slices.c.generation == documents.c.active_generation) | (
            slices.c.generation == documents.c.pending_generation
        )
        query = (
            sa.select(slices.c.id)
            .join(documents, documents.c.id == slices.c.document_id)
            .where(
                slices.c.document_id == document_id,
                slices.c.space_id.in_(scope.space_ids),
                sa.not_(sa.func.coalesce(is_kept, sa.false())),
            )
            .limit(limit)
        )
        return [SliceId(found) for found in await self._uow.connection.scalars(query)]

    async def of_documents(
        self, scope: TenantScope, document_ids: Sequence[DocumentId], *, limit: int
    ) -> list[SliceId]:
        query = (
            sa.select(slices.c.id)
            .where(slices.c.document_id.in_(document_ids), slices.c.space_id.in_(scope.space_ids))
            .limit(limit)
        )
        return [SliceId(found) for found in await self._uow.connection.scalars(query)]


def _generation(
    scope: TenantScope, document_id: DocumentId, generation: int
) -> sa.ColumnElement[bool]:
    return (
        (slices.c.document_id == document_id)
        & (slices.c.generation == generation)
        & slices.c.space_id.in_(scope.space_ids)
    )


async def read_slices(uow: SqlUnitOfWork, query: sa.Select[Any]) -> list[Slice]:
    """Run a query on the table of slices."""
    return [to_slice(row) for row in (await uow.connection.execute(query)).mappings()]


def _to_row(item: Slice) -> dict[str, Any]:
    return {
        "id": item.id,
        "space_id": item.space_id,
        "dataset_id": item.dataset_id,
        "document_id": item.document_id,
        "generation": item.generation,
        "ordinal": item.ordinal,
        "sequence": item.sequence,
        "content": item.content,
        "content_hash": item.content_hash,
        "char_count": item.char_count,
        "kind": item.kind,
        "index_text": item.index_text,
        "parent_id": item.parent_id,
        "heading_path": item.heading_path,
        "place": item.place,
        "status": item.status,
        "fail_reason": item.fail_reason,
        "created_at": item.created_at,
        "updated_at": item.updated_at,
    }


def to_slice(row: sa.RowMapping) -> Slice:
    """Read a slice back."""
    parent_id = row["parent_id"]
    return Slice(
        id=SliceId(row["id"]),
        space_id=SpaceId(row["space_id"]),
        dataset_id=DatasetId(row["dataset_id"]),
        document_id=DocumentId(row["document_id"]),
        generation=row["generation"],
        ordinal=row["ordinal"],
        sequence=row["sequence"],
        content=row["content"],
        kind=SliceKind(row["kind"]),
        index_text=row["index_text"],
        parent_id=None if parent_id is None else SliceId(parent_id),
        heading_path=row["heading_path"],
        place=row["place"],
        status=SliceStatus(row["status"]),
        fail_reason=row["fail_reason"],
        hit_count=row["hit_count"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        revision=row["revision"],
    )
