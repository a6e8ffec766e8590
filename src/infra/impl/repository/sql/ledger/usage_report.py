"""Reports of usage: read from rollups and from entries that no rollup holds, in one snapshot."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.shared.amount import E8
from domain.shared.chat import ModelCall
from domain.shared.ids import RunId, SpaceId
from domain.usage.cube import SumPlace, places_for
from domain.usage.entry import UsageEntry
from domain.usage.repository import EntryPlace
from domain.usage.span import DAY, HOUR, QUARTER, Piece, cover, quarters, step_of
from domain.usage.value import Group, Interval, Sums, UsageQuery
from infra.impl.repository.sql.ledger.usage_figure import SUMMED, figures_in_sql
from infra.impl.repository.sql.ledger.usage_rollup import (
    DIMENSION_COLUMNS,
    LACKS_LATER,
    ROLLUP_COLUMNS,
    UNROLLED,
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
        is_kept = bool(places_for(dimensions, has_later=False))
        pieces = quarters(query.since, query.until, query.zone)
        entries = [
            (piece, self._of_entries(query, piece, only_unrolled=is_kept)) for piece in pieces
        ]
        rollups: list[tuple[Piece, sa.Select[Any]]] = []
        if is_kept:
            has_later = not await self._lacks_later(pieces)
            places = {place.grain: place for place in places_for(dimensions, has_later=has_later)}
            covered = cover(query.since, query.until, query.zone, query.interval, list(places))
            rollups = [
                (piece, self._of_rollups(query, piece, places[piece.grain])) for piece in covered
            ]
        if self._dialect != "sqlite" and (query.group_by or query.interval):
            await self._connection.execute(_HASHED)
        found: dict[tuple[int | None, Group], Sums] = {}
        for (offset_s, begin_s), statement in self._statements(query, entries, rollups):
            rows = (await self._connection.execute(statement)).all()
            steps = _steps(query, {row[0] for row in rows}, offset_s, begin_s)
            width = len(query.group_by) + 1
            for row in rows:
                place = steps[row[0]], tuple(row[1:width])
                sums = _sums(row[width], row[width + 1 :])
                if (known := found.get(place)) is None:
                    found[place] = sums
                else:  # in another currency, before a clock was set, or not rolled yet
                    found[place] = Sums.total((known, sums))
        return found

    async def _lacks_later(self, pieces: Sequence[Piece]) -> bool:
        """Tell whether sums of later releases lack entries that those of before hold."""
        table, last = model_call.c, pieces[-1].slots if pieces else range(0)
        if not last:
            return False
        query = (
            sa.select(table.slot)
            .where(LACKS_LATER, table.slot >= pieces[0].slots[0], table.slot <= last[-1])
            .limit(1)
        )
        return (await self._connection.execute(query)).first() is not None

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

    def _of_rollups(self, query: UsageQuery, piece: Piece, place: SumPlace) -> sa.Select[Any]:
        table = usage_rollup.c
        return self._statement(
            query,
            piece,
            _ROLLUP,
            {name: table[name] for name in SUMMED},
            table.slot * _plain(piece.grain),
            table.cube == place.cube.number,
            table.grain == piece.grain,
            *_within(piece, table.slot),
            *_where(query, _ROLLUP),
        )

    def _of_entries(
        self, query: UsageQuery, piece: Piece, *, only_unrolled: bool
    ) -> sa.Select[Any]:
        table, where = model_call.c, _within(piece, model_call.c.slot)
        if only_unrolled:
            where.append(UNROLLED)
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

    def _added_up(self, query: UsageQuery, parts: Sequence[sa.Select[Any]]) -> sa.Select[Any]:
        """Add up what all parts select, by step, group and currency.

        Of slots that are named one by one ten years have some 22,000; databases know 32,766
        parameters of one statement.
        """
        rows = (sa.union_all(*parts) if len(parts) > 1 else parts[0]).subquery().c
        kept = [*(DIMENSION_COLUMNS[each] for each in query.group_by), "currency"]
        group = [rows.step, *(rows[name] for name in kept)]
        sums = [sum_ for name in SUMMED for sum_ in self._sums_of(name, rows[name])]
        return sa.select(*group, *sums).group_by(*group)

    def _statements(
        self,
        query: UsageQuery,
        *sources: Sequence[tuple[Piece, sa.Select[Any]]],
    ) -> Iterator[tuple[tuple[int, int], sa.CompoundSelect[Any]]]:
        """Yield what asks for each clock of the zone, with its distance and begin.

        Sources are added up apart, though a group may come twice so: SQLite copies every row of a
        union, and of one length, which most series are read from, there is but one part.
        """
        of_clock: dict[tuple[int, int], list[sa.Select[Any]]] = {}
        for source in sources:
            for clock, parts in groupby(sorted(source, key=_clock), key=_clock):
                added_up = self._added_up(query, [select for _, select in parts])
                of_clock.setdefault(clock, []).append(added_up)
        for clock, selects in sorted(of_clock.items(), key=itemgetter(0)):
            yield clock, sa.union_all(*selects)

    def _sums_of(self, name: str, figure: sa.ColumnElement[int]) -> list[sa.ColumnElement[Any]]:
        """Return the sum; of amounts, which may exceed what an integer holds, whole and rest."""
        if self._dialect == "sqlite":
            parts = [figure // E8, figure % E8] if name in _AMOUNTS else [figure]
            return [sa.func.sum(each) for each in parts]
        sums = sa.func.sum(figure)
        parts = [sa.func.div(sums, E8), sa.func.mod(sums, E8)] if name in _AMOUNTS else [sums]
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


def _clock(part: tuple[Piece, sa.Select[Any]]) -> tuple[int, int]:
    piece, _ = part
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
    """Read a row of ``_added_up``; an answer has thousands of them."""
    money, unsettled_money = _amount(*numbers[10:12]), _amount(*numbers[18:20])
    return Sums(
        calls=numbers[0],
        failed_calls=numbers[1],
        estimated_calls=numbers[2],
        input_tokens=numbers[3],
        output_tokens=numbers[4],
        cached_tokens=numbers[5],
        reasoning_tokens=numbers[6],
        pages=numbers[7],
        points_e8=_amount(*numbers[8:10]),
        money_e8={currency: money} if currency else {},
        calls_without_points=numbers[12],
        calls_without_money=numbers[13],
        unsettled_calls=numbers[14],
        unsettled_tokens=numbers[15],
        unsettled_points_e8=_amount(*numbers[16:18]),
        unsettled_money_e8={currency: unsettled_money} if currency else {},
    )


def _amount(whole: int, rest: int) -> int:
    return whole * E8 + rest
