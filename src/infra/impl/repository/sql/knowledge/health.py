"""Health of the slices of a base in SQL."""

from typing import Any, Final

import sqlalchemy as sa

from domain.knowledge.health import (
    LENGTHS,
    LONGEST,
    MOST_EXAMINED,
    SHORTEST,
    SliceChoice,
    SliceTally,
)
from domain.knowledge.value import (
    DatasetId,
    DocumentStatus,
    ExaminedSlice,
    FlawCount,
    LengthBin,
    Page,
    SliceFlaw,
    SliceId,
    SliceKind,
)
from domain.shared.access import TenantScope
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.knowledge.slice import ACTIVE
from infra.impl.repository.sql.knowledge.table import documents, slices

_EXCERPT_CHARS: Final = 400


class SqlHealthRepository:
    """Implements ``HealthRepository``; each question walks once over what is examined."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._connection = uow.connection

    async def tally(self, scope: TenantScope, dataset_id: DatasetId) -> SliceTally:
        seen = _examined(scope, dataset_id)
        chars = seen.c.char_count
        ends: list[int | None] = [*LENGTHS[1:], None]
        query = sa.select(
            sa.func.count().label("examined"),
            *(
                _counted(_between(chars, low, high)).label(f"from_{low}")
                for low, high in zip(LENGTHS, ends, strict=True)
            ),
            *(_counted(_has(seen, flaw)).label(flaw) for flaw in SliceFlaw),
        )
        row = (await self._connection.execute(query)).mappings().one()
        return SliceTally(
            slices=max(await self._slices(scope, dataset_id), row["examined"]),
            examined=row["examined"],
            lengths=tuple(LengthBin(at_least=low, count=row[f"from_{low}"]) for low in LENGTHS),
            flaws=tuple(FlawCount(flaw=flaw, count=row[flaw]) for flaw in SliceFlaw),
        )

    async def page(
        self, scope: TenantScope, dataset_id: DatasetId, choice: SliceChoice, page: Page
    ) -> tuple[list[ExaminedSlice], int]:
        seen = _examined(scope, dataset_id)
        wanted = [_between(seen.c.char_count, choice.at_least or 0, choice.below)]
        if choice.flaw is not None:
            wanted.append(_has(seen, choice.flaw))
        if choice.among is not None:
            wanted.append(seen.c.id.in_(choice.among))
        total = await self._connection.scalar(
            sa.select(sa.func.count()).select_from(seen).where(*wanted)
        )
        query = (
            sa.select(seen.c.id, seen.c.copies)
            .where(*wanted)
            .order_by(*_order(seen, choice), seen.c.id.desc())
            .limit(page.size)
            .offset(page.offset)
        )
        copies = {row.id: row.copies for row in await self._connection.execute(query)}
        texts = (
            sa.select(
                slices.c.id,
                slices.c.document_id,
                documents.c.name,
                sa.func.substr(slices.c.content, 1, _EXCERPT_CHARS).label("excerpt"),
                slices.c.char_count,
                slices.c.hit_count,
            )
            .join(documents, ACTIVE)
            .where(slices.c.id.in_(copies), slices.c.space_id.in_(scope.space_ids))
        )
        found = {row.id: row for row in await self._connection.execute(texts)}
        return [
            ExaminedSlice(
                id=row.id,
                document_id=row.document_id,
                document_name=row.name,
                excerpt=row.excerpt,
                char_count=row.char_count,
                hit_count=row.hit_count,
                copies=copies[slice_id],
            )
            for slice_id in copies
            if (row := found.get(slice_id))
        ], total or 0

    async def sample(
        self, scope: TenantScope, dataset_id: DatasetId, *, limit: int
    ) -> list[tuple[SliceId, str]]:
        seen = _youngest(scope, dataset_id)
        numbered = sa.select(
            seen.c.id,
            sa.func.row_number().over(order_by=seen.c.id.desc()).label("turn"),
            ((sa.func.count().over() + limit - 1) // limit).label("step"),
        ).subquery()
        every = sa.select(numbered.c.id).where(numbered.c.turn % numbered.c.step == 0)
        text = sa.func.substr(slices.c.content, 1, _EXCERPT_CHARS)
        query = sa.select(slices.c.id, text).where(
            slices.c.id.in_(every), slices.c.space_id.in_(scope.space_ids)
        )
        return [(SliceId(row[0]), row[1]) for row in await self._connection.execute(query)]

    async def _slices(self, scope: TenantScope, dataset_id: DatasetId) -> int:
        query = sa.select(sa.func.sum(documents.c.slice_count)).where(
            documents.c.dataset_id == dataset_id,
            documents.c.space_id.in_(scope.space_ids),
            documents.c.status != DocumentStatus.DELETED,
        )
        return int(await self._connection.scalar(query) or 0)


def _youngest(scope: TenantScope, dataset_id: DatasetId) -> sa.Subquery:
    """Those of the slices that the base has now which are examined."""
    return (
        sa.select(
            slices.c.id,
            slices.c.kind,
            slices.c.hit_count,
            slices.c.content_hash,
            slices.c.char_count,
        )
        .select_from(slices.join(documents, ACTIVE))
        .where(
            slices.c.dataset_id == dataset_id,
            slices.c.space_id.in_(scope.space_ids),
            documents.c.status != DocumentStatus.DELETED,
        )
        .order_by(slices.c.id.desc())
        .limit(MOST_EXAMINED)
        .subquery()
    )


def _examined(scope: TenantScope, dataset_id: DatasetId) -> sa.Subquery:
    """What is examined, with how many of it say the same."""
    youngest = _youngest(scope, dataset_id)
    copies = sa.func.count().over(partition_by=youngest.c.content_hash)
    return sa.select(youngest, copies.label("copies")).subquery()


def _has(seen: sa.Subquery, flaw: SliceFlaw) -> sa.ColumnElement[bool]:
    match flaw:
        case SliceFlaw.EMPTY:
            return (seen.c.char_count < SHORTEST) & (seen.c.kind != SliceKind.ROW)
        case SliceFlaw.DUPLICATE:
            return seen.c.copies > 1
        case SliceFlaw.NEVER_FOUND:
            return seen.c.hit_count == 0
        case SliceFlaw.OVER_LONG:
            return seen.c.char_count > LONGEST


def _order(seen: sa.Subquery, choice: SliceChoice) -> list[sa.ColumnElement[Any]]:
    """The worst first, and copies beside each other."""
    match choice.flaw:
        case SliceFlaw.DUPLICATE:
            return [seen.c.copies.desc(), seen.c.content_hash]
        case SliceFlaw.EMPTY:
            return [seen.c.char_count.asc()]
        case SliceFlaw.OVER_LONG:
            return [seen.c.char_count.desc()]
        case _:
            return []


def _between(chars: sa.ColumnElement[int], low: int, high: int | None) -> sa.ColumnElement[bool]:
    return chars >= low if high is None else (chars >= low) & (chars < high)


def _counted(condition: sa.ColumnElement[bool]) -> sa.ColumnElement[int]:
    return sa.func.count().filter(condition)
