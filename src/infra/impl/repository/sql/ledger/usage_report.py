"""Reports of usage: read from rollups and from entries that no rollup holds, in one snapshot."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.shared.amount import E8
from domain.shared.chat import ModelCall
from domain.shared.ids import RunId, SpaceId
from domain.usage.cube import Generation, SumPlace, places_for
from domain.usage.entry import UsageEntry
from domain.usage.repository import EntryPlace
from domain.usage.span import DAY, HOUR, QUARTER, Piece, cover, quarters, step_of
from domain.usage.value import Group, Interval, Sums, UsageQuery
from infra.impl.repository.sql.ledger.usage_figure import SUMMED, figures_in_sql
from infra.impl.repository.sql.ledger.usage_rollup import (
    DIMENSION_COLUMNS,
    LACKING,
    ROLLUP_COLUMNS,
    usage_rollup,
)
from infra.impl.repository.sql.model.call import account_of, call_of, model_call

_AMOUNTS: Final = frozenset(name for name in SUMMED if name.endswith("_e8"))
_HASHED: Final = sa.text("SET LOCAL enable_sort = off")
"""PostgreSQL expects some ten rows where there are tens of thousands, and would sort them by text,
on a disk, which takes twice as long as all the rest."""
_ENTRY: Final[Mapping[str, Any]] = {
    **{name: model_call.c[name] for name in DIMENSION_COLUMNS.values() if name != "kind"},
    "kind": model_call.c.purpose,
}
_ROLLUP: Final[Mapping[str, Any]] = {name: usage_rollup.c[name] for name in ROLLUP_COLUMNS}


class SqlUsageLedger:
    """Entries and sums of them on the connection of somebody's unit of work."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection
        self._dialect = connection.dialect.name

    async def sums(self, query: UsageQuery) -> dict[tuple[int | None, Group], Sums]:
        dimensions = query.dimensions
        is_kept = bool(places_for(dimensions, Generation.FIRST))
        pieces = quarters(query.since, query.until, query.zone)
        parts = {_clock(each): [self._of_entries(query, each, is_kept)] for each in pieces}
        if is_kept:
            known = await self._known(pieces)
            places = {place.grain: place for place in places_for(dimensions, known)}
            covered = cover(query.since, query.until, query.zone, query.interval, list(places))
            for clock, some in groupby(sorted(covered, key=_clock), key=_clock):
                parts[clock].append(self._of_rollups(query, list(some), places))
        if self._dialect != "sqlite" and (query.group_by or query.interval):
            await self._connection.execute(_HASHED)
        found: dict[tuple[int | None, Group], Sums] = {}
        width = len(query.group_by) + 1
        for (offset_s, begin_s), selects in sorted(parts.items(), key=itemgetter(0)):
            rows = await self._added_up(query, selects)
            steps = _steps(query, {row[0] for row in rows}, offset_s, begin_s)
            for row in rows:
                place = steps[row[0]], tuple(row[1:width])
                sums = _sums(row[width], row[width + 1 :])
                if (others := found.get(place)) is None:
                    found[place] = sums
                else:  # in another currency, before a clock was set, or not rolled yet
                    found[place] = Sums.total((others, sums))
        return found

    async def _known(self, pieces: Sequence[Piece]) -> Generation:
        """Tell up to which generation sums hold all entries that those of the first one hold."""
        slots = range(pieces[0].slots[0], pieces[-1].slots[-1] + 1) if pieces else range(0)
        later = [each for each in Generation if each is not Generation.FIRST]
        table = model_call.c
        within = [table.slot >= slots.start, table.slot < slots.stop]
        lacks = [sa.select(table.slot).where(LACKING[each], *within).exists() for each in later]
        (found,) = await self._connection.execute(sa.select(*lacks))
        lacking = [each for each, is_lacking in zip(later, found, strict=True) if is_lacking]
        return Generation(min(lacking) - 1) if lacking else max(Generation)

    async def entries(
        self, query: UsageQuery, *, after: EntryPlace | None, is_newest_first: bool, limit: int
    ) -> Sequence[UsageEntry]:
        table = model_call.c
        place = (table.ended_at, table.run_id, table.call_no)
        statement = sa.select(model_call).where(
            table.ended_at >= query.since, table.ended_at < query.until, *_where(query, _ENTRY)
        )
        if after is not None:
            ended_at, run_id, call_no = after
            # Told apart from the whole comparison, the first column finds the index.
            bound = table.ended_at <= ended_at if is_newest_first else table.ended_at >= ended_at
            here = sa.tuple_(*place)
            there = sa.tuple_(
                sa.literal(ended_at, table.ended_at.type), sa.literal(run_id), sa.literal(call_no)
            )
            statement = statement.where(bound, here < there if is_newest_first else here > there)
        order = [each.desc() if is_newest_first else each for each in place]
        rows = await self._connection.execute(statement.order_by(*order).limit(limit))
        return [
            UsageEntry(
                space_id=SpaceId(row.space_id),
                run_id=RunId(row.run_id),
                call_no=row.call_no,
                call=call_of(row),
                account=account_of(row),
            )
            for row in rows
        ]

    async def of_runs(self, space_id: SpaceId, run_ids: Collection[int]) -> Sequence[ModelCall]:
        entries = model_call.c
        query = (
            sa.select(model_call)
            .where(entries.run_id.in_(run_ids), entries.space_id == space_id)
            .order_by(entries.run_id, entries.call_no)
        )
        return [call_of(row) for row in await self._connection.execute(query)]

    def _of_rollups(
        self, query: UsageQuery, pieces: Sequence[Piece], places: Mapping[int, SumPlace]
    ) -> sa.Select[Any]:
        """Select the sums of all pieces at once: SQLite copies every row of a union."""
        table = usage_rollup.c
        where = [
            sa.and_(
                *_where(query, _ROLLUP),
                table.cube == places[piece.grain].cube.number,
                table.grain == piece.grain,
                *_within(piece, table.slot),
            )
            for piece in pieces
        ]
        return self._statement(
            query,
            pieces[0],
            _ROLLUP,
            {name: table[name] for name in SUMMED},
            table.slot * table.grain,
            sa.or_(*where),
        )

    def _of_entries(self, query: UsageQuery, piece: Piece, only_unrolled: bool) -> sa.Select[Any]:
        table, where = model_call.c, _within(piece, model_call.c.slot)
        if only_unrolled:
            where.append(LACKING[Generation.FIRST])
        else:  # the index knows when calls ended
            begin = datetime.fromtimestamp(piece.slots[0] * QUARTER, UTC)
            end = datetime.fromtimestamp((piece.slots[-1] + 1) * QUARTER, UTC)
            where += [table.ended_at >= begin, table.ended_at < end]
        return self._statement(
            query,
            piece,
            {**_ENTRY, "currency": table.currency},
            figures_in_sql(self._dialect),
            table.slot * _plain(QUARTER),
            *where,
            *_where(query, _ENTRY),
        )

    @staticmethod
    def _statement(
        query: UsageQuery,
        piece: Piece,
        columns: Mapping[str, Any],
        figures: Mapping[str, Any],
        moment: sa.ColumnElement[int],
        *where: Any,
    ) -> sa.Select[Any]:
        """Select figures, with the number of their step as ``step``."""
        step = _plain(0)
        if query.interval is not None:
            step = (moment + _plain(piece.offset_s)) // _plain(_size(query.interval))
        kept = [*(DIMENSION_COLUMNS[each] for each in query.group_by), "currency"]
        return sa.select(
            step.label("step"),
            *(columns[name].label(name) for name in kept),
            *(figure.label(name) for name, figure in figures.items()),
        ).where(*where)

    async def _added_up(
        self, query: UsageQuery, parts: Sequence[sa.Select[Any]]
    ) -> Sequence[sa.Row[Any]]:
        """Add up by step, group and currency what each part selects; a group may come twice so.

        Of slots that are named one by one ten years have some 22,000; databases know 32,766
        parameters of one statement.
        """
        try:
            return await self._ask(query, parts, has_large=False)
        except OperationalError as exc:
            if "integer overflow" not in str(exc.orig):
                raise
            return await self._ask(query, parts, has_large=True)

    async def _ask(
        self, query: UsageQuery, parts: Sequence[sa.Select[Any]], *, has_large: bool
    ) -> Sequence[sa.Row[Any]]:
        kept = [*(DIMENSION_COLUMNS[each] for each in query.group_by), "currency"]
        selects = []
        for part in parts:
            rows = part.subquery().c
            group, step = [rows[name] for name in kept], _plain(0)
            if query.interval is None:  # to sort by texts alone takes less than behind a number
                by = group
            else:
                step, by = rows.step, [rows.step, *group]
            sums = [each for name in SUMMED for each in self._sums_of(name, rows[name], has_large)]
            selects.append(sa.select(step.label("step"), *group, *sums).group_by(*by))
        return (await self._connection.execute(sa.union_all(*selects))).all()

    def _sums_of(
        self, name: str, figure: sa.ColumnElement[int], has_large: bool
    ) -> list[sa.ColumnElement[Any]]:
        """Return the sum; of amounts, which may exceed what an integer holds, whole and rest.

        SQLite refuses what it cannot hold. To tell whole and rest apart in each row takes a tenth
        of a report, so that this is done only where amounts are so large.
        """
        is_amount, sums = name in _AMOUNTS, sa.func.sum(figure)
        if self._dialect == "sqlite":
            if is_amount and has_large:
                return [sa.func.sum(figure // E8), sa.func.sum(figure % E8)]
            return [_plain(0), sums] if is_amount else [sums]
        parts = [sa.func.div(sums, E8), sa.func.mod(sums, E8)] if is_amount else [sums]
        # Sums are decimals there, which take longer to read than the rest of the report.
        return [sa.cast(each, sa.BigInteger) for each in parts]


def _where(query: UsageQuery, columns: Mapping[str, Any]) -> list[sa.ColumnElement[bool]]:
    narrowed = [
        columns[DIMENSION_COLUMNS[dimension]].in_(sorted(values, key=str))
        for dimension, values in query.filters.items()
    ]
    if query.space_ids is not None:
        narrowed.append(columns["space_id"].in_(sorted(query.space_ids)))
    return narrowed


def _within(piece: Piece, slot: sa.ColumnElement[int]) -> list[sa.ColumnElement[bool]]:
    if isinstance(piece.slots, tuple):
        return [slot.in_(piece.slots)]
    where = [slot >= piece.slots.start, slot < piece.slots.stop]
    if piece.step_s:
        begin = slot * _plain(piece.grain) + _plain(piece.offset_s)
        where.append(begin % _plain(piece.step_s) <= _plain(piece.step_s - piece.grain))
    return where


def _plain(number: int) -> sa.ColumnElement[int]:
    return sa.literal_column(str(number), sa.Integer)


def _size(interval: Interval) -> int:
    return HOUR if interval is Interval.HOUR else DAY


def _clock(piece: Piece) -> tuple[int, int]:
    return piece.offset_s, piece.begin_s


def _steps(
    query: UsageQuery, numbers: Iterable[int], offset_s: int, begin_s: int
) -> dict[int, int | None]:
    """Return when the steps began that have these numbers while a zone is ahead so far."""
    interval = query.interval
    if interval is None:
        return dict.fromkeys(numbers)
    size = _size(interval)
    return {
        number: step_of(max(number * size - offset_s, begin_s), query.zone, interval)
        for number in numbers
    }


def _sums(currency: str, numbers: Sequence[int]) -> Sums:
    """Read a row of ``_added_up``; an answer has thousands of them, so that names would cost."""
    (
        calls,
        failed,
        estimated,
        read,
        written,
        cached,
        thought,
        pages,
        points,
        points_rest,
        money,
        money_rest,
        no_points,
        no_money,
        lost,
        tokens,
        most_points,
        most_points_rest,
        most_money,
        most_money_rest,
    ) = numbers
    return Sums(
        calls,
        failed,
        estimated,
        read,
        written,
        cached,
        thought,
        pages,
        points * E8 + points_rest,
        {currency: money * E8 + money_rest} if currency else {},
        no_points,
        no_money,
        lost,
        tokens,
        most_points * E8 + most_points_rest,
        {currency: most_money * E8 + most_money_rest} if currency and lost else {},
    )
