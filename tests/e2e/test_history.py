"""What is kept of a conversation, and what of it the model gets."""

import pytest

from tests.support.client.chat import Talk, answer_of, data
from tests.support.client.seed import Seed
from tests.upstream.fixture import RunningUpstream


def _sent(upstream: RunningUpstream, behaviour: str) -> list[str]:
    messages = upstream.requests(model=behaviour)[-1].body["messages"]
    return [message["content"] for message in messages if message["role"] != "system"]


def test_the_next_chat_remembers_the_one_before(
    talk: Talk, seed: Seed, upstream: RunningUpstream
) -> None:
    agent_id = seed.agent("echo-remembers")
    first = talk.ask(agent_id, "one")

    talk.ask(agent_id, "two", conversation_id=first["conversation_id"])

    assert _sent(upstream, "echo-remembers") == ["one", "one", "two"]


def test_the_history_is_cut_to_the_rounds_of_the_agent(
    talk: Talk, seed: Seed, upstream: RunningUpstream
) -> None:
    model_id = seed.model("echo-one-round")
    agent_id = seed.new_agent("forgetful", model={"model_id": model_id, "history_rounds": 1})
    conversation_id = talk.ask(agent_id, "one")["conversation_id"]

    for text in ("two", "three"):
        talk.ask(agent_id, text, conversation_id=conversation_id)

    assert _sent(upstream, "echo-one-round") == ["two", "two", "three"]


def test_clearing_hides_the_past_from_the_model_only(
    talk: Talk, seed: Seed, upstream: RunningUpstream
) -> None:
    agent_id = seed.agent("echo-cleared")
    conversation_id = talk.ask(agent_id, "before")["conversation_id"]

    section = data(talk.http.post(f"/v1/conversations/{conversation_id}/clear"))
    chat = talk.ask(agent_id, "after", conversation_id=conversation_id)

    assert chat["section_id"] == section["id"]
    assert _sent(upstream, "echo-cleared") == ["after"]
    texts = [text for _, text in talk.history(conversation_id)]
    assert texts == ["before", "before", "after", "after"]


def test_an_unsaved_chat_is_answered_and_forgotten(
    talk: Talk, seed: Seed, upstream: RunningUpstream
) -> None:
    agent_id = seed.agent("echo-unsaved")
    conversation_id = talk.ask(agent_id, "kept")["conversation_id"]

    events = talk.stream(
        agent_id, "unkept", conversation_id=conversation_id, auto_save_history=False
    )
    assert answer_of(events) == "unkept"
    assert _sent(upstream, "echo-unsaved") == ["kept", "kept", "unkept"]
    talk.ask(agent_id, "last", conversation_id=conversation_id)

    assert _sent(upstream, "echo-unsaved") == ["kept", "kept", "last"]
    texts = [text for _, text in talk.history(conversation_id)]
    assert texts == ["kept", "kept", "last", "last"]


def test_an_unsaved_chat_nobody_follows_is_refused(talk: Talk, seed: Seed) -> None:
    refused = talk.post(seed.agent(), "x", auto_save_history=False).json()

    assert refused["code"] == 4000
    assert "auto_save_history" in refused["msg"]


@pytest.mark.parametrize("which", ["question", "answer"])
def test_a_chat_is_done_again(
    talk: Talk, seed: Seed, upstream: RunningUpstream, which: str
) -> None:
    agent_id = seed.agent("echo-again")
    conversation_id = talk.ask(agent_id, "one")["conversation_id"]
    talk.ask(agent_id, "two", conversation_id=conversation_id)
    page = talk.http.post(
        "/v1/conversation/message/list",
        params={"conversation_id": conversation_id},
        json={"order": "desc"},
    ).json()
    message_id = next(m["id"] for m in page["data"] if m["type"] == which)

    again = talk.ask(agent_id, conversation_id=conversation_id, regenerate=message_id)

    assert talk.answers(again) == ["two"]
    assert _sent(upstream, "echo-again") == ["one", "one", "two"]
    texts = [text for _, text in talk.history(conversation_id)]
    assert texts == ["one", "one", "two", "two"]


def test_a_question_is_edited(talk: Talk, seed: Seed) -> None:
    agent_id = seed.agent()
    conversation_id = talk.ask(agent_id, "tpyo")["conversation_id"]
    page = talk.http.post(
        "/v1/conversation/message/list",
        params={"conversation_id": conversation_id},
        json={"order": "asc"},
    ).json()

    talk.ask(agent_id, "typo", conversation_id=conversation_id, regenerate=page["data"][0]["id"])

    assert talk.history(conversation_id) == [("question", "typo"), ("answer", "typo")]


def test_an_open_question_is_answered_without_asking_again(talk: Talk, seed: Seed) -> None:
    conversation_id = data(talk.http.post("/v1/conversation/create", json={}))["id"]
    talk.http.post(
        "/v1/conversation/message/create",
        params={"conversation_id": conversation_id},
        json={"role": "user", "content": "waiting", "content_type": "text"},
    )

    chat = talk.ask(seed.agent(), conversation_id=conversation_id)

    assert talk.answers(chat) == ["waiting"]


def test_a_deleted_answer_is_no_longer_remembered(
    talk: Talk, seed: Seed, upstream: RunningUpstream
) -> None:
    agent_id = seed.agent("echo-deleted")
    conversation_id = talk.ask(agent_id, "one")["conversation_id"]
    ids = {"conversation_id": conversation_id}
    page = talk.http.post("/v1/conversation/message/list", params=ids, json={}).json()
    for message in page["data"]:
        params = ids | {"message_id": message["id"]}
        assert talk.http.post("/v1/conversation/message/delete", params=params).is_success

    talk.ask(agent_id, "two", conversation_id=conversation_id)

    assert _sent(upstream, "echo-deleted") == ["two"]
