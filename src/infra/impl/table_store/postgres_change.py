"""Rows that change one by one, in the PostgreSQL schemas of the table store."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import asyncpg  # type: ignore[import-untyped]

from infra.contract.sql_guard import GuardedSql, Scalar
from infra.contract.table_change import Once, Revise
from infra.contract.table_store import (
    PhysicalTable,
    QueryFailed,
    QueryFault,
    QueryLimits,
    ResultSet,
    TableRef,
    TableRow,
)
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
from infra.impl.table_store.postgres import (
    CHUNK_ROWS,
    DDL_LOCK,
    TOO_LONG,
    PostgresTableStore,
    columns_of,
    count_all,
    definition,
    from_driver,
    query_error,
    require_named,
    schema_of,
    table_of,
    to_driver,
)


class PostgresChangingTableStore(PostgresTableStore):
    """The store on PostgreSQL, with changes.

    A change locks its table against other changes, finds its rows as the role of queries, and
    writes them by key as the owner.
    """

    async def insert(
        self,
        ref: TableRef,
        columns: Sequence[str],
        rows: Sequence[TableRow],
        *,
        once: Once | None = None,
        most: int | None = None,
    ) -> int:
        async with self._changing(ref, once, adding=len(rows)) as (connection, done, must_count):
            if done is not None:
                return done
            key, known = await columns_of(connection, ref)
            wanted = chosen(known, columns)
            require_all_fit(wanted, rows)
            if most is not None:
                count = await connection.fetchval(
                    f"SELECT count(*) FROM {table_of(ref)}"  # noqa: S608
                )
                require_room(count + len(rows), most=most)
            names = ", ".join(f'"{name}"' for name in (key, *columns))
            places = ", ".join(f"${number}" for number in range(1, len(columns) + 2))
            await connection.executemany(
                f"INSERT INTO {table_of(ref)} ({names}) VALUES ({places})",  # noqa: S608
                [(row.key, *to_driver(wanted, row.cells)) for row in rows],
            )
            if must_count:
                self._quota.check(ref.space_id, await count_all(connection, ref.space_id))
            await self._remember(connection, ref, once, len(rows))
        return len(rows)

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
        async with self._changing(ref, once) as (connection, done, _):
            if done is not None:
                return done
            key, known = await columns_of(connection, ref)
            wanted = chosen(known, columns)
            rows = revised(await self._select(connection, selection, limits), wanted, revise)
            changes = ", ".join(f'"{name}" = ${at}' for at, name in enumerate(columns, 2))
            await connection.executemany(
                f'UPDATE {table_of(ref)} SET {changes} WHERE "{key}" = $1',  # noqa: S608
                [(row.key, *to_driver(wanted, row.cells)) for row in rows],
            )
            await self._remember(connection, ref, once, len(rows))
        return len(rows)

    async def remove(
        self,
        ref: TableRef,
        selection: GuardedSql,
        *,
        limits: QueryLimits,
        once: Once | None = None,
    ) -> int:
        async with self._changing(ref, once) as (connection, done, _):
            if done is not None:
                return done
            key, _ = await columns_of(connection, ref)
            keys = (await self._select(connection, selection, limits)).keys
            await connection.execute(
                f'DELETE FROM {table_of(ref)} WHERE "{key}" = ANY($1::BIGINT[])',  # noqa: S608
                list(keys),
            )
            await self._remember(connection, ref, once, len(keys))
        return len(keys)

    async def reshape(self, table: PhysicalTable) -> None:
        async with self._write(table.ref.space_id) as connection:
            await connection.execute("SELECT pg_advisory_xact_lock($1)", DDL_LOCK)
            _, known = await columns_of(connection, table.ref)
            changes = [
                f'DROP COLUMN "{each.name}"' for each in known if each not in table.columns
            ] + [f"ADD COLUMN {definition(each)}" for each in table.columns if each not in known]
            if changes:
                await connection.execute(f"ALTER TABLE {table_of(table.ref)} {', '.join(changes)}")

    async def rewrite(
        self, ref: TableRef, source: str, target: str, convert: Callable[[Scalar], Scalar]
    ) -> None:
        async with self._changing(ref, None) as (connection, _, _):
            key, known = await columns_of(connection, ref)
            old, new = chosen(known, (source, target))
            found = await connection.fetch(
                f'SELECT "{key}", "{source}" FROM {table_of(ref)}'  # noqa: S608
            )
            rows = [
                TableRow(number, (convert(to_scalar(old.kind, from_driver(value))),))
                for number, value in found
            ]
            require_all_fit([new], rows)
            await connection.executemany(
                f'UPDATE {table_of(ref)} SET "{target}" = $2 WHERE "{key}" = $1',  # noqa: S608
                [(row.key, *to_driver([new], row.cells)) for row in rows],
            )

    async def clear(self, ref: TableRef) -> None:
        async with self._changing(ref, None) as (connection, _, _):
            await connection.execute(f"DELETE FROM {table_of(ref)}")  # noqa: S608

    @asynccontextmanager
    async def _changing(
        self, ref: TableRef, once: Once | None, *, adding: int = 0
    ) -> AsyncGenerator[tuple["asyncpg.Connection[Any]", int | None, bool], None]:
        """Open the transaction; a number is what this very change did before.

        The last part tells whether to count the rows of the space once ``adding`` are written.
        """
        await self._prepare()
        if once is not None:
            await self.create(done_table(ref.space_id))
        async with self._write(ref.space_id) as connection:
            await columns_of(connection, ref)
            # Before the table, as whoever writes without locking it does: or both wait for ever.
            must_count = bool(adding) and await self._must_count(connection, ref.space_id, adding)
            await connection.execute(f"LOCK TABLE {table_of(ref)} IN SHARE ROW EXCLUSIVE MODE")
            done = None
            if once is not None:
                done = await connection.fetchval(
                    f'SELECT "affected" FROM {_done(ref)} WHERE "id" = $1',  # noqa: S608
                    once.key,
                )
            yield connection, None if done is None else int(done), must_count

    async def _select(
        self, connection: "asyncpg.Connection[Any]", sql: GuardedSql, limits: QueryLimits
    ) -> ResultSet:
        """Run the guarded statement with the rights of queries only."""
        answer = Answer(sql, changing(limits))
        try:
            async with asyncio.timeout(limits.timeout_s):
                await connection.execute(
                    f"SET LOCAL search_path = {schema_of(sql.space_id)};SET LOCAL ROLE {self._role}"
                )
                await require_named(connection, sql)
                statement = await connection.prepare(sql.text)
                cursor = await statement.cursor(*sql.parameters)
                while rows := await cursor.fetch(CHUNK_ROWS):
                    if not all(answer.add([from_driver(value) for value in row]) for row in rows):
                        break
                await connection.execute("RESET ROLE")
        except TimeoutError as exc:
            raise QueryFailed(QueryFault.TIMEOUT, TOO_LONG) from exc
        except asyncpg.QueryCanceledError as exc:
            raise QueryFailed(QueryFault.TIMEOUT, TOO_LONG) from exc
        except (asyncpg.DataError, asyncpg.InsufficientPrivilegeError) as exc:
            raise query_error(exc) from exc
        found = answer.result()
        require_bounded(found)
        return found

    async def _remember(
        self,
        connection: "asyncpg.Connection[Any]",
        ref: TableRef,
        once: Once | None,
        affected: int,
    ) -> None:
        if once is None:
            return
        await connection.execute(
            f'DELETE FROM {_done(ref)} WHERE "made_at" < $1',  # noqa: S608
            stamp(once.now - KEPT),
        )
        await connection.execute(
            f"INSERT INTO {_done(ref)} VALUES ($1, $2, $3)",  # noqa: S608
            once.key,
            affected,
            stamp(once.now),
        )


def _done(ref: TableRef) -> str:
    return table_of(TableRef(ref.space_id, DONE))
