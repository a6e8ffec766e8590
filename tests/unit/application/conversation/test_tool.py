"""Runs that search and call tools: what followers see, what is stored, what models read again."""

import json

import msgspec

from application.conversation.dto import EditMessage, MessageView
from application.conversation.run.event import MessageCompleted, RunRecord
from crossdomain.agent.contract import (
    AgentOutcome,
    AgentTurn,
    AnswerCompleted,
    AnswerDelta,
    AnswerStarted,
    EmitAgentEvent,
    KnowledgeRecalled,
    RecalledChunk,
    ToolEnded,
    ToolsRequested,
    ToolStarted,
)
from domain.conversation.value import MessageKind
from domain.shared.access import Principal
from domain.shared.call import CallContext
from domain.shared.chat import FinishReason, TextPart, ToolCall
from domain.shared.text.citation import Citations, Cited, MarkFilter
from tests.support.conversation.harness import USAGE, Process, names

DONE = AgentOutcome(finish_reason=FinishReason.STOP, usage=USAGE)
CALLS = (
    ToolCall(id="a", name="look", arguments="{}"),
    ToolCall(id="b", name="look", arguments="{}"),
)


async def thoughtful(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
    """Think aloud, call two tools that end in the other order, then answer with a citation."""
    await emit(AnswerStarted())
    await emit(AnswerDelta("", "Hm."))
    await emit(ToolsRequested(CALLS))
    for call in reversed(CALLS):
        await emit(ToolStarted(call))
        await emit(ToolEnded(call=call, text=f"from {call.id}", is_error=False, duration_ms=1))
    marks = MarkFilter(1)
    text = marks.feed("Oil [1].")
    source = Cited(slice_id=7, document_id=1, document_name="g.md", content="Oil burns.")
    citations = Citations.of(text, marks, [source], is_listed=True)
    assert citations is not None
    await emit(AnswerDelta(text))
    await emit(AnswerDelta(citations.tail))
    await emit(
        AnswerCompleted(
            text=text + citations.tail,
            reasoning="Hm.",
            finish_reason=FinishReason.STOP,
            citations=citations,
            is_last=True,
        )
    )
    return DONE


async def searching(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
    """Search, find one slice, and say nothing."""
    chunk = RecalledChunk(
        n=1,
        slice_id=7,
        content="Oil burns.",
        score=0.75,
        dataset_id=5,
        dataset_name="base",
        document_id=6,
        document_name="g.md",
        format_type=0,
        source_type=2,
        url="https://x/g",
    )
    await emit(KnowledgeRecalled(query="oil", chunks=(chunk,), duration_ms=3))
    await emit(KnowledgeRecalled(query="gas", is_failed=True))
    return DONE


async def test_calls_and_results_are_kept_in_pairs_before_the_answer(
    process: Process, who: Principal
) -> None:
    process.agents.script = thoughtful
    records = await process.ask(who, "one")
    conversation_id = records[-1].event.run.conversation_id  # type: ignore[union-attr]
    await process.ask(who, "two", conversation_id=conversation_id)

    (past,) = process.agents.turns[1].history
    assert [(message.role, message.text) for message in past.messages] == [
        ("user", "one"),
        ("assistant", ""),
        ("tool", "from a"),
        ("tool", "from b"),
        ("assistant", "Oil."),
    ]
    assert past.messages[1].tool_calls == CALLS
    assert [message.tool_call_id for message in past.messages[2:4]] == ["a", "b"]


async def test_followers_see_calls_as_they_happen_and_the_answer_with_its_sources(
    process: Process, who: Principal
) -> None:
    process.agents.script = thoughtful
    records = await process.ask(who, "one")

    shown = [r.event.message for r in records if isinstance(r.event, MessageCompleted)]
    assert [message.kind for message in shown] == [
        MessageKind.TOOL_CALLS,
        MessageKind.TOOL_RESULT,
        MessageKind.TOOL_RESULT,
        MessageKind.ANSWER,
        MessageKind.VERBOSE,
    ]
    assert names(records)[2:9] == [
        "MessageStarted",
        "MessageCompleted",
        *("ToolStarted", "MessageCompleted", "ToolCompleted"),
        *("ToolStarted", "MessageCompleted"),
    ]
    answer = shown[3]
    assert (answer.text, answer.reasoning) == ("Oil [1].\n\n[1] g.md", "Hm.")
    stored = await process.shown(who, answer.conversation_id)
    assert answer in stored
    assert answer.citations is not None
    logged = msgspec.json.decode(msgspec.json.encode(records), type=list[RunRecord])
    assert logged == records


async def test_a_search_is_told_in_the_words_of_coze_clients(
    process: Process, who: Principal
) -> None:
    process.agents.script = searching
    records = await process.ask(who, "one")

    found, failed = [
        json.loads(json.loads(message.text)["data"])
        for message in _verbose(records_of=[r.event for r in records])
        if "knowledge_recall" in message.text
    ]
    assert found == {
        "chunks": [
            {
                "slice": "Oil burns.",
                "score": 0.75,
                "meta": {
                    "dataset": {"id": "5", "name": "base"},
                    "document": {"id": "6", "name": "g.md", "format_type": 0, "source_type": 2},
                    "link": {"title": "g.md", "url": "https://x/g"},
                    "card": {"title": "g.md", "con": "Oil burns.", "index": "1"},
                },
            }
        ],
        "ori_req": "",
        "status_code": 0,
    }
    assert (failed["chunks"], failed["status_code"]) == ([], 1)


async def test_editing_an_answer_drops_what_it_cited(process: Process, who: Principal) -> None:
    process.agents.script = thoughtful
    records = await process.ask(who, "one")
    answer = next(
        r.event.message
        for r in records
        if isinstance(r.event, MessageCompleted) and r.event.message.kind is MessageKind.ANSWER
    )

    await process.messages.edit(
        who,
        EditMessage(
            conversation_id=answer.conversation_id,
            message_id=answer.id,
            parts=(TextPart(text="Gas."),),
        ),
    )

    edited = await process.messages.get(who, answer.conversation_id, answer.id)
    assert (edited.text, edited.citations) == ("Gas.", None)


def _verbose(records_of: list[object]) -> list[MessageView]:
    return [
        event.message
        for event in records_of
        if isinstance(event, MessageCompleted) and event.message.kind is MessageKind.VERBOSE
    ]
