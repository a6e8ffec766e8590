"""Several processes on one database: any of them cancels a run, and goes on with one."""

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.client.trace import shape_of
from tests.support.client.workflow import Flows
from tests.support.process.server import RunningServer, running_server
from tests.support.service.postgres import PostgresServer
from tests.support.workflow.canvas import canvas, exit_, node, ref, text
from tests.support.workflow.lease import end_leases

DATABASE = "processes"
SUCCESS, FAILED, CANCELLED = 2, 3, 4
TOLD = """
workflow knocking (lost)
  node 100001
  node Node before
  node Node door (lost)
workflow knocking
  node Node door
    http 127.0.0.1
  node Node 900001
"""
"""What the events of the dead process tell, and what the one that went on saw."""


class Door:
    """An address whose callers wait until it is opened."""

    def __init__(self) -> None:
        self.knocked = threading.Semaphore(0)
        self.is_open = threading.Event()
        self.port = 0


@contextmanager
def waiting_door() -> Iterator[Door]:
    door = Door()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            door.knocked.release()
            door.is_open.wait(240)
            with suppress(BrokenPipeError):  # who knocked was killed
                self.send_response(200)
                self.send_header("content-length", "2")
                self.end_headers()
                self.wfile.write(b"in")

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        door.port = http.server_address[1]
        threading.Thread(target=http.serve_forever, daemon=True).start()
        yield door
        door.is_open.set()
        http.shutdown()


def knocking(port: int) -> dict[str, Any]:
    return canvas(
        text("before", "{{q}}", q=ref("100001", "q")),
        node(
            "door",
            "45",
            outputs=[{"type": "string", "name": "body"}],
            apiInfo={"method": "GET", "url": f"http://127.0.0.1:{port}/"},
            body={"bodyType": "EMPTY", "bodyData": {}},
            headers=[],
            params=[],
            auth={"authOpen": False},
            setting={"timeout": 240, "retryTimes": 0},
        ),
        exit_(said=ref("door", "body"), q=ref("before", "output")),
    )


@pytest.fixture
def servers(
    tmp_path: Path, postgres_server: PostgresServer
) -> Iterator[tuple[list[RunningServer], Door]]:
    """Two processes that share a database, and what their runs wait for."""
    with ExitStack() as stack:
        door = stack.enter_context(waiting_door())
        stack.callback(postgres_server.drop_database, DATABASE)
        environ = {
            "COTERIE_DATABASE__URL": postgres_server.create_database(DATABASE),
            "COTERIE_EGRESS__ALLOW_PRIVATE": f"127.0.0.1:{door.port}",
            # Longer than any machine needs to renew one; the tests end those of the dead.
            "COTERIE_LIMITS__RUN_LEASE_S": "600",
            "COTERIE_LIMITS__SWEEP_INTERVAL_S": "0.2",
        }
        found = []
        for number in range(2):
            data = tmp_path / str(number)
            data.mkdir()
            if number:
                (data / "master.key").write_bytes((tmp_path / "0" / "master.key").read_bytes())
                (data / "master.key").chmod(0o600)
            found.append(
                stack.enter_context(running_server(data, {**environ, "COTERIE_NODE": str(number)}))
            )
        yield found, door


def test_runs_belong_to_no_process(
    servers: tuple[list[RunningServer], Door], postgres_server: PostgresServer
) -> None:
    (first, second), door = servers
    with ExitStack() as stack:
        here, there = (
            stack.enter_context(httpx.Client(base_url=each.url, headers=each.headers, timeout=60))
            for each in (first, second)
        )
        flows, others = Flows(here), Flows(there)
        workflow_id = flows.publish("knocking", knocking(door.port))
        body = {"workflow_id": workflow_id, "parameters": {"q": "me"}, "is_async": True}
        ids = [flows.call("POST", "/v1/workflow/run", body)["execute_id"] for _ in range(2)]
        assert all(door.knocked.acquire(timeout=60) for _ in ids)

        cancelled = others.call("POST", f"/admin/v1/workflow-runs/{ids[0]}/cancel")
        first.process.kill()
        first.process.wait(60)
        end_leases(postgres_server, database=DATABASE)
        assert door.knocked.acquire(timeout=60), "Nobody went on with the run."
        door.is_open.set()
        ended = others.settled(ids[1])
        told = others.call("GET", f"/admin/v1/traces/{ids[1]}")

    assert cancelled["status"] == CANCELLED
    assert ended["status"] == SUCCESS
    assert json.loads(ended["output"]) == {"said": "in", "q": "me"}
    nodes = {each["node_id"]: each for each in ended["nodes"]}
    assert nodes["before"]["started_at_ms"] < nodes["door"]["started_at_ms"]
    assert told["trace"]["is_rebuilt"]
    lines = [line.replace(workflow_id, "knocking") for line in shape_of(told["spans"])]
    assert lines == TOLD.strip().split("\n")


def test_rights_end_on_every_process(
    servers: tuple[list[RunningServer], Door], postgres_server: PostgresServer
) -> None:
    (first, second), door = servers
    with ExitStack() as stack:
        pool = stack.enter_context(ThreadPoolExecutor(2))
        stack.callback(door.is_open.set)
        here = stack.enter_context(
            httpx.Client(base_url=first.url, headers=first.headers, timeout=60)
        )
        flows = Flows(here)
        flows.workspace_id = flows.call("POST", "/admin/v1/workspaces", {"name": "team"})["id"]
        workflow_id = flows.publish("knocking", knocking(door.port))
        made = flows.call("POST", "/admin/v1/users", {"name": "leaver"})
        member = {"user_id": made["user"]["id"], "role": "editor"}
        flows.call("POST", f"/admin/v1/workspaces/{flows.workspace_id}/members", member)
        headers = {"Authorization": f"Bearer {made['token']}"}
        there = stack.enter_context(httpx.Client(base_url=second.url, headers=headers, timeout=60))
        token = there.post("/admin/v1/tokens", json={"name": "second"}).json()
        body = {"workflow_id": workflow_id, "parameters": {"q": "me"}}
        run_id = there.post("/v1/workflow/run", json={**body, "is_async": True}).json()
        again = {"Authorization": f"Bearer {token['token']}"}
        answers = [
            pool.submit(there.post, f"/v1/workflow/{kind}", json=body, headers=again)
            for kind in ("run", "stream_run")
        ]
        assert all(door.knocked.acquire(timeout=60) for _ in range(3))

        revoked = here.delete(f"/admin/v1/tokens/{token['id']}", headers=headers)
        whole, streamed = (each.result(60) for each in answers)
        second.process.kill()
        second.process.wait(60)
        end_leases(postgres_server, database=DATABASE)
        flows.call("PATCH", f"/admin/v1/users/{made['user']['id']}", {"is_disabled": True})
        ended = flows.settled(run_id["execute_id"])
        was_repeated = door.knocked.acquire(blocking=False)

    assert revoked.is_success, revoked.text
    assert whole.status_code == httpx.codes.UNAUTHORIZED
    assert "revoked" in whole.text
    assert streamed.status_code in {httpx.codes.OK, httpx.codes.UNAUTHORIZED}  # begun, or not
    assert "revoked" in streamed.text
    assert ended["status"] == FAILED
    assert "disabled" in json.dumps(ended)
    assert not was_repeated
