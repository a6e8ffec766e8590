"""Documents of three formats, worked on by workers that die, and what must come of them."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from application.knowledge.dto import CreateDataset, CreateDocuments, NewDocument
from application.knowledge.table.storage import RowTables
from domain.knowledge.job import JobState
from domain.knowledge.value import (
    ChunkRule,
    ChunkType,
    DocumentId,
    DocumentStatus,
    FormatType,
    ParseRule,
    SourceType,
)
from infra.impl.repository.sql.event.outbox import inbox
from infra.impl.repository.sql.event.table import outbox
from infra.impl.repository.sql.knowledge.table import documents, jobs, objects, slices
from tests.chaos.life import living_worker
from tests.support.knowledge.reader import Library, opened_library

LINES = ParseRule(chunking=ChunkRule(chunk_type=ChunkType.CUSTOM, separator="##"))
PATIENCE_S = 120.0
ANIMALS = ("fox", "whale", "parrot", "tiger", "wolf", "lynx", "otter")


def text(name: str, count: int) -> bytes:
    """A document of so many slices, all of them different."""
    return "##".join(
        f"Note {number} of {name}: the {ANIMALS[number % 7]} sleeps." for number in range(count)
    ).encode()


def markdown(name: str, count: int) -> bytes:
    """As many sections, with headings above the slices."""
    words = " ".join(f"word{number}" for number in range(60))
    return "\n\n".join(
        f"# Part {number} of {name}\n\nThe {ANIMALS[number % 7]} number {number} says {words}."
        for number in range(count)
    ).encode()


def sheet(name: str, count: int, *, first: int = 0) -> bytes:
    """A table of so many rows."""
    rows = (f"{name} {number},{ANIMALS[number % 7]},{number}" for number in range(first, count))
    return "\n".join(["name,animal,number", *rows]).encode()


@dataclass
class Shelf:
    """The bases of one deployment, one of texts and one for each table, and who fills them."""

    library: Library
    data: Path
    environ: Mapping[str, str]
    bases: dict[str, int] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)
    """Documents by name."""

    async def add(self, name: str, content: bytes, *, is_append: bool = False) -> int:
        """Take a document in; its name says of which format it is."""
        is_table = name.endswith(".csv")
        form = FormatType.TABLE if is_table else FormatType.TEXT
        principal, knowledge = self.library.principal, self.library.container.knowledge()
        base = name if is_table else "texts"
        if base not in self.bases:
            command = CreateDataset(
                space_id=principal.personal_space_id, name=base, format_type=form
            )
            made = await knowledge.datasets.create(principal, command)
            self.bases[base] = int(made.id)
        is_custom = name.endswith(".custom")
        new = NewDocument(
            name=name,
            source_type=SourceType.CUSTOM_TEXT if is_custom else SourceType.LOCAL_FILE,
            content=content,
            extension="" if is_custom else Path(name).suffix,
        )
        rule = ParseRule() if name.endswith(".md") else LINES
        request = CreateDocuments(
            dataset_id=self.bases[base], documents=(new,), rule=rule, is_append=is_append
        )
        (view,) = await knowledge.documents.create(principal, request)
        self.taken[name] = int(view.id)
        return int(view.id)

    async def dies_at(self, *points: str) -> None:
        """Let one worker after the other die, each at its crash point."""
        for point in points:
            await self.end_leases()
            with living_worker(self.data, self.environ, dying_at=point) as worker:
                await asyncio.to_thread(worker.dies_at, point)

    async def is_worked_off(self) -> None:
        """Let a worker live until nothing is left to do."""
        await self.end_leases()
        with living_worker(self.data, self.environ) as worker:
            assert await asyncio.to_thread(lambda: worker.said)
            await self.idle()
            status = await asyncio.to_thread(worker.stop)
            assert status == 0, worker.log
            assert "Traceback" not in worker.log, worker.log

    async def idle(self) -> None:
        """Wait until neither jobs nor events are left."""
        live = sa.select(jobs.c.id).where(
            jobs.c.state.in_([JobState.WAITING.value, JobState.RUNNING.value])
        )
        cleaners = inbox.c.consumer.like("knowledge.%")
        open_events = sa.select(inbox.c.event_id).where(inbox.c.handled_at.is_(None), cleaners)
        untold = sa.select(outbox.c.position).where(outbox.c.published_at.is_(None))
        left = sa.select(sa.or_(live.exists(), open_events.exists(), untold.exists()))
        async with asyncio.timeout(PATIENCE_S):
            while True:
                async with self.library.container.database().read() as connection:
                    if not await connection.scalar(left):
                        return
                await asyncio.sleep(0.02)

    async def end_leases(self) -> None:
        """Let the next worker have what a dead one held, now instead of later.

        Its deaths are forgiven: three without any progress in between would be the last.
        """
        now = datetime.now(UTC)
        async with self.library.container.database().write() as connection:
            running = jobs.c.state == JobState.RUNNING
            await connection.execute(
                sa.update(jobs).where(running).values(lease_until=now, attempt=0)
            )
            await connection.execute(
                sa.update(inbox).where(inbox.c.handled_at.is_(None)).values(leased_until=now)
            )
            await connection.commit()

    async def status(self, name: str) -> tuple[DocumentStatus, str]:
        view = await self.library.get(self.taken[name])
        return view.status, view.fail_reason

    async def contents(self) -> dict[str, list[tuple[Any, ...]]]:
        """Everything that is stored of each document, but for ids and times."""
        shown = (
            slices.c.ordinal,
            slices.c.content,
            slices.c.index_text,
            slices.c.kind,
            slices.c.heading_path,
            slices.c.status,
        )
        query = (
            sa.select(documents.c.name, documents.c.status, documents.c.slice_count, *shown)
            .join_from(documents, slices, slices.c.document_id == documents.c.id, isouter=True)
            .order_by(documents.c.name, slices.c.sequence)
        )
        found: dict[str, list[tuple[Any, ...]]] = {}
        async with self.library.container.database().read() as connection:
            for row in await connection.execute(query):
                found.setdefault(row.name, []).append(tuple(row)[1:])
        return found

    async def rows(self) -> dict[str, list[tuple[Any, ...]]]:
        """What SQL reads of each table."""
        knowledge = self.library.container.knowledge()
        scope = self.library.principal.scope
        found = {}
        for name, number in self.taken.items():
            if name.endswith(".csv"):
                async with knowledge.store.snapshot() as uow:
                    document = await uow.documents.get(scope, DocumentId(number))
                table = RowTables(self.library.container.tables()).active(document)
                rows = await self.library.container.tables().scan(table, after=0, limit=10_000)
                found[name] = [row.cells for row in rows]
        return found

    async def require_agreement(self) -> None:
        """The indexes hold what the database says, and nothing else."""
        async with self.library.container.database().read() as connection:
            found = await connection.execute(
                sa.select(slices.c.dataset_id, sa.func.count().label("held")).group_by(
                    slices.c.dataset_id
                )
            )
            stored = {row.dataset_id: row.held for row in found}
        for base in self.bases.values():
            count = stored.get(base, 0)
            assert await self.library.entries(base) == (count, count), (base, stored)

    async def count(self, table: sa.Table) -> int:
        async with self.library.container.database().read() as connection:
            counted = await connection.scalar(sa.select(sa.func.count()).select_from(table))
            return int(counted or 0)

    async def is_empty(self) -> bool:
        """Tell whether neither slices nor objects are left."""
        return not await self.count(slices) and not await self.count(objects)


@asynccontextmanager
async def open_shelf(data: Path, environ: Mapping[str, str]) -> AsyncGenerator[Shelf, None]:
    """Open a deployment whose workers may die, with one document at a time each."""
    settings = {
        "COTERIE_INGEST__WORKERS": "1",
        "COTERIE_INGEST__POLL_S": "0.05",
        "COTERIE_INGEST__LEASE_S": "600",
        "COTERIE_INGEST__RENEW_S": "100",
        **environ,
    }
    await asyncio.to_thread(data.mkdir)
    async with opened_library(data, settings) as library:
        yield Shelf(library, data, settings)


def repetition(texts: Sequence[str]) -> float:
    """How often a text was embedded, on average."""
    return len(texts) / len(Counter(texts))
