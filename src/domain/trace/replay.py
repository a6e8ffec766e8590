"""Replay of chats: what of a trace a new run begins with, and which results it takes over."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from domain.shared.chat import ChatMessage, TextPart, ToolCall
from domain.shared.tracing.span import SpanKind, SpanStatus
from domain.trace.error import ContentNotCaptured, SpanNotFound
from domain.trace.value import TreeSpan

_NOT_KEPT: Final = (
    "What was said in this run is not kept as a whole, so that nothing can go on from the middle. "
    "trace_capture of the agent, the trace settings of the workspace or trace.capture keep it; "
    "the whole run can be replayed."
)


def steps_before(run_id: int, spans: Sequence[TreeSpan], span_id: str) -> tuple[ChatMessage, ...]:
    """Return what the agent that was asked had done before the step that a span belongs to.

    Those are calls with their results; nothing for a span before the first step.

    Raises:
        SpanNotFound: the trace has no such span.
        ContentNotCaptured: replies or results are not kept, or not as a whole.
    """
    by_id = {each.id: each for each in spans}
    if span_id not in by_id:
        raise SpanNotFound(f"The trace of run {run_id} has no span {span_id[:64]}.", run_id=run_id)
    tops = {each.id for each in spans if not each.parent and each.span.kind is SpanKind.AGENT}
    here: TreeSpan | None = by_id[span_id]
    while here is not None and not (here.span.kind is SpanKind.STEP and here.parent in tops):
        here = by_id.get(here.parent)
    if here is None:
        return ()
    began = here.span.start_us
    steps = [each for each in spans if each.parent in tops and each.span.kind is SpanKind.STEP]
    answered = [each for each in spans if each.parent in tops and each.span.kind is SpanKind.TOOL]
    made: list[ChatMessage] = []
    for step in steps:
        if step.span.start_us >= began:
            break
        made += _step([each for each in spans if each.parent == step.id], answered)
    return tuple(made)


def _step(inside: Sequence[TreeSpan], answered: list[TreeSpan]) -> Iterator[ChatMessage]:
    """Return what a step asked for, and what came of it.

    ``answered`` are calls that waited for somebody and went on later; they are taken away.
    """
    replies = [
        each.span
        for each in inside
        if each.span.kind is SpanKind.MODEL and each.span.status is SpanStatus.OK
    ]
    if not replies:
        return
    reply = _decoded(replies[-1].output)
    called = [each for each in inside if each.span.kind is SpanKind.TOOL]
    calls: list[ToolCall] = []
    results: list[ChatMessage] = []
    for asked in reply.get("tool_calls") or ():
        call = ToolCall(id=asked["id"], name=asked["name"], arguments=asked["arguments"])
        same = (c for c in called if (c.span.name, c.span.input) == (call.name, call.arguments))
        found = next(same, None)
        if found is not None:
            called.remove(found)
        if found is not None and found.span.status is SpanStatus.INTERRUPTED:
            found = next((each for each in answered if each.span.name == call.name), None)
            if found is not None:
                answered.remove(found)
        if found is None or found.span.output is None:
            raise ContentNotCaptured(_NOT_KEPT)
        calls.append(call)
        results.append(
            ChatMessage(
                role="tool",
                parts=(TextPart(text=found.span.output),),
                tool_call_id=call.id,
                tool_error=found.span.status is SpanStatus.ERROR,
            )
        )
    if calls:
        text = reply.get("text") or ""
        parts = (TextPart(text=text),) if text else ()
        yield ChatMessage(role="assistant", parts=parts, tool_calls=tuple(calls))
        yield from results


def _decoded(output: str | None) -> Mapping[str, Any]:
    try:
        found = msgspec.json.decode(output or "")
    except msgspec.DecodeError as exc:
        raise ContentNotCaptured(_NOT_KEPT) from exc
    if not isinstance(found, dict):
        raise ContentNotCaptured(_NOT_KEPT)
    return found


def question_of(spans: Sequence[TreeSpan]) -> str:
    """Return what the agent was asked; raise ``ContentNotCaptured``."""
    for each in spans:
        if not each.parent and each.span.kind is SpanKind.AGENT and each.span.input:
            return each.span.input
    raise ContentNotCaptured(
        "Neither the conversation nor the trace has the question of this run any more."
    )


def node_of(run_id: int, spans: Sequence[TreeSpan], span_id: str) -> str:
    """Return the node at the top of a workflow that a span belongs to; raise ``SpanNotFound``."""
    by_id = {each.id: each for each in spans}
    here = by_id.get(span_id)
    tops = {each.id for each in spans if not each.parent}
    while here is not None:
        if here.span.kind is SpanKind.NODE and here.parent in tops and here.run_id == run_id:
            return str(here.span.attributes.get("node_id", ""))
        here = by_id.get(here.parent)
    raise SpanNotFound(
        f"The trace of run {run_id} has no node with a span {span_id[:64]}.", run_id=run_id
    )
