"""The first answer, from every client, with and without a model provider."""

import json

import httpx
import pytest
from cozepy import ChatEventType, Coze, Message
from openai import OpenAI

from tests.support.process.server import RunningServer

QUESTION = "Tell me about Coterie"


def _openai(server: RunningServer) -> OpenAI:
    return OpenAI(api_key=server.token, base_url=f"{server.url}/v1", max_retries=0)


def _chat(server: RunningServer, *, stream: bool = True) -> dict[str, object]:
    message = {"role": "user", "content": QUESTION, "content_type": "text"}
    return {
        "bot_id": server.agent_id,
        "user_id": "me",
        "stream": stream,
        "additional_messages": [message],
    }


def _events(body: str) -> list[tuple[str, object]]:
    events = []
    for block in body.split("\n\n"):
        if block.strip():
            name, data = block.strip().split("\n")
            assert name.startswith("event:")
            assert data.startswith("data:")
            events.append((name[6:].strip(), json.loads(data[5:])))
    return events


def test_a_raw_stream_ends_completed_and_done(server: RunningServer, client: httpx.Client) -> None:
    response = client.post("/v3/chat", json=_chat(server))

    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/event-stream")
    assert response.headers["x-tt-logid"]
    names = [name for name, _ in _events(response.text)]
    assert names[0] == "conversation.chat.created"
    assert names[1] == "conversation.chat.in_progress"
    assert "conversation.message.delta" in names
    assert names[-2:] == ["conversation.chat.completed", "done"]


def test_the_coze_sdk_streams_the_answer_of_the_model(server: RunningServer, coze: Coze) -> None:
    stream = coze.chat.stream(
        bot_id=server.agent_id,
        user_id="me",
        additional_messages=[Message.build_user_question_text(QUESTION)],
    )
    text, kinds = "", []
    for event in stream:
        kinds.append(event.event)
        if event.event == ChatEventType.CONVERSATION_MESSAGE_DELTA:
            text += event.message.content

    assert text == QUESTION
    assert ChatEventType.CONVERSATION_CHAT_COMPLETED in kinds


def test_the_coze_sdk_polls_the_answer(server: RunningServer, coze: Coze) -> None:
    result = coze.chat.create_and_poll(
        bot_id=server.agent_id,
        user_id="me",
        additional_messages=[Message.build_user_question_text(QUESTION)],
        poll_timeout=60,
    )

    assert result.chat.status == "completed"
    assert result.messages is not None
    assert [m.content for m in result.messages if m.type == "answer"] == [QUESTION]


def test_the_openai_sdk_streams(server: RunningServer, openai: OpenAI) -> None:
    stream = openai.chat.completions.create(
        model=server.agent_id, messages=[{"role": "user", "content": QUESTION}], stream=True
    )

    chunks = [chunk.choices[0] for chunk in stream if chunk.choices]
    assert "".join(choice.delta.content or "" for choice in chunks) == QUESTION
    assert chunks[-1].finish_reason == "stop"


def test_the_openai_sdk_gets_a_whole_completion(server: RunningServer, openai: OpenAI) -> None:
    completion = openai.chat.completions.create(
        model=server.agent_id, messages=[{"role": "user", "content": QUESTION}]
    )

    assert completion.choices[0].message.content == QUESTION
    assert completion.usage is not None
    assert completion.usage.total_tokens > 0


def test_the_agent_is_listed_as_a_model(server: RunningServer, openai: OpenAI) -> None:
    assert server.agent_id in {model.id for model in openai.models.list()}


@pytest.mark.parametrize("stream", [True, False])
def test_without_a_provider_the_offline_model_says_what_it_is(
    offline_server: RunningServer, stream: bool
) -> None:
    with _openai(offline_server) as client:
        if stream:
            pieces = client.chat.completions.create(
                model=offline_server.agent_id,
                messages=[{"role": "user", "content": "Hello!"}],
                stream=True,
            )
            text = "".join(p.choices[0].delta.content or "" for p in pieces if p.choices)
        else:
            completion = client.chat.completions.create(
                model=offline_server.agent_id, messages=[{"role": "user", "content": "Hello!"}]
            )
            text = completion.choices[0].message.content or ""

    assert "offline" in text.lower()


def test_a_key_of_the_provider_never_shows_in_the_log(server: RunningServer) -> None:
    assert not [line for line in server.log if "canary" in line or server.token in line]
