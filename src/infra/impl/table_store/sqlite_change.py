"""Rows that change one by one, in the SQLite files of the table store."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event
from time import monotonic
from typing import Final

from infra.contract.sql_guard import GuardedSql, Scalar
from infra.contract.table_change import Once, Revise
from infra.contract.table_store import PhysicalTable, QueryLimits, ResultSet, TableRef, TableRow
from infra.impl.table_store.cells import Answer, to_scalar
from infra.impl.table_store.change import (
    DONE,
    KEPT,
    changing,
    chosen,
    done_table,
    require_all_fit,
    require_bounded,
    require_room,
    revised,
    stamp,
)
from infra.impl.table_store.sqlite import SqliteTableStore
from infra.impl.table_store.sqlite_file import (
    PROGRESS_STEPS,
    Check,
    SqliteFile,
    authorizer,
    columns_of,
    count_all,
    create_statement,
    query_error,
)

_BESIDE: Final = "being_reshaped"
_NO_QUERY: Final = QueryLimits(timeout_s=0.0, cell_chars=0, result_bytes=0)
"""Of changes that select nothing."""


class SqliteChangingTableStore(SqliteTableStore):
    """The store on SQLite, with changes; each is one transaction of the only writer of a file."""

    async def insert(
        self,
        ref: TableRef,
        columns: Sequence[str],
        rows: Sequence[TableRow],
        *,
        once: Once | None = None,
        most: int | None = None,
    ) -> int:
        check = self._room(ref.space_id, len(rows))
        return await self._write(
            ref.space_id,
            lambda file: _Changes(file).insert(ref, columns, rows, once, most, check=check),
        )

    async def update(
        self,
        ref: TableRef,
        selection: GuardedSql,
        columns: Sequence[str],
        revise: Revise,
        *,
        limits: QueryLimits,
        once: Once | None = None,
    ) -> int:
        stop = Event()
        try:
            return await self._write(
                ref.space_id,
                lambda file: _Changes(file, limits, stop).update(
                    ref, selection, columns, revise, once
                ),
            )
        finally:
            stop.set()

    async def remove(
        self,
        ref: TableRef,
        selection: GuardedSql,
        *,
        limits: QueryLimits,
        once: Once | None = None,
    ) -> int:
        stop = Event()
        try:
            return await self._write(
                ref.space_id,
                lambda file: _Changes(file, limits, stop).remove(ref, selection, once),
            )
        finally:
            stop.set()

    async def reshape(self, table: PhysicalTable) -> None:
        await self._write(table.ref.space_id, lambda file: _Changes(file).reshape(table))

    async def rewrite(
        self, ref: TableRef, source: str, target: str, convert: Callable[[Scalar], Scalar]
    ) -> None:
        await self._write(
            ref.space_id, lambda file: _Changes(file).rewrite(ref.name, source, target, convert)
        )

    async def clear(self, ref: TableRef) -> None:
        await self._write(ref.space_id, lambda file: _Changes(file).clear(ref.name))


class _Changes:
    """One change of one file; every method blocks."""

    def __init__(
        self, file: SqliteFile, limits: QueryLimits = _NO_QUERY, stop: Event | None = None
    ) -> None:
        self._file = file
        self._limits = limits
        self._stop = stop or Event()

    def insert(
        self,
        ref: TableRef,
        columns: Sequence[str],
        rows: Sequence[TableRow],
        once: Once | None,
        most: int | None,
        *,
        check: Check | None,
    ) -> int:
        with self._changing(ref, once) as (connection, done):
            if done is not None:
                return done
            key, known = columns_of(connection, ref.name)
            require_all_fit(chosen(known, columns), rows)
            if most is not None:
                (count,) = connection.execute(
                    f'SELECT count(*) FROM "{ref.name}"'  # noqa: S608
                ).fetchone()
                require_room(count + len(rows), most=most)
            names = ", ".join(f'"{name}"' for name in (key, *columns))
            places = ", ".join("?" * (len(columns) + 1))
            statement = f'INSERT INTO "{ref.name}" ({names}) VALUES ({places})'  # noqa: S608
            connection.executemany(statement, [(row.key, *row.cells) for row in rows])
            if check is not None:
                check(count_all(connection))
            _remember(connection, once, len(rows))
        return len(rows)

    def update(
        self,
        ref: TableRef,
        selection: GuardedSql,
        columns: Sequence[str],
        revise: Revise,
        once: Once | None,
    ) -> int:
        with self._changing(ref, once) as (connection, done):
            if done is not None:
                return done
            key, known = columns_of(connection, ref.name)
            rows = revised(self._select(connection, selection), chosen(known, columns), revise)
            changes = ", ".join(f'"{name}" = ?' for name in columns)
            statement = f'UPDATE "{ref.name}" SET {changes} WHERE "{key}" = ?'  # noqa: S608
            connection.executemany(statement, [(*row.cells, row.key) for row in rows])
            _remember(connection, once, len(rows))
        return len(rows)

    def remove(self, ref: TableRef, selection: GuardedSql, once: Once | None) -> int:
        with self._changing(ref, once) as (connection, done):
            if done is not None:
                return done
            key, _ = columns_of(connection, ref.name)
            keys = self._select(connection, selection).keys
            statement = f'DELETE FROM "{ref.name}" WHERE "{key}" = ?'  # noqa: S608
            connection.executemany(statement, [(value,) for value in keys])
            _remember(connection, once, len(keys))
        return len(keys)

    def reshape(self, table: PhysicalTable) -> None:
        name = table.ref.name
        beside = PhysicalTable(
            ref=TableRef(table.ref.space_id, _BESIDE),
            key_column=table.key_column,
            columns=table.columns,
        )
        with self._file.writing(existing=name) as connection:
            key, known = columns_of(connection, name)
            if (key, known) == (table.key_column, list(table.columns)):
                return
            kept = [each.name for each in known if each in table.columns]
            listed = ", ".join(f'"{each}"' for each in (key, *kept))
            connection.execute(f'DROP TABLE IF EXISTS "{_BESIDE}"')
            connection.execute(create_statement(beside))
            copy = f'INSERT INTO "{_BESIDE}" ({listed}) SELECT {listed} FROM "{name}"'  # noqa: S608
            connection.execute(copy)
            connection.execute(f'DROP TABLE "{name}"')
            connection.execute(f'ALTER TABLE "{_BESIDE}" RENAME TO "{name}"')
            for position, column in enumerate(table.indexed):
                connection.execute(f'CREATE INDEX "{name}_i{position}" ON "{name}" ("{column}")')

    def rewrite(
        self, name: str, source: str, target: str, convert: Callable[[Scalar], Scalar]
    ) -> None:
        with self._file.writing(existing=name) as connection:
            key, known = columns_of(connection, name)
            old, new = chosen(known, (source, target))
            found = connection.execute(f'SELECT "{key}", "{source}" FROM "{name}"').fetchall()  # noqa: S608
            rows = [
                TableRow(number, (convert(to_scalar(old.kind, value)),)) for number, value in found
            ]
            require_all_fit([new], rows)
            statement = f'UPDATE "{name}" SET "{target}" = ? WHERE "{key}" = ?'  # noqa: S608
            connection.executemany(statement, [(*row.cells, row.key) for row in rows])

    def clear(self, name: str) -> None:
        with self._file.writing(existing=name) as connection:
            columns_of(connection, name)
            connection.execute(f'DELETE FROM "{name}"')  # noqa: S608

    @contextmanager
    def _changing(
        self, ref: TableRef, once: Once | None
    ) -> Iterator[tuple[sqlite3.Connection, int | None]]:
        """Open the transaction; a number is what this very change did before."""
        if once is not None:
            self._file.create(done_table(ref.space_id))
        with self._file.writing(existing=ref.name) as connection:
            done = None
            if once is not None:
                found = connection.execute(
                    f'SELECT "affected" FROM "{DONE}" WHERE "id" = ?',  # noqa: S608
                    (once.key,),
                ).fetchone()
                done = None if found is None else int(found[0])
            yield connection, done

    def _select(self, connection: sqlite3.Connection, sql: GuardedSql) -> ResultSet:
        """Run the guarded statement under SQLite's own supervision, then lift it for the writes."""
        deadline = monotonic() + self._limits.timeout_s
        answer = Answer(sql, changing(self._limits))
        connection.set_authorizer(authorizer(sql))
        connection.set_progress_handler(
            lambda: self._stop.is_set() or monotonic() > deadline, PROGRESS_STEPS
        )
        try:
            for row in connection.execute(sql.text, sql.parameters):
                if not answer.add(row):
                    break
        except sqlite3.Error as exc:
            raise query_error(exc) from exc
        finally:
            connection.set_authorizer(None)
            connection.set_progress_handler(None, 0)
        found = answer.result()
        require_bounded(found)
        return found


def _remember(connection: sqlite3.Connection, once: Once | None, affected: int) -> None:
    if once is None:
        return
    connection.execute(
        f'DELETE FROM "{DONE}" WHERE "made_at" < ?',  # noqa: S608
        (stamp(once.now - KEPT),),
    )
    connection.execute(
        f'INSERT INTO "{DONE}" VALUES (?, ?, ?)',  # noqa: S608
        (once.key, affected, stamp(once.now)),
    )
