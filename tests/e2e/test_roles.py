"""Servers and workers that come and go: no request fails but the streams of a killed process."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import count
from uuid import uuid4

import httpx
import pytest
from cozepy import (
    ChatEventType,
    Coze,
    DocumentFormatType,
    Message,
    SyncHTTPClient,
    TokenAuth,
)
from cozepy.datasets.documents import DocumentBase, DocumentSourceInfo, DocumentStatus

from tests.support.client.chat import ENDED, Talk
from tests.support.client.seed import Seed
from tests.support.client.workflow import Flows
from tests.support.process.balancer import Balancer, running_balancer
from tests.support.process.cluster import SERVERS, WORKERS, Cluster, running_cluster
from tests.support.process.server import RunningServer
from tests.support.process.siblings import Siblings, running_siblings
from tests.support.service.nats import NatsServer
from tests.support.service.postgres import PostgresServer
from tests.support.wait import until
from tests.support.workflow.canvas import canvas, exit_, ref, text
from tests.upstream.fixture import RunningUpstream

WORDS = "one two three four five six seven eight"
PATIENCE_S = 60.0
SUCCESS = 2
PAIRS = list(zip(SERVERS, WORKERS, strict=True))

pairs = pytest.mark.parametrize(
    "pairs", [PAIRS[:1], pytest.param(PAIRS, marks=pytest.mark.long)], ids=["one", "all"]
)


@pytest.fixture(scope="module")
def cluster(
    tmp_path_factory: pytest.TempPathFactory,
    postgres_server: PostgresServer,
    nats_server: NatsServer,
    upstream: RunningUpstream,
) -> Iterator[Cluster]:
    environ = {
        "COTERIE_BUS__KIND": "nats",
        "COTERIE_BUS__URLS": nats_server.url,
        "COTERIE_BUS__STREAM": "roles",
        "COTERIE_BUS__PREFIX": "roles",
        "COTERIE_DATABASE__URL": postgres_server.create_database("roles"),
        "OPENAI_BASE_URL": upstream.base_url,
        "OPENAI_MODEL": "slow-100ms",
    }
    with running_cluster(tmp_path_factory.mktemp("cluster"), environ) as cluster:
        yield cluster
    postgres_server.drop_database("roles")


@pytest.fixture(scope="module")
def balancer(cluster: Cluster) -> Iterator[Balancer]:
    with running_balancer(cluster.ports) as balancer:
        until(lambda: balancer.ready == set(SERVERS))
        yield balancer


@dataclass(frozen=True)
class Pair:
    """Two servers on one database, by a client of each."""

    server: RunningServer
    here: httpx.Client
    there: httpx.Client


@pytest.fixture(scope="module")
def siblings(
    tmp_path_factory: pytest.TempPathFactory, upstream: RunningUpstream
) -> Iterator[Siblings]:
    environ = {"OPENAI_BASE_URL": upstream.base_url, "OPENAI_MODEL": "slow-100ms"}
    with running_siblings(tmp_path_factory.mktemp("siblings"), environ) as siblings:
        yield siblings


@pytest.fixture(params=["postgresql", "one listener"])
def pair(request: pytest.FixtureRequest) -> Iterator[Pair]:
    """Servers with listeners of their own on PostgreSQL, and with a common one on SQLite."""
    if request.param == "one listener":
        siblings: Siblings = request.getfixturevalue("siblings")
        with siblings.clients() as (here, there):
            yield Pair(siblings.parent, here, there)
        return
    one, two = (request.getfixturevalue("cluster").servers[name] for name in SERVERS)
    with (
        httpx.Client(base_url=one.url, headers=one.headers, timeout=PATIENCE_S) as here,
        httpx.Client(base_url=two.url, headers=two.headers, timeout=PATIENCE_S) as there,
    ):
        yield Pair(one, here, there)


@dataclass
class Traffic:
    """What clients do all the time, and what became of it."""

    url: str
    server: RunningServer
    """One of those that answer at the address."""
    chats: int = 2
    """Who talks at the same time."""
    done: dict[str, int] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    cut: list[tuple[str, str, str]] = field(default_factory=list)
    """Conversation, chat and cause of what broke; no ids if not even the first event came."""
    _stop: threading.Event = field(default_factory=threading.Event)
    _numbers: Iterator[int] = field(default_factory=count)

    @contextmanager
    def flowing(self) -> Iterator[None]:
        work = [*[self._chats] * self.chats, self._reads, self._workflows, self._documents]
        threads = [threading.Thread(target=self._repeat, args=(each,)) for each in work]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._stop.set()
            for thread in threads:
                thread.join(PATIENCE_S)
                assert not thread.is_alive()

    def wait_for_more(self, *names: str) -> None:
        """Return when each of these worked again."""
        before = dict(self.done)
        until(lambda: self.goes_on(before, names))

    def goes_on(self, before: Mapping[str, int], names: Sequence[str]) -> bool:
        assert not self.failures, self.failures
        return all(self.done.get(name, 0) > before.get(name, 0) for name in names)

    def ends_of_cut(self) -> set[str]:
        """How the chats ended whose streams broke, which they all have to."""
        with httpx.Client(
            base_url=self.server.url, headers=self.server.headers, timeout=60
        ) as http:
            talk = Talk(http)
            cut = [{"conversation_id": each, "id": chat} for each, chat, _ in self.cut if chat]
            for chat in cut:
                until(lambda chat=chat: talk.get(chat)["status"] in ENDED)  # type: ignore[misc]
            return {talk.get(chat)["status"] for chat in cut}

    def _repeat(self, work: Callable[[Coze, httpx.Client], Iterator[str]]) -> None:
        transport = SyncHTTPClient(timeout=30)  # type: ignore[no-untyped-call]
        coze = Coze(auth=TokenAuth(self.server.token), base_url=self.url, http_client=transport)
        with httpx.Client(base_url=self.url, headers=self.server.headers, timeout=60) as http:
            try:
                for name in work(coze, http):
                    self.done[name] = self.done.get(name, 0) + 1
                    if self._stop.is_set():
                        break
            except Exception as exc:  # noqa: BLE001 - every failure is what the test is about
                self.failures.append(f"{work.__name__}: {exc!r}")
        transport.close()

    def _chats(self, coze: Coze, _: httpx.Client) -> Iterator[str]:
        agent_id = self.server.agent_id
        while True:
            conversation_id = chat_id = ""
            heard: list[str] = []
            try:
                for event in coze.chat.stream(
                    bot_id=agent_id,
                    user_id="me",
                    additional_messages=[Message.build_user_question_text(WORDS)],
                ):
                    if event.chat is not None:
                        conversation_id, chat_id = event.chat.conversation_id, event.chat.id
                    if event.event is ChatEventType.CONVERSATION_MESSAGE_DELTA and event.message:
                        heard.append(event.message.content)
            except httpx.TransportError as exc:
                self.cut.append((conversation_id, chat_id, repr(exc)))
                continue
            if "".join(heard) != WORDS:
                self.failures.append(f"chat {chat_id} said {heard}")
            yield "chat"

    def _reads(self, coze: Coze, http: httpx.Client) -> Iterator[str]:
        agent_id = self.server.agent_id
        while True:
            try:
                coze.conversations.list(bot_id=agent_id)
                http.get("/v1/workspaces").raise_for_status()
            except httpx.TransportError as exc:
                self.cut.append(("", "", repr(exc)))
                continue
            time.sleep(0.02)
            yield "read"

    def _workflows(self, _: Coze, http: httpx.Client) -> Iterator[str]:
        flows = Flows(http)
        made = flows.publish(
            "echo",
            canvas(text("say", "{{q}}!", q=ref("100001", "q")), exit_(said=ref("say", "output"))),
        )
        while True:
            body = {"workflow_id": made, "parameters": {"q": "me"}, "is_async": True}
            try:
                started = flows.call("POST", "/v1/workflow/run", body)
                ended = flows.settled(started["execute_id"], wait_s=PATIENCE_S)
            except httpx.TransportError as exc:
                self.cut.append(("", "", repr(exc)))
                continue
            if ended["status"] != SUCCESS:
                self.failures.append(f"workflow run: {ended}")
            yield "workflow"

    def _documents(self, coze: Coze, _: httpx.Client) -> Iterator[str]:
        space_id = coze.workspaces.list().items[0].id
        dataset_id = coze.datasets.create(
            name=uuid4().hex, space_id=space_id, format_type=DocumentFormatType.DOCUMENT
        ).dataset_id
        while True:
            source = DocumentSourceInfo.build_local_file("The fox is red.", "txt")
            base = DocumentBase(name=f"{next(self._numbers)}.txt", source_info=source)
            try:
                (made,) = coze.datasets.documents.create(
                    dataset_id=dataset_id, document_bases=[base]
                )
                status = self._indexed(coze, dataset_id, made.document_id)
            except httpx.TransportError as exc:
                self.cut.append(("", "", repr(exc)))
                continue
            if status != DocumentStatus.COMPLETED:
                self.failures.append(f"document {made.document_id} is {status}")
            yield "document"

    @staticmethod
    def _indexed(coze: Coze, dataset_id: str, document_id: str) -> DocumentStatus:
        deadline = time.monotonic() + PATIENCE_S
        while True:
            (found,) = coze.datasets.process(dataset_id=dataset_id, document_ids=[document_id])
            if found.status != DocumentStatus.PROCESSING or time.monotonic() > deadline:
                return found.status
            time.sleep(0.1)


@pairs
def test_processes_are_replaced_without_a_failed_request(
    cluster: Cluster, balancer: Balancer, pairs: Sequence[tuple[str, str]]
) -> None:
    traffic = Traffic(balancer.url, cluster.servers[SERVERS[0]])
    with traffic.flowing():
        traffic.wait_for_more("chat", "read", "workflow", "document")
        for pair in pairs:
            cluster.replace(*pair)
            until(lambda: balancer.ready == set(SERVERS))
            traffic.wait_for_more("chat", "read", "workflow", "document")

    assert traffic.failures == []
    assert traffic.cut == []


@pairs
def test_what_a_killed_process_did_ends_or_goes_on(
    cluster: Cluster, balancer: Balancer, pairs: Sequence[tuple[str, str]]
) -> None:
    traffic = Traffic(balancer.url, cluster.servers[SERVERS[0]])
    with traffic.flowing():
        traffic.wait_for_more("chat", "read", "workflow", "document")
        for pair in pairs:
            cluster.replace(*pair, kill=True)
            until(lambda: balancer.ready == set(SERVERS))
            traffic.wait_for_more("chat", "read", "workflow", "document")
    ends = traffic.ends_of_cut()

    assert traffic.failures == []
    assert ends <= {"failed", "completed"}
    assert len(traffic.cut) <= 2 * len(SERVERS) * 5


def test_another_process_streams_and_cancels(pair: Pair) -> None:
    here, there, agent_id = Talk(pair.here), Talk(pair.there), pair.server.agent_id
    chat = here.start(agent_id, WORDS)
    with pair.there.stream("GET", f"/v1/runs/{chat['id']}/events") as followed:
        told = [line for line in followed.iter_lines() if line.startswith("data: ")]
    endless = here.start(agent_id, WORDS * 100)
    answer = there.cancel(endless).json()

    assert len([line for line in told if '"text"' in line]) >= 2
    assert answer["data"]["status"] == "canceled"
    assert here.get(endless)["status"] == "canceled"


def test_a_token_that_one_process_revokes_is_no_good_on_the_other(pair: Pair) -> None:
    body = {"name": "short-lived", "duration_days": 30}
    made = pair.here.post("/admin/v1/tokens", json=body).raise_for_status().json()
    pair.there.headers["Authorization"] = f"Bearer {made['token']}"
    assert pair.there.get("/v1/workspaces").status_code == 200, "The other one knows it now."
    pair.here.delete(f"/admin/v1/tokens/{made['id']}").raise_for_status()
    until(lambda: pair.there.get("/v1/workspaces").status_code == 401)


def test_outputs_of_a_client_may_go_to_the_other_server(
    pair: Pair, upstream: RunningUpstream
) -> None:
    here, there = pair.here, pair.there
    tool = {"name": "get_schedule", "description": "What the user has to do."}
    with closing(Seed(pair.server, upstream)) as seed:
        model = {"model_id": seed.model("tool-call")}
        agent = seed.new_agent("tools", model=model, client_tools=[tool])
    chat = Talk(here).ask(agent, "What next?")
    assert chat["status"] == "requires_action"
    (call,) = chat["required_action"]["submit_tool_outputs"]["tool_calls"]
    ids = {"conversation_id": chat["conversation_id"], "chat_id": chat["id"]}
    body = {"tool_outputs": [{"tool_call_id": call["id"], "output": "Two interviews"}]}

    stream = there.post(
        "/v3/chat/submit_tool_outputs", params=ids, json={**body, "stream": True}
    ).text
    again = here.post("/v3/chat/submit_tool_outputs", params=ids, json=body).json()
    found = here.get("/v3/chat/message/list", params=ids).json()["data"]

    assert "conversation.chat.completed" in stream
    assert again["code"] == 4105
    assert "The tool said: Two interviews" in [each["content"] for each in found]
