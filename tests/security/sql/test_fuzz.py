"""Mutated statements against the guard, with the engine's own account of what they touch.

``COTERIE_TEST_SQL_MUTATIONS`` asks for more than the few that every run can afford.
"""

import os
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from domain.shared.limits import Limits
from infra.contract.table.sql_guard import Refusal, SqlDialect, SqlRefused
from infra.contract.table.store import QueryFailed, QueryFault
from infra.impl.sql_guard.guard import SqlglotGuard
from infra.impl.table_store.postgres import PostgresTableStore
from infra.impl.table_store.sqlite import SqliteTableStore
from tests.support.sql.corpus import ACCEPTED, REFUSED
from tests.support.sql.table import (
    GRANT,
    LIMITS,
    NOW,
    ORDERS,
    SECRET,
    SPACE,
    fill,
    orders,
    physical,
)

MUTATIONS = int(os.environ.get("COTERIE_TEST_SQL_MUTATIONS", "3000"))
POSTGRES_SHARE = 20
"""One statement in so many is also executed on PostgreSQL."""
PARTS = (
    *("SELECT", "FROM", "WHERE", "UNION", "ALL", "JOIN", "ON", "USING", "GROUP BY", "HAVING"),
    *("ORDER BY", "LIMIT", "OFFSET", "WITH", "AS", "IN", "EXISTS", "NOT", "NULL", "CASE WHEN"),
    *("users", "password", "sqlite_master", "pg_user", "information_schema.tables", "dyn_8"),
    *(SECRET.physical, ORDERS.physical, "c_1", "rowid", "订单", "国家代码", "`订单`", "`users`"),
    *("DELETE", "UPDATE", "INSERT INTO", "DROP TABLE", "INTO", "SET", "ATTACH", "PRAGMA"),
    *("FOR UPDATE", "RETURNING *", "LATERAL", "RECURSIVE", "VALUES", "TABLE", "EXPLAIN", "OVER ()"),
    *(
        "(",
        ")",
        ",",
        ".",
        "*",
        ";",
        "'",
        '"',
        "`",
        "--",
        "/*",
        "*/",
        "#",
        "\\",
        "\n",
        "\0",
        "=",
        "@",
    ),
    *("load_extension('x')", "pg_sleep(1)", "set_config('role', 'a', 'f')", "randomblob(9)"),
    *("COUNT(*)", "MAX(数量)", "1", "0x41", "1e9", "'a'", "$1", "?", ":a", "::text", "||", "->"),
)
TOUCHING = {
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_INSERT,
    sqlite3.SQLITE_UPDATE,
    sqlite3.SQLITE_DELETE,
    sqlite3.SQLITE_ATTACH,
    sqlite3.SQLITE_PRAGMA,
    sqlite3.SQLITE_FUNCTION,
}
ACCIDENTS = (AttributeError, IndexError, KeyError, TypeError)
DANGEROUS = {"load_extension", "randomblob", "zeroblob", "printf", "format", "char", "readfile"}


def mutated(count: int) -> Iterator[str]:
    """Yield statements made of pieces of good and bad ones; the same ones in each run."""
    chance = random.Random(4711)  # noqa: S311 - reproducible, not secret
    sources = [*ACCEPTED * 3, *REFUSED]
    for _ in range(count):
        words = chance.choice(sources).split(" ")
        for _ in range(chance.choice((1, 1, 1, 2))):
            at = chance.randrange(len(words) + 1)
            match chance.randrange(9):
                case 0:
                    words.insert(at, chance.choice(PARTS))
                case 1:
                    del words[at : at + chance.randint(1, 3)]
                case 2:
                    other = chance.choice(sources).split(" ")
                    start = chance.randrange(len(other))
                    words[at:at] = other[start : start + chance.randint(1, 6)]
                case 3:
                    words[at : at + 1] = [chance.choice(PARTS)]
                case 4:
                    words[at:at] = ["(", chance.choice(sources), ")", "x"]
                case 5 | 6 | 7:
                    words[at : at + 1] = [chance.choice(chance.choice(ACCEPTED).split(" "))]
                case _:
                    text = " ".join(words)
                    cut = chance.randrange(len(text) + 1)
                    words = (text[:cut] + chance.choice(PARTS) + text[cut + 1 :]).split(" ")
            words = words or ["SELECT"]
        yield " ".join(words)


async def test_nothing_outside_the_grant_is_touched(tmp_path: Path) -> None:
    store = SqliteTableStore(tmp_path)
    await store.start()
    await fill(store)
    guard = SqlglotGuard(dialect=SqlDialect.SQLITE, limits=Limits())
    granted = {table.physical for table in GRANT.tables}
    touched: set[tuple[int, str | None, str | None]] = set()

    def watch(action: int, first: str | None, second: str | None, *_: str | None) -> int:
        if action != sqlite3.SQLITE_SELECT:
            touched.add((action, first, second))
        return sqlite3.SQLITE_OK

    accepted = 0
    defects: list[tuple[str, BaseException]] = []
    with closing(sqlite3.connect(tmp_path / f"{SPACE}.db", cached_statements=0)) as connection:
        for sql in mutated(MUTATIONS):
            try:
                guarded = guard.check(sql, GRANT, now=NOW)
            except SqlRefused as exc:
                if exc.reason is not Refusal.SYNTAX and isinstance(exc.__cause__, ACCIDENTS):
                    defects.append((sql, exc.__cause__))
                continue
            accepted += 1
            touched.clear()
            connection.set_authorizer(watch)
            with suppress(sqlite3.OperationalError):
                connection.execute(f"EXPLAIN {guarded.text}", guarded.parameters)
            connection.set_authorizer(None)
            for action, first, second in touched:
                assert action in {sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION}, sql
                if action == sqlite3.SQLITE_READ:
                    assert first in granted or (first in guarded.relations and not second), sql
                else:
                    assert second is not None, sql
                    assert second.lower() in guarded.functions - DANGEROUS, sql

    assert accepted > MUTATIONS / 30
    assert not defects  # refused, but by accident
    assert await store.scan(physical(ORDERS).ref, after=0, limit=100) == orders()


async def test_postgres_executes_what_passes_and_denies_none_of_it(empty_postgres: str) -> None:
    store = PostgresTableStore(empty_postgres)
    await store.start()
    try:
        await fill(store)
        guard = SqlglotGuard(dialect=SqlDialect.POSTGRES, limits=Limits())
        denied: list[str] = []
        for sql in mutated(MUTATIONS // POSTGRES_SHARE):
            try:
                guarded = guard.check(sql, GRANT, now=NOW)
            except SqlRefused:
                continue
            try:
                await store.query(guarded, limits=LIMITS)
            except QueryFailed as exc:
                denied += [sql] if exc.fault is QueryFault.DENIED else []

        assert not denied  # or the guard let something through
        assert await store.scan(physical(ORDERS).ref, after=0, limit=100) == orders()
    finally:
        await store.aclose()


@pytest.mark.parametrize("dialect", list(SqlDialect))
def test_texts_that_are_not_sql_at_all_are_refused(dialect: SqlDialect) -> None:
    guard = SqlglotGuard(dialect=dialect, limits=Limits())
    chance = random.Random(42)  # noqa: S311 - reproducible, not secret
    signs = "".join(map(chr, range(256))) + "国家代码订单 'SELECT`()*,;\"\\\ud800\u202e\ufeff"

    for _ in range(300):
        text = "".join(chance.choices(signs, k=chance.randint(1, 60)))
        with pytest.raises(SqlRefused):
            guard.check(text, GRANT, now=NOW)
