"""What the guard lets through and what it writes; execution is tested with the table stores."""

# ruff: noqa: S608 - these statements are put together to be refused
import json
from pathlib import Path

import pytest

from domain.shared.limits import Limits
from infra.contract.table.sql_guard import (
    CellKind,
    GrantedColumn,
    GrantedTable,
    GuardedSql,
    Refusal,
    RowFilter,
    SqlDialect,
    SqlGrant,
    SqlRefused,
)
from infra.impl.sql_guard.engine import like_pattern
from infra.impl.sql_guard.guard import SqlglotGuard
from tests.support.effort import MOST_CALLS, calls
from tests.support.sql.corpus import ACCEPTED, REFUSED
from tests.support.sql.table import COUNTRIES, FIXTURES, GRANT, KEY, NOW, SPACE, scoped

SRC = Path(__file__).parents[4] / "src"
MUST_REJECT = [
    case["sql"] for case in json.loads((FIXTURES / "cases.json").read_text())["must_reject"]
]


@pytest.fixture(params=list(SqlDialect))
def guard(request: pytest.FixtureRequest) -> SqlglotGuard:
    return SqlglotGuard(dialect=request.param, limits=Limits())


@pytest.fixture
def guards() -> list[SqlglotGuard]:
    return [SqlglotGuard(dialect=dialect, limits=Limits()) for dialect in SqlDialect]


def check(guard: SqlglotGuard, sql: str, grant: SqlGrant = GRANT) -> GuardedSql:
    return guard.check(sql, grant, now=NOW)


def reason(guard: SqlglotGuard, sql: str, grant: SqlGrant = GRANT) -> Refusal:
    with pytest.raises(SqlRefused) as refused:
        check(guard, sql, grant)
    return refused.value.reason


@pytest.mark.parametrize("sql", MUST_REJECT)
def test_every_statement_that_must_be_rejected_is(guard: SqlglotGuard, sql: str) -> None:
    assert reason(guard, sql)


@pytest.mark.parametrize("sql", REFUSED)
def test_what_is_no_plain_query_is_refused(guard: SqlglotGuard, sql: str) -> None:
    assert reason(guard, sql)


@pytest.mark.parametrize("sql", ACCEPTED)
def test_nothing_of_a_statements_names_and_texts_is_executed(guard: SqlglotGuard, sql: str) -> None:
    guarded = check(guard, sql)

    assert guarded.text.isascii()
    assert ";" not in guarded.text
    assert "--" not in guarded.text
    assert "/*" not in guarded.text
    assert guarded.tables <= {table.physical for table in GRANT.tables}


@pytest.mark.parametrize(
    ("sql", "wanted"),
    [
        ("", Refusal.EMPTY),
        ("SELECT 1 FROM 订单; SELECT 2 FROM 订单", Refusal.MULTIPLE_STATEMENTS),
        ("DELETE FROM 订单", Refusal.NOT_READ_ONLY),
        ("SELECT * FROM 订单 FOR UPDATE", Refusal.NOT_READ_ONLY),
        ("SELECT * FROM users", Refusal.UNKNOWN_TABLE),
        ("SELECT x FROM 订单", Refusal.UNKNOWN_COLUMN),
        ("SELECT 订单号 FROM 订单 a JOIN 订单 b USING (客户)", Refusal.AMBIGUOUS_COLUMN),
        ("SELECT SLEEP(1) FROM 订单", Refusal.FORBIDDEN_FUNCTION),
        ("SELECT 客户, 订单号 FROM 订单 GROUP BY 客户", Refusal.NOT_GROUPED),
        ("SELECT 订单号 FROM 订单 WHERE 下单时间 > 'soon'", Refusal.TYPE_MISMATCH),
        ("SELECT 订单号 FROM 订单 WHERE 数量 IN (" + "1," * 64 + "1)", Refusal.TOO_COMPLEX),
        ("SELECT '" + "x" * 4000 + "' FROM 订单", Refusal.TOO_LONG),
    ],
)
def test_a_refusal_has_its_reason(guard: SqlglotGuard, sql: str, wanted: Refusal) -> None:
    assert reason(guard, sql) is wanted


def test_texts_are_bound_not_written(guard: SqlglotGuard) -> None:
    hostile = "'; DROP TABLE 订单 --"

    guarded = check(guard, f'SELECT 国家 FROM 国家代码 WHERE 国家 = "{hostile}"')

    assert guarded.parameters == (hostile,)


@pytest.mark.parametrize(
    ("tail", "limit", "is_clamped"),
    [
        ("", 100, True),
        (" LIMIT 5", 5, False),
        (" LIMIT 100", 100, False),
        (" LIMIT 101", 100, True),
    ],
)
def test_every_answer_is_limited(
    guard: SqlglotGuard, tail: str, limit: int, is_clamped: bool
) -> None:
    guarded = check(guard, f"SELECT 国家 FROM 国家代码{tail}")

    assert guarded.text.endswith(f"LIMIT {limit}")
    assert (guarded.max_rows, guarded.is_clamped) == (limit, is_clamped)


def test_a_smaller_limit_of_the_deployment_is_kept() -> None:
    guard = SqlglotGuard(dialect=SqlDialect.SQLITE, limits=Limits(table_query_rows=7))

    assert check(guard, "SELECT 国家 FROM 国家代码").text.endswith("LIMIT 7")


@pytest.mark.parametrize(
    ("sql", "has_key"),
    [
        ("SELECT 国家 FROM 国家代码", True),
        ("SELECT UPPER(国家) FROM 国家代码 WHERE 编号 > 3 ORDER BY 2 - 1, 编号", True),
        ("SELECT DISTINCT 国家 FROM 国家代码", False),
        ("SELECT COUNT(*) FROM 国家代码", False),
        ("SELECT 大洲 FROM 国家代码 GROUP BY 大洲", False),
        ("SELECT 国家 FROM 国家代码 UNION SELECT 国家 FROM 国家代码", False),
        ("SELECT a.国家 FROM 国家代码 a JOIN 国家代码 b ON a.编号 = b.编号", False),
        ("SELECT 国家 FROM (SELECT 国家 FROM 国家代码) t", False),
    ],
)
def test_rows_of_one_table_carry_their_key(guard: SqlglotGuard, sql: str, has_key: bool) -> None:
    guarded = check(guard, sql)

    assert guarded.has_key is has_key
    assert (KEY in guarded.text) is has_key


@pytest.mark.parametrize("value", [42, "it's"])
def test_a_row_scope_is_applied_at_every_mention(guard: SqlglotGuard, value: str | int) -> None:
    grant = scoped(COUNTRIES, "编号", value)
    sql = (
        "WITH x AS (SELECT * FROM 国家代码) SELECT a.国家 FROM 国家代码 a "
        "JOIN x ON a.编号 = x.编号 WHERE a.编号 = (SELECT MAX(编号) FROM 国家代码) "
        "UNION SELECT 国家 FROM 国家代码"
    )

    guarded = check(guard, sql, grant)

    mentions = guarded.text.count(f'FROM "{COUNTRIES.physical}"')
    assert mentions == 4
    assert guarded.text.count(f'FROM "{COUNTRIES.physical}" WHERE "c_9" = ') == mentions
    assert guarded.parameters == (("it's",) if value == "it's" else ())


def test_a_row_scope_may_use_a_column_without_a_name(guard: SqlglotGuard) -> None:
    table = GrantedTable(
        name="notes",
        physical="table_1",
        key_column="bstudio_id",
        columns=(GrantedColumn(name="note", physical="f_1", kind=CellKind.TEXT),),
        row_scope=(RowFilter(column="bstudio_connector_uid", value="u1"),),
    )
    grant = SqlGrant(space_id=SPACE, tables=(table,))

    assert check(guard, "SELECT note FROM notes", grant).parameters == ("u1",)
    assert reason(guard, "SELECT bstudio_connector_uid FROM notes", grant)
    assert reason(guard, "SELECT note FROM notes WHERE bstudio_connector_uid = 'u2'", grant)


@pytest.mark.parametrize("name", ['t"; DROP TABLE x --', "q1", "T", "pg_user", "sqlite_master", ""])
def test_a_grant_with_a_name_that_was_not_generated_is_a_defect(
    guard: SqlglotGuard, name: str
) -> None:
    table = GrantedTable(name="t", physical=name, key_column="k", columns=())

    with pytest.raises(ValueError, match=r"generated|uses such"):
        check(guard, "SELECT * FROM t", SqlGrant(space_id=SPACE, tables=(table,)))


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT " + "(" * 1900 + "1" + ")" * 1900 + " FROM 订单",
        "SELECT " + "NOT " * 900 + "1 FROM 订单",
        "SELECT " + "- " * 1900 + "1 FROM 订单",
        "SELECT " + "+" * 3900 + "1 FROM 订单",
        "SELECT 1 FROM 订单 WHERE " + "!" * 3900 + "1",
        " UNION ".join(["SELECT 1"] * 300),
        "SELECT 1 FROM 订单 WHERE " + " OR ".join(["1"] * 700),
        "SELECT " + "CASE WHEN 1 THEN " * 150 + "1" + " END" * 150 + " FROM 订单",
        "SELECT " + "UPPER(" * 500 + "客户" + ")" * 500 + " FROM 订单",
        "SELECT " + "IF(1," * 500 + "1" + ",1)" * 500 + " FROM 订单",
        "SELECT * FROM " + "(SELECT * FROM " * 200 + "订单" + ") a" * 200,
        "SELECT 1 IN " + "(SELECT 1 IN " * 200 + "(1)" + ")" * 200,
        "WITH " + ", ".join(f"a{n} AS (SELECT 1 FROM 订单)" for n in range(130)) + " SELECT 1",
        "SELECT 1 FROM 订单 WHERE 1 " + "BETWEEN 1 AND 1 " * 200,
        "SELECT '" + "\\" * 3900,
        "SELECT `" + "`" * 3900,
        "/*" * 1900,
        "SELECT 1 " + "COLLATE x " * 390,
        "SELECT " + "CONCAT(客户, " * 30 + "客户" + ")" * 30 + " FROM 订单 " + "JOIN " * 300,
        "SELECT 1 FROM " + " JOIN ".join("abcdefghijklmnopq") + " ON 1 = 1" * 16,
        "SELECT 1 FROM " + "(" * 30 + "a JOIN b" + ")" * 30,
        "SELECT " + "(SELECT " * 30 + "INTERVAL " * 40 + ")" * 30,
        "SELECT " + "[" * 3900,
        "SELECT " + "{" * 3900,
        "SELECT a" + ".a" * 1900 + " FROM 订单",
        "SELECT 1" + "::INT" * 700,
    ],
)
def test_deep_and_long_statements_are_refused_for_little_work(
    guard: SqlglotGuard, sql: str
) -> None:
    def work() -> None:
        assert reason(guard, sql)

    assert calls(work) < MOST_CALLS


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT REPLACE(REPLACE(REPLACE(客户, 'a', '{0}'), 'b', '{0}'), 'c', '{0}') FROM 订单",
        "WITH a AS (SELECT CONCAT({1}) AS x FROM 订单), b AS (SELECT CONCAT({2}) AS x FROM a) "
        "SELECT x FROM b",
    ],
)
def test_texts_that_would_fill_the_memory_are_refused(guard: SqlglotGuard, sql: str) -> None:
    sql = sql.format("b" * 100, ", ".join(["客户"] * 60), ", ".join(["x"] * 60))

    assert reason(guard, sql) is Refusal.TOO_COMPLEX


def test_date_functions_cannot_blow_up_the_statement(guard: SqlglotGuard) -> None:
    nested = "下单时间"
    for _ in range(12):
        nested = f"DATE_ADD({nested}, INTERVAL TIMESTAMPDIFF(MONTH, {nested[:40]}, NOW()) MONTH)"

    assert reason(guard, f"SELECT {nested} FROM 订单")


def test_only_the_guard_seals() -> None:
    with pytest.raises(TypeError):
        GuardedSql()
    callers = {
        path.relative_to(SRC).as_posix()
        for path in SRC.rglob("*.py")
        if "GuardedSql.sealed" in path.read_text("utf-8")
    }

    assert callers == {"infra/impl/sql_guard/guard.py"}


@pytest.mark.parametrize(
    ("pattern", "escape", "wanted"),
    [
        ("100%", "\\", "100%"),
        ("100\\%", "\\", "100\\%"),
        ("a\\", "\\", "a\\\\"),
        ("a!%b", "!", "a\\%b"),
        ("a\\b", "!", "a\\\\b"),
        ("a!!", "!", "a\\!"),
    ],
)
def test_like_patterns_are_escaped_by_the_backslash(pattern: str, escape: str, wanted: str) -> None:
    assert like_pattern(pattern, escape) == wanted
