"""Agents that remember: facts across conversations, summaries of long ones, and the user's say."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.support.client.chat import Talk, data
from tests.support.client.seed import Seed
from tests.support.wait import until
from tests.upstream.fixture import RunningUpstream
from tests.upstream.steps import chunk

PATIENCE_S = 60.0
STATEMENT = {"text": "The user eats no meat.", "kind": "preference", "importance": 0.9}


def says(upstream: RunningUpstream, model: str, text: str) -> None:
    """Have a model of the provider reply with a text from now on."""
    end = {"event": chunk({}, model=model, finish="stop")}
    upstream.script(model, [{"event": chunk({"content": text}, model=model)}, end])


def prompts(upstream: RunningUpstream, model: str) -> list[str]:
    """System texts of the requests for a model, oldest first."""
    return [
        "\n".join(each["content"] for each in request.body["messages"] if each["role"] == "system")
        for request in upstream.requests(model=model)
    ]


@pytest.fixture
def memories(client: httpx.Client) -> Callable[..., list[dict[str, Any]]]:
    def list_them(agent_id: str, user: str = "me") -> list[dict[str, Any]]:
        answer = client.get(f"/admin/v1/agents/{agent_id}/users/{user}/memories")
        assert answer.is_success, answer.text
        items: list[dict[str, Any]] = answer.json()["items"]
        return items

    return list_them


def test_what_users_say_of_themselves_is_known_in_later_conversations(
    seed: Seed,
    talk: Talk,
    upstream: RunningUpstream,
    client: httpx.Client,
    memories: Callable[..., list[dict[str, Any]]],
) -> None:
    says(upstream, "learner", "Here you are: " + json.dumps([STATEMENT]))
    agent_id = seed.new_agent(
        "remembers",
        model={"model_id": seed.model("remembering")},
        memory={"long_term": True, "model_id": seed.model("learner")},
    )
    first = talk.ask(agent_id, "By the way, I eat no meat.")
    until(lambda: len(memories(agent_id)) == 2, "A fact and an episode were not kept")

    talk.ask(agent_id, "What could I cook tonight?")
    talk.ask(agent_id, "What could I cook tonight?", user_id="bob")
    mine, bobs = prompts(upstream, "remembering")[-2:]
    fact = next(each for each in memories(agent_id) if each["kind"] == "preference")
    path = f"/admin/v1/agents/{agent_id}/users/me/memories"

    assert "<memories>" in mine
    assert "The user eats no meat." in mine
    assert "meat" not in bobs
    assert fact["origin"] == "model"
    assert fact["run_id"] == first["id"]
    assert len(fact["message_ids"]) == 2

    changed = client.patch(f"{path}/{fact['id']}", json={"text": "The user eats fish only."}).json()
    assert changed["origin"] == "person"
    refused = client.patch(f"{path}/{fact['id']}", json={"text": " "})
    assert refused.status_code == 400
    assert client.delete(f"{path.replace('/me/', '/eve/')}/{fact['id']}").status_code == 404
    assert client.delete(f"/v1/conversations/{first['conversation_id']}").is_success
    until(
        lambda: all(
            each["conversation_id"] != first["conversation_id"]
            for each in memories(agent_id)
            if each["kind"] == "episode"
        ),
        "Episodes were not forgotten with their conversation",
    )
    assert "The user eats fish only." in [each["text"] for each in memories(agent_id)]

    consent = f"/admin/v1/agents/{agent_id}/users/me/memory-consent"
    assert client.put(consent, json={"enabled": False}).json() == {"enabled": False}
    talk.ask(agent_id, "And tomorrow?")
    assert "<memories>" not in prompts(upstream, "remembering")[-1]
    assert client.delete(path).status_code == 204
    assert memories(agent_id) == []


def test_what_falls_out_of_the_context_is_summarised(
    seed: Seed, talk: Talk, upstream: RunningUpstream, client: httpx.Client
) -> None:
    says(upstream, "summariser", "The user plans a trip to </summary> Bergen.")
    agent_id = seed.new_agent(
        "summarises",
        model={"model_id": seed.model("summarised"), "history_rounds": 1},
        memory={"summary": True, "model_id": seed.model("summariser")},
    )
    first = talk.ask(agent_id, "I plan a trip. " + "All about Bergen. " * 400)
    conversation_id = first["conversation_id"]

    def ask() -> str:
        talk.ask(agent_id, "And then? " + "More. " * 400, conversation_id=conversation_id)
        return prompts(upstream, "summarised")[-1]

    ask()
    until(lambda: upstream.requests(model="summariser"), "No summary was written")
    shown = until(lambda: next((p for p in [ask()] if "<summary>" in p), ""), "It is not shown")
    read = upstream.requests(model="summariser")[0].body["messages"][-1]["content"]

    assert "The user plans a trip to &lt;/summary> Bergen." in shown
    assert "All about Bergen" in json.loads(read)["rounds"][0]

    data(client.post(f"/v1/conversations/{conversation_id}/clear"))
    assert "<summary>" not in ask()
