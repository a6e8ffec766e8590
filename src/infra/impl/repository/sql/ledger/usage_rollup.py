"""Rollups of usage: sums that entries are taken into, and that they leave, exactly."""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.privacy.value import Section, Subject
from domain.shared.ids import SpaceId
from domain.usage.cube import PLACES, Generation
from domain.usage.span import QUARTER
from domain.usage.value import Dimension
from infra.impl.repository.sql.ledger.usage_figure import SUMMED, figures_of
from infra.impl.repository.sql.mapping.column import metadata
from infra.impl.repository.sql.mapping.personal import PERSONAL, PersonalTable
from infra.impl.repository.sql.mapping.tenancy import TENANCY
from infra.impl.repository.sql.mapping.upsert import upsert
from infra.impl.repository.sql.model.call import model_call, slot_of

DIMENSION_COLUMNS: Final[Mapping[Dimension, str]] = {
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
"""Dimensions as the sums' table spells them, which the entries' table does too but for kinds."""
ROLLUP_COLUMNS: Final = (*DIMENSION_COLUMNS.values(), "currency")
_SHARED: Final = ("space_id", "cube", "grain", "slot", "key", *ROLLUP_COLUMNS[1:])
_MOST: Final = 2**63 - 1
_DISOWNED_AT_ONCE: Final = 500
_ADDED_AT_ONCE: Final = 10_000
"""Sums in one statement: a database that says nothing for long is taken for silent."""
_FLAGS: Final[Mapping[Generation, str]] = {
    Generation.FIRST: "is_rolled",
    Generation.LATER: "has_later_sums",
    Generation.OF_MODELS: "has_model_sums",
}
"""What an entry says of the sums that hold it."""


def _where_is(condition: sa.TextClause) -> sa.ColumnElement[bool]:
    """Say it as the indexes do."""
    return condition  # type: ignore[return-value]


LACKING: Final[Mapping[Generation, sa.ColumnElement[bool]]] = {
    Generation.FIRST: _where_is(sa.text("NOT is_rolled")),
    Generation.LATER: _where_is(sa.text("is_rolled AND NOT has_later_sums")),
    Generation.OF_MODELS: _where_is(sa.text("has_later_sums AND NOT has_model_sums")),
}
"""Entries that sums of a generation lack, and no earlier ones. Releases before, one beside this
included, know earlier sums alone."""

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
    *(sa.Column(name, sa.BigInteger, nullable=False) for name in SUMMED),
)
"""Sums over spans of ``grain`` seconds, the ``slot``-th since 1970; ``key`` digests the rest."""


class SqlUsageRollups:
    """Keeps the sums, on the connection of somebody's unit of work."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def roll(self, *, limit: int) -> int:
        rolled = 0
        for condition in LACKING.values():
            if rolled < limit:
                rolled += await self._roll(condition, limit - rolled)
        return rolled

    async def _roll(self, condition: sa.ColumnElement[bool], limit: int) -> int:
        table = model_call.c
        chosen = sa.select(model_call).where(condition).order_by(table.slot).limit(limit)
        rows = (await self._connection.execute(chosen)).all()
        of_lacking: dict[frozenset[Generation], list[sa.Row[Any]]] = {}
        for row in rows:
            of_lacking.setdefault(frozenset(_FLAGS) - _held_by(row), []).append(row)
        for lacking, some in of_lacking.items():
            entries = ((row._asdict(), figures_of(row)) for row in some)
            await _add_up(self._connection, _summed(entries, lacking))
        await _change(self._connection, rows, **dict.fromkeys(_FLAGS.values(), True))
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
            .values(dict.fromkeys(_FLAGS.values(), False))
        )

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


def _held_by(row: sa.Row[Any]) -> frozenset[Generation]:
    """Return which sums hold an entry."""
    held = row._asdict()
    return frozenset(each for each, flag in _FLAGS.items() if held[flag])


def _summed(
    entries: Iterable[tuple[Mapping[str, Any], Sequence[int]]], generations: Collection[Generation]
) -> dict[tuple[Any, ...], list[int]]:
    """Add up what entries put into the sums of these generations."""
    cubes: dict[Any, list[int]] = {}
    for place in PLACES:
        if place.generation in generations:
            cubes.setdefault(place.cube, []).append(place.grain)
    quarter: dict[tuple[Any, ...], list[int]] = {}
    for row, figures in entries:
        slot = row["slot"] or (slot_of(row["ended_at"]) if row["ended_at"] else 0)
        entry = {**row, "kind": row["purpose"]}
        values = tuple([entry[name] for name in ROLLUP_COLUMNS])
        _put(quarter, (slot, values), figures)
    found: dict[tuple[Any, ...], list[int]] = {}
    for cube, grains in cubes.items():
        known = {DIMENSION_COLUMNS[each] for each in cube.dimensions} | {"space_id", "currency"}
        is_known = [name in known for name in ROLLUP_COLUMNS]
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
        for generation in _FLAGS:
            moved = _summed(
                (
                    (each, [sign * figure for figure in figures_of(row)])
                    for row in rows
                    if generation in _held_by(row)
                    for sign, each in ((-1, row._asdict()), (1, row._asdict() | nobody))
                ),
                {generation},
            )
            await _add_up(connection, {key: own for key, own in moved.items() if any(own)})
        await _change(connection, rows, **nobody)
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


async def _change(
    connection: AsyncConnection, rows: Sequence[sa.Row[Any]], **values: object
) -> None:
    """Write the same values into each of some entries."""
    if not rows:
        return
    table = model_call.c
    one = (table.run_id == sa.bindparam("run")) & (table.call_no == sa.bindparam("number"))
    await connection.execute(
        sa.update(model_call).where(one).values(**values),
        [{"run": row.run_id, "number": row.call_no} for row in rows],
    )


async def _add_up(
    connection: AsyncConnection, sums: Mapping[tuple[Any, ...], Sequence[int]]
) -> None:
    if not sums:
        return
    insert = upsert(connection.dialect.name, usage_rollup)
    put = insert.on_conflict_do_update(
        index_elements=list(usage_rollup.primary_key),
        set_={name: usage_rollup.c[name] + insert.excluded[name] for name in SUMMED},
    )
    values = [
        dict(zip((*_SHARED, *SUMMED), (*shared, *(min(each, _MOST) for each in own)), strict=True))
        for shared, own in sums.items()
    ]
    for start in range(0, len(values), _ADDED_AT_ONCE):
        await connection.execute(put, values[start : start + _ADDED_AT_ONCE])


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
TENANCY.outlive(
    "What was used has been used; it says no longer by which end user.", model_call, usage_rollup
)
