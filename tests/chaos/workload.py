"""What clients do all the time while something is broken, and what they were promised."""

import base64
import itertools
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx

from tests.support.client.chat import Talk, answer_of, skip_to
from tests.support.client.workflow import Flows
from tests.support.process.server import RunningServer
from tests.support.web.service import Answer, Asked, Service
from tests.support.workflow.canvas import canvas, exit_, node, ref, text

WORDS = "one two three four five six"
LINES = tuple(f"Line {number} is about the river Elbe." for number in range(12))
PATIENCE_S = 90.0
PAUSE_S = 0.1
BUSY = frozenset({429, 503})
"""What a server may answer while something is broken."""
RULE = {"chunk_type": 1, "separator": "##", "max_tokens": 800}


@dataclass
class Promise:
    """Something that a server has acknowledged."""

    kind: str
    ids: dict[str, str]
    heard: str = ""
    """What the client was told of it to the end; empty if it was cut off."""


class Effects:
    """A service that workflows call; remembers with which keys each number came."""

    def __init__(self) -> None:
        self.keys: dict[str, set[str]] = {}

    def answer(self, asked: Asked) -> Answer:
        number = asked.body.decode()
        self.keys.setdefault(number, set()).add(asked.headers.get("idempotency-key", ""))
        return 200, "text/plain", b"done " + asked.body


class Workload:
    """Chats, workflows and documents, over and over, on every server in turn."""

    def __init__(self, servers: Callable[[], Sequence[RunningServer]], service: Service) -> None:
        """``servers`` gives the servers as they are now: they may have been replaced."""
        self.done: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.failures: list[str] = []
        """What no client should ever see."""
        self.promises: list[Promise] = []
        self._servers = servers
        self._turn = itertools.count()
        self._stop = threading.Event()
        with self.client() as http:
            flows = Flows(http)
            self.workflow_id = flows.publish("calls", calling(service.port))
            body = {"name": uuid4().hex, "space_id": flows.workspace_id, "format_type": 0}
            made = flows.call("POST", "/v1/datasets", body)
            self.dataset_id: str = made["data"]["dataset_id"]

    def client(self) -> httpx.Client:
        """A client of one of the servers."""
        servers = self._servers()
        server = servers[next(self._turn) % len(servers)]
        return httpx.Client(base_url=server.url, headers=server.headers, timeout=30)

    @contextmanager
    def flowing(self) -> Iterator[None]:
        """Keep everything going until the block ends."""
        self._stop.clear()
        work = [self._chat, self._chat, self._workflow, self._document]
        threads = [threading.Thread(target=self._repeat, args=(each,)) for each in work]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._stop.set()
            for thread in threads:
                thread.join(PATIENCE_S)
                assert not thread.is_alive(), "A client hangs."
        assert not self.failures, self.failures

    def goes_on(self) -> None:
        """Return when everything worked again."""
        before = dict(self.done)
        kinds = ("chat", "workflow", "document")
        deadline = time.monotonic() + PATIENCE_S
        while not all(self.done[kind] > before.get(kind, 0) for kind in kinds):
            assert not self.failures, self.failures
            assert time.monotonic() < deadline, (before, self.done, self.refused)
            time.sleep(0.05)

    def _repeat(self, work: Callable[[httpx.Client], None]) -> None:
        kind = work.__name__.removeprefix("_")
        while not self._stop.is_set():
            try:
                with self.client() as http:
                    work(http)
            except Refused as exc:
                self.refused[f"{kind} {exc}"] += 1
            except httpx.TransportError as exc:
                self.refused[f"{kind} {type(exc).__name__}"] += 1
            except Exception as exc:  # noqa: BLE001 - every failure is what the tests are about
                self.failures.append(f"{kind}: {exc!r}")
                return
            else:
                self.done[kind] += 1
                continue
            self._stop.wait(PAUSE_S)

    def _chat(self, http: httpx.Client) -> None:
        agent_id = self._servers()[0].agent_id
        promise: Promise | None = None
        with stream(http, agent_id) as events:
            if events is None:
                raise Refused("stream")
            chat = skip_to(events, "conversation.chat.created")
            ids = {"conversation_id": chat["conversation_id"], "id": chat["id"]}
            promise = Promise("chat", ids)
            self.promises.append(promise)
            told = list(events)
        if any(name == "conversation.chat.completed" for name, _ in told):
            promise.heard = answer_of(told)
            assert promise.heard == WORDS, f"chat {ids} said {promise.heard!r}"
        elif any(name == "conversation.chat.failed" for name, _ in told):
            raise Refused("failed")
        else:
            raise Refused("cut")

    def _workflow(self, http: httpx.Client) -> None:
        number = uuid4().hex
        body = {"workflow_id": self.workflow_id, "parameters": {"q": number}, "is_async": True}
        started = call(http, "POST", "/v1/workflow/run", body)
        execute_id = started["execute_id"]
        promise = Promise("workflow", {"id": execute_id, "number": number})
        self.promises.append(promise)
        path = f"/admin/v1/workflow-runs/{execute_id}"
        self._wait(lambda: call(http, "GET", path)["status"] != 1)

    def _document(self, http: httpx.Client) -> None:
        made = call(
            http,
            "POST",
            "/open_api/knowledge/document/create",
            {"dataset_id": self.dataset_id, "document_bases": [source()], "chunk_strategy": RULE},
        )
        document_id = made["document_infos"][0]["document_id"]
        self.promises.append(Promise("document", {"id": document_id}))
        path = f"/v1/datasets/{self.dataset_id}/process"
        body = {"document_ids": [document_id]}
        self._wait(lambda: call(http, "POST", path, body)["data"]["data"][0]["status"] != 0)

    def _wait(self, condition: Callable[[], bool]) -> None:
        """Wait for the end of something; who stops meanwhile leaves it to the invariants."""
        while not condition():
            if self._stop.wait(0.05):
                raise Refused("left")


class Refused(Exception):
    """A server said that it cannot do it now, as it may."""


@contextmanager
def stream(http: httpx.Client, agent_id: str) -> Iterator[Any]:
    """Open a chat; None if the server cannot take it now."""
    try:
        with Talk(http).streaming(agent_id, WORDS) as events:
            yield events
    except AssertionError as exc:
        if '"code":5' not in str(exc) and "429" not in str(exc):
            raise
        raise Refused("refused") from exc


def call(http: httpx.Client, method: str, path: str, body: object = None) -> Any:
    """Ask and return what the server says.

    Raises:
        Refused: it cannot do it now.
    """
    headers = {"Agw-Js-Conv": "str"} if path.startswith("/open_api") else {}
    answer = http.request(method, path, json=body, headers=headers)
    if answer.status_code in BUSY:
        said = answer.json()
        assert said["code"], said
        raise Refused(f"{answer.status_code} {said['code']}")
    assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text}"
    return answer.json()


def source() -> Mapping[str, Any]:
    """A document in the wire's form."""
    content = base64.b64encode("##".join(LINES).encode()).decode()
    return {
        "name": f"{uuid4().hex}.txt",
        "source_info": {"file_base64": content, "file_type": "txt"},
    }


def calling(port: int) -> dict[str, Any]:
    """A workflow with an effect: it posts its input, and gives what is answered."""
    return canvas(
        text("say", "{{q}}", q=ref("100001", "q")),
        node(
            "post",
            "45",
            outputs=[{"type": "string", "name": "body"}],
            apiInfo={"method": "POST", "url": f"http://127.0.0.1:{port}/"},
            body={
                "bodyType": "RAW_TEXT",
                "bodyData": {"rawText": "{{block_output_say.output}}"},
            },
            headers=[],
            params=[],
            auth={"authOpen": False},
            setting={"timeout": 30, "retryTimes": 0},
        ),
        exit_(said=ref("post", "body")),
    )
