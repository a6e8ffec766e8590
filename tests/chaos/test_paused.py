"""Processes that stand still past their leases, and go on: nothing they write then counts."""

import json
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.chaos.invariants import NO_SANDBOX, story_of
from tests.chaos.life import Life, living_server
from tests.chaos.test_crash_workflow import chain
from tests.support.client.chat import Talk, skip_to
from tests.support.client.workflow import Flows
from tests.support.process.server import TOKEN
from tests.support.service.postgres import PostgresServer
from tests.support.web.service import Answer, Asked, Service
from tests.upstream.fixture import RunningUpstream

NAME = "paused"
SUCCESS = 2
TIMES = {
    "COTERIE_LIMITS__RUN_LEASE_S": "2",
    "COTERIE_LIMITS__RUN_HEARTBEAT_S": "0.4",
    "COTERIE_LIMITS__SWEEP_INTERVAL_S": "0.2",
}
OPEN_PARTIALS = "SELECT count(*) FROM message WHERE status = 'streaming'"


class Gate:
    """A service that keeps the first caller of each text waiting until it is opened."""

    def __init__(self) -> None:
        self.is_open = threading.Event()
        self.has_caller = threading.Event()
        self.keys: list[tuple[str, str]] = []

    def answer(self, asked: Asked) -> Answer:
        what = asked.body.decode()
        is_first = what not in {each for each, _ in self.keys}
        self.keys.append((what, asked.headers["idempotency-key"]))
        if is_first and what.startswith("first"):
            self.has_caller.set()
            self.is_open.wait(120)
        return 200, "text/plain", f"<{what}>".encode()


pytestmark = pytest.mark.long


@dataclass
class World:
    """Servers on one PostgreSQL database."""

    postgres: PostgresServer
    data: Path
    environ: dict[str, str]
    gate: Gate
    port: int

    @contextmanager
    def server(self, name: str) -> Iterator[tuple[Life, httpx.Client]]:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        folder = self.data / name
        folder.mkdir(exist_ok=True)
        with (
            living_server(folder, self.environ) as life,
            httpx.Client(base_url=life.url, headers=headers, timeout=60) as http,
        ):
            yield life, http


@pytest.fixture(scope="module")
def world(
    tmp_path_factory: pytest.TempPathFactory,
    postgres_server: PostgresServer,
    upstream: RunningUpstream,
) -> Iterator[World]:
    gate = Gate()
    with Service(gate.answer).listening() as service:
        environ = {
            **NO_SANDBOX,
            **TIMES,
            "COTERIE_DATABASE__URL": postgres_server.create_database(NAME),
            "COTERIE_MASTER_KEY": "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
            "COTERIE_EGRESS__ALLOW_PRIVATE": service.host,
            "OPENAI_BASE_URL": upstream.base_url,
            "OPENAI_MODEL": "tokens-300-20",
        }
        data = tmp_path_factory.mktemp(NAME)
        yield World(postgres_server, data, environ, gate, service.port)
    postgres_server.drop_database(NAME)


def log_of(http: httpx.Client, run_id: str) -> str:
    """Everything that is told of a run, but for the times."""
    lines = http.get(f"/v1/runs/{run_id}/events").text.splitlines()
    return "\n".join(line for line in lines if line.startswith(("id: ", "event: ")))


def test_a_server_that_slept_through_its_lease_changes_nothing(world: World) -> None:
    with world.server("one") as (sleeper, http), world.server("two") as (_, other):
        agent_id = str(sleeper.said["agent_id"])
        talk = Talk(other)
        with suppress(httpx.TransportError), Talk(http).streaming(agent_id, "go") as events:
            chat = skip_to(events, "conversation.chat.created")
            skip_to(events, "conversation.message.delta")
            sleeper.signal(signal.SIGSTOP)
            failed = talk.wait(chat)
            told = log_of(other, chat["id"])
            again = talk.start(agent_id, "next", conversation_id=chat["conversation_id"])
            sleeper.signal(signal.SIGCONT)
            list(events)
        assert talk.wait(again)["status"] == "completed"

        assert failed["status"] == "failed"
        assert talk.get(chat) == failed
        assert log_of(other, chat["id"]) == told
        story_of(other, chat["id"], "failed")
        story_of(http, again["id"], "completed")
        assert len(talk.answers(again)) == 1
        assert sleeper.stop() == 0, sleeper.log
    assert world.postgres.execute(OPEN_PARTIALS, database=NAME).strip() == "0"


def test_a_workflow_goes_on_elsewhere_and_not_in_both_places(world: World) -> None:
    with world.server("one") as (sleeper, http), world.server("two") as (_, other):
        flows = Flows(http)
        workflow_id = flows.publish("chain", chain(world.port, "first", "second"))
        body = {"workflow_id": workflow_id, "parameters": {"q": "x"}, "is_async": True}
        run_id = flows.call("POST", "/v1/workflow/run", body)["execute_id"]
        assert world.gate.has_caller.wait(60)
        sleeper.signal(signal.SIGSTOP)
        ended = Flows(other).settled(run_id)
        story = other.get(f"/admin/v1/workflow-runs/{run_id}/events").text
        world.gate.is_open.set()
        sleeper.signal(signal.SIGCONT)
        assert sleeper.stop() == 0, sleeper.log

        assert ended["status"] == SUCCESS, ended
        assert json.loads(ended["output"]) == {"said": "<second <first x>>"}
        assert Flows(other).process(run_id) == ended
        assert other.get(f"/admin/v1/workflow-runs/{run_id}/events").text == story
    asked = [what for what, _ in world.gate.keys]
    assert asked == ["first x", "first x", "second <first x>"]
    assert len({key for _, key in world.gate.keys}) == len({*asked}), "one key for each effect"
