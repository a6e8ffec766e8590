"""Two servers and a worker that find each other's work over NATS, and without it."""

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from cozepy import ChatEventType, Coze, Message

from tests.e2e.test_knowledge_chat import QUESTION, client_of, new_bot, new_dataset
from tests.support.client.chat import PATIENCE_S
from tests.support.process.server import RunningServer, running_server, running_worker
from tests.support.service.nats import NatsServer, running_nats
from tests.support.service.postgres import PostgresServer
from tests.support.wait import until

SECRET = "s3cr3t-of-the-bus"


@dataclass(frozen=True)
class Cluster:
    """Processes on one PostgreSQL and one NATS; the servers index nothing themselves."""

    servers: list[RunningServer]
    nats: NatsServer
    logs: list[list[str]]


@pytest.fixture(scope="module")
def cluster(
    tmp_path_factory: pytest.TempPathFactory, postgres_server: PostgresServer
) -> Iterator[Cluster]:
    data = tmp_path_factory.mktemp("cluster")
    secret = tmp_path_factory.mktemp("secret") / "password"
    secret.write_text(f"{SECRET}\n")
    with ExitStack() as stack:
        nats = stack.enter_context(
            running_nats(options=f"authorization {{ user: coterie, password: {SECRET} }}")
        )
        stack.callback(postgres_server.drop_database, "cluster")
        environ = {
            "COTERIE_DATABASE__URL": postgres_server.create_database("cluster"),
            "COTERIE_BUS__KIND": "nats",
            "COTERIE_BUS__URLS": nats.url,
            "COTERIE_BUS__USER": "coterie",
            "COTERIE_BUS__PASSWORD_FILE": str(secret),
            "COTERIE_INGEST__POLL_S": "60",
            "COTERIE_LIMITS__AUTH_CACHE_S": "3600",
        }
        reading = {**environ, "COTERIE_INGEST__WORKERS": "0"}
        servers = [stack.enter_context(running_server(data, reading)) for _ in range(2)]
        worker = stack.enter_context(running_worker(data, environ))
        yield Cluster(servers, nats, [*(each.log for each in servers), worker.log])


def answer(coze: Coze, bot_id: str) -> str:
    question = Message.build_user_question_text(QUESTION)
    stream = coze.chat.stream(bot_id=bot_id, user_id="me", additional_messages=[question])
    return "".join(
        event.message.content
        for event in stream
        if event.event == ChatEventType.CONVERSATION_MESSAGE_DELTA and event.message
    )


def readiness(server: RunningServer) -> dict[str, Any]:
    body: dict[str, Any] = httpx.get(f"{server.url}/readyz", timeout=60).json()
    return body


def is_bus_fine(server: RunningServer) -> bool:
    return any(
        "bus" in parts and parts["bus"] == "ok"
        for parts in readiness(server).values()
        if isinstance(parts, dict)
    )


def until_bus(server: RunningServer, *, fine: bool) -> None:
    until(lambda: is_bus_fine(server) is fine, lambda: readiness(server), pause_s=0.2)


def ask_across(cluster: Cluster, name: str) -> str:
    """Index a guide through one server, and ask the other one about it."""
    one, two = cluster.servers
    with client_of(one) as here, client_of(two) as there:
        workspace_id = here.workspaces.list().items[0].id
        bot_id = new_bot(here, workspace_id, new_dataset(here, workspace_id, name))
        return answer(there, bot_id)


def test_a_worker_indexes_and_the_other_server_answers(cluster: Cluster) -> None:
    assert "500 hours" in ask_across(cluster, "guides")
    assert all(is_bus_fine(server) for server in cluster.servers)


def events_of(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    """Read what a live channel says, until it ends."""
    for line in lines:
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


def known(client: httpx.Client, after_ms: int) -> list[dict[str, Any]]:
    """What a process tells somebody whose channel broke."""
    asked = {"for_s": "0", "after": str(after_ms)}
    answer = client.get("/admin/v1/live", params=asked).raise_for_status()
    return list(events_of(iter(answer.text.splitlines())))


def is_remembered(client: httpx.Client, after_ms: int) -> bool:
    return all(each["type"] != "reset" for each in known(client, after_ms))


def test_a_live_channel_tells_what_other_processes_do_and_goes_on_in_another(
    cluster: Cluster,
) -> None:
    one, two = cluster.servers
    with (
        httpx.Client(base_url=one.url, headers=one.headers, timeout=60) as here,
        httpx.Client(base_url=two.url, headers=two.headers, timeout=60) as there,
        client_of(two) as coze,
    ):
        workspace_id = coze.workspaces.list().items[0].id
        until(lambda: is_remembered(there, round(time.time() * 1000)), "A process remembers.")
        with here.stream("GET", "/admin/v1/live", params={"for_s": "60"}) as channel:
            events = events_of(channel.iter_lines())
            assert next(events)["type"] == "live.began"
            body = {"name": "Told across"}
            path = f"/admin/v1/workspaces/{workspace_id}/agents"
            agent = there.post(path, json=body).raise_for_status().json()
            made = next(each for each in events if each.get("what") == "created")
            assert (made["resource_id"], made["revision"]) == (agent["id"], agent["revision"])

            named = {"display": {"name": "Told across"}, "connection": {"base_url": one.url}}
            model = there.post("/admin/v1/models", json=named).raise_for_status().json()
            assert next(each for each in events if each["type"] == "models")
            found = here.get("/admin/v1/models", params={"q": "Told across"}).json()
            assert [each["id"] for each in found["items"]] == [model["id"]]
            here.delete(f"/admin/v1/models/{model['id']}").raise_for_status()

            dataset_id = new_dataset(coze, workspace_id, "told")
            progress = next(each for each in events if each.get("what") == "progress")
            assert progress["resource_id"] == dataset_id

        path = f"/admin/v1/agents/{agent['id']}"
        saved = there.patch(path, json={"description": "b"}).raise_for_status().json()
        (missed,) = until(
            lambda: [
                each
                for each in known(there, progress["at_ms"])
                if each.get("resource_id") == agent["id"]
            ],
            "What was missed is told by the other process.",
        )
        assert missed["revision"] == saved["revision"]


def test_a_token_that_one_server_revokes_is_no_good_on_the_other(cluster: Cluster) -> None:
    one, two = cluster.servers
    with (
        httpx.Client(base_url=one.url, headers=one.headers, timeout=60) as here,
        httpx.Client(base_url=two.url, timeout=60) as there,
    ):
        body = {"name": "short-lived", "duration_days": 30}
        made = here.post("/admin/v1/tokens", json=body).raise_for_status().json()
        there.headers["Authorization"] = f"Bearer {made['token']}"
        assert there.get("/v1/workspaces").status_code == 200, "The other server knows it now."
        here.delete(f"/admin/v1/tokens/{made['id']}").raise_for_status()
        deadline = time.monotonic() + PATIENCE_S
        while there.get("/v1/workspaces").status_code != 401:
            assert time.monotonic() < deadline, "The other server still takes it."
            time.sleep(0.02)


def test_work_goes_on_while_the_bus_is_away(cluster: Cluster) -> None:
    server = cluster.servers[0]
    cluster.nats.kill()

    assert "500 hours" in ask_across(cluster, "without")
    until_bus(server, fine=False)
    assert httpx.get(f"{server.url}/readyz", timeout=60).status_code == 200

    cluster.nats.start()
    until_bus(server, fine=True)


def test_the_password_of_the_bus_is_in_no_log(cluster: Cluster) -> None:
    said = [line for log in cluster.logs for line in log]

    assert said
    assert not [line for line in said if SECRET in line or "Traceback" in line]
