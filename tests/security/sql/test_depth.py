"""Statements that are deep or wide on purpose cost little work."""

import pytest

from domain.shared.limits import Limits
from infra.contract.table.sql_guard import SqlDialect, SqlRefused
from infra.impl.sql_guard.guard import SqlglotGuard
from tests.support.effort import MOST_CALLS, calls
from tests.support.sql.table import GRANT, NOW

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
def test_deep_statements_are_refused_for_little_work(kind: str, dialect: SqlDialect) -> None:
    guard = SqlglotGuard(dialect=dialect, limits=Limits())

    def work() -> None:
        with pytest.raises(SqlRefused):
            guard.check(DEEP[kind], GRANT, now=NOW)

    assert calls(work) < MOST_CALLS
