"""Text arrives as it was written, whatever is in it, through every renderer."""

import json

import httpx
import pytest
from cozepy import ChatEventType, Coze, Message
from openai import OpenAI

from tests.support.client.chat import Talk, answer_of
from tests.support.client.seed import Seed
from tests.upstream.fixture import RunningUpstream

TRICKY = (
    "sep\u2028par\u2029nel\u0085cr\rcrlf\r\nlf\n\ndata: {not ours}\nevent: done\n: comment\n"
    "\ttab \x0b\x0c\x1c\x1d\x1e zero\u200bwidth \ufeff emoji 👩‍👩‍👧 \U0001f680 family e\u0301 "
    '[DONE] "quotes" \\ backslash </script> &amp; \x7f end'
)


@pytest.fixture(scope="module")
def agent_id(seed: Seed, upstream: RunningUpstream) -> str:
    """An agent whose model says the tricky text, a few characters at a time."""
    behaviour = "tricky"
    found = seed.agent(behaviour)
    pieces = [TRICKY[at : at + 3] for at in range(0, len(TRICKY), 3)]
    steps: list[dict[str, object]] = [{"event": _chunk({"content": piece})} for piece in pieces]
    steps += [{"event": _chunk({}, "stop")}, {"send": "data: [DONE]\n\n"}]
    upstream.script(behaviour, steps)
    return found


def _chunk(delta: dict[str, str], finish: str | None = None) -> dict[str, object]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {
        "id": "c",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [choice],
    }


def test_the_raw_coze_stream(talk: Talk, agent_id: str) -> None:
    assert answer_of(talk.stream(agent_id, "go")) == TRICKY


def test_the_coze_client(coze: Coze, agent_id: str) -> None:
    events = coze.chat.stream(
        bot_id=agent_id,
        user_id="me",
        additional_messages=[Message.build_user_question_text("go")],
    )

    deltas = [
        event.message.content
        for event in events
        if event.event == ChatEventType.CONVERSATION_MESSAGE_DELTA and event.message
    ]
    assert "".join(deltas) == TRICKY


def test_the_stored_answer(talk: Talk, agent_id: str) -> None:
    chat = talk.ask(agent_id, "go")

    assert talk.answers(chat) == [TRICKY]
    assert talk.history(chat["conversation_id"])[-1] == ("answer", TRICKY)


def test_the_openai_client(openai: OpenAI, agent_id: str) -> None:
    stream = openai.chat.completions.create(
        model=agent_id, messages=[{"role": "user", "content": "go"}], stream=True
    )
    whole = openai.chat.completions.create(
        model=agent_id, messages=[{"role": "user", "content": "go"}]
    )

    assert "".join(c.choices[0].delta.content or "" for c in stream if c.choices) == TRICKY
    assert whole.choices[0].message.content == TRICKY


def test_the_detailed_stream(client: httpx.Client, agent_id: str) -> None:
    body = {
        "model": agent_id,
        "messages": [{"role": "user", "content": "go"}],
        "stream": True,
        "detail": True,
    }
    raw = client.post("/v1/chat/completions", json=body).content

    text = ""
    for block in raw.strip().split(b"\n\n"):
        name, data = block.split(b"\n")
        if name == b"event: answer" and data != b"data: [DONE]":
            for choice in json.loads(data[6:])["choices"]:
                text += choice["delta"].get("content") or ""
    assert text == TRICKY


def test_the_events_of_a_run(client: httpx.Client, talk: Talk, agent_id: str) -> None:
    chat = talk.ask(agent_id, "go")

    raw = client.get(f"/v1/runs/{chat['id']}/events").content

    text = ""
    for block in raw.split(b"\n\n"):
        fields = dict(line.split(b": ", 1) for line in block.split(b"\n") if line)
        if fields.get(b"event") == b"message.delta":
            text += json.loads(fields[b"data"])["text"]
    assert text == TRICKY


def test_a_question_reaches_the_model_unchanged(
    talk: Talk, seed: Seed, upstream: RunningUpstream
) -> None:
    behaviour = "echo-of-tricky"
    chat = talk.ask(seed.agent(behaviour), TRICKY)

    assert upstream.requests(model=behaviour)[-1].body["messages"][-1]["content"] == TRICKY
    assert talk.history(chat["conversation_id"])[0] == ("question", TRICKY)
