"""Workflows whose process is killed again and again: every effect once, and the same output."""

import json
import os
import random
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy.engine import make_url

from tests.support.client.workflow import Flows
from tests.support.process.server import RunningServer, running_server
from tests.support.service.postgres import PostgresServer
from tests.support.workflow.canvas import canvas, exit_, node, ref, text
from tests.support.workflow.lease import end_leases

PAIRS = 24
"""Nodes that only compute and nodes with an effect, in turn: 50 nodes with entry and exit."""


class World:
    """The outside: an idempotent service, which kills the server at some of its calls."""

    def __init__(self, seed: int) -> None:
        chosen = random.Random(seed)  # noqa: S311 - the same places each time
        places = chosen.sample(range(2, PAIRS - 1), 2)
        self.kills = {place: chosen.choice(["before", "after"]) for place in places}
        self.effects: list[int] = []
        """Numbers of the effects that happened, in order."""
        self.keys: dict[int, set[str]] = {}
        self.calls: Counter[int] = Counter()
        self.pid = 0
        self.died = threading.Event()
        self._answers: dict[str, bytes] = {}

    def call(self, number: int, key: str, body: bytes) -> bytes | None:
        """Do something once per key; None if the server is dead before anything happened."""
        self.calls[number] += 1
        self.keys.setdefault(number, set()).add(key)
        if self.kills.get(number) == "before":
            self._kill(number)
            return None
        if key not in self._answers:
            self.effects.append(number)
            self._answers[key] = b"%s.%d" % (body, number)
        if self.kills.get(number) == "after":
            self._kill(number)
            return None
        return self._answers[key]

    def _kill(self, number: int) -> None:
        del self.kills[number]
        os.kill(self.pid, signal.SIGKILL)
        self.died.set()


class Handler(BaseHTTPRequestHandler):
    """``POST /<number>`` with the text so far."""

    world: World

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        number = int(self.path.rpartition("/")[2])
        said = self.world.call(number, self.headers["Idempotency-Key"], body)
        if said is None:
            self.close_connection = True
            return
        self.send_response(200)
        self.send_header("content-type", "text/plain")
        self.send_header("content-length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def outside(world: World) -> Iterator[int]:
    """Serve the world and give its port."""
    handler = type("WorldHandler", (Handler,), {"world": world})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as http:
        thread = threading.Thread(target=http.serve_forever, daemon=True)
        thread.start()
        yield http.server_address[1]
        http.shutdown()
        thread.join(10)


def chain(port: int) -> dict[str, Any]:
    """Each text goes out, and what comes back goes on."""
    nodes = []
    before, name = "100001", "q"
    for number in range(PAIRS):
        nodes.append(text(f"t{number}", "{{v}}", v=ref(before, name)))
        nodes.append(
            node(
                f"h{number}",
                "45",
                outputs=[{"type": "string", "name": "body"}],
                apiInfo={"method": "POST", "url": f"http://127.0.0.1:{port}/{number}"},
                body={
                    "bodyType": "RAW_TEXT",
                    "bodyData": {"rawText": f"{{{{block_output_t{number}.output}}}}"},
                },
                headers=[],
                params=[],
                auth={"authOpen": False},
                setting={"timeout": 30, "retryTimes": 0},
            )
        )
        before, name = f"h{number}", "body"
    return canvas(*nodes, exit_(said=ref(before, name)))


def client(server: RunningServer) -> httpx.Client:
    return httpx.Client(base_url=server.url, headers=server.headers, timeout=60)


@pytest.mark.parametrize(
    ("seed", "database"),
    [
        (1, "sqlite"),
        (2, "postgres"),
        pytest.param(1, "postgres", marks=pytest.mark.long),
        pytest.param(2, "sqlite", marks=pytest.mark.long),
    ],
)
def test_every_effect_happens_once(
    request: pytest.FixtureRequest, tmp_path: Path, seed: int, database: str
) -> None:
    world = World(seed)
    kills = len(world.kills)
    with outside(world) as port:
        environ = {
            "COTERIE_EGRESS__ALLOW_PRIVATE": f"127.0.0.1:{port}",
            "COTERIE_LIMITS__SWEEP_INTERVAL_S": "0.2",
        }
        on_postgres = database == "postgres"
        if on_postgres:
            environ["COTERIE_DATABASE__URL"] = request.getfixturevalue("empty_postgres")
        execute_id = ""
        ended: dict[str, Any] = {}
        told: dict[str, Any] = {}
        for life in range(kills + 1):
            world.died.clear()
            with running_server(tmp_path, environ) as server, client(server) as http:
                world.pid = server.process.pid
                flows = Flows(http)
                if not execute_id:
                    workflow_id = flows.publish("chain", chain(port))
                    body = {"workflow_id": workflow_id, "parameters": {"q": ""}, "is_async": True}
                    execute_id = flows.call("POST", "/v1/workflow/run", body)["execute_id"]
                if life < kills:
                    assert world.died.wait(30), "The run did not go on."
                    server.process.wait(60)
                    if on_postgres:  # nothing else tells the next process that this one is dead
                        postgres: PostgresServer = request.getfixturevalue("postgres_server")
                        name = make_url(environ["COTERIE_DATABASE__URL"]).database or ""
                        end_leases(postgres, database=name)
                else:
                    ended = flows.settled(execute_id)
                    told = http.get(f"/admin/v1/traces/{execute_id}").json()

    assert ended["status"] == 2, ended["reason"]
    assert json.loads(ended["output"]) == {"said": "".join(f".{n}" for n in range(PAIRS))}
    assert world.effects == list(range(PAIRS))
    assert all(len(keys) == 1 for keys in world.keys.values())
    assert sum(world.calls.values()) == PAIRS + kills
    assert_told_whole(told, lives=kills + 1)


def assert_told_whole(told: dict[str, Any], *, lives: int) -> None:
    """Each life told its part: those that were lost by their events, the last one by itself."""
    trace, spans = told["trace"], told["spans"]
    assert (trace["is_rebuilt"], trace["status"], trace["name"]) == (True, "completed", "chain")
    tops = [span for span in spans if span["parent_id"] is None]
    assert [span["kind"] for span in tops] == ["workflow"] * lives
    assert [span["status"] for span in tops] == ["lost"] * (lives - 1) + ["ok"]
    done = Counter(
        span["attributes"]["node_id"]
        for span in spans
        if (span["kind"], span["status"]) == ("node", "ok")
    )
    expected = {"100001", "900001"} | {f"{kind}{n}" for n in range(PAIRS) for kind in "th"}
    assert set(done) == expected
    assert set(done.values()) == {1}
    lost = [s for s in spans if (s["kind"], s["status"]) == ("node", "lost")]
    assert len(lost) == lives - 1
    assert all(span["attributes"]["node_id"].startswith("h") for span in lost)
