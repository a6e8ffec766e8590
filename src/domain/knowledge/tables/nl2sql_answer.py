"""Answers questions on tables: ask the model, guard, execute, once more if that failed."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final, Protocol

import msgspec

from domain.knowledge.tables.nl2sql import Reply, TableDescription, parse_reply, prompt, repair
from domain.knowledge.tables.question import read_question
from domain.knowledge.tables.table import TableSchema
from domain.shared.chat import ChatMessage
from domain.shared.limits import Limits
from infra.contract.table.sql_guard import CellKind, Scalar, SqlGrant, SqlGuard, SqlRefused
from infra.contract.table.store import (
    QueryFailed,
    QueryFault,
    QueryLimits,
    ResultSet,
    TableRef,
    TableStore,
)

MAX_DISTINCT: Final = 50
"""A column with more distinct values is not a choice among a few."""
PROFILED_COLUMNS: Final = 12
LONGEST_VALUE: Final = 60
_MIDNIGHT: Final = " 00:00:00"


class SqlWriter(Protocol):
    """The model that writes queries; adapters add limits, retries and accounting."""

    async def write(self, messages: Sequence[ChatMessage]) -> str:
        """Return the whole reply to ``messages``."""
        ...


class AnswerKind(StrEnum):
    """What became of a question."""

    ROWS = "rows"
    """Rows of the table: each can be cited."""
    COMPUTED = "computed"
    """Counts, sums and the like, as one Markdown table."""
    NOTHING = "nothing"
    """The model has no query, or the query finds nothing."""
    FAILED = "failed"
    """No query passed, or the engine gave up; ``reason`` says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryableTable:
    """A table that questions may be about."""

    ref: TableRef
    schema: TableSchema
    name: str
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRow:
    """A row of the table: the slice it is, and the selected columns as JSON."""

    slice_id: int
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableAnswer:
    """The answer to one question; ``sql`` names tables as their authors do, for explanations."""

    kind: AnswerKind
    rows: tuple[FoundRow, ...] = ()
    table: str = ""
    sql: str = ""
    reason: str = ""
    is_truncated: bool = False


@dataclass(frozen=True, slots=True)
class _Mistake:
    """Why a query did not pass."""

    reason: str
    message: str


class TableQuestions:
    """Asks about tables; every step that can take long has its limit.

    Without a ``writer`` only simple questions on one table are understood.
    """

    def __init__(
        self, *, writer: SqlWriter | None, guard: SqlGuard, store: TableStore, limits: Limits
    ) -> None:
        self._writer = writer
        self._repairs = limits.table_query_repairs
        self._guard = guard
        self._store = store
        self._limits = QueryLimits(
            timeout_s=limits.table_query_s,
            cell_chars=limits.table_cell_chars,
            result_bytes=limits.table_result_bytes,
        )

    async def ask(
        self, question: str, tables: Sequence[QueryableTable], *, now: datetime
    ) -> TableAnswer:
        """Answer from tables of one space; a refused or failed query is repaired as configured.

        Errors of the model and ``TableStoreUnavailable`` pass through.
        """
        grant = _grant(tables)
        described = [await self._describe(table, now) for table in tables]
        if self._writer is None:
            return await self._read(question, described, grant, now)
        messages = prompt(question, described, today=now.date())
        reply = parse_reply(await self._writer.write(messages))
        if not reply.sql:
            return TableAnswer(kind=AnswerKind.NOTHING, reason=reply.err_msg)
        answer = await self._attempt(reply, grant, now)
        for _ in range(self._repairs):
            if not isinstance(answer, _Mistake):
                break
            messages = repair(messages, sql=reply.sql, reason=answer.reason, message=answer.message)
            better = parse_reply(await self._writer.write(messages))
            if not better.sql:
                break
            reply = better
            answer = await self._attempt(reply, grant, now)
        return _failed(reply, answer.reason) if isinstance(answer, _Mistake) else answer

    async def _read(
        self,
        question: str,
        described: Sequence[TableDescription],
        grant: SqlGrant,
        now: datetime,
    ) -> TableAnswer:
        """Answer a simple question without a model."""
        sql = read_question(question, described[0]) if len(described) == 1 else ""
        if not sql:
            return TableAnswer(
                kind=AnswerKind.NOTHING, reason="Without a model only simple questions are read."
            )
        answer = await self._attempt(Reply(sql=sql), grant, now)
        return _failed(Reply(sql=sql), answer.reason) if isinstance(answer, _Mistake) else answer

    async def _attempt(
        self, reply: Reply, grant: SqlGrant, now: datetime
    ) -> "TableAnswer | _Mistake":
        """Execute a query; a ``_Mistake`` is one that its author may correct."""
        try:
            return await self._execute(reply, grant, now)
        except SqlRefused as exc:
            return _Mistake(exc.reason.value, exc.message)
        except QueryFailed as exc:
            if exc.fault is QueryFault.FAILED:
                return _Mistake(exc.fault.value, exc.message)
            return _failed(reply, exc.fault.value)

    async def _execute(self, reply: Reply, grant: SqlGrant, now: datetime) -> TableAnswer:
        guarded = await asyncio.to_thread(self._guard.check, reply.sql, grant, now=now)
        return to_answer(await self._store.query(guarded, limits=self._limits), sql=reply.sql)

    async def _describe(self, table: QueryableTable, now: datetime) -> TableDescription:
        """Describe a table with the values of columns that have few."""
        known = []
        texts = [c for c in table.schema.columns if c.kind is CellKind.TEXT][:PROFILED_COLUMNS]
        for column in texts:
            sql = (
                f"SELECT DISTINCT {_quoted(column.name)} FROM {_quoted(table.name)} "  # noqa: S608
                f"WHERE {_quoted(column.name)} IS NOT NULL LIMIT {MAX_DISTINCT + 1}"
            )
            try:
                guarded = await asyncio.to_thread(self._guard.check, sql, _grant([table]), now=now)
                found = await self._store.query(guarded, limits=self._limits)
            except (SqlRefused, QueryFailed):
                continue  # a name that cannot be written, a slow table: the prompt does without
            values = tuple(str(cell)[:LONGEST_VALUE] for (cell,) in found.rows)
            if len(values) <= MAX_DISTINCT and not found.is_truncated:
                known.append((column.id, values))
        return TableDescription(
            name=table.name,
            description=table.description,
            columns=table.schema.columns,
            values=tuple(known),
        )


def to_answer(found: ResultSet, *, sql: str) -> TableAnswer:
    """Turn a result into citable rows, or into one table where its rows are no rows of ours."""
    if not found.rows:
        return TableAnswer(kind=AnswerKind.NOTHING, sql=sql)
    names = _unique([column.name for column in found.columns])
    kinds = [column.kind for column in found.columns]
    shown = [tuple(map(_shown, row, kinds)) for row in found.rows]
    answer = TableAnswer(kind=AnswerKind.COMPUTED, sql=sql, is_truncated=found.is_truncated)
    if not found.keys:
        return replace(answer, table=_markdown(names, shown))
    rows = tuple(
        FoundRow(
            slice_id=key,
            content=msgspec.json.encode(dict(zip(names, row, strict=True))).decode(),
        )
        for key, row in zip(found.keys, shown, strict=True)
    )
    return replace(answer, kind=AnswerKind.ROWS, rows=rows)


def _grant(tables: Sequence[QueryableTable]) -> SqlGrant:
    (space_id,) = {table.ref.space_id for table in tables}
    return SqlGrant(
        space_id=space_id,
        tables=tuple(table.schema.grant(table.ref, name=table.name) for table in tables),
    )


def _failed(reply: Reply, reason: str) -> TableAnswer:
    return TableAnswer(kind=AnswerKind.FAILED, sql=reply.sql, reason=reason)


def _shown(cell: Scalar, kind: CellKind | None) -> Scalar:
    """A date without time is shown as a date."""
    is_date = kind is CellKind.DATE and isinstance(cell, str)
    return str(cell).removesuffix(_MIDNIGHT) if is_date else cell


def _unique(names: Sequence[str]) -> list[str]:
    result: list[str] = []
    for name in names:
        number, candidate = 1, name
        while candidate in result:
            number += 1
            candidate = f"{name}_{number}"
        result.append(candidate)
    return result


def _markdown(names: Sequence[str], rows: Sequence[Sequence[Scalar]]) -> str:
    lines = [[_markdown_cell(name) for name in names], ["---"] * len(names)]
    lines += [[_markdown_cell(cell) for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _markdown_cell(cell: Scalar) -> str:
    if cell is None:
        return ""
    text = str(cell).lower() if isinstance(cell, bool) else str(cell)
    return " ".join(text.replace("\\", "\\\\").replace("|", "\\|").split())


def _quoted(name: str) -> str:
    return f"`{name.replace('`', '``')}`"
