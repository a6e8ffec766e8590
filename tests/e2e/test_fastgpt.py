"""FastGPT's conventions on the OpenAI surface, over raw HTTP."""

import json
from typing import Any

import httpx
import pytest

from tests.support.client.seed import Seed
from tests.upstream.fixture import RunningUpstream


def _ask(client: httpx.Client, agent_id: str, text: str, **more: Any) -> dict[str, Any]:
    body = {"model": agent_id, "messages": [{"role": "user", "content": text}], **more}
    response = client.post("/api/v1/chat/completions", json=body)
    assert response.status_code == 200, response.text
    return {**response.json(), "conversation_id": response.headers.get("x-conversation-id")}


def _said(upstream: RunningUpstream, behaviour: str) -> list[str]:
    """What the model got last, without the system prompt."""
    sent = upstream.requests(model=behaviour)[-1].body["messages"]
    return [message["content"] for message in sent if message["role"] != "system"]


def test_a_chat_id_keeps_the_history_of_its_own(
    client: httpx.Client, seed: Seed, upstream: RunningUpstream
) -> None:
    agent_id = seed.agent("echo-by-chat-id")

    first = _ask(client, agent_id, "one", chatId="a")
    _ask(client, agent_id, "other", chatId="b")
    second = _ask(client, agent_id, "two", chatId="a")

    assert first["conversation_id"] == second["conversation_id"]
    assert _said(upstream, "echo-by-chat-id") == ["one", "one", "two"]


def test_with_a_chat_id_only_the_last_message_counts(
    client: httpx.Client, seed: Seed, upstream: RunningUpstream
) -> None:
    agent_id = seed.agent("echo-last-only")
    messages = [
        {"role": "user", "content": "ignored"},
        {"role": "assistant", "content": "ignored too"},
        {"role": "user", "content": "asked"},
    ]

    _ask(client, agent_id, "", chatId="last", messages=messages)

    assert _said(upstream, "echo-last-only") == ["asked"]


@pytest.mark.parametrize("chat_id", [None, "NO_RECORD_HISTORIES"])
def test_without_a_chat_id_nothing_is_kept(
    client: httpx.Client, seed: Seed, upstream: RunningUpstream, chat_id: str | None
) -> None:
    agent_id = seed.agent("echo-unkept")
    more = {} if chat_id is None else {"chatId": chat_id}

    _ask(client, agent_id, "one", **more)
    _ask(client, agent_id, "two", **more)

    assert _said(upstream, "echo-unkept") == ["two"]


def test_an_empty_chat_id_opens_a_conversation(client: httpx.Client, seed: Seed) -> None:
    made = [_ask(client, seed.agent(), "x", chatId="")["conversation_id"] for _ in range(2)]

    assert made[0] != made[1]
    found = client.get("/v1/conversation/retrieve", params={"conversation_id": made[0]})
    assert found.json()["data"]["id"] == made[0]


def test_variables_are_kept_with_the_chat(
    client: httpx.Client, seed: Seed, upstream: RunningUpstream
) -> None:
    behaviour = "echo-with-kept-variables"
    agent_id = seed.new_agent(
        "kept variables",
        model={"model_id": seed.model(behaviour)},
        prompt={"text": "City: {{city}}. Age: {{age}}."},
    )

    _ask(client, agent_id, "one", chatId="v", variables={"city": "Oslo", "age": 7})
    kept = _ask(client, agent_id, "two", chatId="v", variables={"age": 8}, detail=True)

    system = upstream.requests(model=behaviour)[-1].body["messages"][0]["content"]
    assert "City: Oslo. Age: 8." in system
    assert kept["newVariables"] == {"city": "Oslo", "age": "8"}
    assert kept["responseData"][0]["moduleName"]


def test_the_key_may_name_the_application(client: httpx.Client, seed: Seed) -> None:
    authorization = f"{client.headers['authorization']}-{seed.agent()}"

    response = client.post(
        "/api/v1/chat/completions",
        json={"messages": [{"role": "user", "content": "hello there"}]},
        headers={"authorization": authorization},
    )

    assert response.json()["choices"][0]["message"]["content"] == "hello there"


def test_the_clients_own_id_of_the_answer_is_stored(client: httpx.Client, seed: Seed) -> None:
    made = _ask(client, seed.agent(), "mark it", chatId="", responseChatItemId="my-item")

    page = client.post(
        "/v1/conversation/message/list",
        params={"conversation_id": made["conversation_id"]},
        json={},
    ).json()
    answer = next(message for message in page["data"] if message["type"] == "answer")
    assert answer["meta_data"] == {"response_chat_item_id": "my-item"}


def test_details_name_every_frame_and_end_with_done(client: httpx.Client, seed: Seed) -> None:
    body = {
        "model": seed.agent(),
        "messages": [{"role": "user", "content": "hello there"}],
        "stream": True,
        "detail": True,
        "chatId": "detail",
        "variables": {"city": "Oslo"},
    }
    text = client.post("/api/v1/chat/completions", json=body).text

    frames = []
    for block in text.strip().split("\n\n"):
        name, data = block.split("\n")
        assert name.startswith("event: ")
        frames.append((name[7:], data.removeprefix("data: ")))
    assert frames[-1] == ("answer", "[DONE]")
    names = [name for name, _ in frames]
    assert names.index("flowResponses") < len(names) - 1
    assert "flowNodeStatus" in names
    said = [json.loads(data)["choices"] for name, data in frames[:-1] if name == "answer"]
    assert "".join(c[0]["delta"].get("content") or "" for c in said if c) == "hello there"
    assert {"city": "Oslo"} in [json.loads(data) for name, data in frames[:-1]]


def test_without_details_no_frame_has_a_name(client: httpx.Client, seed: Seed) -> None:
    body = {
        "model": seed.agent(),
        "messages": [{"role": "user", "content": "hello there"}],
        "stream": True,
        "chatId": "plain",
    }

    text = client.post("/api/v1/chat/completions", json=body).text

    assert "event:" not in text
    assert text.endswith("data: [DONE]\n\n")
