"""The same product on PostgreSQL, and streams that are silent for a while."""

from collections.abc import Iterator

import httpx
import pytest
from cozepy import ChatEventType, Coze, Message, SyncHTTPClient, TokenAuth
from openai import OpenAI

from tests.support.client.chat import Talk, data
from tests.support.process.server import RunningServer

QUESTION = "one two"


@pytest.fixture
def http(postgres_backed: RunningServer) -> Iterator[httpx.Client]:
    server = postgres_backed
    with httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as http:
        yield http


def test_a_quiet_coze_stream_stays_alive_and_readable(postgres_backed: RunningServer) -> None:
    server = postgres_backed
    transport = SyncHTTPClient()  # type: ignore[no-untyped-call]
    coze = Coze(auth=TokenAuth(server.token), base_url=server.url, http_client=transport)

    events = list(
        coze.chat.stream(
            bot_id=server.agent_id,
            user_id="me",
            additional_messages=[Message.build_user_question_text(QUESTION)],
        )
    )
    transport.close()

    text = [
        event.message.content
        for event in events
        if event.event == ChatEventType.CONVERSATION_MESSAGE_DELTA and event.message
    ]
    assert "".join(text) == QUESTION


def test_silence_is_filled_with_empty_lines(
    http: httpx.Client, postgres_backed: RunningServer
) -> None:
    body = {
        "bot_id": postgres_backed.agent_id,
        "user_id": "me",
        "stream": True,
        "additional_messages": [{"role": "user", "content": QUESTION, "content_type": "text"}],
    }

    text = http.post("/v3/chat", json=body).text

    assert "\n\n\n" in text
    assert text.endswith('event: done\ndata: "[DONE]"\n\n')


def test_a_quiet_openai_stream_stays_alive_and_readable(postgres_backed: RunningServer) -> None:
    server = postgres_backed
    with OpenAI(api_key=server.token, base_url=f"{server.url}/v1", max_retries=0) as client:
        stream = client.chat.completions.create(
            model=server.agent_id,
            messages=[{"role": "user", "content": QUESTION}],
            stream=True,
        )
        text = "".join(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices)

    assert text == QUESTION


def test_conversations_work(http: httpx.Client, postgres_backed: RunningServer) -> None:
    talk, agent_id = Talk(http), postgres_backed.agent_id
    chat = talk.ask(agent_id, "a", headers={"Idempotency-Key": "k"})
    conversation_id = chat["conversation_id"]
    assert talk.start(agent_id, "a", headers={"Idempotency-Key": "k"})["id"] == chat["id"]

    section = data(http.post(f"/v1/conversations/{conversation_id}/clear"))
    running = talk.start(agent_id, "b c d e f", conversation_id=conversation_id)
    busy = talk.post(agent_id, "x", conversation_id=conversation_id).json()
    talk.cancel(running)

    assert running["section_id"] == section["id"]
    assert busy["code"] == 4016
    assert talk.get(running)["status"] == "canceled"
    assert [text for _, text in talk.history(conversation_id)][:3] == ["a", "a", "b c d e f"]
    assert [
        c["id"]
        for c in data(http.get("/v1/conversations", params={"bot_id": agent_id}))["conversations"]
    ][:1] == [conversation_id]


def test_files_and_agents_work(http: httpx.Client, postgres_backed: RunningServer) -> None:
    file = data(http.post("/v1/files/upload", files={"file": ("a.txt", b"text")}))
    spaces = data(http.get("/v1/workspaces"))["workspaces"]
    made = data(http.post("/v1/bot/create", json={"space_id": spaces[0]["id"], "name": "new"}))
    http.post("/v1/bot/publish", json={**made, "connector_ids": ["1024"]}).raise_for_status()

    listed = data(http.get("/v1/bots", params={"workspace_id": spaces[0]["id"]}))["items"]

    assert http.get(f"/v1/files/{file['id']}/content").content == b"text"
    assert {bot["id"] for bot in listed} == {made["bot_id"], postgres_backed.agent_id}
