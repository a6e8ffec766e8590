"""Events of responses: what becomes of the events of a run, in which order and state."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from api.error import Failure
from api.openai.responses.renderer import ResponseRenderer
from api.openai.responses.request import ResponseRequest
from api.openai.responses.shape import ResponseEcho, Snapshots
from api.openai.responses.steps import Include
from api.openai.responses.writer import NEVER, NUMBERS_PER_EVENT
from application.conversation.dto import MessageView, RunView
from application.conversation.response import ResponseView
from application.conversation.run.event import (
    KnowledgeRecalled,
    MessageCompleted,
    MessageDelta,
    MessageReplaced,
    RunCanceled,
    RunCompleted,
    RunCreated,
    RunEvent,
    RunFailed,
    RunRecord,
    RunStarted,
    ToolCompleted,
    ToolStarted,
    Warned,
)
from domain.conversation.value import MessageKind, RunError, RunStatus
from domain.shared.text.citation import Card, Citations, Mark

NOW = datetime(2030, 5, 1, tzinfo=UTC)
STEPS = Include(steps=True)
TOOL = ToolCompleted(
    call_id="c1", name="get_time", result="12:00" * 2000, is_error=False, duration_ms=3
)


def run_of(status: RunStatus, **more: Any) -> RunView:
    return RunView(
        id=7,
        conversation_id=2,
        section_id=2,
        agent_id=3,
        space_id=4,
        status=status,
        created_at=NOW,
        **more,
    )


def said(text: str, message_id: int = 1, **more: Any) -> MessageCompleted:
    return MessageCompleted(
        MessageView(
            id=message_id,
            conversation_id=2,
            section_id=2,
            run_id=7,
            agent_id=3,
            role="assistant",
            kind=MessageKind.ANSWER,
            text=text,
            created_at=NOW,
            updated_at=NOW,
            **more,
        )
    )


def delta(text: str, message_id: int = 1) -> MessageDelta:
    return MessageDelta(message_id=message_id, text=text)


def snapshots() -> Snapshots:
    echo = ResponseEcho.of(ResponseRequest(model="helper"), metadata={})
    return Snapshots(
        ResponseView(
            id=7,
            run=None,
            conversation_id=2,
            is_background=False,
            request={"echo": msgspec.to_builtins(echo)},
            items=(),
            created_at=NOW,
        )
    )


def records(*events: RunEvent) -> list[RunRecord]:
    begun: list[RunEvent] = [
        RunCreated(run_of(RunStatus.CREATED)),
        RunStarted(run_of(RunStatus.IN_PROGRESS)),
    ]
    return [
        RunRecord(seq=seq, at_ms=0, event=event) for seq, event in enumerate([*begun, *events], 1)
    ]


def frames_of(body: bytes) -> list[dict[str, Any]]:
    lines = body.decode().split("\n")
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: {")]


def told(*events: RunEvent, include: Include | None = None, **options: Any) -> list[dict[str, Any]]:
    renderer = ResponseRenderer(snapshots(), include or Include(), **options)
    return frames_of(renderer.render(records(*events)))


def kinds(events: Sequence[dict[str, Any]]) -> list[str]:
    return [event["type"] for event in events]


DONE = RunCompleted(run_of(RunStatus.COMPLETED, finish_reason="stop"))


def test_text_before_a_tool_is_commentary_of_its_own() -> None:
    events = told(
        delta("Let me look."),
        said("Let me look.", finish_reason="tool_calls"),
        TOOL,
        delta("It is noon.", 2),
        said("It is noon.", 2, finish_reason="stop"),
        DONE,
    )

    output = events[-1]["response"]["output"]
    assert [(i["id"], i["phase"], i["status"]) for i in output] == [
        ("msg_1", "commentary", "completed"),
        ("msg_2", "final_answer", "completed"),
    ]


@pytest.mark.parametrize("reason", ["length", "content_filter"])
def test_an_answer_that_was_cut_off_is_incomplete(reason: str) -> None:
    ended = RunCompleted(run_of(RunStatus.COMPLETED, finish_reason=reason))
    events = told(delta("It"), said("It", finish_reason=reason), ended)

    response = events[-1]["response"]
    names = {"length": "max_output_tokens", "content_filter": "content_filter"}
    assert events[-1]["type"] == "response.incomplete"
    assert (response["status"], response["incomplete_details"]) == (
        "incomplete",
        {"reason": names[reason]},
    )
    assert response["output"][-1]["status"] == "incomplete"


def test_a_cancelled_answer_keeps_what_was_said() -> None:
    events = told(delta("It is"), RunCanceled(run_of(RunStatus.CANCELED)))

    response = events[-1]["response"]
    assert events[-1]["type"] == "response.incomplete"
    assert (response["status"], response["incomplete_details"]) == (
        "cancelled",
        {"reason": "cancelled"},
    )
    (item,) = response["output"]
    assert (item["status"], item["content"][0]["text"]) == ("incomplete", "It is")


def test_a_failed_answer_says_why_before_it_ends() -> None:
    error = RunError(code=5001, slug="model_call_failed", message="The provider failed.")
    events = told(
        delta("It is"),
        said("It is", is_broken=True),
        RunFailed(run_of(RunStatus.FAILED, error=error)),
    )

    assert kinds(events)[-2:] == ["error", "response.failed"]
    assert events[-2]["error"]["message"] == events[-2]["message"] == "The provider failed."
    assert events[-1]["response"]["error"] == events[-2]["error"]
    assert events[-1]["response"]["output"][0]["status"] == "incomplete"


def test_a_subscription_that_breaks_ends_like_a_failure() -> None:
    renderer = ResponseRenderer(snapshots(), Include())
    begun = frames_of(renderer.render(records(delta("It"))))
    broken = frames_of(renderer.fail(Failure.unexpected()))

    assert kinds(broken)[-2:] == ["error", "response.failed"]
    numbers = [event["sequence_number"] for event in (*begun, *broken)]
    assert numbers == sorted(set(numbers))


def test_an_answer_that_was_rewritten_is_told_as_it_is_stored() -> None:
    events = told(
        delta("A secret"),
        MessageReplaced(message_id=1, text="Nothing", reasoning=""),
        said("Nothing"),
        DONE,
    )

    (done,) = [event for event in events if event["type"] == "response.output_text.done"]
    assert done["text"] == "Nothing"


def test_what_was_not_streamed_follows_before_the_end() -> None:
    events = told(delta("One"), said("One\n\n[1] Source"), DONE)

    deltas = [e["delta"] for e in events if e["type"] == "response.output_text.delta"]
    assert deltas == ["One", "\n\n[1] Source"]


@pytest.mark.parametrize("wants_files", [False, True])
def test_sources_are_annotations_where_the_marks_stand(wants_files: bool) -> None:
    text = "Born in Oslo [1] and Rome[2]."
    citations = Citations(
        marks=(Mark(at=12, n=1, is_spaced=True), Mark(at=21, n=2)),
        cards=(
            Card(n=1, slice_id=11, document_id=21, dataset_id=31, document_name="a.txt"),
            Card(n=2, slice_id=12, document_id=22, document_name="b", url="https://b.example/"),
        ),
        is_listed=False,
    )
    include = Include(file_citations=wants_files)
    events = told(delta(text), said(text, citations=citations), DONE, include=include)

    added = [e for e in events if e["type"] == "response.output_text.annotation.added"]
    first, second = (event["annotation"] for event in added)
    assert [event["annotation_index"] for event in added] == [0, 1]
    assert events[-1]["response"]["output"][0]["content"][0]["annotations"] == [first, second]
    assert text[second["start_index"] : second["end_index"]] == "[2]"
    assert (second["type"], second["url"]) == ("url_citation", "https://b.example/")
    if wants_files:
        assert first == {
            "type": "file_citation",
            "file_id": "21",
            "filename": "a.txt",
            "index": text.index("[1]"),
        }
    else:
        assert text[first["start_index"] : first["end_index"]] == "[1]"
        assert first["url"] == "coterie://base/31/document/21#slice=11"


def test_steps_are_items_for_those_who_ask() -> None:
    recalled = KnowledgeRecalled(query="time")
    hidden = told(recalled, TOOL, said("Noon."), DONE)
    shown = told(recalled, TOOL, said("Noon."), DONE, include=STEPS)
    as_mcp = told(recalled, TOOL, said("Noon."), DONE, include=Include(mcp_steps=True))

    def types(events: Sequence[dict[str, Any]]) -> list[str]:
        return [item["type"] for item in events[-1]["response"]["output"]]

    assert types(hidden) == ["message"]
    assert types(shown) == ["coterie:knowledge_search", "coterie:tool_call", "message"]
    assert types(as_mcp) == ["mcp_call", "message"]
    assert len(shown[-1]["response"]["output"][1]["output"]) == 5000


def test_what_degraded_is_told_to_those_who_ask() -> None:
    warned = Warned(warning="knowledge_timeout", text="Searching took too long.")
    shown = told(warned, said("Noon."), DONE, include=STEPS)

    (event,) = [each for each in shown if each["type"] == "coterie:warning"]
    assert (event["code"], event["text"]) == ("knowledge_timeout", "Searching took too long.")
    assert "coterie:warning" not in {each["type"] for each in told(warned, said("Noon."), DONE)}


def test_sealed_reasoning_comes_before_the_answer_whenever_it_is_read() -> None:
    thinking = [
        MessageDelta(message_id=1, reasoning="Hm, "),
        MessageDelta(message_id=1, reasoning="noon."),
        delta("Noon."),
    ]
    options: dict[str, Any] = {
        "include": Include(sealed_reasoning=True),
        "seal": lambda text: f"sealed {text}",
    }
    events = told(*thinking, said("Noon.", reasoning="Hm, noon."), DONE, **options)
    whole = told(said("Noon.", reasoning="Hm, noon."), DONE, **options)

    thought, answer = events[-1]["response"]["output"]
    assert (thought["summary"], thought["encrypted_content"]) == ([], "sealed Hm, noon.")
    assert answer["content"][0]["text"] == "Noon."
    assert whole[-1]["response"]["output"] == [thought, answer]
    for event in events:
        rest = told(
            *thinking,
            said("Noon.", reasoning="Hm, noon."),
            DONE,
            after=event["sequence_number"],
            **options,
        )
        assert rest == [e for e in events if e["sequence_number"] > event["sequence_number"]]


def test_a_refusal_is_a_part_of_its_own() -> None:
    refused = said("I will not.", finish_reason="refusal")
    events = told(MessageReplaced(message_id=1, text="I will not.", reasoning=""), refused, DONE)

    (item,) = events[-1]["response"]["output"]
    assert item["content"] == [{"type": "refusal", "refusal": "I will not."}]
    assert (item["status"], events[-1]["response"]["status"]) == ("completed", "completed")
    assert [e["delta"] for e in events if e["type"] == "response.refusal.delta"] == ["I will not."]


@pytest.mark.parametrize("include", [STEPS, Include(mcp_steps=True)], ids=["ours", "mcp"])
def test_a_call_is_shown_with_its_arguments(include: Include) -> None:
    begun = ToolStarted(call_id="c1", name="get_time", arguments='{"zone":"UTC"}')
    events = told(begun, TOOL, said("Noon."), DONE, include=include)

    assert events[-1]["response"]["output"][0]["arguments"] == '{"zone":"UTC"}'


def test_each_search_is_an_item_of_its_own() -> None:
    recalled = KnowledgeRecalled(query="time")
    shown = told(recalled, recalled, said("Noon."), DONE, include=STEPS)

    assert len({item["id"] for item in shown[-1]["response"]["output"]}) == 3


def test_a_step_waits_until_the_open_answer_is_closed() -> None:
    events = told(delta("No"), TOOL, delta("on."), said("Noon."), DONE, include=STEPS)

    assert [i["type"] for i in events[-1]["response"]["output"]] == ["message", "coterie:tool_call"]


def test_who_has_seen_events_is_told_the_rest_of_them() -> None:
    run = (delta("a"), delta("b"), said("ab"), DONE)
    whole = told(*run)

    for event in whole:
        number = event["sequence_number"]
        assert told(*run, after=number) == [e for e in whole if e["sequence_number"] > number]
    assert told(*run, after=NEVER) == []


def test_a_compact_log_is_told_whole_with_greater_numbers() -> None:
    after = 900 * NUMBERS_PER_EVENT + 5
    events = told(said("ab"), DONE, after=after, is_compact=True)

    assert kinds(events)[0] == "response.created"
    assert all(event["sequence_number"] > after for event in events)
    assert events[-1]["response"]["output"][0]["content"][0]["text"] == "ab"
