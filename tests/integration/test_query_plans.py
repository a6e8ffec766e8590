"""Statements of what happens most: each finds its rows by an index that says which, not whose."""

import re
import sqlite3
from collections.abc import AsyncGenerator
from typing import Any, Final

import pytest

from tests.support.process.in_process import ADMIN, Deployment, running
from tests.upstream.fixture import running_upstream

GROWING: Final = frozenset({"conversation", "message", "model_call", "run", "run_event"})
"""Tables in which each chat leaves something."""
_WHOSE: Final = frozenset({"agent_id", "creator_id", "kind", "space_id", "status", "user_id"})
"""Columns that very many rows of a table may have in common."""
_SCAN: Final = re.compile(r"^SCAN (\w+)")
_SEARCH: Final = re.compile(r"^SEARCH (\w+) USING .*?\((.*)\)$")
_ALIAS: Final = re.compile(r"\b(\w+) AS (\w+)")


class Statements:
    """What is sent to SQLite, as it was prepared."""

    def __init__(self) -> None:
        self.seen: set[str] = set()
        self.is_on = False

    def note(self, sql: str) -> None:
        if self.is_on and sql.lstrip()[:6].upper() in {"SELECT", "UPDATE", "DELETE", "INSERT"}:
            self.seen.add(sql)


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> Statements:
    found = Statements()

    class Cursor(sqlite3.Cursor):
        def execute(self, sql: str, *rest: Any) -> "Cursor":
            found.note(sql)
            super().execute(sql, *rest)
            return self

        def executemany(self, sql: str, *rest: Any) -> "Cursor":
            found.note(sql)
            super().executemany(sql, *rest)
            return self

    class Connection(sqlite3.Connection):
        def cursor(self, factory: Any = Cursor) -> Any:
            return super().cursor(factory)

    connect = sqlite3.connect

    def connected(path: Any, *args: Any, **options: Any) -> sqlite3.Connection:
        if str(path).endswith("coterie.db"):
            options["factory"] = Connection
        opened: sqlite3.Connection = connect(path, *args, **options)
        return opened

    monkeypatch.setattr(sqlite3, "connect", connected)
    return found


@pytest.fixture
async def deployment(
    statements: Statements, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Deployment, None]:
    with running_upstream() as upstream:
        environ = {
            "OPENAI_BASE_URL": upstream.base_url,
            "OPENAI_API_KEY": "sk-x",
            "OPENAI_MODEL": "tokens-20-0",
        }
        async with running(tmp_path_factory.mktemp("plans"), environ) as deployment:
            yield deployment


def faults(database: sqlite3.Connection, statement: str) -> list[str]:
    """Say where a statement would read more rows the more there are."""
    named = {alias: table for table, alias in _ALIAS.findall(statement)}
    plan = database.execute(f"EXPLAIN QUERY PLAN {statement}", [None] * statement.count("?"))
    found = []
    for *_, step in plan:
        scanned, searched = _SCAN.match(step), _SEARCH.match(step)
        table = (scanned or searched or ("", ""))[1]
        if named.get(table, table) not in GROWING:
            continue
        columns = set(re.findall(r"(\w+)[=<>]", searched[2])) if searched else set()
        if columns <= _WHOSE:
            found.append(step)
    return found


async def agent_of(deployment: Deployment) -> tuple[str, str]:
    """Publish an agent with a persona; return its workspace and id."""
    listed = await deployment.call("GET", "/v1/workspaces", token=ADMIN)
    space = listed["data"]["workspaces"][0]["id"]
    made = await deployment.call(
        "POST",
        "/v1/bot/create",
        token=ADMIN,
        document={"space_id": space, "name": "a", "prompt_info": {"prompt": "Help {{customer}}."}},
    )
    agent = made["data"]["bot_id"]
    document = {"bot_id": agent, "connector_ids": ["1024"]}
    await deployment.call("POST", "/v1/bot/publish", token=ADMIN, document=document)
    return space, agent


async def chat(deployment: Deployment, agent: str, conversation: str) -> None:
    document = {
        "bot_id": agent,
        "user_id": "u",
        "stream": True,
        "custom_variables": {"customer": "Ada"},
        "additional_messages": [{"role": "user", "content": "go", "content_type": "text"}],
    }
    answer = await deployment.send(
        "POST", f"/v3/chat?conversation_id={conversation}", token=ADMIN, document=document
    )
    assert "conversation.chat.completed" in answer.text, str(answer)


async def test_no_statement_of_a_chat_reads_more_the_more_there_is(
    deployment: Deployment, statements: Statements
) -> None:
    _, agent = await agent_of(deployment)
    opened = await deployment.call(
        "POST", "/v1/conversation/create", token=ADMIN, document={"bot_id": agent}
    )
    conversation = opened["data"]["id"]
    statements.is_on = True
    await chat(deployment, agent, conversation)
    await chat(deployment, agent, conversation)
    statements.is_on = False

    assert any("run.conversation_id" in each for each in statements.seen)
    assert any("AS asked" in each for each in statements.seen)
    with sqlite3.connect(deployment.data / "coterie.db") as database:
        wrong = {each: told for each in statements.seen if (told := faults(database, each))}
    assert not wrong
