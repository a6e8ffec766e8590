"""The clock that processes on one PostgreSQL share."""

from datetime import timedelta
from functools import partial

from infra.impl.clock.server import ServerClock
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.engine.server_time import server_time
from tests.support.clock import ShiftedClock


async def test_machines_that_disagree_by_an_hour_agree_on_the_time(postgres_url: str) -> None:
    database = Database(postgres_url)
    await database.start()
    fast, slow = (
        ServerClock(partial(server_time, database), machine=ShiftedClock(timedelta(hours=hours)))
        for hours in (1, -1)
    )
    try:
        await fast.compare()
        await slow.compare()
        gap = abs(fast.now() - slow.now())
    finally:
        await database.aclose()

    assert gap < timedelta(seconds=60)
