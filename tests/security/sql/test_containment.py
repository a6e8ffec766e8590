"""SQL-06: what the engine itself holds back when a statement comes past the guard."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Final

import asyncpg  # type: ignore[import-untyped]
import pytest

from infra.contract.table.store import QueryFailed, TableStoreUnavailable
from infra.impl.table_store.postgres import ROLE, PostgresTableStore
from tests.contract.test_table_store import REF, ROWS, forged
from tests.support.sql.corpus import REFUSED
from tests.support.sql.table import LIMITS, MAX_ROWS, fill

CANARY: Final = "canary-of-the-main-tables"
SHORT: Final = replace(LIMITS, timeout_s=0.5)
SLACK_S: Final = 60.0
"""Far above what a statement may take, for a machine under load."""

_READ: Final = "SELECT token FROM public.credential"
HOSTILE: Final = (
    _READ,
    "SELECT token AS x FROM credential",
    "SELECT (SELECT token FROM public.credential)",
    f"SELECT query_to_xml('{_READ}', true, true, '')::text",
    "SELECT table_to_xml('public.credential', true, true, '')::text",
    f"SELECT set_config('role', 'none', true) || query_to_xml('{_READ}', true, true, '')::text",
    f"SELECT set_config('role', 'postgres', true), query_to_xml('{_READ}', true, true, '')",
    "SELECT \"set_config\"('role', 'none', true), "
    f"U&\"query\\005fto_xml\"('{_READ}', true, true, '')",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT pg_ls_dir('/')::text",
    "SELECT lo_import('/etc/passwd')",
    "SELECT lo_from_bytea(0, 'x')",
    "SELECT pg_advisory_lock(1)",
    "SELECT pg_terminate_backend(pg_backend_pid())",
    "SELECT pg_sleep(30)",
    "SELECT pg_notify('x', 'y')",
    "SELECT nextval('public.numbers')",
    "SELECT current_setting('data_directory') FROM public.credential",
    "INSERT INTO public.credential VALUES ('x')",
    "WITH x AS (DELETE FROM public.credential RETURNING token) SELECT token FROM x",
    "CREATE TABLE public.x (a INTEGER)",
    "CREATE FUNCTION public.f() RETURNS INTEGER LANGUAGE sql AS 'SELECT 1'",
    "COPY public.credential TO '/tmp/coterie-canary'",
    "DO $$ BEGIN PERFORM 1; END $$",
    "SET ROLE postgres",
    "SET SESSION AUTHORIZATION DEFAULT",
)


@pytest.fixture
async def owner(empty_postgres: str) -> AsyncGenerator["asyncpg.Connection[asyncpg.Record]"]:
    """A connection of the owner of a database with tables of the product."""
    url = empty_postgres.replace("postgresql+asyncpg://", "postgresql://", 1)
    connection = await asyncpg.connect(url)
    await connection.execute("CREATE TABLE public.credential (token TEXT)")
    await connection.execute("CREATE SEQUENCE public.numbers")
    await connection.execute("INSERT INTO public.credential VALUES ($1)", CANARY)
    yield connection
    await connection.close()


@pytest.fixture
async def store(
    empty_postgres: str, owner: "asyncpg.Connection[asyncpg.Record]"
) -> AsyncGenerator[PostgresTableStore]:
    opened = PostgresTableStore(empty_postgres)
    await opened.start()
    await fill(opened)
    yield opened
    await opened.aclose()


async def test_nothing_but_tables_of_the_space_is_reached(
    store: PostgresTableStore, owner: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    before = await _relations(owner)
    for sql in (*HOSTILE, *REFUSED):
        async with asyncio.timeout(SLACK_S):
            try:
                found = await store.query(forged(store, sql), limits=SHORT)
            except (QueryFailed, TableStoreUnavailable, ValueError):
                found = None  # the last of them: no column at all, which no guard lets through
        assert found is None or CANARY not in str(found.rows), sql

    assert await owner.fetch("SELECT token FROM public.credential") == [(CANARY,)]
    assert await owner.fetchval("SELECT is_called FROM public.numbers") is False
    assert await _relations(owner) == before
    assert await store.scan(REF, after=0, limit=100) == ROWS


async def test_functions_that_take_back_the_role_are_not_called(store: PostgresTableStore) -> None:
    for sql in (each for each in HOSTILE if "set_config" in each or "query" in each):
        with pytest.raises(QueryFailed):
            await store.query(forged(store, sql), limits=SHORT)


async def test_the_role_itself_reads_no_main_table(
    store: PostgresTableStore, owner: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    """Not even in a session that the store did not prepare."""
    async with owner.transaction():
        await owner.execute(f"SET LOCAL ROLE {ROLE}")
        for sql in (_READ, "INSERT INTO public.credential VALUES ('x')", "CREATE TABLE x (a INT)"):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                async with owner.transaction():
                    await owner.execute(sql)
        rights = await owner.fetch(
            "SELECT table_schema, table_name FROM information_schema.table_privileges "
            "WHERE grantee = $1 AND privilege_type <> 'SELECT'",
            ROLE,
        )
    assert rights == []


async def test_answers_end_at_their_limits_without_the_guard(store: PostgresTableStore) -> None:
    sql = f"SELECT a.c_1 FROM {REF.name} a, {REF.name} b, {REF.name} c"  # noqa: S608
    found = await store.query(
        forged(store, sql, tables=frozenset({REF.name})), limits=replace(LIMITS, timeout_s=5.0)
    )
    assert len(found.rows) <= MAX_ROWS


async def _relations(owner: "asyncpg.Connection[asyncpg.Record]") -> set[tuple[str, str]]:
    rows = await owner.fetch(
        "SELECT nspname, relname FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace "
        "WHERE nspname NOT LIKE 'pg_%' AND nspname <> 'information_schema'"
    )
    return {(str(schema), str(name)) for schema, name in rows}
