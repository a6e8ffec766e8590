"""Rows of one database table: every path to them goes through the guard."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final

from domain.memory.database import (
    CONNECTOR_COLUMN,
    CREATED_COLUMN,
    CREATED_FIELD,
    ID_FIELD,
    USER_COLUMN,
    DatabaseTable,
)
from domain.memory.error import TableFull
from domain.memory.record import (
    Caller,
    cells_of,
    changes_of,
    column_name,
    grant_of,
    require_writable,
)
from domain.shared.id_generator import IdGenerator
from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.table.change import (
    MAX_CHANGED_ROWS,
    ChangingTableStore,
    Conditions,
    GuardedDelete,
    GuardedInsert,
    GuardedStatement,
    GuardedUpdate,
    NoRoom,
    Once,
    RowQuery,
    StatementGuard,
)
from infra.contract.table.sql_guard import GuardedSql, Scalar
from infra.contract.table.store import QueryLimits, ResultSet, TableRow

MAX_ROWS: Final = 100_000
DEFAULT_LIMIT: Final = 50
_KEY_BITS: Final = 63
_ROW_BYTES: Final = 4 * 1024 * 1024
_STAMP: Final = "%Y-%m-%d %H:%M:%S"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Rows as the caller named their columns; ``count`` rows were read or changed."""

    columns: tuple[str, ...] = ()
    rows: tuple[dict[str, Scalar], ...] = ()
    count: int = 0
    is_reading: bool = False
    is_truncated: bool = False


class TableRows:
    """Reads and changes rows on behalf of a caller, whose row scope is never left out."""

    def __init__(
        self,
        *,
        tables: ChangingTableStore,
        open_guard: Callable[[], StatementGuard],
        clock: Clock,
        ids: IdGenerator,
        limits: Limits,
    ) -> None:
        self._tables = tables
        self._open_guard = open_guard
        self._clock = clock
        self._ids = ids
        self._limits = QueryLimits(
            timeout_s=limits.table_query_s, cell_chars=1_000_000, result_bytes=_ROW_BYTES
        )

    async def query(
        self,
        table: DatabaseTable,
        caller: Caller,
        *,
        columns: Sequence[str] = (),
        where: Conditions | None = None,
        orders: Sequence[tuple[str, bool]] = (),
        is_distinct: bool = False,
        limit: int = 0,
        offset: int = 0,
    ) -> Found:
        """Read rows, the youngest first unless ``orders`` says otherwise.

        Raises ``FieldUnknown``, ``EndUserMissing``, ``QueryFailed``.
        """
        names = [column_name(table, each) for each in columns] or [
            ID_FIELD,
            *(each.name for each in table.fields),
            CREATED_FIELD,
        ]
        sorting = [(column_name(table, key), ascending) for key, ascending in orders]
        if not sorting and not is_distinct:
            sorting = [(CREATED_FIELD, False), (ID_FIELD, False)]
        query = RowQuery(
            columns=tuple(dict.fromkeys(names)),
            where=where,
            orders=tuple(sorting),
            is_distinct=is_distinct,
            limit=min(limit or DEFAULT_LIMIT, MAX_CHANGED_ROWS),
            offset=offset,
        )
        return _found(await self._read(await self._rows(query, table, caller), caller))

    async def count(
        self, table: DatabaseTable, caller: Caller, where: Conditions | None = None
    ) -> int:
        """Count rows; raises as ``query`` does."""
        found = await self._read(
            await self._rows(RowQuery(columns=(), where=where), table, caller), caller
        )
        return int(str(found.rows[0][0]))

    async def insert(
        self,
        table: DatabaseTable,
        caller: Caller,
        rows: Sequence[Mapping[str, Any]],
        *,
        key: str = "",
    ) -> list[int]:
        """Add rows and return their ids; equal ``key``, same rows.

        Raises ``FieldUnknown``, ``RecordInvalid``, ``RowsReadOnly``, ``EndUserMissing``,
        ``TableFull``.
        """
        require_writable(table, caller)
        cells = [cells_of(table, row) for row in rows]
        keys = [
            _number(f"{key}/{number}") if key else self._ids.next_id()
            for number in range(len(rows))
        ]
        made = [
            TableRow(number, (*self._system_cells(caller), *row.values()))
            for number, row in zip(keys, cells, strict=True)
        ]
        try:
            await self._tables.insert(
                table.ref(caller.side),
                self._columns(table),
                made,
                once=self._once(key),
                most=MAX_ROWS,
            )
        except NoRoom as exc:
            raise TableFull(exc.message) from exc
        return keys

    async def update(
        self,
        table: DatabaseTable,
        caller: Caller,
        values: Mapping[str, Any],
        where: Conditions,
        *,
        key: str = "",
    ) -> int:
        """Change the rows that match; raises as ``insert`` does, and ``TooManyRows``."""
        require_writable(table, caller)
        cells = changes_of(table, values)
        new = tuple(cells.values())
        selection = await self._rows(_matching(where), table, caller)
        return await self._tables.update(
            table.ref(caller.side),
            selection,
            tuple(cells),
            lambda _: new,
            limits=self._limits,
            once=self._once(key),
        )

    async def delete(
        self, table: DatabaseTable, caller: Caller, where: Conditions, *, key: str = ""
    ) -> int:
        """Remove the rows that match; raises as ``update`` does."""
        require_writable(table, caller)
        selection = await self._rows(_matching(where), table, caller)
        return await self._tables.remove(
            table.ref(caller.side), selection, limits=self._limits, once=self._once(key)
        )

    async def execute(
        self,
        table: DatabaseTable,
        caller: Caller,
        pieces: Sequence[str],
        parameters: Sequence[Scalar] = (),
        *,
        key: str = "",
    ) -> Found:
        """Run one statement; raise ``SqlRefused``, and whatever the other methods raise."""
        statement = await self.check(table, caller, pieces, parameters)
        match statement:
            case GuardedSql():
                return _found(await self._read(statement, caller))
            case GuardedInsert():
                rows = [dict(zip(statement.columns, row, strict=True)) for row in statement.rows]
                added = await self.insert(table, caller, rows, key=key)
                return Found(
                    columns=(ID_FIELD,),
                    rows=tuple({ID_FIELD: number} for number in added),
                    count=len(added),
                )
            case GuardedUpdate():
                return Found(count=await self._update_by(table, caller, statement, key))
            case GuardedDelete():
                require_writable(table, caller)
                return Found(
                    count=await self._tables.remove(
                        table.ref(caller.side),
                        statement.selection,
                        limits=self._limits,
                        once=self._once(key),
                    )
                )
            case _:
                raise AssertionError(statement)

    async def check(
        self,
        table: DatabaseTable,
        caller: Caller,
        pieces: Sequence[str],
        parameters: Sequence[Scalar] = (),
    ) -> GuardedStatement:
        """Compile one statement without running it; raise ``SqlRefused``, ``EndUserMissing``."""
        grant, now = grant_of(table, caller), self._clock.now()

        def compiled() -> GuardedStatement:
            return self._open_guard().check(pieces, parameters, grant, now=now)

        return await asyncio.to_thread(compiled)

    async def _update_by(
        self, table: DatabaseTable, caller: Caller, statement: GuardedUpdate, key: str
    ) -> int:
        require_writable(table, caller)
        fields = [table.field(name) for name in statement.columns]

        def revise(cells: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
            named = {f.name: cell for f, cell in zip(fields, cells, strict=True)}
            return tuple(changes_of(table, named).values())

        return await self._tables.update(
            table.ref(caller.side),
            statement.selection,
            [each.physical for each in fields],
            revise,
            limits=self._limits,
            once=self._once(key),
        )

    async def _rows(self, query: RowQuery, table: DatabaseTable, caller: Caller) -> GuardedSql:
        grant, now = grant_of(table, caller), self._clock.now()
        return await asyncio.to_thread(lambda: self._open_guard().rows(query, grant, now=now))

    async def _read(self, statement: GuardedSql, caller: Caller) -> ResultSet:
        limits = replace(self._limits, max_wait_s=caller.max_wait_s)
        return await self._tables.query(statement, limits=limits)

    def _columns(self, table: DatabaseTable) -> tuple[str, ...]:
        fields = (each.physical for each in table.fields)
        return (USER_COLUMN, CONNECTOR_COLUMN, CREATED_COLUMN, *fields)

    def _system_cells(self, caller: Caller) -> tuple[Scalar, ...]:
        now = self._clock.now().strftime(_STAMP)
        return caller.end_user_id, caller.connector_id, now

    def _once(self, key: str) -> Once | None:
        return Once(key=_number(key), now=self._clock.now()) if key else None


def _matching(where: Conditions) -> RowQuery:
    return RowQuery(columns=(ID_FIELD,), where=where, limit=MAX_CHANGED_ROWS + 1)


def _number(key: str) -> int:
    digest = sha256(key.encode(errors="surrogatepass")).digest()
    return int.from_bytes(digest[:8]) >> (64 - _KEY_BITS)


def _found(result: ResultSet) -> Found:
    names = tuple(column.name for column in result.columns)
    return Found(
        columns=names,
        rows=tuple(dict(zip(names, row, strict=True)) for row in result.rows),
        count=len(result.rows),
        is_reading=True,
        is_truncated=result.is_truncated,
    )
