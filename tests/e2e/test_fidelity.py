"""Text arrives as it was written, whatever is in it, through every renderer."""

import json
from dataclasses import dataclass

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


def test_a_stream_of_merged_tokens_goes_on_exactly_where_it_was_left(
    client: httpx.Client, talk: Talk, seed: Seed, upstream: RunningUpstream
) -> None:
    """Tokens of one read travel together; whoever comes back with any number misses nothing."""
    behaviour = "tricky-in-gusts"
    frames = [_frame({"content": TRICKY[at : at + 3]}) for at in range(0, len(TRICKY), 3)]
    steps: list[dict[str, object]] = [{"send": frame} for frame in frames[:3]]
    for at in range(3, len(frames), 9):
        steps += [{"wait_ms": 30}, {"send": "".join(frames[at : at + 9])}]
    steps += [{"send": _frame({}, "stop") + "data: [DONE]\n\n"}]
    upstream.script(behaviour, steps)
    agent = seed.agent(behaviour)
    live = talk.stream(agent, "go")
    whole = _numbered(client, live[0][1]["id"])

    texts = [text for _, text in whole.events]
    assert len([each for each in texts if each]) < len(frames)
    assert answer_of(live) == "".join(texts) == TRICKY
    for number, _ in whole.events:
        rest = _numbered(client, whole.run, after=number)
        before = [text for seq, text in whole.events if seq <= number]
        assert "".join([*before, *(text for _, text in rest.events)]) == TRICKY


def _frame(delta: dict[str, str], finish: str | None = None) -> str:
    return f"data: {json.dumps(_chunk(delta, finish))}\n\n"


@dataclass(frozen=True)
class _Numbered:
    """Events of a run: number, and text if it is a piece of an answer."""

    run: str
    events: list[tuple[int, str]]


def _numbered(client: httpx.Client, run: str, *, after: int = 0) -> _Numbered:
    raw = client.get(f"/v1/runs/{run}/events", params={"after": after}).content
    events = []
    for block in raw.strip().split(b"\n\n"):
        fields = dict(line.split(b": ", 1) for line in block.split(b"\n") if b": " in line)
        if b"id" in fields:
            is_delta = fields[b"event"] == b"message.delta"
            text = json.loads(fields[b"data"])["text"] if is_delta else ""
            events.append((int(fields[b"id"]), text))
    return _Numbered(run, events)


def test_a_question_reaches_the_model_unchanged(
    talk: Talk, seed: Seed, upstream: RunningUpstream
) -> None:
    behaviour = "echo-of-tricky"
    chat = talk.ask(seed.agent(behaviour), TRICKY)

    assert upstream.requests(model=behaviour)[-1].body["messages"][-1]["content"] == TRICKY
    assert talk.history(chat["conversation_id"])[0] == ("question", TRICKY)
