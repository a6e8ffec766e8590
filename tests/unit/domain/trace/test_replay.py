"""What a replay takes over of a trace: calls with their results, before the step it begins with."""

import json

import pytest

from domain.shared.chat import ChatMessage, TextPart, ToolCall
from domain.shared.tracing.span import SpanKind, SpanStatus
from domain.trace.error import ContentNotCaptured, SpanNotFound
from domain.trace.replay import node_of, question_of, steps_before
from domain.trace.value import StoredSpan, TreeSpan

CALL = {"id": "c1", "name": "look", "arguments": '{"a": 1}'}


def span(
    number: int,
    kind: SpanKind,
    name: str = "",
    *,
    parent: int = 0,
    given: str | None = None,
    gave: str | None = None,
    status: SpanStatus = SpanStatus.OK,
    node_id: str = "",
) -> TreeSpan:
    stored = StoredSpan(
        id=number,
        parent=parent,
        kind=kind,
        name=name,
        start_us=number,
        input=given,
        output=gave,
        status=status,
        attributes={"node_id": node_id} if node_id else {},
    )
    return TreeSpan(id=str(number), parent=str(parent) if parent else "", run_id=7, span=stored)


def chat(**of_tool: object) -> list[TreeSpan]:
    reply = json.dumps({"text": "Hm.", "tool_calls": [CALL], "finish_reason": "tool_calls"})
    tool = {"given": CALL["arguments"], "gave": "found", **of_tool}
    return [
        span(1, SpanKind.AGENT, "Ann", given="What?"),
        span(2, SpanKind.STEP, "step 1", parent=1),
        span(3, SpanKind.MODEL, "m", parent=2, status=SpanStatus.ERROR),
        span(4, SpanKind.MODEL, "m", parent=2, gave=reply),
        span(5, SpanKind.TOOL, "look", parent=2, **tool),  # type: ignore[arg-type]
        span(6, SpanKind.AGENT, "Bob", parent=5),
        span(7, SpanKind.STEP, "step 1", parent=6),
        span(8, SpanKind.STEP, "step 2", parent=1),
        span(9, SpanKind.MODEL, "m", parent=8, gave='{"text": "Done."}'),
    ]


MADE = (
    ChatMessage(
        role="assistant",
        parts=(TextPart(text="Hm."),),
        tool_calls=(ToolCall(id="c1", name="look", arguments='{"a": 1}'),),
    ),
    ChatMessage(role="tool", parts=(TextPart(text="found"),), tool_call_id="c1"),
)


@pytest.mark.parametrize(
    ("span_id", "expected"),
    [("8", MADE), ("9", MADE), ("1", ()), ("2", ()), ("4", ()), ("7", ())],
)
def test_what_was_done_before_a_step_is_taken_over(
    span_id: str, expected: tuple[ChatMessage, ...]
) -> None:
    assert steps_before(7, chat(), span_id) == expected


def test_a_call_that_waited_has_the_result_that_came_later() -> None:
    waited = chat(status=SpanStatus.INTERRUPTED, gave="")
    waited.append(span(10, SpanKind.TOOL, "look", parent=1, given="{}", gave="found"))

    assert steps_before(7, waited, "9") == MADE


@pytest.mark.parametrize("gave", [None, ""])
def test_a_result_that_is_not_kept_is_missed(gave: str | None) -> None:
    status = SpanStatus.OK if gave is None else SpanStatus.INTERRUPTED
    with pytest.raises(ContentNotCaptured):
        steps_before(7, chat(gave=gave, status=status), "8")


def test_a_reply_that_was_cut_is_none() -> None:
    spans = chat()
    spans[3] = span(4, SpanKind.MODEL, "m", parent=2, gave='{"text": "Hm…[9 bytes left out]')
    with pytest.raises(ContentNotCaptured):
        steps_before(7, spans, "8")


def test_unknown_spans_and_lost_questions_are_refused() -> None:
    with pytest.raises(SpanNotFound):
        steps_before(7, chat(), "99")
    with pytest.raises(ContentNotCaptured):
        question_of([span(1, SpanKind.AGENT, "Ann")])
    assert question_of(chat()) == "What?"


def test_a_span_of_a_workflow_belongs_to_a_node_at_the_top() -> None:
    spans = [
        span(1, SpanKind.WORKFLOW, "w"),
        span(2, SpanKind.NODE, "Loop", parent=1, node_id="l"),
        span(3, SpanKind.NODE, "Text", parent=2, node_id="t"),
    ]

    assert node_of(7, spans, "3") == node_of(7, spans, "2") == "l"
    with pytest.raises(SpanNotFound):
        node_of(7, spans, "1")
