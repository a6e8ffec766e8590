"""Workers that die at every crash point of the ingest: the next one goes on as if nothing was."""

from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import uuid4

import pytest

from domain.knowledge.value import DocumentStatus
from tests.chaos.crash_points import APPENDING, COLLECTING, DELETING, FAILING, INGESTING
from tests.chaos.shelf import (
    LINES,
    Shelf,
    markdown,
    open_shelf,
    repetition,
    sheet,
    text,
)
from tests.support.knowledge.reader import embedding_models
from tests.support.service.nats import NatsServer
from tests.support.service.postgres import PostgresServer
from tests.upstream.fixture import RunningUpstream

EMBEDDED_AT_MOST = 1.1
"""Times each text: a batch that the model answered, and nobody wrote down, is asked for again."""
BROKEN = b"PK\x03\x04 this is no document"
Environ = dict[str, str]


@pytest.fixture
def environ(upstream: RunningUpstream) -> Environ:
    upstream.forget()
    return {
        "COTERIE_MODELS": embedding_models(upstream.base_url, "embed-8"),
        "COTERIE_DEFAULTS__EMBEDDING": "embed-8",
    }


@pytest.fixture
def on_servers(
    environ: Environ, postgres_server: PostgresServer, nats_server: NatsServer
) -> Iterator[Environ]:
    """The same on PostgreSQL and NATS."""
    name = f"c_{uuid4().hex}"
    yield environ | {
        "COTERIE_DATABASE__URL": postgres_server.create_database(name),
        "COTERIE_BUS__KIND": "nats",
        "COTERIE_BUS__URLS": nats_server.url,
        "COTERIE_BUS__STREAM": name,
        "COTERIE_BUS__PREFIX": name,
    }
    postgres_server.drop_database(name)


@asynccontextmanager
async def filled(
    data: Path, environ: Environ, *, each: int, size: int
) -> AsyncGenerator[Shelf, None]:
    """Take documents in, ``each`` of every format with ``size`` parts; the first is short."""
    async with open_shelf(data, environ) as shelf:
        await shelf.add("first.txt", text("first", 4))
        for number in range(each):
            await shelf.add(f"{number}.csv", sheet(f"row{number}", size))
            await shelf.add(f"{number}.txt", text(str(number), size))
            await shelf.add(f"{number}.md", markdown(str(number), size))
        yield shelf


def embedded(upstream: RunningUpstream) -> list[str]:
    asked = upstream.requests(model="embed-8")
    return [line for request in asked for line in request.body["input"]]


async def survives(
    upstream: RunningUpstream,
    tmp_path: Path,
    environs: Sequence[Environ],
    points: Sequence[str],
    *,
    each: int,
    size: int,
) -> None:
    """Kill workers at all points; the outcome is that of a run in which nobody was killed."""
    quiet, killed = environs
    async with filled(tmp_path / "quiet", quiet, each=each, size=size) as shelf:
        await shelf.is_worked_off()
        wanted, rows = await shelf.contents(), await shelf.rows()
        await shelf.require_agreement()
    upstream.forget()
    async with filled(tmp_path / "killed", killed, each=each, size=size) as shelf:
        await shelf.dies_at(*points)
        await shelf.is_worked_off()
        assert await shelf.contents() == wanted
        assert await shelf.rows() == rows
        for name in shelf.taken:
            assert await shelf.status(name) == (DocumentStatus.ENABLED, ""), name
        await shelf.require_agreement()
    assert repetition(embedded(upstream)) <= EMBEDDED_AT_MOST


async def test_nothing_is_lost_or_there_twice(
    upstream: RunningUpstream, tmp_path: Path, environ: Environ
) -> None:
    points = (
        "ingest.index.embedded",
        "ingest.step.before_commit:2",
        "ingest.parse.stored",
        "ingest.table.written",
        "ingest.index.vectors_written",
    )
    await survives(upstream, tmp_path, (environ, environ), points, each=1, size=20)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["sqlite", "servers"])
@pytest.mark.usefixtures("environ")
async def test_a_worker_may_die_at_every_point(
    request: pytest.FixtureRequest,
    upstream: RunningUpstream,
    tmp_path: Path,
    kind: str,
) -> None:
    environ: Environ = request.getfixturevalue("environ")
    killed = environ if kind == "sqlite" else request.getfixturevalue("on_servers")
    commits = [
        f"ingest.step.{moment}:{number}"
        for number in range(1, 11)
        for moment in ("before_commit", "committed")
    ]
    points = [*INGESTING, *commits, *reversed(INGESTING)]
    await survives(upstream, tmp_path, (environ, killed), points, each=15, size=40)


@pytest.mark.long
async def test_older_generations_are_removed(tmp_path: Path, environ: Environ) -> None:
    async with open_shelf(tmp_path / "data", environ) as shelf:
        number = await shelf.add("a.txt", text("a", 30))
        await shelf.is_worked_off()
        wanted = await shelf.contents()
        library = shelf.library
        for point in COLLECTING:
            service = library.container.knowledge().documents
            await service.resegment(library.principal, number, LINES)
            await shelf.dies_at(point)
            await shelf.is_worked_off()

            assert await shelf.contents() == wanted
            await shelf.require_agreement()


@pytest.mark.long
async def test_what_is_added_is_there_once(tmp_path: Path, environ: Environ) -> None:
    async with open_shelf(tmp_path / "data", environ) as shelf:
        await shelf.add("a.csv", sheet("a", 10))
        await shelf.add("a.custom", text("a", 10))
        await shelf.is_worked_off()
        for point in APPENDING:
            await shelf.add("a.csv", sheet("a", 15, first=10), is_append=True)
            await shelf.add("a.custom", text("more", 5), is_append=True)
            await shelf.dies_at(point)
            await shelf.is_worked_off()
            await shelf.require_agreement()

        rows = (await shelf.rows())["a.csv"]
        assert len(rows) == 10 + 5 * len(APPENDING)
        found = await shelf.contents()
        assert len(found["a.csv"]) == len(rows)
        assert [line[3].startswith("Note") for line in found["a.custom"]].count(True) == len(
            found["a.custom"]
        )
        assert {each[0] for each in found["a.custom"]} == {DocumentStatus.ENABLED.value}


@pytest.mark.long
@pytest.mark.parametrize("point", FAILING)
async def test_a_broken_document_fails_with_its_cause(
    tmp_path: Path, environ: Environ, point: str
) -> None:
    async with open_shelf(tmp_path / "data", environ) as shelf:
        await shelf.add("a.docx", BROKEN)
        await shelf.dies_at(point)
        await shelf.is_worked_off()

        status, reason = await shelf.status("a.docx")
        assert status is DocumentStatus.FAILED
        assert reason
        await shelf.require_agreement()


@pytest.mark.long
async def test_nothing_is_left_of_what_was_deleted(tmp_path: Path, environ: Environ) -> None:
    async with open_shelf(tmp_path / "data", environ) as shelf:
        service = shelf.library.container.knowledge().documents
        for point in DELETING:
            for name, content in (("a.txt", text("a", 20)), ("a.csv", sheet("a", 20))):
                await shelf.add(name, content)
            await shelf.is_worked_off()
            await service.delete(shelf.library.principal, list(shelf.taken.values()))
            shelf.taken.clear()
            await shelf.dies_at(point)
            await shelf.is_worked_off()

            assert await shelf.is_empty()
            await shelf.require_agreement()
