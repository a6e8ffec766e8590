"""The tag protocol: what is written can be read, however it is split."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.error import Failure
from api.renderer import RENDERERS, RenderContext, Renderer
from api.renderer.tag_parser import MAX_TAG_CHARS, TagParser, TagTooLong
from api.renderer.tags import MarkupWriter
from application.conversation.run.event import (
    MessageCompleted,
    MessageDelta,
    MessageStarted,
    RunCompleted,
    RunEvent,
    StepStarted,
    ToolCompleted,
    ToolStarted,
    Warned,
)
from domain.shared.chat import FinishReason
from domain.shared.error import ErrorKind
from tests.unit.api.harness import ANSWER_ID, completed, failed, message_view, records, run_view
from tests.unit.api.sse_parser import Event, parse

texts = st.text(
    st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from("<>&\"'/; \n\r#x10stepcn"))
)
STEPS = ("thought", "action", "observation")


@dataclass
class Heard:
    """What a reader was told, with neighbouring pieces joined."""

    parts: list[tuple[str, str]] = field(default_factory=list)
    truncated: bool | None = None

    def _add(self, name: str, text: str) -> None:
        if self.parts and self.parts[-1][0] == name:
            text = self.parts.pop()[1] + text
        self.parts.append((name, text))

    def on_think(self, text: str) -> None:
        self.parts.append(("think", text))

    def on_step_start(self, kind: str, index: int, call: str) -> None:
        self.parts.append((f"{kind} {index} {call}".strip(), ""))

    def on_step_delta(self, text: str) -> None:
        name, before = self.parts.pop()
        self.parts.append((name, before + text))

    def on_step_end(self) -> None:
        self.parts.append(("end", ""))

    def on_content_delta(self, text: str) -> None:
        self._add("content", text)

    def on_error(self, code: str, text: str) -> None:
        self.parts.append((f"error {code}", text))

    def on_complete(self, *, truncated: bool) -> None:
        self.truncated = truncated


def read(pieces: Sequence[str], *, lenient: bool = False) -> Heard:
    heard = Heard()
    parser = TagParser(heard, lenient=lenient)
    for piece in pieces:
        parser.feed(piece)
    parser.finish()
    return heard


def written(thought: str, observation: str, think: str, answer: str, call: str) -> str:
    writer = MarkupWriter(escapes=True)
    return "".join(
        [
            writer.think(think),
            writer.open("thought", 1, ""),
            writer.text(thought),
            writer.close(),
            "\n <later version='2'/>",
            writer.open("observation", 2, call),
            writer.text(observation),
            writer.close(),
            writer.open("content", 0, ""),
            writer.text(answer),
            writer.close(),
            writer.error(5000, think),
        ]
    )


@given(texts, texts, texts, texts, texts)
def test_reading_gives_what_was_written(
    thought: str, observation: str, think: str, answer: str, call: str
) -> None:
    heard = read([written(thought, observation, think, answer, call)])

    assert heard.parts == [
        ("think", think),
        ("thought 1", thought),
        ("end", ""),
        (f"observation 2 {call}".strip(), observation),
        ("end", ""),
        *([("content", answer)] if answer else []),
        ("error 5000", think),
    ]
    assert heard.truncated is False


@given(texts, texts, st.lists(st.integers(0, 400), max_size=12))
def test_any_split_of_a_stream_reads_the_same(one: str, other: str, cuts: list[int]) -> None:
    stream = written(one, other, one, other, "")
    ends = sorted({min(cut, len(stream)) for cut in cuts} | {len(stream)})
    pieces = [stream[a:b] for a, b in zip([0, *ends], ends, strict=False)]

    assert read(pieces).parts == read([stream]).parts


@given(texts, st.integers(0, 300))
def test_a_broken_off_stream_is_told_and_keeps_its_text(text: str, at: int) -> None:
    head = '<step type="thought" index="1">'
    body = MarkupWriter(escapes=True).text(text)

    heard = read([head + body[:at]])

    assert heard.truncated
    assert heard.parts[-1] == ("end", "")


def test_text_outside_counts_only_if_asked_for() -> None:
    stream = "Hi <content>there</content> & <b>you</b>"
    assert read([stream]).parts == [("content", "there")]
    assert read([stream], lenient=True).parts == [("content", "Hi there & you")]


def test_a_tag_without_end_is_refused() -> None:
    with pytest.raises(TagTooLong):
        read(['<think content="', "x" * (MAX_TAG_CHARS + 1)])


@given(st.lists(texts, max_size=4))
def test_without_escaping_no_text_can_close_its_element(pieces: list[str]) -> None:
    writer = MarkupWriter(escapes=False)
    stream = writer.open("content", 0, "")
    stream += "".join(writer.text(piece) for piece in ["</cont", "ent>", "</st", *pieces, "ep>"])
    stream += writer.close()

    assert stream.count("</content>") == 1
    assert "</step>" not in stream


def renderer(name: str, **context: Any) -> Renderer:
    return RENDERERS.get(name)(RenderContext(run=run_view(), **context))


def json_of(event: Event) -> Any:
    return msgspec.json.decode(event.data)


def pieces_of(body: bytes) -> list[str]:
    return [msgspec.json.decode(event.data, type=str) for event in parse(body)]


def answer_of(text: str, message_id: int = ANSWER_ID, **fields: Any) -> MessageCompleted:
    return MessageCompleted(message_view(text, id=message_id, **fields))


def with_tools() -> list[RunEvent]:
    """A run that thinks, calls two tools at once, and answers."""
    interim: dict[str, Any] = {"finish_reason": FinishReason.TOOL_CALLS.value}
    return [
        StepStarted(step=1, model="m", may_call=True),
        MessageStarted(message_id=ANSWER_ID),
        MessageDelta(message_id=ANSWER_ID, text="Let me <look>."),
        answer_of("Let me <look>.", **interim),
        ToolStarted(call_id="a", name="search", arguments='{"q": "<x>"}'),
        ToolStarted(call_id="b", name="search", arguments="no json"),
        ToolCompleted(call_id="a", name="search", result="& one", is_error=False, duration_ms=1),
        ToolCompleted(call_id="b", name="search", result="two", is_error=False, duration_ms=1),
        Warned(warning="w", text='"slow"'),
        StepStarted(step=2, model="m", may_call=True),
        MessageDelta(message_id=ANSWER_ID + 1, text="It is ", reasoning="Hm."),
        MessageDelta(message_id=ANSWER_ID + 1, text="one."),
        answer_of("It is one.", ANSWER_ID + 1),
        completed(),
    ]


def test_a_run_with_tools_reads_as_thoughts_calls_and_one_answer() -> None:
    for batch in (1, 3, 100):
        tags = renderer("tags")
        events = records(*with_tools())
        body = b"".join(tags.render(events[n : n + batch]) for n in range(0, len(events), batch))

        heard = read(pieces_of(body))

        assert heard.parts == [
            ("thought 1", "Let me <look>."),
            ("end", ""),
            ("action 1", '{"name":"search","arguments":{"q":"<x>"}}'),
            ("end", ""),
            ("action 1 b", '{"name":"search","arguments":"no json"}'),
            ("end", ""),
            ("observation 1", "& one"),
            ("end", ""),
            ("observation 1 b", "two"),
            ("end", ""),
            ("think", '"slow"'),
            ("thought 2", "Hm.It is one."),
            ("end", ""),
            ("content", "It is one."),
        ]
        assert heard.truncated is False


def plain() -> list[RunEvent]:
    return [
        StepStarted(step=1, model="m"),
        MessageDelta(message_id=ANSWER_ID, text="Hel"),
        MessageDelta(message_id=ANSWER_ID, text="lo"),
        answer_of("Hello"),
        completed(),
    ]


def test_direct_text_is_the_answer_at_once() -> None:
    tags = renderer("tags", is_direct=True)
    first = tags.render(records(*plain()[:2]))

    assert pieces_of(first) == ["<content>Hel"]
    assert pieces_of(tags.render(records(*plain()[2:]))) == ["lo</content>"]
    seed = read(pieces_of(renderer("tags").render(records(*plain()))))
    assert seed.parts == [("thought 1", "Hello"), ("end", ""), ("content", "Hello")]


def test_raw_chunks_are_markup_without_frames() -> None:
    raw = renderer("tags-raw", is_direct=True)

    assert raw.render(records(*plain())) == b"<content>Hello</content>"
    assert raw.content_type.startswith("text/plain")
    assert raw.keepalive == b""


def test_a_failure_closes_what_is_open_and_says_why() -> None:
    tags = renderer("tags")
    body = tags.render(records(*plain()[:2], failed()))

    heard = read(pieces_of(body))

    assert heard.parts[:2] == [("thought 1", "Hel"), ("end", "")]
    assert heard.parts[2][0].startswith("error ")
    broken = renderer("tags").fail(
        Failure(kind=ErrorKind.INTERNAL, code=5000, message="Gone.", slug="gone")
    )
    assert pieces_of(broken) == ['<error code="5000">Gone.</error>']


def test_events_carry_the_same_without_tags() -> None:
    events = parse(renderer("tag-events").render(records(*with_tools())))

    names = list(dict.fromkeys(event.name for event in events))
    assert names == ["thought", "action", "observation", "think", "answer", "done"]
    assert [json_of(event)["call"] for event in events if "call" in json_of(event)] == ["b", "b"]
    answer = "".join(json_of(event)["text"] for event in events if event.name == "answer")
    assert answer == "It is one."


def test_the_playground_gets_every_event_behind_its_message() -> None:
    script = with_tools()
    events = parse(renderer("playground").render(records(*script)))

    frames = [json_of(event) for event in events if event.name == "message"]
    assert [frame["ext"]["event"] for frame in frames] == [
        type(event).__struct_config__.tag for event in script
    ]
    assert [frame["seq_id"] for frame in frames] == list(range(1, len(script) + 1))
    said = [f["message"]["content"] for f in frames if f["message"]["message_id"] == str(ANSWER_ID)]
    assert "".join(said) == "Let me <look>."
    assert (events[-1].name, json_of(events[-1])) == ("done", {})
    assert isinstance(script[-1], RunCompleted)
