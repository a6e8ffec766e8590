"""What users see when the model's provider misbehaves."""

from typing import Any

import pytest

from tests.support.client.chat import Talk, answer_of
from tests.support.client.seed import Seed
from tests.upstream.behaviour import CHINESE
from tests.upstream.fixture import RunningUpstream

QUESTION = "Tell me about Coterie"
IMPATIENT = {"timeouts": {"first_token_s": 0.3, "idle_s": 0.3}}
SOON_IMPATIENT = {"timeouts": {"first_token_s": 60, "idle_s": 2}}
"""Waits for what is said at first, on the slowest machine."""


@pytest.mark.parametrize(
    ("behaviour", "calls"),
    [
        ("error-401", 1),
        ("error-404", 1),
        ("error-400", 1),
        ("error-quota", 1),
        ("error-500", 3),
        ("error-503", 3),
        ("error-html", 3),
        ("reset", 3),
        ("only-garbage", 3),
        ("empty", 3),
    ],
)
def test_a_provider_that_does_not_answer_fails_the_chat_with_a_cause(
    talk: Talk, seed: Seed, upstream: RunningUpstream, behaviour: str, calls: int
) -> None:
    before = len(upstream.requests(model=behaviour))
    events = talk.stream(seed.agent(behaviour), QUESTION)

    names = [name for name, _ in events]
    assert names[:2] == ["conversation.chat.created", "conversation.chat.in_progress"]
    assert names[-2:] == ["conversation.chat.failed", "done"]
    failed = events[-2][1]
    assert failed["status"] == "failed"
    assert failed["last_error"]["code"] > 0
    assert failed["last_error"]["msg"]
    assert "127.0.0.1" not in failed["last_error"]["msg"]
    assert talk.get(failed)["last_error"] == failed["last_error"]
    assert len(upstream.requests(model=behaviour)) - before == calls


def test_the_key_is_not_in_what_users_see(talk: Talk, seed: Seed) -> None:
    agent_id = seed.agent(
        "error-key",
        connection={
            "base_url": seed.upstream_url,
            "model": "error-key",
            "api_key": "sk-canary-in-the-error",
        },
    )

    failed = talk.ask(agent_id, QUESTION)

    assert failed["status"] == "failed"
    assert "canary" not in str(failed)


def test_a_busy_provider_is_asked_again_when_it_says(
    talk: Talk, seed: Seed, upstream: RunningUpstream
) -> None:
    behaviour = "busy-once"
    agent_id = seed.agent(behaviour)
    upstream.script(behaviour, [], status=429, headers={"retry-after": "1"})
    upstream.script(behaviour, [{"send": _chunk("Here I am.")}, {"send": "data: [DONE]\n\n"}])

    events = talk.stream(agent_id, QUESTION)

    assert answer_of(events) == "Here I am."
    first, second = upstream.requests(model=behaviour)
    assert second.at - first.at > 0.9


def test_a_provider_that_recovers_is_not_noticed(
    talk: Talk, seed: Seed, upstream: RunningUpstream
) -> None:
    events = talk.stream(seed.agent("flaky-2"), QUESTION)

    assert answer_of(events) == QUESTION
    assert len(upstream.requests(model="flaky-2")) == 3


@pytest.mark.parametrize(
    ("behaviour", "patience", "said"),
    [
        ("hang", IMPATIENT, ""),
        ("stall", IMPATIENT, ""),
        ("stall-after-2", SOON_IMPATIENT, "t0 t1 "),
    ],
)
def test_a_silent_provider_is_given_up(
    talk: Talk, seed: Seed, behaviour: str, patience: dict[str, Any], said: str
) -> None:
    events = talk.stream(seed.agent(behaviour, **patience), QUESTION)

    assert [name for name, _ in events][-2:] == ["conversation.chat.failed", "done"]
    assert answer_of(events) == said


@pytest.mark.parametrize(
    ("behaviour", "said"),
    [("reset-after-3", "t0 t1 t2 "), ("truncated", "Once upon "), ("error-later", "Once upon ")],
)
def test_a_broken_answer_is_kept_and_never_asked_for_again(
    talk: Talk, seed: Seed, upstream: RunningUpstream, behaviour: str, said: str
) -> None:
    before = len(upstream.requests(model=behaviour))
    events = talk.stream(seed.agent(behaviour), QUESTION)

    failed = events[-2][1]
    assert failed["status"] == "failed"
    assert answer_of(events) == said
    assert talk.history(failed["conversation_id"]) == [("question", QUESTION), ("answer", said)]
    assert len(upstream.requests(model=behaviour)) - before == 1


@pytest.mark.parametrize(
    "behaviour",
    ["garbage", "no-done", "no-finish", "no-stream-options", "plain-json", "usage-every-chunk"],
)
def test_sloppy_providers_are_understood(talk: Talk, seed: Seed, behaviour: str) -> None:
    events = talk.stream(seed.agent(behaviour), QUESTION)

    assert events[-2][0] == "conversation.chat.completed"
    assert answer_of(events) == QUESTION


def test_characters_cut_by_packets_arrive_whole(talk: Talk, seed: Seed) -> None:
    events = talk.stream(seed.agent("half-utf8"), QUESTION)

    assert answer_of(events) == CHINESE
    assert talk.history(events[0][1]["conversation_id"])[-1] == ("answer", CHINESE)


def test_thoughts_between_tags_are_no_answer(talk: Talk, seed: Seed) -> None:
    events = talk.stream(seed.agent("think-tags"), QUESTION)

    assert answer_of(events) == "The answer."
    (answer,) = [
        message
        for name, message in events
        if name == "conversation.message.completed" and message["type"] == "answer"
    ]
    assert answer["content"] == "The answer."
    assert answer["reasoning_content"].strip() == "Let me see."


def test_usage_is_counted_even_if_the_provider_does_not(talk: Talk, seed: Seed) -> None:
    chat = talk.ask(seed.agent("no-usage"), QUESTION)

    usage = chat["usage"]
    assert usage["input_count"] > 0
    assert usage["output_count"] > 0
    assert usage["token_count"] == usage["input_count"] + usage["output_count"]


def test_a_failed_question_is_not_in_the_way_of_the_next(
    talk: Talk, seed: Seed, upstream: RunningUpstream
) -> None:
    failed = talk.ask(seed.agent("error-400"), "lost")
    behaviour = "echo-after-failure"

    again = talk.ask(seed.agent(behaviour), "found", conversation_id=failed["conversation_id"])

    assert talk.answers(again) == ["found"]
    sent = upstream.requests(model=behaviour)[-1].body["messages"]
    assert "lost" not in [message["content"] for message in sent]


def _chunk(text: str) -> str:
    return (
        'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":'
        f'[{{"index":0,"delta":{{"content":"{text}"}},"finish_reason":"stop"}}]}}\n\n'
    )
