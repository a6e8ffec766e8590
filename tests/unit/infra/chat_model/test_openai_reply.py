"""Reading bodies of the OpenAI wire: nothing a server writes is an unexpected exception."""

import contextlib
import json
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.shared.chat import (
    ModelEvent,
    ReasoningDelta,
    ReplyFinished,
    ReplyStarted,
    TextDelta,
    ToolCallDelta,
)
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from infra.contract.model.chat_model import ModelCallFailed, ModelFailure
from infra.impl.chat_model.openai import BodyReader
from tests.support.effort import calls


def reader(*tools: str) -> BodyReader:
    return BodyReader(model="m", secret=Secret(""), limits=Limits(), tool_names=tools)


def read(*pieces: bytes, tools: tuple[str, ...] = ()) -> list[ModelEvent]:
    body = reader(*tools)
    events: list[ModelEvent] = []
    for piece in pieces:
        events += body.feed(piece)
    return [*events, *body.finish()]


def event(delta: Any, finish: str | None = None) -> bytes:
    body = {"id": "1", "model": "m", "choices": [{"delta": delta, "finish_reason": finish}]}
    return b"data: " + msgspec.json.encode(body) + b"\n\n"


END = event({}, "stop") + b"data: [DONE]\n\n"

NAMES = """
choices delta message content tool_calls function name arguments index id error usage code
finish_reason reasoning_content reasoning_details function_call model
""".split()  # noqa: SIM905
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(st.lists(ODD | st.binary(max_size=30), max_size=6), st.booleans())
def test_any_events_give_a_reply_or_a_named_failure(bodies: list[Any], streamed: bool) -> None:
    data = [body if isinstance(body, bytes) else msgspec.json.encode(body) for body in bodies]
    pieces = [b"data: " + body + b"\n\n" for body in data] if streamed else data

    with contextlib.suppress(ModelCallFailed):
        events = read(*pieces)
        assert isinstance(events[0], ReplyStarted)
        assert isinstance(events[-1], ReplyFinished)


@settings(deadline=None)
@given(st.text(max_size=60), st.integers(1, 12))
def test_text_is_the_same_however_the_network_cuts_it(text: str, size: int) -> None:
    data = b"".join(event({"content": letter}) for letter in text) + END
    pieces = [data[at : at + size] for at in range(0, len(data), size)]

    events = read(*pieces)

    assert (
        "".join(e.text for e in events if isinstance(e, TextDelta))
        == text.encode("utf-8", "replace").decode()
    )


def test_adjacent_text_of_one_read_is_one_delta() -> None:
    events = read(event({"content": "a"}) + event({"content": "b"}), event({"content": "c"}), END)

    assert [e.text for e in events if isinstance(e, TextDelta)] == ["ab", "c"]


@pytest.mark.parametrize(
    ("names", "joined"),
    [
        (["get_", "weather"], "get_weather"),
        (["get_weather", "get_weather"], "get_weather"),
        (["get_", "get_weather"], "get_weather"),
        (["get_weather", "", "x"], "get_weather"),
    ],
)
def test_names_are_joined_or_repeated_but_never_doubled(names: list[str], joined: str) -> None:
    pieces = [event({"tool_calls": [{"index": 0, "function": {"name": n}}]}) for n in names]

    events = read(*pieces, END, tools=("get_weather",))

    assert [e.name for e in events if isinstance(e, ToolCallDelta)] == [joined]


def test_an_error_without_wrapping_is_an_error() -> None:
    with pytest.raises(ModelCallFailed) as caught:
        read(b'data: {"object":"error","message":"maximum context length","code":400}\n\n')
    assert caught.value.failure is ModelFailure.CONTEXT_OVERFLOW


def test_a_body_that_never_ends_is_cut() -> None:
    body = BodyReader(
        model="m", secret=Secret(""), limits=Limits(model_reply_bytes=100), tool_names=()
    )
    body.feed(b'{"choices": "' + b"x" * 60)
    body.feed(b"x" * 60)

    assert body.is_over
    with pytest.raises(ModelCallFailed) as caught:
        body.finish()
    assert caught.value.failure is ModelFailure.MALFORMED


def _ascii(body: Any) -> bytes:
    return json.dumps(body).encode()


def _compact(body: Any) -> bytes:
    return msgspec.json.encode(body)


PIECES = st.text(max_size=6) | st.sampled_from(
    [
        '"',
        "\\",
        '"}}]}\n\ndata: {"choices":[{"delta":{"content":"',
        "😀",
        "\u2028",
        "\n\n",
        "[DONE]",
    ]
)
EXTRAS = st.sampled_from(
    [
        {},
        {"reasoning_content": "hm"},
        {"reasoning_content": ""},
        {"role": "assistant"},
        {"refusal": "no"},
        {"tool_calls": [{"index": 0, "id": "c", "function": {"name": "f", "arguments": "{}"}}]},
    ]
)


@settings(deadline=None)
@given(
    st.lists(st.tuples(PIECES, EXTRAS), max_size=12),
    st.lists(st.integers(1, 400), min_size=1, max_size=8),
    st.sampled_from([_ascii, _compact]),
    st.booleans(),
)
def test_chunks_that_are_alike_are_read_as_each_by_itself(
    said: list[tuple[str, dict[str, Any]]], sizes: list[int], encode: Any, changes: bool
) -> None:
    """Begun with plain chunks, so that what surrounds a text is known by then."""
    told = [*(("so", {}) for _ in range(3)), *said, ("on", {}), ("and", {}), ("on", {})]
    frames = []
    for number, (text, extra) in enumerate(told):
        choices = [{"delta": {"content": text, **extra}, "finish_reason": None}]
        body = {"id": "1", "choices": choices, "padding": "x" * (number if changes else 1)}
        frames.append(b"data: " + encode(body) + b"\n\n")
    data = b"".join(frames) + END
    cuts = [0]
    while cuts[-1] < len(data):
        cuts.append(cuts[-1] + sizes[len(cuts) % len(sizes)])

    together = read(*(data[a:b] for a, b in pairwise(cuts)))
    alone = read(*frames, END)

    def content(events: list[ModelEvent]) -> tuple[str, str, str]:
        texts = [e.text for e in events if isinstance(e, TextDelta)]
        thoughts = [e.text for e in events if isinstance(e, ReasoningDelta)]
        calls = [e.arguments for e in events if isinstance(e, ToolCallDelta)]
        return "".join(texts), "".join(thoughts), "".join(calls)

    expected = "".join(t + x.get("refusal", "") * (not t) for t, x in told)
    assert content(together) == content(alone)
    assert content(together)[0] == expected.encode("utf-8", "replace").decode()


def test_chunks_of_one_read_are_decoded_together() -> None:
    def read_at_once(count: int) -> int:
        body = reader()
        body.feed(event({"content": "one"}))
        body.feed(event({"content": "two"}))
        frames = b"".join(event({"content": f"{number} "}) for number in range(count))
        events: list[ModelEvent] = []
        made = calls(lambda: events.extend(body.feed(frames)))
        assert events == [TextDelta("".join(f"{number} " for number in range(count)))]
        return made

    assert read_at_once(100) == read_at_once(10)
