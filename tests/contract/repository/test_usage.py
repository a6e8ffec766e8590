"""Sums of usage on SQLite and PostgreSQL: whatever is asked, they are those of the entries."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random
from zoneinfo import ZoneInfo

import msgspec
import pytest
import sqlalchemy as sa

from domain.shared.account import SOURCES, Account, Origin
from domain.shared.chat import CALL_KINDS, ModelCall, Usage
from domain.shared.ids import RunId, SpaceId
from domain.usage.entry import UsageEntry
from domain.usage.span import QUARTER, step_of
from domain.usage.value import Dimension, Group, Interval, Sums, UsageQuery, Value
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.ledger.usage import SqlUsageStore
from infra.impl.repository.sql.model.call import SqlModelCallLedger

BEGIN = datetime(2026, 3, 19, tzinfo=UTC)
"""A span of five days begins then."""
DAYS = 20
ENTRIES = 3000
SPACES = (SpaceId(1), SpaceId(2), SpaceId(3))
ZONES = ("UTC", "Europe/Zurich", "Asia/Kathmandu", "Asia/Shanghai", "Asia/Kolkata")


def made(count: int, *, seed: int = 1) -> list[UsageEntry]:
    """Invent calls: all kinds, outcomes and accounts, with and without prices."""
    draw, found = Random(seed), []  # noqa: S311 - no secret
    for number in range(count):
        is_priced = draw.random() < 0.7
        end = BEGIN + timedelta(seconds=draw.random() * DAYS * 86400)
        call = ModelCall(
            model=draw.choice(["large", "small", "embed"]),
            provider=draw.choice(["openai", "ollama"]),
            attempt=draw.choice([1, 1, 2]),
            purpose=draw.choice(CALL_KINDS),
            usage=Usage(
                input_tokens=draw.randrange(5000),
                output_tokens=draw.randrange(900),
                cached_tokens=draw.randrange(500),
                reasoning_tokens=draw.randrange(100),
                estimated=draw.random() < 0.2,
            ),
            outcome=draw.choice(["ok", "ok", "ok", "failed", "canceled", "unsettled"]),
            pages=draw.choice([0, 0, 3]),
            cost=f"{Decimal(draw.randrange(10**12)) / 10**8:.8f}" if is_priced else "0",
            has_points=is_priced,
            money=f"{Decimal(draw.randrange(10**10)) / 10**8:.8f}" if draw.random() < 0.6 else "",
            currency=draw.choice(["CHF", "CHF", "USD"]),
            ended_at=end,
        )
        if not call.money:
            call = msgspec.structs.replace(call, currency="")
        account = Account(
            origin=Origin(
                source=draw.choice(SOURCES),
                token_id=draw.choice([0, 41, 42]),
                share_link_id=draw.choice([0, 51]),
            ),
            app_id=draw.choice([0, 61]),
            agent_id=draw.choice([0, 71, 72, 73]),
            version=draw.choice(["", "v1"]),
            workflow_id=draw.choice([0, 81]),
            dataset_id=draw.choice([0, 91]),
            member_id=draw.choice([11, 12]),
            end_user_id=draw.choice(["", "ada", "bob", "eve"]),
        )
        found.append(
            UsageEntry(
                space_id=draw.choice(SPACES),
                run_id=RunId(number + 1),
                call_no=1,
                call=call,
                account=account,
            )
        )
    return found


def value_of(entry: UsageEntry, dimension: Dimension) -> Value:
    call, account, origin = entry.call, entry.account, entry.account.origin
    values: dict[Dimension, Value] = {
        Dimension.WORKSPACE: entry.space_id,
        Dimension.APP: account.app_id,
        Dimension.AGENT: account.agent_id,
        Dimension.VERSION: account.version,
        Dimension.WORKFLOW: account.workflow_id,
        Dimension.BASE: account.dataset_id,
        Dimension.MODEL: call.model,
        Dimension.PROVIDER: call.provider,
        Dimension.KIND: call.purpose,
        Dimension.SOURCE: origin.source,
        Dimension.TOKEN: origin.token_id,
        Dimension.SHARE_LINK: origin.share_link_id,
        Dimension.END_USER: account.end_user_id,
        Dimension.MEMBER: account.member_id,
    }
    return values[dimension]


def e8(amount: str) -> int:
    return int(Decimal(amount) * 10**8)


def sums_of(entry: UsageEntry) -> Sums:
    call, used = entry.call, entry.call.usage
    money = {call.currency: e8(call.money)} if call.money else {}
    if call.outcome == "unsettled":
        return Sums(
            unsettled_calls=1,
            unsettled_tokens=used.total_tokens,
            unsettled_points_e8=e8(call.cost),
            unsettled_money_e8=money,
        )
    is_model = call.purpose not in {"ocr", "plugin"}
    return Sums(
        calls=1,
        failed_calls=int(call.outcome != "ok"),
        estimated_calls=int(used.estimated),
        input_tokens=used.input_tokens,
        output_tokens=used.output_tokens,
        cached_tokens=used.cached_tokens,
        reasoning_tokens=used.reasoning_tokens,
        pages=call.pages,
        points_e8=e8(call.cost),
        money_e8=money,
        calls_without_points=int(is_model and not call.has_points),
        calls_without_money=int(is_model and not call.money),
    )


def expected(entries: Iterable[UsageEntry], query: UsageQuery) -> dict[object, Sums]:
    """Sum up one by one."""
    found: dict[tuple[int | None, Group], list[Sums]] = {}
    first = int(query.since.timestamp()) // QUARTER * QUARTER
    last = -(-int(query.until.timestamp()) // QUARTER) * QUARTER
    for each in entries:
        assert each.call.ended_at
        at = each.call.ended_at.timestamp()
        wanted = query.filters.items()
        if (
            not first <= at < last
            or (query.space_ids is not None and each.space_id not in query.space_ids)
            or any(value_of(each, dimension) not in values for dimension, values in wanted)
        ):
            continue
        step = step_of(int(at), query.zone, query.interval) if query.interval else None
        group = tuple(value_of(each, dimension) for dimension in query.group_by)
        found.setdefault((step, group), []).append(sums_of(each))
    return {key: told(Sums.total(each)) for key, each in found.items()}


def told(sums: Sums) -> Sums:
    """Leave out amounts of 0: a sum does not tell them from none."""
    for amounts in (sums.money_e8, sums.unsettled_money_e8):
        for currency in [each for each, amount in amounts.items() if not amount]:
            del amounts[currency]
    return sums


def queries(count: int, *, seed: int) -> Sequence[UsageQuery]:
    draw, found = Random(seed), []  # noqa: S311 - no secret
    dimensions = list(Dimension)
    for number in range(count):
        since = BEGIN + timedelta(seconds=draw.randrange((DAYS - 2) * 86400))
        by = tuple(draw.sample(dimensions, draw.choice([0, 1, 1, 2, 3])))
        filters: dict[Dimension, frozenset[Value]] = {}
        if draw.random() < 0.5:
            filters[Dimension.AGENT] = frozenset({71, 72})
        if draw.random() < 0.3:
            filters[Dimension.END_USER] = frozenset({"ada", ""})
        if draw.random() < 0.3:
            filters[Dimension.SOURCE] = frozenset({"api", "ingest", "mcp"})
        found.append(
            UsageQuery(
                space_ids=draw.choice([None, frozenset({SPACES[0]}), frozenset(SPACES[:2])]),
                since=since,
                until=since + timedelta(seconds=draw.choice([50, 7000, 90000, 10 * 86400])),
                zone=ZoneInfo(ZONES[number % len(ZONES)]),
                interval=draw.choice([None, *Interval]),
                group_by=by,
                filters=filters,
            )
        )
    return found


def by_model() -> Sequence[UsageQuery]:
    """Series that the narrowest sums are for, in zones whose hours begin with ours or within."""
    return [
        UsageQuery(
            space_ids=frozenset(SPACES),
            since=BEGIN,
            until=BEGIN + timedelta(days=DAYS),
            zone=ZoneInfo(zone),
            interval=Interval.HOUR,
            group_by=(Dimension.MODEL,),
        )
        for zone in ZONES
    ]


async def write(database: Database, entries: Sequence[UsageEntry]) -> None:
    async with database.transaction(SqlUnitOfWork)() as uow:
        ledger = SqlModelCallLedger(uow)
        for each in entries:
            await ledger.append(each.space_id, each.run_id, each.call_no, [each.call], each.account)
        await uow.commit()


async def roll(store: SqlUsageStore, limit: int) -> int:
    async with store.transaction() as uow:
        rolled = await uow.rollups.roll(limit=limit)
        await uow.commit()
    return rolled


async def check(
    store: SqlUsageStore, entries: Sequence[UsageEntry], asked: Sequence[UsageQuery]
) -> None:
    for query in asked:
        async with store.snapshot() as uow:
            found = await uow.ledger.sums(query)
        assert {key: told(sums) for key, sums in found.items()} == expected(entries, query), query


@pytest.mark.parametrize(
    "count", [ENTRIES, pytest.param(100_000, marks=pytest.mark.long)], ids=["some", "many"]
)
async def test_sums_are_those_of_the_entries_however_many_are_rolled(
    database: Database, count: int
) -> None:
    store, entries = SqlUsageStore(database), made(count)
    half = count // 2
    await write(database, entries[:half])
    for portion in (*([1_000] * (count // 3_000)), count // 3 % 1_000):
        assert await roll(store, portion) == portion
    await write(database, entries[half:])
    await check(store, entries, queries(16, seed=2))

    while await roll(store, 500):
        pass

    await check(store, entries, queries(16, seed=3))


async def test_ten_years_by_the_day_are_one_statement(database: Database) -> None:
    """In Nepal, whose days begin at a quarter of an hour: none names more slots one by one."""
    store, entries = SqlUsageStore(database), made(300)
    await write(database, entries)
    await roll(store, 200)
    query = UsageQuery(
        space_ids=frozenset(SPACES),
        since=BEGIN - timedelta(days=1850),
        until=BEGIN + timedelta(days=1850),
        zone=ZoneInfo("Asia/Kathmandu"),
        interval=Interval.DAY,
        group_by=(Dimension.MODEL,),
    )

    await check(store, entries, [query])


async def test_sums_are_made_anew_day_by_day(database: Database) -> None:
    store, entries = SqlUsageStore(database), made(200)
    await write(database, entries)
    await roll(store, 1000)
    async with store.snapshot() as uow:
        extent = await uow.rollups.extent()
    assert {space_id for space_id, *_ in extent} == set(SPACES)

    async with store.transaction() as uow:
        await uow.rollups.unroll(SPACES[0], BEGIN, BEGIN + timedelta(days=DAYS))
        await uow.commit()

    await check(store, entries, queries(6, seed=4))
    rolled = await roll(store, 1000)
    assert rolled == sum(each.space_id == SPACES[0] for each in entries)
    await check(store, entries, queries(6, seed=5))


@pytest.mark.parametrize(
    ("unknown", "kept"),
    [
        (("has_later_sums", "has_model_sums"), "cube <= 2 AND grain <> 432000"),
        (("has_model_sums",), "cube <> 6"),
    ],
    ids=["first", "later"],
)
async def test_what_a_release_before_summed_up_is_taken_into_later_sums(
    database: Database, unknown: tuple[str, ...], kept: str
) -> None:
    store, entries = SqlUsageStore(database), made(400)
    await write(database, entries[:300])
    await roll(store, 1000)
    async with database.write() as connection:  # as that release leaves them
        for statement in (
            f"UPDATE model_call SET {', '.join(f'{name} = false' for name in unknown)}",  # noqa: S608
            f"DELETE FROM usage_rollup WHERE NOT ({kept})",  # noqa: S608
        ):
            await connection.execute(sa.text(statement))
        await connection.commit()
    await write(database, entries[300:])
    await check(store, entries, [*by_model(), *queries(10, seed=6)])

    assert await roll(store, 150) == 150
    await check(store, entries, [*by_model(), *queries(10, seed=7)])

    assert await roll(store, 1000) == 250
    assert await roll(store, 1000) == 0
    await check(store, entries, [*by_model(), *queries(10, seed=8)])


async def test_sums_of_amounts_are_exact_beyond_what_an_integer_holds(database: Database) -> None:
    """Two of fifty thousand million are too much for 63 bits of a hundred-millionth each."""
    store, entries = SqlUsageStore(database), []
    for number, each in enumerate(made(6)):
        cost = f"{50_000_000_000 + number}.00000001"
        call = msgspec.structs.replace(
            each.call,
            cost=cost,
            has_points=True,
            money=cost,
            currency="CHF",
            outcome="ok",
            ended_at=BEGIN + timedelta(days=number),
        )
        entries.append(replace(each, call=call))
    await write(database, entries)
    query = UsageQuery(
        space_ids=None, since=BEGIN, until=BEGIN + timedelta(days=DAYS), zone=ZoneInfo("UTC")
    )
    asked = [query, replace(query, group_by=(Dimension.PROVIDER,))]
    await check(store, entries, asked)

    await roll(store, 1000)

    await check(store, entries, asked)


async def test_entries_are_listed_once_and_in_order(database: Database) -> None:
    store, entries = SqlUsageStore(database), made(60)
    at = BEGIN + timedelta(days=1)
    same = [  # at one instant, so that run and number decide
        msgspec.structs.replace(each.call, ended_at=at) for each in entries[:20]
    ]
    entries[:20] = [
        UsageEntry(
            space_id=each.space_id,
            run_id=each.run_id,
            call_no=1,
            call=call,
            account=each.account,
        )
        for each, call in zip(entries[:20], same, strict=True)
    ]
    await write(database, entries)
    for is_newest_first in (False, True):
        query = UsageQuery(
            space_ids=frozenset(SPACES[:2]),
            since=BEGIN,
            until=BEGIN + timedelta(days=DAYS),
            zone=ZoneInfo("UTC"),
            filters={Dimension.MEMBER: frozenset({11})},
        )
        seen: list[tuple[object, ...]] = []
        after = None
        while True:
            async with store.snapshot() as uow:
                page = await uow.ledger.entries(
                    query, after=after, is_newest_first=is_newest_first, limit=3
                )
            if not page:
                break
            assert page[-1].call.ended_at
            after = page[-1].call.ended_at, page[-1].run_id, page[-1].call_no
            seen += [(each.call.ended_at, each.run_id, each.call_no) for each in page]
        wanted = sorted(
            (each.call.ended_at, each.run_id, each.call_no)
            for each in entries
            if each.space_id in SPACES[:2] and each.account.member_id == 11
        )
        assert seen == (wanted[::-1] if is_newest_first else wanted)
