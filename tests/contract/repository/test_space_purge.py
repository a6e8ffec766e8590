"""Nothing of a workspace that ended is left in any table, on every database."""

from collections.abc import AsyncIterable
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
import sqlalchemy as sa

from application.privacy.space_purge import SpacePurge
from domain.privacy.value import KeptDays
from domain.shared.access import TenantScope
from domain.shared.error import Unavailable
from domain.shared.ids import SpaceId, UserId
from infra.contract.storage.object_store import ObjectKey, ObjectNotFound
from infra.impl.object_store.local import LocalObjectStore
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.ledger.usage import SqlUsageStore
from infra.impl.repository.sql.mapping.all_tables import complete_metadata
from infra.impl.repository.sql.mapping.tenancy import TENANCY
from infra.impl.repository.sql.privacy import SqlPrivacyStore
from tests.contract.repository.rows import NOW, row_of
from tests.support.clock import FrozenClock

ENDED: Final = SpaceId(9)
OTHER: Final = SpaceId(7)
WEEK: Final = timedelta(days=7)
OBJECT: Final = "object_k-{}"


class FailingObjects(LocalObjectStore):
    """Objects that break off after some were deleted, as a process does that is killed."""

    left = 10**9

    async def delete(self, key: ObjectKey) -> None:
        if self.left == 0:
            raise Unavailable("The process is gone.")
        self.left -= 1
        await super().delete(key)


@pytest.fixture
async def objects(tmp_path: Path) -> FailingObjects:
    store = FailingObjects(tmp_path / "objects")
    await store.start()
    return store


async def keep(objects: LocalObjectStore, key: str) -> None:
    async def once() -> AsyncIterable[bytes]:
        yield b"kept"

    await objects.put(ObjectKey(key), once(), limit_bytes=10)


async def is_kept(objects: LocalObjectStore, key: str) -> bool:
    try:
        async for _ in objects.read(ObjectKey(key)):
            pass
    except ObjectNotFound:
        return False
    return True


class Steps:
    """What is removed beside the rows, in order."""

    def __init__(self) -> None:
        self.done: list[str] = []

    async def drop_tables(self, space_id: int) -> None:
        self.done.append(f"tables of {space_id}")

    async def forget(self) -> None:
        self.done.append("indexes")


@pytest.fixture
def steps() -> Steps:
    return Steps()


def purge_of(
    database: Database, objects: LocalObjectStore, steps: Steps, *, after: timedelta = WEEK * 2
) -> SpacePurge:
    return SpacePurge(
        store=SqlPrivacyStore(database),
        objects=objects,
        drop_tables=steps.drop_tables,
        forget_others=[steps.forget],
        clock=FrozenClock(NOW + after),
    )


async def fill(database: Database, space: int) -> None:
    """Write a row of a workspace into every table; its number is that of the workspace."""
    async with database.write() as connection:
        for table in complete_metadata().tables.values():
            if table.name == "usage_rollup":
                continue
            row = row_of(table, space, f"user-{space}", space, space=space)
            if table.name == "space":
                row |= {"deleted_at": NOW, "limits": None}
            if table.name == "retention":
                row |= {"is_held": False}
            await connection.execute(sa.insert(table).values(**row))
        await connection.commit()
    async with SqlUsageStore(database).transaction() as usage:
        await usage.rollups.roll(limit=10)
        await usage.commit()


async def rows(database: Database, space: int) -> dict[str, int]:
    """Count the rows of a workspace by table."""
    found = {}
    async with database.read() as connection:
        for table in complete_metadata().tables.values():
            number = next(iter(table.primary_key))
            mine = table.c.space_id == space if "space_id" in table.c else None
            if mine is None and table in TENANCY and table.name not in TENANCY.elsewhere:
                mine = number == space
            if mine is not None:
                query = sa.select(sa.func.count()).select_from(table).where(mine)
                if count := await connection.scalar(query):
                    found[table.name] = count
    return found


def test_every_table_says_how_its_rows_belong_to_a_workspace() -> None:
    tables = complete_metadata().tables.values()
    unknown = [table.name for table in tables if table not in TENANCY]

    assert not unknown, (
        f"{unknown}: say in TENANCY beside the table through which rows of others its rows belong "
        "to a workspace, or why to none."
    )
    named = [column for table in tables for column in table.c if column.name == "object_key"]
    assert {str(column) for column in named} == {str(column) for column in TENANCY.objects}, (
        "Objects whose rows go must go with them: register the column in TENANCY."
    )


async def test_nothing_is_left_of_a_workspace_but_what_must_be_answered_for(
    database: Database, objects: FailingObjects, steps: Steps
) -> None:
    await fill(database, ENDED)
    await fill(database, OTHER)
    async with database.write() as connection:
        spaces = complete_metadata().tables["space"]
        await connection.execute(
            sa.update(spaces).where(spaces.c.id == OTHER).values(deleted_at=None)
        )
        await connection.commit()
    others = await rows(database, OTHER)
    for space in (ENDED, OTHER):
        await keep(objects, OBJECT.format(space))

    assert await purge_of(database, objects, steps).purge() == 1

    kept = await rows(database, ENDED)
    assert kept.keys() == TENANCY.outliving.keys()
    assert await rows(database, OTHER) == others
    assert not await is_kept(objects, OBJECT.format(ENDED))
    assert await is_kept(objects, OBJECT.format(OTHER))
    assert steps.done == [f"tables of {ENDED}", "indexes"]
    assert await names_in_usage(database) == {f"user-{OTHER}"}
    assert await purged(database) == [ENDED]
    assert await purge_of(database, objects, steps).purge() == 0


async def test_a_purge_that_was_killed_goes_on_where_it_was(
    database: Database, objects: FailingObjects, steps: Steps
) -> None:
    await fill(database, ENDED)
    await keep(objects, OBJECT.format(ENDED))
    objects.left = 0
    with pytest.raises(Unavailable):
        await purge_of(database, objects, steps).purge()
    left = await rows(database, ENDED)
    assert {"file", "space"} <= left.keys()
    assert "agent" not in left
    assert await purged(database) == []

    objects.left = 10
    assert await purge_of(database, objects, steps).purge() == 1

    assert (await rows(database, ENDED)).keys() == TENANCY.outliving.keys()
    assert not await is_kept(objects, OBJECT.format(ENDED))
    assert await purged(database) == [ENDED]


async def test_many_rows_go_in_small_steps(
    database: Database, objects: FailingObjects, steps: Steps
) -> None:
    await fill(database, ENDED)
    runs, events = (complete_metadata().tables[name] for name in ("run", "run_event"))
    async with database.write() as connection:
        for table, space in ((runs, ENDED), (events, ENDED), (events, OTHER)):
            many: list[dict[str, Any]] = [
                row_of(table, number, "x", 1, space=space)
                for number in range(space * 10_000, space * 10_000 + 2_500)
            ]
            await connection.execute(sa.insert(table), many)
        await connection.commit()

    await purge_of(database, objects, steps).purge()

    assert (await rows(database, ENDED)).keys() == TENANCY.outliving.keys()
    assert (await rows(database, OTHER))["run_event"] == 2_500


async def test_a_workspace_stays_for_its_grace_and_while_it_is_held(
    database: Database, objects: FailingObjects, steps: Steps
) -> None:
    await fill(database, ENDED)
    before = await rows(database, ENDED)
    scope, store = TenantScope(UserId(1), frozenset({ENDED})), SqlPrivacyStore(database)

    assert await purge_of(database, objects, steps, after=WEEK).purge() == 0
    async with store.transaction() as uow:
        rule = await uow.retention.get(scope, ENDED)
        rule.change(KeptDays(), is_held=True, by=UserId(1), now=NOW)
        await uow.retention.save(scope, rule)
        await uow.commit()
    assert await purge_of(database, objects, steps).purge() == 0
    assert await rows(database, ENDED) == before


async def test_an_object_that_another_workspace_names_stays(
    database: Database, objects: FailingObjects, steps: Steps
) -> None:
    await fill(database, ENDED)
    await keep(objects, OBJECT.format(ENDED))
    shared = complete_metadata().tables["knowledge_object"]
    row = row_of(shared, OTHER, "", 1, space=OTHER) | {"object_key": OBJECT.format(ENDED)}
    async with database.write() as connection:
        await connection.execute(sa.insert(shared).values(**row))
        await connection.commit()

    await purge_of(database, objects, steps).purge()

    assert await is_kept(objects, OBJECT.format(ENDED))


async def names_in_usage(database: Database) -> set[str]:
    found = set[str]()
    async with database.read() as connection:
        for name in ("model_call", "usage_rollup"):
            table = complete_metadata().tables[name]
            found |= set(await connection.scalars(sa.select(table.c.end_user_id)))
    return found - {""}


async def purged(database: Database) -> list[int]:
    """Return the workspaces whose end is told of."""
    outbox = complete_metadata().tables["outbox"]
    query = sa.select(outbox.c.key).where(outbox.c.topic == "space.purged")
    async with database.read() as connection:
        return [int(key) for key in await connection.scalars(query)]
