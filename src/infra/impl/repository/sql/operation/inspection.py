"""Looks for rows that break what the product promises about its data."""

from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from domain.conversation.value import TERMINAL_STATUSES, MessageKind, MessageStatus, RunStatus
from domain.file.entity import FileStatus
from domain.knowledge.value import DocumentStatus
from infra.contract.storage.inspection import (
    Account,
    CheckGroup,
    EventPage,
    KeptObject,
    Retention,
    RunTrace,
    Violation,
)
from infra.impl.repository.sql.conversation.table import MESSAGES, messages, run_events, runs
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.engine.migrate import current
from infra.impl.repository.sql.file.table import files
from infra.impl.repository.sql.knowledge.table import documents, objects
from infra.impl.repository.sql.model.call import model_call
from infra.impl.repository.sql.operation.inspection_question import PIECE, Question, questions
from infra.impl.repository.sql.trace.table import bodies as trace_bodies
from infra.impl.repository.sql.workflow.run_table import run_log

_EXAMPLES: Final = 5
NEWEST: Final = 100_000
"""Rows of a large table that a quick examination looks at."""
_RUNS_AT_ONCE: Final = 50
_KEYS_AT_ONCE: Final = 500
_TALKING: Final = (
    MessageKind.QUESTION.value,
    MessageKind.ANSWER.value,
    MessageKind.FOLLOW_UP.value,
)


class SqlInspection:
    """Implements ``Inspection``; one query looks at up to ``piece`` rows of a large table."""

    def __init__(self, database: Database, *, piece: int = PIECE, newest: int = NEWEST) -> None:
        self._database = database
        self._piece = piece
        self._newest = newest

    async def revision(self) -> str | None:
        return await current(self._database)

    async def damage(self) -> Sequence[str]:
        if not self._database.is_sqlite:
            return []
        async with self._database.read() as connection:
            found = await connection.scalars(sa.text("PRAGMA quick_check(10)"))
            return [str(line) for line in found if line != "ok"]

    async def violations(
        self, group: CheckGroup, *, now: datetime, retention: Retention, quick: bool
    ) -> Sequence[Violation]:
        asked = questions(group, now=now, retention=retention)
        found = [await self._ask(question, quick=quick) for question in asked]
        return [each for each in found if each.count]

    async def run_traces(self) -> AsyncGenerator[Sequence[RunTrace], None]:
        after = 0
        while True:
            ended = (
                sa.select(run_events.c.run_id, runs.c.status, runs.c.completed_at)
                .join(runs, runs.c.id == run_events.c.run_id)
                .where(
                    run_events.c.run_id > after,
                    runs.c.status.in_([status.value for status in TERMINAL_STATUSES]),
                )
                .distinct()
                .order_by(run_events.c.run_id)
                .limit(_RUNS_AT_ONCE)
            )
            async with self._database.read() as connection:
                found = {row.run_id: row for row in await connection.execute(ended)}
                if not found:
                    return
                pages = await connection.execute(
                    sa.select(run_events)
                    .where(run_events.c.run_id.in_(list(found)))
                    .order_by(run_events.c.run_id, run_events.c.first_seq)
                )
                by_run: dict[int, list[EventPage]] = {}
                for row in pages:
                    page = EventPage(
                        first_seq=row.first_seq, last_seq=row.last_seq, payload=row.payload
                    )
                    by_run.setdefault(row.run_id, []).append(page)
                stored = await connection.execute(
                    sa.select(messages).where(
                        messages.c.run_id.in_(list(found)),
                        messages.c.kind == MessageKind.ANSWER.value,
                        messages.c.status == MessageStatus.AVAILABLE.value,
                    )
                )
                answers: dict[int, dict[int, str]] = {}
                for each in map(MESSAGES.read, stored):
                    if each.run_id is None:
                        continue
                    completed_at = found[each.run_id].completed_at
                    if completed_at is not None and each.updated_at <= completed_at:
                        answers.setdefault(each.run_id, {})[each.id] = each.shown_text
            after = max(found)
            yield [
                RunTrace(
                    run_id=run_id,
                    status=row.status,
                    pages=tuple(by_run.get(run_id, ())),
                    answers=answers.get(run_id, {}),
                )
                for run_id, row in found.items()
            ]

    async def journals(self, *, quick: bool) -> AsyncGenerator[tuple[int, Sequence[bytes]], None]:
        after = await self._start(run_log.c.run_id) if quick else 0
        while True:
            next_run = sa.select(sa.func.min(run_log.c.run_id)).where(run_log.c.run_id > after)
            async with self._database.read() as connection:
                run_id = await connection.scalar(next_run)
                if run_id is None:
                    return
                entries = await connection.scalars(
                    sa.select(run_log.c.entries)
                    .where(run_log.c.run_id == run_id)
                    .order_by(run_log.c.number)
                )
                batches = [bytes(batch) for batch in entries if batch]
            after = run_id
            yield (
                run_id,
                [
                    entry
                    for batch in batches
                    for entry in msgspec.msgpack.decode(batch, type=list[bytes])
                ],
            )

    async def accounts(self, *, quick: bool) -> AsyncGenerator[Sequence[Account], None]:
        after = await self._start(runs.c.id) if quick else 0
        while True:
            completed = (
                sa.select(runs.c.id, runs.c.usage, runs.c.completed_at)
                .where(
                    runs.c.id > after,
                    runs.c.status == RunStatus.COMPLETED.value,
                    runs.c.workflow_run_id == 0,
                )
                .order_by(runs.c.id)
                .limit(_KEYS_AT_ONCE)
            )
            async with self._database.read() as connection:
                found = (await connection.execute(completed)).all()
                if not found:
                    return
                ids = [row.id for row in found]
                is_during = model_call.c.ended_at <= runs.c.completed_at
                sums = await connection.execute(
                    sa.select(
                        model_call.c.run_id,
                        sa.func.sum(model_call.c.input_tokens).label("input"),
                        sa.func.sum(model_call.c.output_tokens).label("output"),
                        _sum_if(is_during, model_call.c.input_tokens).label("input_during"),
                        _sum_if(is_during, model_call.c.output_tokens).label("output_during"),
                    )
                    .join(runs, runs.c.id == model_call.c.run_id)
                    .where(model_call.c.run_id.in_(ids), model_call.c.purpose == "chat")
                    .group_by(model_call.c.run_id)
                )
                booked = {row.run_id: row for row in sums}
                with_tools = set(
                    await connection.scalars(
                        sa.select(messages.c.run_id)
                        .where(messages.c.run_id.in_(ids), messages.c.kind.not_in(_TALKING))
                        .distinct()
                    )
                )
            after = ids[-1]
            yield [
                Account(
                    run_id=row.id,
                    reported=(row.usage.input_tokens, row.usage.output_tokens),
                    booked=(int(sums.input), int(sums.output)) if sums else (0, 0),
                    during=(int(sums.input_during), int(sums.output_during)) if sums else (0, 0),
                    is_plain=row.id not in with_tools,
                )
                for row in found
                for sums in (booked.get(row.id),)
            ]

    async def kept_objects(self, *, quick: bool) -> AsyncGenerator[Sequence[KeptObject], None]:
        ready = files.c.status == FileStatus.READY.value
        after = await self._start(files.c.id) if quick else 0
        while True:
            async with self._database.read() as connection:
                found = await connection.execute(
                    sa.select(files.c.id, files.c.object_key, files.c.size, files.c.sha256)
                    .where(ready, files.c.id > after)
                    .order_by(files.c.id)
                    .limit(_KEYS_AT_ONCE)
                )
                rows = found.all()
            if not rows:
                break
            after = rows[-1].id
            yield [KeptObject(key=row.object_key, size=row.size, sha256=row.sha256) for row in rows]
        async for keys in self._document_objects(quick=quick):
            yield [KeptObject(key=key) for key in keys]
        async for keys in self._trace_objects(quick=quick):
            yield [KeptObject(key=key) for key in keys]

    async def _trace_objects(self, *, quick: bool) -> AsyncGenerator[list[str], None]:
        """Bodies of traces that are too large for their rows."""
        key = trace_bodies.c.object_key
        after = ""
        while True:
            async with self._database.read() as connection:
                query = sa.select(key).where(key > after).order_by(key).limit(_KEYS_AT_ONCE)
                keys = list(await connection.scalars(query))
            if keys:
                yield keys
            if quick or len(keys) < _KEYS_AT_ONCE:
                return
            after = keys[-1]

    async def _document_objects(self, *, quick: bool) -> AsyncGenerator[list[str], None]:
        """Sources and images of documents that can be found.

        Other names were noted for objects that were to be, or are derived and may be made again.
        """
        after = await self._start(documents.c.id) if quick else 0
        while True:
            async with self._database.read() as connection:
                ids = list(
                    await connection.scalars(
                        sa.select(documents.c.id)
                        .where(
                            documents.c.id > after,
                            documents.c.active_generation.is_not(None),
                            documents.c.status != DocumentStatus.DELETED,
                        )
                        .order_by(documents.c.id)
                        .limit(_RUNS_AT_ONCE)
                    )
                )
                if not ids:
                    return
                found = await connection.execute(
                    sa.select(objects.c.object_key, documents.c.source)
                    .join(documents, documents.c.id == objects.c.document_id)
                    .where(objects.c.document_id.in_(ids))
                )
                keys = [
                    row.object_key
                    for row in found
                    if "/images/" in row.object_key
                    or row.object_key in {row.source.object_key, row.source.chunks_key}
                ]
            after = ids[-1]
            yield keys

    async def known_objects(self, keys: Collection[str]) -> Mapping[str, KeptObject]:
        async with self._database.read() as connection:
            of_documents = await connection.scalars(
                sa.select(objects.c.object_key).where(objects.c.object_key.in_(keys))
            )
            known = {key: KeptObject(key=key) for key in of_documents}
            of_traces = await connection.scalars(
                sa.select(trace_bodies.c.object_key).where(trace_bodies.c.object_key.in_(keys))
            )
            known |= {key: KeptObject(key=key) for key in of_traces}
            of_files = await connection.execute(
                sa.select(files.c.object_key, files.c.size, files.c.sha256).where(
                    files.c.object_key.in_(keys), files.c.status == FileStatus.READY.value
                )
            )
            for row in of_files:
                known[row.object_key] = KeptObject(
                    key=row.object_key, size=row.size, sha256=row.sha256
                )
        return known

    async def _ask(self, question: Question, *, quick: bool) -> Violation:
        count = 0
        examples: list[str] = []
        async for query in self._pieces(question, quick=quick):
            counted = sa.select(sa.func.count()).select_from(query.subquery())
            async with self._database.read_at_length() as connection:
                found = int(await connection.scalar(counted) or 0)
                room = _EXAMPLES - len(examples)
                if found and room:
                    keys = await connection.scalars(query.limit(room))
                    examples += [str(key) for key in keys]
            count += found
        return Violation(
            id=question.id, where=question.where, count=count, examples=tuple(examples)
        )

    async def _pieces(
        self, question: Question, *, quick: bool
    ) -> AsyncGenerator[sa.Select[Any], None]:
        """Split a question, so that none of its queries takes long."""
        column = question.along
        if column is None:
            yield question.query
            return
        after = await self._start(column) if quick else None
        while True:
            rest = (
                sa.select(column).order_by(column).limit(1).offset(min(question.piece, self._piece))
            )
            if after is not None:
                rest = rest.where(column > after)
            async with self._database.read() as connection:
                last = await connection.scalar(rest)
            within = [] if after is None else [column > after]
            if last is not None:
                within.append(column <= last)
            yield question.within(within)
            if last is None:
                return
            after = last

    async def _start(self, column: sa.Column[Any]) -> Any:
        """The key before the newest rows of a table."""
        newest = sa.select(column).order_by(column.desc()).limit(1).offset(self._newest)
        async with self._database.read() as connection:
            return await connection.scalar(newest) or 0


def _sum_if(condition: sa.ColumnElement[bool], column: sa.Column[Any]) -> sa.ColumnElement[Any]:
    return sa.func.sum(sa.case((condition, column), else_=0))
