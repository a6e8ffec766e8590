"""Servers that are killed amid calls of models: the ledger has each call once, or its bound."""

import json
import random
import signal
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from tests.chaos.life import Life, living_server
from tests.support.client.chat import Talk
from tests.support.process.in_process import MASTER_KEY
from tests.support.process.server import TOKEN
from tests.support.service.postgres import PostgresServer
from tests.support.usage.provider import reply
from tests.support.wait import until
from tests.support.web.service import Answer, Asked, Service

LIVES: Final = 2
CHATS: Final = 40
AT_ONCE: Final = 8
STALLED: Final = 2
"""Calls of each life that are under way for long when it is killed."""
STALLS: Final = "Take your time"
DATABASE: Final = "crash_ledger"
LOST_S: Final = 300.0
"""By then the others settled what a dead process left: two minutes, and the round after that."""
HEADERS: Final = {"Authorization": f"Bearer {TOKEN}"}


@dataclass
class Provider:
    """Tells a number of its own for each call, as its tokens: no two are alike."""

    chance: random.Random
    begun: int = 0
    answered: dict[int, int] = field(default_factory=dict)
    """Tokens of the output by those of the input, which are the number of the call."""
    lock: threading.Lock = field(default_factory=threading.Lock)
    is_over: threading.Event = field(default_factory=threading.Event)

    def answer(self, asked: Asked) -> Answer:
        body = json.loads(asked.body)
        with self.lock:
            self.begun += 1
            number, made = self.begun, self.chance.randint(1, 400)
            pause_s = self.chance.choice((0.0, 0.0, 0.02, 0.1))
        if body["messages"][-1]["content"] == STALLS:
            self.is_over.wait(LOST_S)
            return 503, "application/json", b"{}"
        self.is_over.wait(pause_s)
        with self.lock:
            self.answered[number] = made
        usage = {"input_tokens": number, "output_tokens": made}
        usage |= {"cached_tokens": 0, "reasoning_tokens": 0}
        return 200, "text/event-stream", reply(body["model"], usage)


@dataclass
class Scene:
    """Where servers live and die."""

    data: Sequence[Path]
    environ: dict[str, str]
    provider: Provider
    postgres: PostgresServer | None
    agent: str = ""
    seen: set[int] = field(default_factory=set)
    """Calls whose chats were completed before somebody's eyes."""

    @contextmanager
    def lives(self) -> Iterator[list[Life]]:
        with ExitStack() as stack:
            yield [
                stack.enter_context(living_server(each, self.environ | {"COTERIE_NODE": str(node)}))
                for node, each in enumerate(self.data)
            ]

    def prepare(self, url: str, model_url: str) -> None:
        with httpx.Client(base_url=url, headers=HEADERS, timeout=60) as http:
            spaces = _said(http.get("/admin/v1/workspaces"))["items"]
            connection = {"base_url": model_url, "model": "m", "api_key": "sk-1"}
            body = {"display": {"name": "counted"}, "connection": connection}
            made = _said(http.post("/admin/v1/models", json=body))
            agent = {"name": "counted", "model": {"model_id": made["id"]}}
            path = f"/admin/v1/workspaces/{spaces[0]['id']}/agents"
            self.agent = _said(http.post(path, json=agent))["id"]
            publication = {"connector_ids": ["1024"], "description": "test"}
            _said(http.post(f"/admin/v1/agents/{self.agent}/publish", json=publication))

    def chat(self, url: str, text: str) -> None:
        """Chat until it ends, or the server does; note what was completed."""
        with httpx.Client(base_url=url, headers=HEADERS, timeout=60) as http:
            try:
                for name, body in Talk(http).stream(self.agent, text):
                    if name == "conversation.chat.completed":
                        self.seen.add(int(body["usage"]["input_count"]))
            except (httpx.HTTPError, AssertionError, json.JSONDecodeError):
                return  # killed before, amid or after its answer

    def live_and_die(self, lives: Sequence[Life]) -> None:
        """Have all chat, some of it for long, and kill them amid it."""
        before, count = self.rows(), STALLED * len(lives)
        with ThreadPoolExecutor(AT_ONCE * len(lives)) as pool:
            for life in lives:
                for _ in range(STALLED):
                    pool.submit(self.chat, life.url, STALLS)
            until(lambda: len(self.rows() - before) >= count, "rows of the calls that stall")
            for number in range(CHATS * len(lives)):
                pool.submit(self.chat, lives[number % len(lives)].url, f"Question {number}")
            half = len(self.provider.answered) + CHATS * len(lives) // 2
            until(lambda: len(self.provider.answered) >= half, "half of the answers")
            for life in lives:
                life.signal(signal.SIGKILL)

    def rows(self) -> frozenset[int]:
        """Return which calls are written down as under way."""
        query = "SELECT id FROM in_flight_call"
        if self.postgres is not None:
            lines = self.postgres.execute(query, database=DATABASE).split()
            return frozenset(map(int, lines))
        with closing(sqlite3.connect(self.data[0] / "coterie.db")) as database:
            return frozenset(each for (each,) in database.execute(query))

    def entries(self, url: str) -> list[dict[str, Any]]:
        with httpx.Client(base_url=url, headers=HEADERS, timeout=60) as http:
            file = http.get("/admin/v1/usage/entries", params={"format": "jsonl"})
        return [json.loads(line) for line in file.text.splitlines()]


@pytest.fixture(
    params=["sqlite", pytest.param("postgres", marks=pytest.mark.long)],
)
def scene(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Scene]:
    """One server on SQLite, or two on PostgreSQL."""
    with ExitStack() as stack:
        provider = Provider(random.Random(5))  # noqa: S311 - no secret
        stack.callback(provider.is_over.set)
        service = stack.enter_context(Service(provider.answer).listening())
        environ, postgres, names = dict[str, str](), None, ["one"]
        if request.param == "postgres":
            postgres, names = request.getfixturevalue("postgres_server"), ["one", "two"]
            environ["COTERIE_DATABASE__URL"] = postgres.create_database(DATABASE)
            environ["COTERIE_MASTER_KEY"] = MASTER_KEY
            stack.callback(postgres.drop_database, DATABASE)
        data = [tmp_path / name for name in names]
        for each in data:
            each.mkdir(mode=0o700)
        scene = Scene(data, environ, provider, postgres)
        with living_server(data[0], environ) as life:
            scene.prepare(life.url, f"{service.url}/v1")
            assert life.stop() == 0
        yield scene


def test_each_call_is_in_the_ledger_once_or_its_process_was_killed_amid_it(scene: Scene) -> None:
    for _ in range(LIVES):
        with scene.lives() as lives:
            scene.live_and_die(lives)
    provider, killed = scene.provider, LIVES * len(scene.data)
    with scene.lives() as lives:
        url = lives[0].url
        until(lambda: not scene.rows(), "what the dead left", wait_s=LOST_S, pause_s=0.5)
        rows = scene.entries(url)
        with httpx.Client(base_url=url, headers=HEADERS, timeout=60) as http:
            total = _said(http.get("/admin/v1/usage"))["total"]

    told = [row for row in rows if row["outcome"] == "ok"]
    numbers = [row["input_tokens"] for row in told]
    assert len(numbers) == len(set(numbers)), "no call is counted twice"
    assert {row["input_tokens"]: row["output_tokens"] for row in told}.items() <= (
        provider.answered.items()
    )
    assert scene.seen <= set(numbers), "whoever saw the end of a chat has its call in the ledger"
    unsettled = [row for row in rows if row["outcome"] == "unsettled"]
    assert len(unsettled) >= STALLED * killed
    assert all(row["output_tokens"] for row in unsettled), "the most that it may have taken"
    lost = provider.begun - len(rows)
    assert 0 <= lost <= AT_ONCE * killed, "only what began a moment before is in no row"
    assert total["unsettled"]["calls"] == len(unsettled)
    assert total["calls"] == len(rows) - len(unsettled)
    assert total["input_tokens"] == sum(row["input_tokens"] for row in rows if row not in unsettled)


def _said(answer: httpx.Response) -> Any:
    assert answer.is_success, answer.text
    return answer.json()
