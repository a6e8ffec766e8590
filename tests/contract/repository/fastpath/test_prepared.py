"""Queries built once: each time with its own values, and as careful as SQLAlchemy is."""

import asyncio
from datetime import UTC, datetime
from typing import Any, Final

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from domain.shared.access import TenantScope
from domain.shared.ids import AgentId, SpaceId, UserId
from infra.impl.repository.sql.conversation.table import conversations
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.fastpath.prepared import Prepared, Rows, padded
from infra.impl.repository.sql.mapping.column import Instant
from infra.impl.repository.sql.mapping.tenant_rows import agents_of, owned

NOW: Final = datetime(2026, 11, 23, 1, 2, 3, 4, tzinfo=UTC)
_ENDLESS: Final = """
WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 3000000)
SELECT count(*) FROM n
"""


async def ask(database: Database, prepared: Prepared, **values: Any) -> Rows:
    async with database.read() as connection:
        return await prepared.rows(connection, values)


async def test_values_are_converted_and_lists_have_any_length(database: Database) -> None:
    moment = sa.bindparam("moment", type_=Instant())
    among = sa.literal(2).in_(sa.bindparam("numbers", type_=sa.Integer, expanding=True))
    prepared = Prepared(sa.select(moment.label("moment"), sa.literal("kept")).where(among))

    for numbers in ([1, 2], [2], [5, 4, 3, 2], [2, 1]):
        (row,) = await ask(database, prepared, moment=NOW, numbers=numbers)
        assert list(row) == [NOW, "kept"]
    for numbers in ([], [1], [1, 3]):
        assert not await ask(database, prepared, moment=NOW, numbers=numbers)


async def test_a_value_of_who_asked_first_is_nobody_elses(database: Database) -> None:
    prepared = Prepared(sa.select(sa.bindparam("who", 7, type_=sa.Integer)))

    for who in (7, 8):
        (row,) = await ask(database, prepared, who=who)
        assert list(row) == [who]
    with pytest.raises(TypeError, match="who"):
        await ask(database, prepared)


async def test_a_fault_is_one_of_the_database(database: Database) -> None:
    wrong = Prepared(sa.select(sa.column("nothing")).select_from(sa.table("nowhere")))

    with pytest.raises(DBAPIError):
        await ask(database, wrong)
    (row,) = await ask(database, Prepared(sa.select(sa.literal(1))))
    assert list(row) == [1]


async def test_a_connection_whose_query_was_given_up_is_nobody_elses(database: Database) -> None:
    long = Prepared(sa.select(sa.text(f"({_ENDLESS})")))
    one = Prepared(sa.select(sa.literal(1)))
    started = asyncio.Event()

    async def wait() -> None:
        async with database.read() as connection:
            await one.rows(connection, {})
            started.set()
            await long.rows(connection, {})

    asking = asyncio.create_task(wait())
    await started.wait()
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking

    for _ in range(8):
        (row,) = await ask(database, one)
        assert list(row) == [1]


def test_ids_may_be_large_whoever_asked_first() -> None:
    few = TenantScope(UserId(1), frozenset({SpaceId(2)}), agent_ids=frozenset({AgentId(3)}))
    condition = owned(conversations, few) & conversations.c.agent_id.in_(agents_of(few))

    parts = sa.sql.visitors.iterate(condition)
    types = [each.type for each in parts if isinstance(each, sa.BindParameter)]
    assert len(types) == 3
    assert all(isinstance(each, sa.BigInteger) for each in types)


async def test_a_change_tells_how_many_rows_it_changed(database: Database) -> None:
    thing = sa.table("thing", sa.column("id", sa.Integer), sa.column("name", sa.Text))
    wanted = thing.c.id.in_(sa.bindparam("ids", type_=sa.Integer, expanding=True))
    named = sa.bindparam("named", type_=sa.Text)
    change = Prepared(sa.update(thing).where(wanted).values(name=named))

    async with database.write() as connection:
        await connection.execute(sa.text("CREATE TEMPORARY TABLE thing (id INTEGER, name TEXT)"))
        await connection.execute(sa.insert(thing), [{"id": each} for each in range(5)])
        changed = [
            await change.run(connection, {"ids": padded(ids), "named": "new"})
            for ids in ([], [1, 3], list(range(40)))
        ]
        rows = (await connection.execute(sa.select(thing).order_by(thing.c.id))).all()

    assert changed == [0, 2, 5]
    assert [tuple(row) for row in rows] == [(each, "new") for each in range(5)]


def test_padded_lists_have_few_lengths() -> None:
    assert padded([]) == []
    assert {len(padded(range(count))) for count in range(1, 65)} == {32, 64}
    assert set(padded([3, 1, 2])) == {1, 2, 3}
