"""Work that a claim makes for the database: it grows with what waits, not with its square."""

import sqlite3
from datetime import timedelta
from typing import Any, Final

import pytest

from domain.knowledge.repository import JobQuota
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.knowledge.repository import SqlKnowledgeStore
from tests.support.clock import FrozenClock
from tests.support.knowledge.sample import SCOPE, new_job

QUOTA: Final = JobQuota(per_dataset=4, per_space=8)
_FEW: Final = 50
_MANY: Final = 400
_EACH: Final = 10
"""Instructions of SQLite's machine that are counted as one."""


class Steps:
    """What SQLite did, in instructions of its machine."""

    def __init__(self) -> None:
        self.count = 0

    def note(self) -> int:
        self.count += _EACH
        return 0


@pytest.fixture(autouse=True)
def steps(monkeypatch: pytest.MonkeyPatch) -> Steps:
    counted = Steps()
    connect = sqlite3.connect

    def connected(*args: Any, **options: Any) -> sqlite3.Connection:
        opened: sqlite3.Connection = connect(*args, **options)
        opened.set_progress_handler(counted.note, _EACH)
        return opened

    monkeypatch.setattr(sqlite3, "connect", connected)
    return counted


async def test_a_claim_costs_no_more_for_each_job_the_more_wait(
    steps: Steps, sqlite_database: Database, clock: FrozenClock
) -> None:
    store, spent, added = SqlKnowledgeStore(sqlite_database), {}, 0
    for waiting in (_FEW, _MANY):
        async with store.transaction() as uow:
            for number in range(added + 1, waiting + 1):
                job = new_job(number, now=clock.now(), document=number, dataset=1 + number % 7)
                if number < QUOTA.per_dataset:
                    job.claim("w", now=clock.now(), until=clock.now() + timedelta(minutes=5))
                await uow.jobs.add(SCOPE, job)
            await uow.commit()
        added = waiting
        async with store.snapshot() as uow:
            before = steps.count
            assert len(await uow.queue.shared(now=clock.now(), quota=QUOTA, limit=5)) == 5
            spent[waiting] = (steps.count - before) / waiting
    assert spent[_FEW] > 0
    assert spent[_MANY] < 2 * spent[_FEW]
