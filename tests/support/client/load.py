"""Messages and documents that keep coming, and what a client was told of them."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field

import httpx

from tests.support.client.chat import Talk, data, text_message
from tests.support.process.server import RunningServer

AT_ONCE = 10
"""Documents of one request."""
PATIENCE_S = 600.0
CREATE = "/open_api/knowledge/document/create"
RULE = {"chunk_type": 1, "separator": "##", "max_tokens": 800}
ENDED = frozenset({1, 9})


@dataclass
class Told:
    """What a server has acknowledged: contents of messages by id, and ids of documents."""

    messages: dict[str, str] = field(default_factory=dict)
    documents: list[str] = field(default_factory=list)

    def copy(self) -> "Told":
        return Told(dict(self.messages), list(self.documents))


class Load:
    """Writes into one conversation and one base, and talks to an agent."""

    def __init__(self, server: RunningServer, dataset_id: str) -> None:
        self.told = Told()
        self.talks = 0
        self._server = server
        self._dataset_id = dataset_id
        self._stop = threading.Event()
        with self._http(server) as http:
            made = data(http.post("/v1/conversation/create", json={}))
            self._conversation_id: str = made["id"]

    def fill(self, *, messages: int, documents: int) -> None:
        """Write so much; documents are taken in, and indexed meanwhile or later."""
        with self._http(self._server) as http:
            for _ in range(0, documents, AT_ONCE):
                self._documents(http)
            for _ in range(messages):
                self._message(http)

    @contextmanager
    def flowing(self) -> Iterator[None]:
        """Go on with all of it inside the block, until something of each was done."""
        with ThreadPoolExecutor(3) as pool:
            done = [
                pool.submit(self._repeat, step)
                for step in (self._message, self._documents, self._talk)
            ]
            try:
                yield
            finally:
                self._stop.set()
                for each in done:
                    each.result()

    def missing(self, server: RunningServer, told: Told) -> list[str]:
        """What of this another server does not have, once its documents have ended."""
        with self._http(server) as http:
            found = dict(self._stored(http))
            lost = [key for key, content in told.messages.items() if found.get(key) != content]
            deadline = time.monotonic() + PATIENCE_S
            for start in range(0, len(told.documents), AT_ONCE):
                ids = told.documents[start : start + AT_ONCE]
                while (states := self._states(http, ids)).keys() >= set(ids):
                    if set(states.values()) <= ENDED:
                        break
                    assert time.monotonic() < deadline, states
                    time.sleep(0.1)
                lost += [key for key in ids if states.get(key) != 1]
        return lost

    def _repeat(self, step: Callable[[httpx.Client], None]) -> None:
        with self._http(self._server) as http:
            while True:
                step(http)
                if self._stop.is_set():
                    return

    def _message(self, http: httpx.Client) -> None:
        content = f"Message {len(self.told.messages)}"
        path = f"/v1/conversation/message/create?conversation_id={self._conversation_id}"
        made = data(http.post(path, json=text_message(content)))
        self.told.messages[made["id"]] = content

    def _documents(self, http: httpx.Client) -> None:
        first = len(self.told.documents)
        bases = [
            {
                "name": f"{first + number}.txt",
                "source_info": {"custom_content": f"Pump {first + number} stands by the river."},
            }
            for number in range(AT_ONCE)
        ]
        body = {"dataset_id": self._dataset_id, "document_bases": bases, "chunk_strategy": RULE}
        made = http.post(CREATE, json=body).json()
        assert made["code"] == 0, made
        self.told.documents += [each["document_id"] for each in made["document_infos"]]

    def _talk(self, http: httpx.Client) -> None:
        Talk(http).ask(self._server.agent_id, "hello")
        self.talks += 1

    def _stored(self, http: httpx.Client) -> Iterator[tuple[str, str]]:
        """All messages of the conversation, by id."""
        after = ""
        while True:
            page = http.post(
                "/v1/conversation/message/list",
                params={"conversation_id": self._conversation_id},
                json={"order": "asc", "limit": 50, **({"after_id": after} if after else {})},
            ).json()
            yield from ((each["id"], each["content"]) for each in page["data"])
            if not page["has_more"]:
                return
            after = page["last_id"]

    def _states(self, http: httpx.Client, ids: list[str]) -> dict[str, int]:
        path = f"/v1/datasets/{self._dataset_id}/process"
        found = data(http.post(path, json={"document_ids": ids}))["data"]
        return {each["document_id"]: each["status"] for each in found}

    @staticmethod
    def _http(server: RunningServer) -> httpx.Client:
        return httpx.Client(base_url=server.url, headers=server.headers, timeout=60)
