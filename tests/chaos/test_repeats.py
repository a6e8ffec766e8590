"""Clients that send the same request again, also to a server that was killed meanwhile."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.chaos.invariants import NO_SANDBOX
from tests.support.client.chat import text_message
from tests.support.client.workflow import Flows
from tests.support.process.server import RunningServer, running_server
from tests.support.workflow.canvas import ENTRY, canvas, exit_, field, ref

AT_ONCE, AFTERWARDS = 20, 3
KINDS = ("chat", "message", "file", "workflow", "bot", "conversation")
GREETING = canvas(exit_(out=ref(ENTRY, "name")), entry=[field("name", "string")])


@dataclass(frozen=True)
class Answered:
    """What a server says to a request."""

    status: int
    id: str
    said: str


class Requests:
    """Sends requests that make something, under a key of the client's."""

    def __init__(self, servers: Callable[[], list[RunningServer]]) -> None:
        self._servers = servers
        with self._client(0) as http:
            flows = Flows(http)
            self.space_id = flows.workspace_id
            self.workflow_id = flows.publish("greet", GREETING)
            made = http.post("/v1/conversation/create", json={}).json()
            self.conversation_id = made["data"]["id"]
        self.agent_id = servers()[0].agent_id

    def send(self, kind: str, key: str, *, number: int = 0, content: str = "words") -> Answered:
        """Send one to one of the servers; raises what a broken connection raises."""
        with self._client(number) as http:
            reply = http.request(
                "POST", **self._request(kind, content), headers={"Idempotency-Key": key}
            )
        body = reply.json()
        found = body.get("data") if kind != "workflow" else body
        name = {"workflow": "execute_id", "bot": "bot_id"}.get(kind, "id")
        made = str(found[name]) if reply.is_success and isinstance(found, dict) else ""
        return Answered(reply.status_code, made, reply.text)

    def count(self, kind: str, content: str) -> int:
        """How many a server shows, of what can be listed."""
        with self._client(0) as http:
            if kind == "bot":
                path = f"/v1/bots?workspace_id={self.space_id}&publish_status=all&page_size=50"
                items = http.get(path).json()["data"]["items"]
                return sum(item["name"] == content for item in items)
            found = http.post(
                f"/v1/conversation/message/list?conversation_id={self.conversation_id}",
                json={"limit": 50},
            ).json()["data"]
            return sum(message["content"] == content for message in found)

    def _client(self, number: int) -> httpx.Client:
        servers = self._servers()
        server = servers[number % len(servers)]
        return httpx.Client(base_url=server.url, headers=server.headers, timeout=60)

    def _request(self, kind: str, content: str) -> dict[str, Any]:
        body: dict[str, Any]
        match kind:
            case "chat":
                body = {
                    "bot_id": self.agent_id,
                    "user_id": "me",
                    "additional_messages": [text_message(content)],
                }
                return {"url": "/v3/chat", "json": body}
            case "message":
                path = f"/v1/conversation/message/create?conversation_id={self.conversation_id}"
                return {"url": path, "json": text_message(content)}
            case "file":
                return {"url": "/v1/files/upload", "files": {"file": ("a", content.encode())}}
            case "workflow":
                body = {
                    "workflow_id": self.workflow_id,
                    "parameters": {"name": content},
                    "is_async": True,
                }
                return {"url": "/v1/workflow/run", "json": body}
            case "bot":
                body = {"space_id": self.space_id, "name": content}
                return {"url": "/v1/bot/create", "json": body}
            case _:
                return {"url": "/v1/conversation/create", "json": {"name": content}}


@dataclass
class World:
    """Servers on one database that are killed and come back."""

    data: Path
    environ: dict[str, str]
    stack: ExitStack
    servers: list[RunningServer]

    def start(self, count: int) -> None:
        for _ in range(count):
            server = self.stack.enter_context(running_server(self.data, self.environ))
            self.servers.append(server)

    def kill(self) -> None:
        for server in self.servers:
            server.process.kill()
            server.process.wait()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.long)])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    environ = {"COTERIE_SERVE__LINGER_S": "0", **NO_SANDBOX}
    count = 1
    if request.param == "postgres":
        environ["COTERIE_DATABASE__URL"] = request.getfixturevalue("empty_postgres")
        count = 2
    with ExitStack() as stack:
        world = World(tmp_path, environ, stack, [])
        world.start(count)
        yield world


def test_the_same_request_is_carried_out_once(world: World) -> None:
    requests = Requests(lambda: world.servers)
    for kind in KINDS:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            sent = [
                pool.submit(requests.send, kind, f"{kind}-1", number=number, content="first")
                for number in range(AT_ONCE)
            ]
            answers = [each.result() for each in sent]
        other = requests.send(kind, f"{kind}-1", content="something else")

        assert [each.status for each in answers] == [200] * AT_ONCE, (kind, answers)
        assert len({each.id for each in answers}) == 1, (kind, answers)
        assert answers[0].id, (kind, answers)
        assert (other.status, "Idempotency-Key" in other.said) == (400, True), (kind, other)
    assert requests.count("message", "first") == requests.count("bot", "first") == 1

    heard = _sent_while_killed(world, requests)
    count = len(world.servers)
    world.servers.clear()
    world.start(count)
    for kind in KINDS:
        again = {requests.send(kind, f"{kind}-2", content="second").id for _ in range(AFTERWARDS)}
        assert len(again) == 1, (kind, again)
        assert heard[kind] <= again, (kind, heard[kind], again)
        first = requests.send(kind, f"{kind}-1", content="first")
        assert first.status == 200, (kind, first)
    assert requests.count("message", "second") == requests.count("bot", "second") == 1


def _sent_while_killed(world: World, requests: Requests) -> dict[str, set[str]]:
    """Send many of all kinds, kill all servers at the first answer, and return what was told."""
    heard: dict[str, set[str]] = {kind: set() for kind in KINDS}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        sent = {
            pool.submit(requests.send, kind, f"{kind}-2", number=number, content="second"): kind
            for number in range(AFTERWARDS)
            for kind in KINDS
        }
        for number, each in enumerate(as_completed(sent)):
            try:
                answer = each.result()
            except httpx.TransportError:
                continue
            assert answer.status == 200, (sent[each], answer)
            heard[sent[each]].add(answer.id)
            if number == 0:
                world.kill()
    assert any(heard.values())
    return heard
