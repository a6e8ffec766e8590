"""Statements that are deep or wide on purpose are refused soon, whatever the parser does."""

from time import perf_counter

import pytest

from domain.shared.limits import Limits
from infra.contract.sql_guard import SqlDialect, SqlRefused
from infra.impl.sql_guard.guard import SqlglotGuard
from tests.sql_tables import GRANT, NOW

SOON_S = 15.0
"""A fiftieth of this is usual; other work on the machine takes the rest."""

DEEP = {
    "parentheses": "SELECT " + "(" * 3000 + "1" + ")" * 3000,
    "not": "SELECT " + "NOT " * 4000 + "1",
    "minus": "SELECT " + "- " * 9000 + "1",
    "union": " UNION ".join(["SELECT 1"] * 900),
    "case": "SELECT " + "CASE WHEN 1 THEN " * 800 + "1" + " END" * 800,
    "functions": "SELECT " + "ABS(" * 1500 + "1" + ")" * 1500,
    "sub-queries": "SELECT * FROM (" * 400 + "SELECT 1" + ") t" * 400,
    "brackets that never close": "SELECT " + "(" * 7000,
}


@pytest.mark.parametrize("dialect", list(SqlDialect))
@pytest.mark.parametrize("kind", list(DEEP))
def test_deep_statements_are_refused_soon(kind: str, dialect: SqlDialect) -> None:
    guard = SqlglotGuard(dialect=dialect, limits=Limits())
    began = perf_counter()

    with pytest.raises(SqlRefused):
        guard.check(DEEP[kind], GRANT, now=NOW)

    assert perf_counter() - began < SOON_S
