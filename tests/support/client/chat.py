"""Chats over the raw Coze surface, for rules the official clients do not show."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

ENDED = frozenset({"completed", "failed", "canceled", "requires_action"})
PATIENCE_S = 60.0

Event = tuple[str, Any]


def text_message(text: str, role: str = "user") -> dict[str, str]:
    return {"role": role, "content": text, "content_type": "text"}


def object_message(*parts: dict[str, str]) -> dict[str, str]:
    content = json.dumps(parts)
    return {"role": "user", "content": content, "content_type": "object_string"}


class Talk:
    """One end user who talks to agents."""

    def __init__(self, http: httpx.Client) -> None:
        self.http = http

    def post(self, agent_id: str, *texts: str, conversation_id: str = "", **more: Any) -> Any:
        """Start a chat and return the answer as it is."""
        headers = more.pop("headers", None)
        return self.http.post(
            "/v3/chat",
            params={"conversation_id": conversation_id},
            json=_body(agent_id, texts, more),
            headers=headers,
        )

    def start(self, agent_id: str, *texts: str, **more: Any) -> dict[str, Any]:
        """Start a chat that nobody follows."""
        return dict(data(self.post(agent_id, *texts, **more)))

    def get(self, chat: dict[str, Any]) -> dict[str, Any]:
        return dict(data(self.http.get("/v3/chat/retrieve", params=_ids(chat))))

    def wait(self, chat: dict[str, Any]) -> dict[str, Any]:
        """Wait until a chat ended."""
        deadline = time.monotonic() + PATIENCE_S
        while (found := self.get(chat))["status"] not in ENDED:
            assert time.monotonic() < deadline, f"Still {found['status']}."
            time.sleep(0.02)
        return found

    def ask(self, agent_id: str, *texts: str, **more: Any) -> dict[str, Any]:
        """Start a chat and wait for its end."""
        return self.wait(self.start(agent_id, *texts, **more))

    def cancel(self, chat: dict[str, Any]) -> httpx.Response:
        return self.http.post("/v3/chat/cancel", json=_ids(chat))

    def answers(self, chat: dict[str, Any]) -> list[str]:
        """What a chat answered."""
        found = data(self.http.get("/v3/chat/message/list", params=_ids(chat)))
        return [message["content"] for message in found if message["type"] == "answer"]

    def history(self, conversation_id: str) -> list[tuple[str, str]]:
        """Kind and content of what a conversation shows, oldest first."""
        page = self.http.post(
            "/v1/conversation/message/list",
            params={"conversation_id": conversation_id},
            json={"order": "asc"},
        ).json()
        return [(message["type"], message["content"]) for message in page["data"]]

    @contextmanager
    def streaming(
        self, agent_id: str, *texts: str, conversation_id: str = "", **more: Any
    ) -> Iterator[Iterator[Event]]:
        """Open a stream; what it gives are names and decoded data of its events."""
        with self.http.stream(
            "POST",
            "/v3/chat",
            params={"conversation_id": conversation_id},
            json=_body(agent_id, texts, {**more, "stream": True}),
        ) as response:
            assert response.status_code == 200, response.read()
            yield _events(response.iter_raw())

    def stream(self, agent_id: str, *texts: str, **more: Any) -> list[Event]:
        """Follow a chat to the end of the body."""
        with self.streaming(agent_id, *texts, **more) as events:
            return list(events)


def data(response: httpx.Response) -> Any:
    """The data of a Coze answer, which must be a success."""
    body = response.json()
    assert body["code"] == 0, body
    return body["data"]


def answer_of(events: list[Event]) -> str:
    """What the deltas of a stream add up to, without reasoning."""
    return "".join(
        message["content"]
        for name, message in events
        if name == "conversation.message.delta" and message["type"] == "answer"
    )


def skip_to(events: Iterator[Event], name: str) -> Any:
    """Read up to the first event of a name and return its data."""
    for found, body in events:
        if found == name:
            return body
    raise AssertionError(f"The stream ended without {name}.")


def _body(agent_id: str, texts: tuple[str, ...], more: dict[str, Any]) -> dict[str, Any]:
    messages = [text_message(text) for text in texts]
    return {"bot_id": agent_id, "user_id": "me", "additional_messages": messages, **more}


def _ids(chat: dict[str, Any]) -> dict[str, str]:
    return {"conversation_id": chat["conversation_id"], "chat_id": chat["id"]}


def _events(chunks: Iterator[bytes]) -> Iterator[Event]:
    """Split strictly: one name and one data line per event, LF only, empty lines between."""
    name, pending = "", b""
    for piece in chunks:
        *lines, pending = (pending + piece).split(b"\n")
        for line in lines:
            field, _, value = line.decode().partition(": ")
            if field == "event":
                name = value
            elif field == "data":
                yield name, json.loads(value)
            else:
                assert not line, f"A stray line: {line!r}"
    assert not pending, f"The body ends in the middle of a line: {pending!r}"
