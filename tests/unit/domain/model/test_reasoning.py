"""Extraction of think tags: every row of the table, and independence of how deltas are cut."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.model.reasoning import ReasoningSettings, ThinkExtractor
from domain.shared.chat import ContentReplaced, ReasoningDelta, TextDelta


def extract(
    deltas: list[str],
    settings: ReasoningSettings | None = None,
    *,
    implied: bool = False,
    learned: bool = False,
    is_cut: bool = False,
) -> tuple[str, str, ThinkExtractor]:
    extractor = ThinkExtractor(
        settings or ReasoningSettings(), implied_open=implied, is_implication_learned=learned
    )
    text = reasoning = ""

    def take(events: list[TextDelta | ReasoningDelta | ContentReplaced]) -> None:
        nonlocal text, reasoning
        for event in events:
            match event:
                case TextDelta(piece):
                    text += piece
                case ReasoningDelta(piece):
                    reasoning += piece
                case ContentReplaced():
                    text, reasoning = event.text, event.reasoning

    for delta in deltas:
        take([TextDelta(delta)] if extractor.passes(delta) else extractor.feed(delta))
    take(extractor.finish(is_cut=is_cut))
    return text, reasoning, extractor


@pytest.mark.parametrize(
    ("reply", "text", "reasoning"),
    [
        ("Hello", "Hello", ""),
        ("  \n Hello", "  \n Hello", ""),
        ("<think>why</think>\n\nBecause", "Because", "why"),
        ("\n <think>why</think>Because", "Because", "why"),
        ("<thinking>why</thinking>Because", "Because", "why"),
        ("<reasoning>a</think>b</reasoning>c", "c", "a</think>b"),
        ("<think>x</think>answer </think> still", "answer </think> still", "x"),
        ("why</think>\nBecause", "Because", "why"),
        ("a</think>b</think>c", "b</think>c", "a"),
        ("<thin air", "<thin air", ""),
        ("<", "<", ""),
        ("1 < 2 <b>bold</b>", "1 < 2 <b>bold</b>", ""),
        ("text first <think>no</think>", "", "text first <think>no"),
        ("<think>cut off </thi", "", "cut off </thi"),
        ("<think></think>", "", ""),
        ("   ", "   ", ""),
    ],
)
def test_tags_become_reasoning(reply: str, text: str, reasoning: str) -> None:
    assert extract([reply])[:2] == (text, reasoning)
    assert extract(list(reply))[:2] == (text, reasoning)


def test_no_tags_switch_the_extraction_off() -> None:
    reply = "<think>why</think>Because"
    assert extract([reply], ReasoningSettings(tags=()))[:2] == (reply, "")


def test_interleaved_thoughts_begin_at_line_starts_only() -> None:
    settings = ReasoningSettings(interleaved=True)
    reply = "<think>a</think>one\n<think>b</think>\ntwo <think>three</think>"
    assert extract([reply], settings)[:2] == ("one\ntwo <think>three</think>", "ab")


def test_an_implied_opening_tag_makes_the_beginning_reasoning() -> None:
    assert extract(["why", "</think>", "Because"], implied=True)[:2] == ("Because", "why")


def test_a_closing_tag_that_nothing_opened_is_reported_for_learning() -> None:
    assert extract(["why</think>Because"])[2].found_orphan_close
    assert not extract(["<think>why</think>Because"])[2].found_orphan_close


def test_a_wrongly_learned_implication_is_taken_back() -> None:
    text, reasoning, extractor = extract(["Just ", "this."], implied=True, learned=True)
    assert (text, reasoning) == ("Just this.", "")
    assert extractor.is_implication_refuted


def test_thoughts_cut_off_by_length_stay_thoughts() -> None:
    text, reasoning, extractor = extract(["Let me"], implied=True, learned=True, is_cut=True)
    assert (text, reasoning) == ("", "Let me")
    assert not extractor.is_implication_refuted


def test_promotion_turns_mere_thoughts_into_the_answer() -> None:
    settings = ReasoningSettings(promote=True)
    assert extract(["<think>all I have"], settings)[:2] == ("all I have", "")
    assert extract(["<think>why</think>Because"], settings)[:2] == ("Because", "why")


def test_reasoning_reported_apart_switches_the_extraction_off() -> None:
    extractor = ThinkExtractor(ReasoningSettings())
    assert extractor.feed(" ") == []
    extractor.bypass()
    assert extractor.passes("Use </think> here")


PIECES = st.sampled_from(
    [
        "<think>",
        "</think>",
        "<thinking>",
        "</thinking>",
        "<",
        "</",
        "<thi",
        "nk>",
        "\n",
        " ",
        "a",
        "é",
    ]
)


@given(
    pieces=st.lists(PIECES, max_size=12),
    cuts=st.lists(st.integers(0, 100), max_size=20),
    flags=st.tuples(*[st.booleans()] * 4),
)
def test_the_result_does_not_depend_on_how_the_reply_is_cut(
    pieces: list[str], cuts: list[int], flags: tuple[bool, bool, bool, bool]
) -> None:
    interleaved, promote, implied, learned = flags
    reply = "".join(pieces)
    settings = ReasoningSettings(interleaved=interleaved, promote=promote)
    borders = [0, *sorted(cut for cut in cuts if cut < len(reply)), len(reply)]
    deltas = [reply[a:b] for a, b in pairwise(borders)]
    whole = extract([reply], settings, implied=implied, learned=learned)
    cut = extract(deltas, settings, implied=implied, learned=learned)
    single = extract(list(reply), settings, implied=implied, learned=learned)
    assert cut[:2] == whole[:2] == single[:2]
    assert cut[2].found_orphan_close == whole[2].found_orphan_close == single[2].found_orphan_close


@given(st.text(alphabet="ab<\n /", max_size=40))
def test_text_without_tags_arrives_unchanged(reply: str) -> None:
    assert extract(list(reply))[:2] == (reply, "")


@pytest.mark.parametrize(
    ("wanted", "kept"),
    [(None, ("think", "thinking", "reasoning")), (("think",), ("think",)), ((), ())],
)
def test_a_request_may_want_tags_as_text(
    wanted: tuple[str, ...] | None, kept: tuple[str, ...]
) -> None:
    assert ReasoningSettings().within(wanted).tags == kept
    assert ReasoningSettings(tags=()).within(wanted).tags == ()
