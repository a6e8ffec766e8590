"""Sums of usage: read from rollups and from entries that no rollup holds yet, in one snapshot."""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.privacy.value import Section, Subject
from domain.shared.amount import E8
from domain.shared.chat import ModelCall
from domain.shared.ids import RunId, SpaceId
from domain.usage.cube import FIRST_PLACES, LATER_PLACES, PLACES, SumPlace, places_for
from domain.usage.entry import UsageEntry
from domain.usage.in_flight import InFlightCall
from domain.usage.reconciliation import ReportLine, days_of
from domain.usage.repository import EntryPlace
from domain.usage.span import DAY, HOUR, QUARTER, Piece, cover, quarters, step_of
from domain.usage.value import Dimension, Group, Interval, Sums, UsageQuery
from infra.impl.repository.sql.engine.database import Database, SqlStore
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.ledger.budget import SqlBudgetCounters, SqlBudgetRepository
from infra.impl.repository.sql.ledger.in_flight import forget_in_flight, in_flight_calls
from infra.impl.repository.sql.mapping.column import Instant, metadata
from infra.impl.repository.sql.mapping.personal import PERSONAL, PersonalTable
from infra.impl.repository.sql.mapping.tenancy import OF_DEPLOYMENT, OF_PROCESSES, TENANCY
from infra.impl.repository.sql.mapping.upsert import upsert
from infra.impl.repository.sql.model.call import (
    Points,
    SqlModelCallLedger,
    account_of,
    call_of,
    model_call,
    slot_of,
)

provider_lines: Final = sa.Table(
    "provider_line",
    metadata,
    sa.Column("provider", sa.String(50), primary_key=True),
    sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("model", sa.String(200), primary_key=True),
    sa.Column("currency", sa.String(3), primary_key=True),
    sa.Column("calls", sa.BigInteger),
    sa.Column("input_tokens", sa.BigInteger),
    sa.Column("output_tokens", sa.BigInteger),
    sa.Column("cost", Points),
    sa.Column("imported_at", Instant, nullable=False),
)
"""``day`` counts from the first of January of the year 1."""


class SqlProviderReports:
    """What providers say, for whoever compares it."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def replace(self, provider: str, lines: Sequence[ReportLine], *, now: datetime) -> None:
        table = provider_lines.c
        for day in sorted(days_of(lines)):
            await self._connection.execute(
                sa.delete(provider_lines).where(
                    table.provider == provider, table.day == day.toordinal()
                )
            )
        await self._connection.execute(
            sa.insert(provider_lines),
            [
                {
                    "provider": provider,
                    "day": line.day.toordinal(),
                    "model": line.model,
                    "currency": line.currency,
                    "calls": line.calls,
                    "input_tokens": line.input_tokens,
                    "output_tokens": line.output_tokens,
                    "cost": line.cost,
                    "imported_at": now,
                }
                for line in lines
            ],
        )

    async def lines(self, provider: str, first: date, last: date) -> Sequence[ReportLine]:
        table = provider_lines.c
        query = (
            sa.select(provider_lines)
            .where(
                table.provider == provider,
                table.day >= first.toordinal(),
                table.day <= last.toordinal(),
            )
            .order_by(table.day, table.model, table.currency)
        )
        return [
            ReportLine(
                day=date.fromordinal(row.day),
                model=row.model,
                calls=row.calls,
                input_tokens=row.input_tokens,
                output_tokens=row.output_tokens,
                cost=row.cost,
                currency=row.currency,
            )
            for row in await self._connection.execute(query)
        ]


_MOST: Final = 2**63 - 1
_UNPRICED_KINDS: Final = ("ocr", "plugin")
"""Nobody prices them, so that their want of a price is no news."""
_UNSETTLED: Final = "unsettled"

_COLUMNS: Final[Mapping[Dimension, str]] = {
    Dimension.WORKSPACE: "space_id",
    Dimension.APP: "app_id",
    Dimension.AGENT: "agent_id",
    Dimension.VERSION: "version",
    Dimension.WORKFLOW: "workflow_id",
    Dimension.BASE: "dataset_id",
    Dimension.MODEL: "model",
    Dimension.PROVIDER: "provider",
    Dimension.KIND: "kind",
    Dimension.SOURCE: "source",
    Dimension.TOKEN: "token_id",
    Dimension.SHARE_LINK: "share_link_id",
    Dimension.END_USER: "end_user_id",
    Dimension.MEMBER: "member_id",
}
_SUMMED: Final = (
    "calls",
    "failed_calls",
    "estimated_calls",
    "input_tokens",
    "output_tokens",
    "cached_tokens",
    "reasoning_tokens",
    "pages",
    "points_e8",
    "money_e8",
    "calls_without_points",
    "calls_without_money",
    "unsettled_calls",
    "unsettled_tokens",
    "unsettled_points_e8",
    "unsettled_money_e8",
)
_DISOWNED_AT_ONCE: Final = 500
_ADDED_AT_ONCE: Final = 10_000
"""Sums in one statement: a database that says nothing for long is taken for silent."""
_HASHED: Final = sa.text("SET LOCAL enable_sort = off")
"""PostgreSQL expects some ten rows where there are tens of thousands, and would sort them by text,
on a disk, which takes twice as long as all the rest."""
_UNROLLED: Final[sa.ColumnElement[bool]] = sa.text("NOT is_rolled")  # type: ignore[assignment]
_LACKS_LATER: Final[sa.ColumnElement[bool]] = sa.text(  # type: ignore[assignment]
    "is_rolled AND NOT has_later_sums"
)
"""As the indexes say it. Releases before, one beside this included, know the first sums alone."""
_AMOUNTS: Final = frozenset(name for name in _SUMMED if name.endswith("_e8"))

usage_rollup: Final = sa.Table(
    "usage_rollup",
    metadata,
    sa.Column("space_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("cube", sa.SmallInteger, primary_key=True, autoincrement=False),
    sa.Column("grain", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("slot", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("key", sa.String(32), primary_key=True),
    sa.Column("app_id", sa.BigInteger, nullable=False),
    sa.Column("agent_id", sa.BigInteger, nullable=False),
    sa.Column("version", sa.String(64), nullable=False),
    sa.Column("workflow_id", sa.BigInteger, nullable=False),
    sa.Column("dataset_id", sa.BigInteger, nullable=False),
    sa.Column("model", sa.String(200), nullable=False),
    sa.Column("provider", sa.String(50), nullable=False),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("source", sa.String(16), nullable=False),
    sa.Column("token_id", sa.BigInteger, nullable=False),
    sa.Column("share_link_id", sa.BigInteger, nullable=False),
    sa.Column("end_user_id", sa.String(256), nullable=False),
    sa.Column("member_id", sa.BigInteger, nullable=False),
    sa.Column("currency", sa.String(3), nullable=False),
    *(sa.Column(name, sa.BigInteger, nullable=False) for name in _SUMMED),
)
"""Sums over spans of ``grain`` seconds, the ``slot``-th since 1970; ``key`` digests the rest."""


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
            .where(_LACKS_LATER, table.slot >= pieces[0].slots[0], table.slot <= last[-1])
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

    async def roll(self, *, limit: int) -> int:
        rolled = await self._roll(_UNROLLED, PLACES, limit)
        if rolled < limit:
            rolled += await self._roll(_LACKS_LATER, LATER_PLACES, limit - rolled)
        return rolled

    async def _roll(
        self, condition: sa.ColumnElement[bool], places: Collection[SumPlace], limit: int
    ) -> int:
        table = model_call.c
        chosen = sa.select(model_call).where(condition).order_by(table.slot).limit(limit)
        rows = (await self._connection.execute(chosen)).all()
        if not rows:
            return 0
        sums = _summed(((row._asdict(), _figures(row)) for row in rows), places)
        await _add_up(self._connection, sums)
        mark = (
            sa.update(model_call)
            .where(table.run_id == sa.bindparam("run"), table.call_no == sa.bindparam("number"))
            .values(is_rolled=True, has_later_sums=True)
        )
        await self._connection.execute(
            mark, [{"run": row.run_id, "number": row.call_no} for row in rows]
        )
        return len(rows)

    async def unroll(self, space_id: SpaceId, since: datetime, until: datetime) -> None:
        slot, sums = slot_of(since), usage_rollup.c
        for place in PLACES:
            per = place.grain // QUARTER
            await self._connection.execute(
                sa.delete(usage_rollup).where(
                    sums.space_id == space_id,
                    sums.cube == place.cube.number,
                    sums.grain == place.grain,
                    sums.slot >= slot // per,
                    sums.slot < slot_of(until) // per,
                )
            )
        entries = model_call.c
        await self._connection.execute(
            sa.update(model_call)
            .where(
                entries.space_id == space_id,
                entries.ended_at >= since,
                entries.ended_at < until,
            )
            .values(is_rolled=False, has_later_sums=False)
        )

    async def of_runs(self, space_id: SpaceId, run_ids: Collection[int]) -> Sequence[ModelCall]:
        entries = model_call.c
        query = (
            sa.select(model_call)
            .where(entries.run_id.in_(run_ids), entries.space_id == space_id)
            .order_by(entries.run_id, entries.call_no)
        )
        return [call_of(row) for row in await self._connection.execute(query)]

    async def extent(self) -> Sequence[tuple[SpaceId, datetime, datetime]]:
        table = model_call.c
        rows = await self._connection.execute(
            sa.select(
                table.space_id,
                sa.func.min(table.ended_at, type_=table.ended_at.type),
                sa.func.max(table.ended_at, type_=table.ended_at.type),
            )
            .where(table.ended_at.is_not(None))
            .group_by(table.space_id)
        )
        return [(SpaceId(space_id), first, last) for space_id, first, last in rows]

    def _of_rollups(self, query: UsageQuery, piece: Piece, place: SumPlace) -> sa.Select[Any]:
        table = usage_rollup.c
        return self._statement(
            query,
            piece,
            {name: table[name] for name in _ROLLUP},
            {name: table[name] for name in _SUMMED},
            table.slot * _plain(piece.grain),
            table.cube == place.cube.number,
            table.grain == piece.grain,
            *_within(piece, table.slot),
            *_where(query, _ROLLUP_COLUMNS),
        )

    def _of_entries(
        self, query: UsageQuery, piece: Piece, *, only_unrolled: bool
    ) -> sa.Select[Any]:
        table, where = model_call.c, _within(piece, model_call.c.slot)
        if only_unrolled:
            where.append(_UNROLLED)
        else:  # the index knows when calls ended
            begin = datetime.fromtimestamp(piece.slots[0] * QUARTER, UTC)
            end = datetime.fromtimestamp((piece.slots[-1] + 1) * QUARTER, UTC)
            where += [table.ended_at >= begin, table.ended_at < end]
        return self._statement(
            query,
            piece,
            {**_ENTRY, "currency": table.currency},
            self._figures,
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
        kept = [*(_COLUMNS[each] for each in query.group_by), "currency"]
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
        kept = [*(_COLUMNS[each] for each in query.group_by), "currency"]
        group = [rows.step, *(rows[name] for name in kept)]
        sums = [sum_ for name in _SUMMED for sum_ in self._sums_of(name, rows[name])]
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

    @cached_property
    def _figures(self) -> Mapping[str, Any]:
        """What one entry adds to sums, in the words of the database."""
        table = model_call.c
        is_settled = table.outcome != _UNSETTLED
        is_model = table.purpose.not_in(_UNPRICED_KINDS)

        def count(condition: Any) -> Any:
            return sa.case((condition, 1), else_=0)

        def settled(column: Any) -> Any:
            return sa.case((is_settled, column), else_=0)

        def unsettled(column: Any) -> Any:
            return sa.case((is_settled, 0), else_=column)

        points, money = self._e8(table.cost), self._e8(table.money)
        return {
            "calls": count(is_settled),
            "failed_calls": count(table.outcome.in_(("failed", "canceled"))),
            "estimated_calls": count(is_settled & table.is_estimated),
            "input_tokens": settled(table.input_tokens),
            "output_tokens": settled(table.output_tokens),
            "cached_tokens": settled(table.cached_tokens),
            "reasoning_tokens": settled(table.reasoning_tokens),
            "pages": settled(table.pages),
            "points_e8": settled(points),
            "money_e8": settled(money),
            "calls_without_points": count(is_settled & is_model & ~_has_points()),
            "calls_without_money": count(is_settled & is_model & table.money.is_(None)),
            "unsettled_calls": count(~is_settled),
            "unsettled_tokens": unsettled(table.input_tokens + table.output_tokens),
            "unsettled_points_e8": unsettled(points),
            "unsettled_money_e8": unsettled(money),
        }

    def _e8(self, column: sa.ColumnElement[Any]) -> sa.ColumnElement[int]:
        """Return an amount as an integer; SQLite keeps it as text with eight digits."""
        if self._dialect == "sqlite":
            text = sa.type_coerce(column, sa.String)
            number: sa.ColumnElement[int] = sa.cast(sa.func.replace(text, ".", ""), sa.BigInteger)
        else:
            number = sa.cast(column * E8, sa.BigInteger)
        return sa.func.coalesce(number, 0)


def _has_points() -> sa.ColumnElement[bool]:
    """Entries of releases before say so by what they cost."""
    return model_call.c.has_points | (model_call.c.cost != Decimal(0))


_ENTRY: Final[Mapping[str, Any]] = {
    **{name: model_call.c[name] for name in _COLUMNS.values() if name != "kind"},
    "kind": model_call.c.purpose,
}
_ROLLUP: Final = (*_COLUMNS.values(), "currency")
_ROLLUP_COLUMNS: Final[Mapping[str, Any]] = {name: usage_rollup.c[name] for name in _ROLLUP}
_SHARED: Final = ("space_id", "cube", "grain", "slot", "key", *_ROLLUP[1:])


def _where(query: UsageQuery, columns: Mapping[str, Any]) -> list[sa.ColumnElement[bool]]:
    narrowed = [
        columns[_COLUMNS[dimension]].in_(sorted(values, key=str))
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


def _figures(row: sa.Row[Any]) -> list[int]:
    """Return what an entry adds to sums, in the order of ``_SUMMED``."""
    is_settled, is_model = row.outcome != _UNSETTLED, row.purpose not in _UNPRICED_KINDS
    points, money = int(row.cost * E8), int((row.money or 0) * E8)
    if not is_settled:
        return [0] * 12 + [1, row.input_tokens + row.output_tokens, points, money]
    return [
        1,
        int(row.outcome in {"failed", "canceled"}),
        int(row.is_estimated),
        row.input_tokens,
        row.output_tokens,
        row.cached_tokens,
        row.reasoning_tokens,
        row.pages,
        points,
        money,
        int(is_model and not (row.has_points or row.cost)),
        int(is_model and row.money is None),
        0,
        0,
        0,
        0,
    ]


def _summed(
    entries: Iterable[tuple[Mapping[str, Any], Sequence[int]]], places: Collection[SumPlace]
) -> dict[tuple[Any, ...], list[int]]:
    """Add up what entries put into the sums of these places."""
    cubes: dict[Any, list[int]] = {}
    for place in places:
        cubes.setdefault(place.cube, []).append(place.grain)
    quarter: dict[tuple[Any, ...], list[int]] = {}
    for row, figures in entries:
        slot = row["slot"] or (slot_of(row["ended_at"]) if row["ended_at"] else 0)
        entry = {**row, "kind": row["purpose"]}
        values = tuple([entry[name] for name in _ROLLUP])
        _put(quarter, (slot, values), figures)
    found: dict[tuple[Any, ...], list[int]] = {}
    for cube, grains in cubes.items():
        known = {_COLUMNS[each] for each in cube.dimensions} | {"space_id", "currency"}
        is_known = [name in known for name in _ROLLUP]
        narrow: dict[tuple[Any, ...], list[int]] = {}
        for (slot, values), figures in quarter.items():
            kept = tuple(
                [
                    value if known else ("" if isinstance(value, str) else 0)
                    for value, known in zip(values, is_known, strict=True)
                ]
            )
            _put(narrow, (slot, kept), figures)
        keys: dict[tuple[Any, ...], str] = {}
        for (slot, (space_id, *kept)), figures in narrow.items():
            rest = tuple(kept)
            key = keys.get(rest)
            if key is None:
                packed = msgspec.msgpack.encode(rest)
                key = keys[rest] = hashlib.blake2b(packed, digest_size=16).hexdigest()
            for grain in grains:
                shared = (space_id, cube.number, grain, slot * QUARTER // grain, key, *rest)
                _put(found, shared, figures)
    return found


def _put(sums: dict[Any, list[int]], place: object, figures: Sequence[int]) -> None:
    mine = sums.get(place)
    sums[place] = (
        list(figures)
        if mine is None
        else [one + other for one, other in zip(mine, figures, strict=True)]
    )


async def _disown(
    connection: AsyncConnection, condition: sa.ColumnElement[bool], subject: Subject
) -> int:
    """Have entries say nothing of whose they were; sums that told of it move along, exactly."""
    nobody: dict[str, Any] = {"end_user_id": ""}
    if subject.account_id is not None:
        nobody["member_id"] = 0
    count = 0
    while True:
        found = sa.select(model_call).where(condition).limit(_DISOWNED_AT_ONCE)
        rows = (await connection.execute(found)).all()
        for is_later, places in ((False, FIRST_PLACES), (True, LATER_PLACES)):
            moved = _summed(
                (
                    (each, [sign * figure for figure in _figures(row)])
                    for row in rows
                    if row.is_rolled and (row.has_later_sums or not is_later)
                    for sign, each in ((-1, row._asdict()), (1, row._asdict() | nobody))
                ),
                places,
            )
            await _add_up(connection, {key: own for key, own in moved.items() if any(own)})
        if rows:
            table = model_call.c
            one = (table.run_id == sa.bindparam("run")) & (table.call_no == sa.bindparam("number"))
            await connection.execute(
                sa.update(model_call).where(one).values(**nobody),
                [{"run": row.run_id, "number": row.call_no} for row in rows],
            )
        count += len(rows)
        if len(rows) < _DISOWNED_AT_ONCE:
            break
    sums = usage_rollup.c
    told = sums.end_user_id == subject.name
    if subject.account_id is not None:
        told |= sums.member_id == subject.account_id
    empty = (sums.space_id == subject.space_id) & told & (sums.calls == 0)
    await connection.execute(sa.delete(usage_rollup).where(empty))
    return count


async def _add_up(
    connection: AsyncConnection, sums: Mapping[tuple[Any, ...], Sequence[int]]
) -> None:
    if not sums:
        return
    insert = upsert(connection.dialect.name, usage_rollup)
    put = insert.on_conflict_do_update(
        index_elements=list(usage_rollup.primary_key),
        set_={name: usage_rollup.c[name] + insert.excluded[name] for name in _SUMMED},
    )
    values = [
        dict(zip((*_SHARED, *_SUMMED), (*shared, *(min(each, _MOST) for each in own)), strict=True))
        for shared, own in sums.items()
    ]
    for start in range(0, len(values), _ADDED_AT_ONCE):
        await connection.execute(put, values[start : start + _ADDED_AT_ONCE])


ROLLING: Final = "usage rollup"
"""What whoever takes entries into sums is serialised by."""
PERSONAL.add(
    PersonalTable(
        table=model_call,
        section=Section.USAGE,
        end_user=(model_call.c.end_user_id,),
        account=model_call.c.member_id,
        disown=_disown,
    )
)
PERSONAL.keep("Sums of entries, which are disowned with them.", usage_rollup)


PERSONAL.keep("Calls of this minute; those that get lost become entries.", in_flight_calls)
TENANCY.outlive(
    "What was used has been used; it says no longer by which end user.", model_call, usage_rollup
)
TENANCY.apart(OF_DEPLOYMENT, provider_lines)
TENANCY.apart(OF_PROCESSES, in_flight_calls)


class SqlInFlightCalls:
    """Calls in flight, and the entries that lost ones become."""

    def __init__(self, unit: SqlUnitOfWork) -> None:
        self._connection = unit.connection
        self._ledger = SqlModelCallLedger(unit)

    async def add(self, calls: Sequence[InFlightCall], *, owner: str, now: datetime) -> None:
        rows = [
            {
                "id": call.id,
                "owner": owner,
                "renewed_at": now,
                "call": msgspec.json.encode(call).decode(),
            }
            for call in calls
        ]
        await self._connection.execute(sa.insert(in_flight_calls), rows)

    async def remove(self, ids: Collection[int]) -> None:
        await forget_in_flight(self._connection, list(ids))

    async def renew(self, owner: str, now: datetime) -> None:
        table = in_flight_calls.c
        # What is locked is about to go; waiting for it could be in a ring.
        mine = sa.select(table.id).where(table.owner == owner).order_by(table.id)
        found = await self._connection.scalars(mine.with_for_update(skip_locked=True))
        if ids := list(found):
            await self._connection.execute(
                sa.update(in_flight_calls).where(table.id.in_(ids)).values(renewed_at=now)
            )

    async def lost(
        self, before: datetime, *, but: str | None, limit: int
    ) -> Sequence[InFlightCall]:
        table = in_flight_calls.c
        is_lost = table.renewed_at < before if but is None else table.owner != but
        query = sa.select(table.call).where(is_lost).order_by(table.id).limit(limit)
        found = await self._connection.scalars(query)
        return [msgspec.json.decode(each, type=InFlightCall) for each in found]

    async def settle(self, call: InFlightCall, entry: ModelCall) -> bool:
        mine = in_flight_calls.c.id == call.id
        if not (await self._connection.execute(sa.delete(in_flight_calls).where(mine))).rowcount:
            return False
        # Under an id of its own: a run that goes on elsewhere numbers its calls anew.
        await self._ledger.append(call.space_id, RunId(call.id), 1, [entry], call.account)
        return True


class SqlUsageUnitOfWork(SqlUnitOfWork):
    """One transaction on usage."""

    @cached_property
    def ledger(self) -> SqlUsageLedger:
        return SqlUsageLedger(self.connection)

    @cached_property
    def budgets(self) -> SqlBudgetRepository:
        return SqlBudgetRepository(self)

    @cached_property
    def counters(self) -> SqlBudgetCounters:
        return SqlBudgetCounters(self.connection)

    @cached_property
    def reports(self) -> SqlProviderReports:
        return SqlProviderReports(self.connection)

    @cached_property
    def in_flight(self) -> SqlInFlightCalls:
        return SqlInFlightCalls(self)


class SqlUsageStore(SqlStore[SqlUsageUnitOfWork]):
    """Opens transactions on usage."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, SqlUsageUnitOfWork)
