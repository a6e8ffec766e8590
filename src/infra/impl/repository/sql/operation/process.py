"""What processes tell of themselves, in tables that stay small."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from infra.contract.observability.process_report import (
    KeptLine,
    OperationNote,
    ProcessReport,
    Sample,
)
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.mapping.column import Instant, Json, id_column, metadata
from infra.impl.repository.sql.mapping.tenancy import OF_PROCESSES, TENANCY
from infra.impl.repository.sql.mapping.upsert import upsert

KEPT_LINES: Final = 1000
KEPT_SPANS: Final = 500
"""Samples of one length are kept for so many spans: two hours of 15 seconds."""
FORGOTTEN_AFTER: Final = timedelta(days=1)

processes: Final = sa.Table(
    "process_report",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("seen_at", Instant, nullable=False),
    sa.Column("report", Json(ProcessReport), nullable=False),
)
samples: Final = sa.Table(
    "process_sample",
    metadata,
    sa.Column("span_s", sa.Integer, primary_key=True),
    sa.Column("at", Instant, primary_key=True),
    sa.Column("process_id", sa.String(64), primary_key=True),
    sa.Column("sample", Json(Sample), nullable=False),
)
lines: Final = sa.Table(
    "process_log",
    metadata,
    id_column(primary_key=True),
    sa.Column("line", Json(KeptLine), nullable=False),
)
notes: Final = sa.Table(
    "operation_note",
    metadata,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("note", Json(OperationNote), nullable=False),
)
TENANCY.apart(OF_PROCESSES, processes, samples, lines, notes)
OF_ONE_DATABASE: Final = frozenset({processes.name, samples.name, lines.name, notes.name})
"""They tell of processes on this database, and mean nothing in another."""


class SqlProcessReports:
    """A ``ProcessReports`` that all processes of a deployment share."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def tell(
        self, report: ProcessReport, new: Sequence[Sample], said: Sequence[KeptLine]
    ) -> None:
        async with self._database.write() as connection:
            values = {"seen_at": report.seen_at, "report": report}
            await connection.execute(
                self._upsert(processes)
                .values(id=report.id, **values)
                .on_conflict_do_update(index_elements=[processes.c.id], set_=values)
            )
            if new:
                await connection.execute(
                    self._upsert(samples).on_conflict_do_nothing(),
                    [
                        {"span_s": s.span_s, "at": s.at, "process_id": s.process_id, "sample": s}
                        for s in new
                    ],
                )
            for span_s in {sample.span_s for sample in new}:
                since = report.seen_at - timedelta(seconds=span_s * KEPT_SPANS)
                await connection.execute(
                    sa.delete(samples).where(samples.c.span_s == span_s, samples.c.at < since)
                )
            if said:
                await _keep(connection, said)
            await connection.execute(
                sa.delete(processes).where(processes.c.seen_at < report.seen_at - FORGOTTEN_AFTER)
            )
            await connection.commit()

    async def leave(self, process_id: str) -> None:
        async with self._database.write() as connection:
            await connection.execute(sa.delete(processes).where(processes.c.id == process_id))
            await connection.commit()

    async def processes(self, *, since: datetime) -> list[ProcessReport]:
        async with self._database.read() as connection:
            found = await connection.scalars(
                sa.select(processes.c.report).where(processes.c.seen_at >= since)
            )
            reports: list[ProcessReport] = list(found)
        return sorted(reports, key=lambda each: (not each.is_server, each.started_at, each.id))

    async def samples(self, *, since: datetime, span_s: int) -> list[Sample]:
        query = (
            sa.select(samples.c.sample)
            .where(samples.c.span_s == span_s, samples.c.at > since)
            .order_by(samples.c.at)
        )
        async with self._database.read() as connection:
            return list(await connection.scalars(query))

    async def lines(self) -> list[KeptLine]:
        query = sa.select(lines.c.line).order_by(lines.c.id.desc()).limit(KEPT_LINES)
        async with self._database.read() as connection:
            return list(await connection.scalars(query))

    async def note(self, name: str, note: OperationNote) -> None:
        async with self._database.write() as connection:
            await connection.execute(
                self._upsert(notes)
                .values(name=name, note=note)
                .on_conflict_do_update(index_elements=[notes.c.name], set_={"note": note})
            )
            await connection.commit()

    async def noted(self, name: str) -> OperationNote | None:
        async with self._database.read() as connection:
            found: OperationNote | None = await connection.scalar(
                sa.select(notes.c.note).where(notes.c.name == name)
            )
        return found

    def _upsert(self, table: sa.Table) -> Any:
        return upsert("sqlite" if self._database.is_sqlite else "postgresql", table)


async def _keep(connection: AsyncConnection, said: Sequence[KeptLine]) -> None:
    """Store lines; of all processes together only the newest stay."""
    await connection.execute(
        sa.insert(lines), [{"id": each.id, "line": each} for each in said[-KEPT_LINES:]]
    )
    oldest = sa.select(lines.c.id).order_by(lines.c.id.desc()).offset(KEPT_LINES).limit(1)
    if (bound := await connection.scalar(oldest)) is not None:
        await connection.execute(sa.delete(lines).where(lines.c.id <= bound))
