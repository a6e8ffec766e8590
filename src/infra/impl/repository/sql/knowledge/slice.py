"""Slices in SQL."""

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import sqlalchemy as sa

from domain.knowledge.error import SliceNotFound
from domain.knowledge.repository import SliceTotals
from domain.knowledge.slice import Slice
from domain.knowledge.text.row import LONGEST_INDEX_TEXT
from domain.knowledge.value import (
    DocumentId,
    DocumentStatus,
    Page,
    SliceId,
    SliceKind,
    SliceStatus,
)
from domain.shared.access import TenantScope
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork, defaults_of, write_later
from infra.impl.repository.sql.fastpath.prepared import Prepared, padded
from infra.impl.repository.sql.knowledge.table import SLICES, documents, slices
from infra.impl.repository.sql.mapping.row_mapper import REVISION
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows
from infra.impl.repository.sql.mapping.upsert import upsert

_INSERTED_AT_ONCE: Final = 500
ACTIVE: Final = (documents.c.id == slices.c.document_id) & (
    documents.c.active_generation == slices.c.generation
)
"""Joins a slice of the active generation with its document."""
_IS_CUT: Final = (slices.c.kind == SliceKind.ROW) & (
    sa.func.length(slices.c.index_text) >= LONGEST_INDEX_TEXT
)


@cache
def _add_new(dialect: str) -> Any:
    there = [slices.c.document_id, slices.c.generation, slices.c.ordinal]
    return upsert(dialect, slices).on_conflict_do_nothing(index_elements=there)


@cache
def _settle() -> Prepared:
    return Prepared(
        sa.update(slices)
        .where(
            slices.c.id.in_(sa.bindparam("ids", expanding=True)),
            slices.c.space_id.in_(sa.bindparam("spaces", expanding=True)),
        )
        .values(
            status=sa.bindparam("outcome", type_=slices.c.status.type),
            fail_reason=sa.bindparam("reason", type_=sa.Text),
        )
    )


class SqlSliceRepository:
    """Slices of active generations as people see and edit them."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow
        self._rows = TenantRows(uow, SLICES, missing=_not_found)

    async def get(self, scope: TenantScope, slice_id: SliceId) -> Slice:
        found = await self.get_many(scope, [slice_id])
        if not found:
            raise _not_found(slice_id)
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
        wanted = [_generation(scope, document_id, generation)]
        if keyword:
            wanted.append(slices.c.content.icontains(keyword, autoescape=True))
        if status is not None:
            wanted.append(slices.c.status == status)
        return await self._rows.page(
            scope,
            *wanted,
            order=[slices.c.sequence, slices.c.id],
            limit=page.size,
            offset=page.offset,
        )

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

    async def position(
        self, scope: TenantScope, document_id: DocumentId, generation: int, item: Slice
    ) -> int:
        is_before = (slices.c.sequence < item.sequence) | (
            (slices.c.sequence == item.sequence) & (slices.c.id <= item.id)
        )
        query = (
            sa.select(sa.func.count())
            .select_from(slices)
            .where(_generation(scope, document_id, generation), is_before)
        )
        return int(await self._uow.connection.scalar(query) or 0)

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
        await self._rows.save(scope, item)

    async def remove(self, scope: TenantScope, slice_ids: Sequence[SliceId]) -> None:
        await self._rows.delete(scope, slices.c.id.in_(slice_ids))


class SqlBatchRepository:
    """Slices by the hundred."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow

    async def add_new(self, scope: TenantScope, items: Sequence[Slice]) -> None:
        connection = self._uow.connection
        rows = [{**defaults_of(slices), **SLICES.row(item), REVISION: 1} for item in items]
        if any(item.space_id not in scope.space_ids for item in items):
            raise SliceNotFound("These slices belong to another workspace.")
        for start in range(0, len(rows), _INSERTED_AT_ONCE):
            part = rows[start : start + _INSERTED_AT_ONCE]
            await write_later(connection, _add_new(connection.dialect.name), part)
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
            values = {"ids": padded(ids), "spaces": list(scope.space_ids)}
            await _settle().run(
                self._uow.connection, {**values, "outcome": status, "reason": reason}
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
    return await SLICES.all(uow.connection, query)


def _not_found(slice_id: int) -> SliceNotFound:
    return SliceNotFound(f"No slice {slice_id}.", slice_id=slice_id)
