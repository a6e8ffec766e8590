"""Rows out of one database into another: stopped anywhere, equal at the end."""

import shutil
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

import pytest
import sqlalchemy as sa

from application.operation.archive.backup import BackupService
from application.operation.archive.check import check_backup
from application.operation.archive.content import BackupContent
from application.operation.move.moving import DeploymentMove, require_released
from application.operation.move.rows import RowMove
from infra.contract.storage.object_store import ObjectKey
from infra.contract.storage.transfer import (
    ListedObject,
    TargetOccupied,
    TransferBusy,
    TransferUnfinished,
)
from infra.impl.object_store.local import LocalObjectStore
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.event.table import outbox
from infra.impl.repository.sql.identity.table import users
from infra.impl.repository.sql.mapping.all_tables import complete_metadata
from infra.impl.repository.sql.operation.sealed_secrets import SEALED
from infra.impl.repository.sql.operation.transfer import SqlRows
from infra.impl.table_store.sqlite import SqliteTableStore
from infra.impl.transfer import zip_archive
from infra.impl.transfer.sqlite_tables import SqliteTableCatalogue
from tests.support.clock import FrozenClock

EVENTS = 1200
"""More than two batches."""


class Stopped(Exception):
    """The process died here."""


class Stopper:
    """Is told how far a move is, and stops it once at a chosen moment."""

    def __init__(self, after: int) -> None:
        self._left = after

    def tell(self, name: str, done: int, total: int) -> None:
        self._left -= 1
        if self._left == 0:
            raise Stopped(f"{name}: {done} of {total}")


@pytest.fixture(params=["sqlite", "postgres"])
async def target(
    request: pytest.FixtureRequest, tmp_path: Path, sqlite_template: Path
) -> AsyncGenerator[Database, None]:
    """An empty database beside the source."""
    if request.param == "postgres":
        url = str(request.getfixturevalue("postgres_url"))
    else:
        url = f"sqlite+aiosqlite:///{shutil.copy(sqlite_template, tmp_path / 'target.db')}"
    database = Database(url)
    yield database
    await database.aclose()


@pytest.fixture
async def filled(sqlite_database: Database, clock: FrozenClock) -> SqlRows:
    rows = [
        {
            "event_id": f"{number:032x}",
            "topic": "t",
            "key": f"k{number}\x00" if number == 1 else f"k{number}",
            "space_id": 1,
            "payload": bytes([number % 256]),
            "created_at": clock.now(),
        }
        for number in range(EVENTS)
    ]
    async with sqlite_database.write() as connection:
        await connection.execute(sa.insert(outbox), rows)
        await connection.commit()
    return SqlRows(sqlite_database)


def a_restore(content: BackupContent, target: Database, *, stop_after: int = 0) -> DeploymentMove:
    rows = SqlRows(target)
    part = RowMove(content, rows, tell=Stopper(stop_after).tell)
    return DeploymentMove(rows, [part], origin="backup")


def a_move(source: SqlRows, target: Database, *, stop_after: int = 0) -> DeploymentMove:
    rows = SqlRows(target)
    part = RowMove(source, rows, tell=Stopper(stop_after).tell)
    return DeploymentMove(rows, [part], origin="here")


async def test_a_move_goes_on_wherever_it_was_stopped(
    filled: SqlRows, target: Database, clock: FrozenClock
) -> None:
    for stop_after in (1, 1, 1, 2):
        with pytest.raises(Stopped):
            await a_move(filled, target, stop_after=stop_after).run()
        with pytest.raises(TransferUnfinished):
            await require_released(SqlRows(target))

    report = await a_move(filled, target).run()

    moved = {part.name: part for part in report.parts}["rows/outbox"]
    assert report.is_equal
    assert report.is_resumed
    assert moved.target == EVENTS
    await require_released(SqlRows(target))
    with pytest.raises(TargetOccupied, match="moved here already"):
        await a_move(filled, target).run()


async def test_numbering_goes_on_after_a_move(
    filled: SqlRows, target: Database, clock: FrozenClock
) -> None:
    await a_move(filled, target).run()
    async with target.write() as connection:
        fresh = {"event_id": "new", "topic": "t", "key": "k", "space_id": 1, "payload": b""}
        await connection.execute(sa.insert(outbox).values(**fresh, created_at=clock.now()))
        position = await connection.scalar(
            sa.select(outbox.c.position).where(outbox.c.event_id == "new")
        )
        await connection.commit()

    assert position == EVENTS + 1


async def test_what_was_damaged_on_the_way_is_moved_again(
    filled: SqlRows, target: Database
) -> None:
    with pytest.raises(Stopped):
        await a_move(filled, target, stop_after=3).run()
    async with target.write() as connection:
        await connection.execute(sa.update(outbox).values(topic="other"))
        await connection.commit()

    assert (await a_move(filled, target).run()).is_equal


class LosingStore(LocalObjectStore):
    """Its objects are deleted as soon as they are listed, but for one."""

    async def listed(self, *, after: str = "") -> AsyncGenerator[ListedObject, None]:
        found = [item async for item in super().listed(after=after)]
        for item in found[1:]:
            await self.delete(item.key)
        for item in found:
            yield item


def a_backup(
    rows: SqlRows, clock: FrozenClock, objects: LocalObjectStore, nowhere: Path
) -> BackupService:
    return BackupService(
        rows=rows,
        catalogue=SqliteTableCatalogue(nowhere),
        tables=SqliteTableStore(nowhere),
        objects=objects,
        clock=clock,
        release="1",
        schema="s",
        key="k",
        tell=Stopper(0).tell,
    )


async def test_objects_deleted_meanwhile_are_not_in_the_backup(
    sqlite_database: Database, clock: FrozenClock, tmp_path: Path
) -> None:
    objects = LosingStore(tmp_path / "objects")
    await objects.start()
    for name in ("a", "b"):
        await objects.put(ObjectKey(f"spaces/1/{name}"), chunks(b"12345"), limit_bytes=5)

    service = a_backup(SqlRows(sqlite_database), clock, objects, tmp_path / "none")
    async with zip_archive.written(tmp_path / "b.zip") as writer:
        await service.write(writer, collections=[])

    with zip_archive.opened(tmp_path / "b.zip") as archive:
        manifest = await check_backup(archive)
        held = [name for name, _ in await archive.names() if name.startswith("objects/")]
    assert (manifest.objects, manifest.object_bytes) == (1, 5)
    assert held == ["objects/spaces/1/a"]


async def chunks(data: bytes) -> AsyncGenerator[bytes, None]:
    yield data


async def test_a_restore_goes_on_in_the_middle_of_a_file(
    filled: SqlRows, target: Database, clock: FrozenClock, tmp_path: Path
) -> None:
    service = a_backup(filled, clock, LocalObjectStore(tmp_path / "none"), tmp_path / "none")
    async with zip_archive.written(tmp_path / "b.zip") as writer:
        await service.write(writer, collections=[])

    with zip_archive.opened(tmp_path / "b.zip") as archive:
        manifest = await check_backup(archive)
        for stop_after in (1, 1):
            async with aclosing(BackupContent(archive, manifest)) as content:
                with pytest.raises(Stopped):
                    await a_restore(content, target, stop_after=stop_after).run()
        async with aclosing(BackupContent(archive, manifest)) as content:
            report = await a_restore(content, target).run()

    moved = {found.name: found for found in report.parts}["rows/outbox"]
    assert (report.is_equal, moved.target) == (True, EVENTS)


async def test_a_database_with_other_data_is_refused(
    filled: SqlRows, target: Database, clock: FrozenClock
) -> None:
    async with target.write() as connection:
        values = {
            column.name: (clock.now() if column.name.endswith("_at") else 1)
            if not isinstance(column.type, sa.String)
            else "x"
            for column in users.columns
        }
        await connection.execute(sa.insert(users).values(**values))
        await connection.commit()

    with pytest.raises(TargetOccupied, match="user_account"):
        await a_move(filled, target).run()


async def test_two_moves_into_one_database_exclude_each_other(postgres_url: str) -> None:
    first, second = Database(postgres_url), Database(postgres_url)
    try:
        async with SqlRows(first).receiving():
            with pytest.raises(TransferBusy):
                async with SqlRows(second).receiving():
                    raise AssertionError("Both were let in.")
        async with SqlRows(second).receiving():
            pass
    finally:
        await first.aclose()
        await second.aclose()


def test_every_sealed_column_is_known() -> None:
    declared = {
        column
        for table in complete_metadata().tables.values()
        for column in table.columns
        if column.name.startswith("sealed_")
    }

    assert declared == {sealed.column for sealed in SEALED}
