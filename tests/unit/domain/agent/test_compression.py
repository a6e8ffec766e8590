"""Steps of a turn that outgrow the model's input."""

import json
from collections.abc import Sequence

import pytest

from crossdomain.agent.contract import AgentEvent, AgentWarned
from domain.agent.turn.compression import (
    StepCompressor,
    said_once,
    shrunk,
    shrunk_results,
    steps_of,
)
from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.chat import (
    ChatMessage,
    FinishReason,
    ReplyFinished,
    TextDelta,
    TextPart,
    ToolCall,
    Usage,
    UsageReported,
)
from domain.shared.ids import SpaceId, UserId
from domain.shared.text.citation import Cited, pack
from infra.contract.model.chat_model import ModelCallFailed, ModelFailure
from tests.support.agent.scripted import ScriptedModels

BUDGET = 10_000
CONTEXT = CallContext(
    scope=TenantScope(UserId(1), frozenset({SpaceId(2)})), space_id=SpaceId(2), connector_id=1024
)


def step(number: int, text: str) -> list[ChatMessage]:
    """A call and its result."""
    call = ToolCall(id=f"c{number}", name="look", arguments="{}")
    return [
        ChatMessage(role="assistant", tool_calls=(call,)),
        ChatMessage(role="tool", parts=(TextPart(text=text),), tool_call_id=call.id),
    ]


def steps(*texts: str) -> list[ChatMessage]:
    return [message for number, text in enumerate(texts) for message in step(number, text)]


def count(messages: Sequence[ChatMessage]) -> int:
    return sum(len(each.text) for each in messages)


async def compressed(
    models: ScriptedModels, pending: list[ChatMessage], *, fixed: int = 0
) -> tuple[tuple[ChatMessage, ...], bool, Usage, list[AgentEvent]]:
    events: list[AgentEvent] = []

    async def emit(event: AgentEvent) -> None:
        events.append(event)

    model = await models.describe("m")
    kept = await StepCompressor(models, emit).fit(
        CONTEXT, model, pending, fixed=fixed, budget=BUDGET
    )
    return kept.pending, kept.is_full, kept.usage, events


async def test_steps_that_fit_stay_as_they_are() -> None:
    pending = steps("a" * 3000, "b" * 3000)

    kept, is_full, _, events = await compressed(ScriptedModels(), pending)

    assert kept == tuple(pending)
    assert not is_full
    assert events == []


async def test_the_largest_results_are_shortened_first_and_the_last_step_at_the_end() -> None:
    pending = steps("a" * 1500, "b" * 4000, "c" * 3000)

    kept, is_full, _, events = await compressed(ScriptedModels(), pending)

    assert [len(each.text) >= 1500 for each in kept if each.role == "tool"] == [True, False, True]
    assert not is_full
    assert [each.warning for each in events if isinstance(each, AgentWarned)] == [
        "context_compressed"
    ]


async def test_the_oldest_steps_become_a_note_and_two_stay_word_for_word() -> None:
    said = TextDelta("Goal: x. Found 42.")
    used = UsageReported(Usage(input_tokens=7))
    models = ScriptedModels([said, used, ReplyFinished(FinishReason.STOP)])
    pending = steps(*(f"{number}" + "a" * 990 for number in range(12)))

    kept, is_full, usage, _ = await compressed(models, pending)

    assert kept[0].role == "user"
    assert "Found 42." in kept[0].text
    assert kept[1:] == tuple(pending[-4:])
    assert not is_full
    assert usage.input_tokens == 7
    assert len(json.loads(models.requests[0].messages[-1].text)) == 20


async def test_without_a_note_the_turn_ends_with_a_closing_call() -> None:
    failure = ModelCallFailed("down", failure=ModelFailure.INTERRUPTED, model="m")
    pending = steps(*("a" * 990 for _ in range(12)))

    kept, is_full, _, _ = await compressed(ScriptedModels([failure]), pending)

    assert len(kept) == len(pending)
    assert is_full


async def test_a_large_question_alone_ends_no_turn() -> None:
    pending = steps("a" * 500)

    kept, is_full, _, _ = await compressed(ScriptedModels(), pending, fixed=8500)

    assert kept == tuple(pending)
    assert not is_full


def test_what_was_found_twice_is_said_once_where_it_was_found_last() -> None:
    def found(*contents: str) -> str:
        sources = [
            Cited(slice_id=at, document_id=1, document_name="d", content=text)
            for at, text in enumerate(contents, 1)
        ]
        return pack(sources)

    kept = said_once(steps(found("the oil", "the pump"), found("the oil"), "plain"))
    first, second, plain = (each.text for each in kept if each.role == "tool")

    assert "the oil" not in first
    assert "recall slice 1: see below" in first
    assert "the pump" in first
    assert "the oil" in second
    assert plain == "plain"


def test_json_results_keep_their_shape() -> None:
    rows = [{"id": number, "text": "x" * 40} for number in range(200)]

    brief = json.loads(shrunk(json.dumps(rows)))

    assert brief[:2] == rows[:2]
    assert brief[-1] == "195 more left out"


@pytest.mark.parametrize("text", ["[" * 5000, '{"a": ' + "1" * 5000, "plain " * 1000])
def test_other_results_lose_their_middle(text: str) -> None:
    brief = shrunk(text)

    assert len(brief) < 1100
    assert "characters left out" in brief


def test_calls_and_results_stay_together() -> None:
    pending = steps("a" * 5000, "b" * 5000)

    kept = shrunk_results(pending, room=100, count=count)

    assert [[each.role for each in found] for found in steps_of(kept)] == [
        ["assistant", "tool"],
        ["assistant", "tool"],
    ]
