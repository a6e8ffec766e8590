"""Workers that are killed or stopped anywhere: nothing is lost, nothing is there twice.

A worker is stopped and let go on in short steps until the database shows the moment that a test
waits for; then it is killed, and the next one takes over.
"""

import asyncio
import os
import random
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import psutil
import pytest
import sqlalchemy as sa

from domain.knowledge.job import JobState
from domain.knowledge.value import ChunkRule, ChunkType, DocumentStatus, ParseRule
from domain.shared.error import NotFound
from infra.contract.storage.search_index import MAX_BATCH
from infra.impl.repository.sql.knowledge.table import jobs, objects, slices
from tests.support.knowledge.reader import Library, embedding_models, opened_library
from tests.support.process.server import RunningWorker, running_worker
from tests.support.service.postgres import PostgresServer
from tests.upstream.fixture import RunningUpstream, running_upstream

LINES = ParseRule(chunking=ChunkRule(chunk_type=ChunkType.CUSTOM, separator="##"))
LARGE, SMALL = 1250, 40  # the last batch of a large one is not full
WORKERS = 3
"""Documents that a process has in work."""
STEP_S = 0.0005
PATIENCE_S = 120.0
POINTS = (
    ("fetch", 0),
    ("parse", 0),
    ("chunk", 0),
    ("chunk", 500),
    ("index", 0),
    ("index", 300),
    ("activate", 0),
)
"""Stage, and how far in it, at which a worker is killed."""
LATER_POINTS = (("chunk", 1000), ("index", 1000), ("collect", 0), ("collect", 1000))
SOME_POINTS = (("chunk", 500), ("index", 300), ("activate", 0))
SOME_LATER_POINTS = (("index", 1000), ("collect", 0))


@dataclass
class Place:
    """A deployment to be."""

    data: Path
    environ: Mapping[str, str]
    is_sqlite: bool = True


@pytest.fixture(scope="module")
def upstream() -> Iterator[RunningUpstream]:
    with running_upstream() as upstream:
        yield upstream


@pytest.fixture
def settings(upstream: RunningUpstream) -> dict[str, str]:
    upstream.forget()
    return {
        "COTERIE_MODELS": embedding_models(upstream.base_url, "embed-8"),
        "COTERIE_DEFAULTS__EMBEDDING": "embed-8",
        "COTERIE_INGEST__WORKERS": str(WORKERS),
        "COTERIE_INGEST__PER_DATASET": "3",
        "COTERIE_INGEST__POLL_S": "0.1",
        "COTERIE_INGEST__LEASE_S": "600",
        "COTERIE_INGEST__RENEW_S": "100",
    }


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.long)])
def place(
    request: pytest.FixtureRequest, tmp_path: Path, settings: dict[str, str]
) -> Iterator[Place]:
    if request.param == "sqlite":
        yield Place(tmp_path, settings)
        return
    server: PostgresServer = request.getfixturevalue("postgres_server")
    url = server.create_database("kill")
    yield Place(tmp_path, settings | {"COTERIE_DATABASE__URL": url}, is_sqlite=False)
    server.drop_database("kill")


def text(name: str, count: int) -> bytes:
    """A document of so many slices; every seventh is about foxes."""
    animals = ["fox", "whale", "parrot", "tiger", "wolf", "lynx", "otter"]
    return "##".join(
        f"Note {number} of {name}: the {animals[number % 7]} sleeps." for number in range(count)
    ).encode()


async def take_in(library: Library) -> tuple[int, dict[str, int]]:
    """Take a large and some small documents in."""
    base = await library.base()
    sizes = {"large": LARGE, **{f"small{number}": SMALL for number in range(8)}}
    return base, {
        name: await library.accept(base, f"{name}.txt", text(name, count), rule=LINES)
        for name, count in sizes.items()
    }


async def require_undisturbed(library: Library, base: int, documents: Mapping[str, int]) -> None:
    """Everything is as it is when nothing happens."""
    views = await library.ended(list(documents.values()))
    assert {(view.status, view.fail_reason) for view in views} == {(DocumentStatus.ENABLED, "")}
    expected = [
        line
        for name in documents
        for line in text(name, LARGE if name == "large" else SMALL).decode().split("##")
    ]
    found = [line for number in documents.values() for line in await library.contents(number)]
    assert found == expected
    assert await library.entries(base) == (len(expected), len(expected))
    assert len(await library.find(base, "parrot")) == 50  # as many as are asked for
    assert await stored(library) == len(expected)


async def stored(library: Library) -> int:
    """Count the slices of all generations."""
    async with library.container.database().read() as connection:
        counted = await connection.scalar(sa.select(sa.func.count()).select_from(slices))
        return int(counted or 0)


async def end_leases(library: Library) -> None:
    """Let the next worker have what a dead one held, now instead of later.

    Its deaths are forgiven: on a slow machine a job may not move at all before each of them, and
    would be given up after the third.
    """
    async with library.container.database().write() as connection:
        await connection.execute(
            sa.update(jobs)
            .where(jobs.c.state == JobState.RUNNING)
            .values(lease_until=datetime.now(UTC), attempt=0)
        )
        await connection.commit()


@contextmanager
def stopped_worker(place: Place) -> Iterator[RunningWorker]:
    """Start a worker and stop it, before it has anything to do."""
    with running_worker(place.data, place.environ) as worker:
        stop(worker, place)
        try:
            yield worker
        finally:
            if worker.process.poll() is None:
                os.kill(worker.process.pid, signal.SIGCONT)


def stop(worker: RunningWorker, place: Place) -> None:
    """Stop a worker outside its transactions, so that others can write."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        os.kill(worker.process.pid, signal.SIGSTOP)
        if not any(map(is_locked, place.data.rglob("*.db"))):
            return
        assert time.monotonic() < deadline, "It never ends its transaction."
        os.kill(worker.process.pid, signal.SIGCONT)
        time.sleep(STEP_S)


def is_locked(database: Path) -> bool:
    with closing(sqlite3.connect(database, timeout=0.05, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return True
    return False


def step_until(worker: RunningWorker, condition: Callable[[], bool]) -> None:
    """Let a stopped worker go on in short steps; it is stopped again when this returns."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, "It did not happen in time."
        os.kill(worker.process.pid, signal.SIGCONT)
        time.sleep(STEP_S)
        os.kill(worker.process.pid, signal.SIGSTOP)


@contextmanager
def glance(place: Place) -> Iterator[Callable[[str, int], bool]]:
    """Yield a quick look at whether a job is at a point."""
    with closing(sqlite3.connect(place.data / "coterie.db")) as connection:

        def is_at(stage: str, cursor: int) -> bool:
            query = (
                "SELECT 1 FROM knowledge_job WHERE state = 'running' AND stage = ? AND cursor >= ?"
            )
            try:
                return connection.execute(query, (stage, cursor)).fetchone() is not None
            except sqlite3.OperationalError:  # the worker was stopped while it recovers the log
                return False

        yield is_at


async def kill_at(library: Library, place: Place, points: Sequence[tuple[str, int]]) -> None:
    """Kill one worker after the other, each at its point."""
    with glance(place) as is_at:
        for stage, cursor in points:
            with stopped_worker(place) as worker:
                await end_leases(library)
                step_until(worker, lambda: is_at(stage, cursor))  # noqa: B023 - called at once
                children = psutil.Process(worker.process.pid).children(recursive=True)
                worker.process.kill()
                worker.process.wait()
                assert not psutil.wait_procs(children, timeout=60)[1]


@pytest.mark.parametrize(
    ("points", "later_points"),
    [
        pytest.param(SOME_POINTS, SOME_LATER_POINTS, id="some"),
        pytest.param(POINTS, LATER_POINTS, id="all", marks=pytest.mark.long),
    ],
)
async def test_a_worker_may_be_killed_at_every_stage(
    tmp_path: Path,
    settings: dict[str, str],
    points: Sequence[tuple[str, int]],
    later_points: Sequence[tuple[str, int]],
) -> None:
    place = Place(tmp_path, settings)
    async with opened_library(place.data, place.environ) as library:
        base, documents = await take_in(library)
        await kill_at(library, place, points)
        with running_worker(place.data, place.environ):
            await end_leases(library)
            await require_undisturbed(library, base, documents)

        service = library.container.knowledge().documents
        await service.resegment(library.principal, documents["large"], LINES)
        await kill_at(library, place, later_points)
        with running_worker(place.data, place.environ):
            await end_leases(library)
            await collected(library)
            await require_undisturbed(library, base, documents)


@pytest.mark.long
async def test_a_worker_may_be_killed_at_any_time(place: Place) -> None:
    chance = random.Random(2)  # noqa: S311 - repeatable, no secret
    async with opened_library(place.data, place.environ) as library:
        base, documents = await take_in(library)
        for _ in range(3):
            with running_worker(place.data, place.environ) as worker:
                await end_leases(library)
                await asyncio.sleep(chance.uniform(0.0, 1.0))
                worker.process.kill()
                worker.process.wait()
        with running_worker(place.data, place.environ):
            await end_leases(library)
            await require_undisturbed(library, base, documents)


async def test_two_workers_share_the_documents(place: Place, upstream: RunningUpstream) -> None:
    async with opened_library(place.data, place.environ) as library:
        with (
            running_worker(place.data, place.environ) as one,
            running_worker(place.data, place.environ) as two,
        ):
            base, documents = await take_in(library)
            await require_undisturbed(library, base, documents)
        assert (one.process.returncode, two.process.returncode) == (0, 0)

    asked = Counter(
        line for request in upstream.requests(model="embed-8") for line in request.body["input"]
    )
    assert len(asked) == LARGE + 8 * SMALL
    # The first batches of a new base may meet: all but one of those in work then ask once more.
    meeting = 2 * WORKERS - 1
    assert asked.total() - len(asked) <= (meeting - 1) * SMALL + MAX_BATCH


async def test_a_worker_that_slept_too_long_changes_nothing(
    tmp_path: Path, settings: dict[str, str]
) -> None:
    place = Place(tmp_path, settings)
    async with opened_library(place.data, place.environ) as library:
        base, documents = await take_in(library)
        with glance(place) as is_at, stopped_worker(place) as sleeper:
            step_until(sleeper, lambda: is_at("index", 300))
            stop(sleeper, place)
            with running_worker(place.data, place.environ):
                await end_leases(library)
                await require_undisturbed(library, base, documents)
        assert sleeper.process.returncode == 0  # it went on, lost, and stopped in order
        await require_undisturbed(library, base, documents)


@pytest.mark.parametrize("what", ["document", "base"])
async def test_nothing_remains_of_what_is_deleted_meanwhile(
    tmp_path: Path, settings: dict[str, str], what: str
) -> None:
    place = Place(tmp_path, settings)
    async with opened_library(place.data, place.environ) as library:
        base = await library.base()
        document = await library.accept(base, "large.txt", text("large", LARGE), rule=LINES)
        knowledge = library.container.knowledge()
        with glance(place) as is_at, stopped_worker(place) as worker:
            step_until(worker, lambda: is_at("index", 300))
            stop(worker, place)
            if what == "document":
                await knowledge.documents.delete(library.principal, [document])
            else:
                await knowledge.datasets.delete(library.principal, base)
            os.kill(worker.process.pid, signal.SIGCONT)
            await gone(library)
            await unindexed(library, base)
        assert not [line for line in worker.log if "Traceback" in line]
        with pytest.raises(NotFound):
            await library.get(document)


async def gone(library: Library) -> None:
    """Wait until neither slices nor objects nor work are left."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        async with library.container.database().read() as connection:
            left = [
                await connection.scalar(sa.select(sa.func.count()).select_from(table))
                for table in (slices, objects)
            ]
        if not any(left):
            return
        assert time.monotonic() < deadline, f"Still there: {left}"
        await asyncio.sleep(0.05)


async def unindexed(library: Library, base: int) -> None:
    """Wait until a worker that wrote late has taken back what it wrote."""
    deadline = time.monotonic() + PATIENCE_S
    while (left := await library.entries(base)) != (0, 0):
        assert time.monotonic() < deadline, f"Still found: {left}"
        await asyncio.sleep(0.05)


async def collected(library: Library) -> None:
    """Wait until no job is left."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        async with library.container.knowledge().store.snapshot() as uow:
            if await uow.queue.next_due_at() is None:
                return
        assert time.monotonic() < deadline, "Still at work."
        await asyncio.sleep(0.05)
