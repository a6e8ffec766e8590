"""Node numbers of processes that share a PostgreSQL."""

from collections.abc import AsyncGenerator

import pytest
import sqlalchemy as sa

from domain.shared.error import SettingsInvalid
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.engine.node_claim import NodeClaim

LAST = 6
END_ALL = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"

HELD_BACK = (
    "SELECT count(*) FROM pg_stat_activity JOIN pg_locks USING (pid)"
    " WHERE locktype = 'advisory' AND backend_xmin IS NOT NULL"
)
"""Holders of numbers whom the making of an index and the removal of old rows would wait for."""


@pytest.fixture
async def shared(postgres_url: str) -> AsyncGenerator[Database]:
    database = Database(postgres_url)
    await database.start()
    yield database
    await database.aclose()


def _claim(database: Database, taken: list[int], *, first: int = 5) -> NodeClaim:
    return NodeClaim(database, first=first, last=LAST, on_change=taken.append)


async def _lose_connections(database: Database) -> None:
    async with database.write() as connection:
        await connection.execute(sa.text(END_ALL))


async def test_each_process_has_a_number_of_its_own(shared: Database) -> None:
    taken: list[int] = []
    one, two, three = (_claim(shared, taken) for _ in range(3))
    await one.take()
    await two.take()
    with pytest.raises(SettingsInvalid, match="COTERIE_NODE"):
        await three.take()

    await one.release()
    await three.take()
    await two.release()
    await three.release()

    assert taken == [5, 6, 5]


async def test_a_number_is_kept_while_the_connection_lives(shared: Database) -> None:
    taken: list[int] = []
    one = _claim(shared, taken)
    await one.take()
    await one.renew()
    await one.release()

    assert taken == [5]


async def test_nothing_waits_for_who_has_a_number(shared: Database) -> None:
    one = _claim(shared, [])
    await one.take()
    after_taking = await _held_back(shared)
    await one.renew()
    after_renewal = await _held_back(shared)
    await one.release()

    assert (after_taking, after_renewal) == (0, 0)


async def _held_back(database: Database) -> object:
    async with database.read() as connection:
        return await connection.scalar(sa.text(HELD_BACK))


async def test_a_number_is_taken_again_after_a_lost_connection(shared: Database) -> None:
    taken: list[int] = []
    one = _claim(shared, taken)
    await one.take()
    await _lose_connections(shared)
    await one.renew()
    await one.release()

    assert taken == [5, 5]


async def test_a_number_that_went_to_another_is_given_up(shared: Database) -> None:
    mine: list[int] = []
    others: list[int] = []
    one, two = _claim(shared, mine), _claim(shared, others)
    await one.take()
    await _lose_connections(shared)
    await two.take()
    await one.renew()
    await one.release()
    await two.release()

    assert (mine, others) == ([5, 6], [5])
