"""Questions on tables end to end, with a model that answers from a script."""

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from domain.knowledge.tables.column import Column, ColumnType
from domain.knowledge.tables.nl2sql_answer import (
    AnswerKind,
    QueryableTable,
    TableAnswer,
    TableQuestions,
)
from domain.knowledge.tables.table import TableSchema, table_name
from domain.shared.chat import ChatMessage
from domain.shared.limits import Limits
from infra.contract.table.sql_guard import SqlGrant
from infra.contract.table.store import QueryLimits, TableRef, TableStore
from infra.impl.sql_guard.guard import SqlglotGuard
from infra.impl.table_store.postgres import PostgresTableStore
from infra.impl.table_store.sqlite import SqliteTableStore
from tests.support.sql.table import FIXTURES, NOW, countries

CASES = json.loads((FIXTURES / "cases.json").read_text())
TYPES = {"text": ColumnType.TEXT, "number": ColumnType.NUMBER}
TABLE = QueryableTable(
    ref=TableRef(7, table_name(1, 1)),
    schema=TableSchema.of(
        Column(
            id=number,
            name=column["name"],
            type=TYPES[column["type"]],
            description=column["desc"],
            is_semantic=column["indexing"],
            sequence=number,
        )
        for number, column in enumerate(CASES["table"]["columns"])
    ),
    name=CASES["table"]["virtual_name"],
    description=CASES["table"]["description"],
)


@dataclass
class ScriptedWriter:
    """A model that gives the replies it was told to give."""

    replies: list[str]
    asked: list[Sequence[ChatMessage]] = field(default_factory=list)

    async def write(self, messages: Sequence[ChatMessage]) -> str:
        self.asked.append(messages)
        return self.replies[len(self.asked) - 1]


@pytest.fixture(params=["sqlite", "postgres"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[TableStore, None]:
    if request.param == "sqlite":
        opened: SqliteTableStore | PostgresTableStore = SqliteTableStore(tmp_path)
    else:
        opened = PostgresTableStore(request.getfixturevalue("empty_postgres"))
    await opened.start()
    await opened.create(TABLE.schema.physical(TABLE.ref))
    await opened.upsert(TABLE.ref, countries())
    yield opened
    await opened.aclose()


async def ask(store: TableStore, writer: ScriptedWriter) -> TableAnswer:
    guard = SqlglotGuard(dialect=store.dialect, limits=Limits())
    limits = Limits(table_query_repairs=1)
    questions = TableQuestions(writer=writer, guard=guard, store=store, limits=limits)
    return await questions.ask("?", [TABLE], now=NOW)


def sql(statement: str) -> str:
    return json.dumps({"sql": statement, "err_code": 0, "err_msg": ""}, ensure_ascii=False)


async def test_every_gold_case_gives_its_rows(store: TableStore) -> None:
    guard = SqlglotGuard(dialect=store.dialect, limits=Limits())
    limits = QueryLimits(timeout_s=3, cell_chars=2000, result_bytes=64 * 1024)
    granted = TABLE.schema.grant(TABLE.ref, name=TABLE.name)
    grant = SqlGrant(space_id=TABLE.ref.space_id, tables=(granted,))
    for case in CASES["cases"]:
        statement = case["model_reply"]["sql"]

        answer = await ask(store, ScriptedWriter([json.dumps(case["model_reply"])]))
        guarded = await asyncio.to_thread(guard.check, statement, grant, now=NOW)
        found = await store.query(guarded, limits=limits)

        rows: list[Any] = [list(row) for row in found.rows]
        wanted = case["rows"]
        if not case["ordered"]:
            rows, wanted = sorted(rows, key=str), sorted(wanted, key=str)
        assert rows == wanted, case["id"]
        shown = answer.table + "".join(row.content for row in answer.rows)
        assert all(str(cell) in shown for row in wanted for cell in row), case["id"]
        assert answer.sql == statement


async def test_rows_can_be_cited(store: TableStore) -> None:
    answer = await ask(
        store, ScriptedWriter([sql("SELECT `首都` FROM `国家代码` WHERE `国家` = '中国'")])
    )

    assert answer.kind is AnswerKind.ROWS
    (row,) = answer.rows
    assert json.loads(row.content) == {"首都": "Beijing"}
    (stored,) = await store.get(TABLE.ref, [row.slice_id])
    assert "Beijing" in stored.cells


async def test_the_model_sees_values_of_columns_with_few(store: TableStore) -> None:
    writer = ScriptedWriter([sql("")])

    answer = await ask(store, writer)

    text = writer.asked[0][-1].text
    assert answer.kind is AnswerKind.NOTHING
    assert "UN region; values: " in text
    assert "'Asia'" in text
    assert "x when listed as an LLDC; values: 'x'" in text
    assert "capital city; values" not in text


async def test_a_refused_query_is_repaired_once(store: TableStore) -> None:
    writer = ScriptedWriter(
        [sql("SELECT `名字` FROM `国家代码`"), sql("SELECT COUNT(*) AS n FROM `国家代码`")]
    )

    answer = await ask(store, writer)

    assert answer.kind is AnswerKind.COMPUTED
    assert "249" in answer.table
    assert "unknown_column" in writer.asked[1][-1].text


@pytest.mark.parametrize(
    ("replies", "reason"),
    [
        ([sql("DROP TABLE `国家代码`"), sql("DELETE FROM `国家代码`")], "not_read_only"),
        ([sql("SELECT * FROM users"), "I cannot do that"], "unknown_table"),
    ],
)
async def test_a_second_mistake_ends_the_attempt(
    store: TableStore, replies: list[str], reason: str
) -> None:
    answer = await ask(store, ScriptedWriter(replies))

    assert (answer.kind, answer.reason) == (AnswerKind.FAILED, reason)
    assert await store.count(TABLE.ref) == 249


async def test_an_empty_result_is_no_answer(store: TableStore) -> None:
    answer = await ask(
        store, ScriptedWriter([sql("SELECT `国家` FROM `国家代码` WHERE `国家` = 'Atlantis'")])
    )

    assert answer.kind is AnswerKind.NOTHING
