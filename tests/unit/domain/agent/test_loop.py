"""The step loop: calls, results, limits and what the model is told."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from crossdomain.agent.contract import (
    AgentEvent,
    AgentOutcome,
    AgentTurn,
    AgentWarned,
    AnswerCompleted,
    AnswerDelta,
    AnswerStarted,
    Round,
    StepEnded,
    StepStarted,
    ToolEnded,
    ToolsRequested,
    ToolStarted,
)
from domain.agent.entity import AgentSnapshot
from domain.agent.runner import AgentRunner
from domain.agent.tool import Tool, ToolDescription, ToolOutput, TurnContext
from domain.agent.value import AgentConfig, Mode
from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.chat import (
    Capabilities,
    ChatMessage,
    ChatRequest,
    FinishReason,
    ReasoningDelta,
    ReplyFinished,
    ReplyStarted,
    TextDelta,
    TextPart,
    ToolCallDelta,
    ToolSpec,
)
from domain.shared.error import Conflict
from domain.shared.ids import AgentId, SpaceId, UserId
from domain.shared.limits import Limits
from infra.contract.chat_model import ModelCallFailed
from tests.fakes import FrozenClock
from tests.unit.domain.agent.scripted import ListedKnowledge, ScriptedModels, Step, reply

CONTEXT = CallContext(
    scope=TenantScope(UserId(7), frozenset({SpaceId(2)})), space_id=SpaceId(2), connector_id=1024
)
NUMBER = {
    "type": "object",
    "properties": {"x": {"type": "integer"}},
    "required": ["x"],
}


@dataclass
class Doubling:
    """Doubles a number; remembers when it was called, and by how many at once."""

    name: str = "double"
    error: Exception | None = None
    waits_for: int = 1
    times: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)
    seen: list[int] = field(default_factory=list)
    busy: int = 0
    most_busy: int = 0
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    _all_there: asyncio.Event = field(default_factory=asyncio.Event)

    def describe(self) -> ToolDescription:
        spec = ToolSpec(name=self.name, description="Doubles.", parameters=NUMBER)
        return ToolDescription(spec=spec, **self.options)

    async def call(self, arguments: Mapping[str, Any]) -> ToolOutput:
        self.seen.append(arguments["x"])
        self.busy += 1
        self.begun.set()
        self.most_busy = max(self.busy, self.most_busy)
        if self.busy >= self.waits_for:
            self._all_there.set()
        try:
            if self.error is not None:
                raise self.error
            await self._all_there.wait()
            await asyncio.sleep(0)
            return ToolOutput(text=str(arguments["x"] * 2) * self.times)
        finally:
            self.busy -= 1


@dataclass
class Kind:
    """Some tools."""

    found: Sequence[Tool]
    name: str = "test"

    async def tools(self, turn: TurnContext) -> Sequence[Tool]:
        return self.found


@dataclass
class Stage:
    """A runner with tools, and what it emitted."""

    models: ScriptedModels
    tools: Sequence[Tool] = field(default_factory=lambda: [Doubling()])
    limits: Limits = field(default_factory=Limits)
    events: list[AgentEvent] = field(default_factory=list)

    async def emit(self, event: AgentEvent) -> None:
        self.events.append(event)

    async def run(self, *, history: tuple[Round, ...] = ()) -> AgentOutcome:
        runner = AgentRunner(
            models=self.models,
            knowledge=ListedKnowledge(),
            clock=FROZEN,
            limits=self.limits,
            tool_kinds=[Kind(self.tools)],
        )
        snapshot = AgentSnapshot(
            agent_id=AgentId(1),
            space_id=SpaceId(2),
            version="1",
            name="",
            description="",
            icon_file_id=None,
            mode=Mode.SINGLE,
            config=AgentConfig(),
        )
        turn = AgentTurn(history=history, question=(TextPart(text="Q"),), variables={})
        return await runner.run(CONTEXT, snapshot, turn, self.emit)

    def results(self, request: int = -1) -> list[str]:
        return [m.text for m in self.models.requests[request].messages if m.role == "tool"]

    @property
    def last(self) -> ChatRequest:
        return self.models.requests[-1]


@pytest.fixture(autouse=True)
def _clock(clock: FrozenClock) -> None:
    global FROZEN  # noqa: PLW0603 - one clock for all stages of a test
    FROZEN = clock


FROZEN: FrozenClock


def calls(*arguments: str, name: str = "double", before: Sequence[Step] = ()) -> list[Step]:
    """A reply that asks for calls, in pieces, after what comes before."""
    pieces: list[Step] = []
    for number, text in enumerate(arguments):
        call_id = f"c{number}"
        pieces.append(ToolCallDelta(index=number, id=call_id, name=name, arguments=text[:3]))
        pieces.append(ToolCallDelta(index=number, arguments=text[3:]))
    return [ReplyStarted("r", "m"), *before, *pieces, ReplyFinished(FinishReason.TOOL_CALLS)]


async def test_calls_are_executed_and_their_results_asked_about() -> None:
    stage = Stage(ScriptedModels(calls('{"x": 4}', before=[TextDelta("Let me see.")]), reply("8")))

    outcome = await stage.run()

    assert outcome.finish_reason is FinishReason.STOP
    kinds = [type(event) for event in stage.events]
    assert kinds == [
        *(StepStarted, AnswerStarted, AnswerDelta, AnswerCompleted, StepEnded),
        *(ToolsRequested, ToolStarted, ToolEnded),
        *(StepStarted, AnswerStarted, AnswerDelta, AnswerCompleted, StepEnded),
    ]
    answers = [event for event in stage.events if isinstance(event, AnswerCompleted)]
    assert [(each.text, each.is_interim, each.is_last) for each in answers] == [
        ("Let me see.", True, False),
        ("8", False, True),
    ]
    *_, question, said, result = stage.last.messages
    assert (question.text, said.text, result.text) == ("Q", "Let me see.", "8")
    assert [call.id for call in said.tool_calls] == [result.tool_call_id]
    ended = [event for event in stage.events if isinstance(event, StepEnded)]
    assert [each.finish_reason for each in ended] == [FinishReason.TOOL_CALLS, FinishReason.STOP]


async def test_calls_of_one_turn_run_side_by_side_and_answer_in_their_order() -> None:
    tool = Doubling(waits_for=3)
    stage = Stage(
        ScriptedModels(calls('{"x": 1}', '{"x": 2}', '{"x": 3}'), reply("ok")), tools=[tool]
    )

    await stage.run()

    assert tool.most_busy == 3
    assert stage.results() == ["2", "4", "6"]


async def test_exclusive_tools_run_alone() -> None:
    tool = Doubling(options={"is_exclusive": True})
    stage = Stage(ScriptedModels(calls('{"x": 1}', '{"x": 2}'), reply("ok")), tools=[tool])

    await stage.run()

    assert (tool.most_busy, tool.seen) == (1, [1, 2])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("{", "x is missing"),
        ("nonsense", "no JSON"),
        ("[1]", "must be a JSON object"),
        ("", "x is missing"),
        ('{"x": "many"}', "type integer"),
    ],
)
async def test_unusable_arguments_are_explained_to_the_model(arguments: str, told: str) -> None:
    tool = Doubling()
    stage = Stage(ScriptedModels(calls(arguments), reply("ok")), tools=[tool])

    await stage.run()

    assert not tool.seen
    assert told in stage.results()[0]
    (ended,) = [event for event in stage.events if isinstance(event, ToolEnded)]
    assert ended.is_error


@pytest.mark.parametrize(
    "arguments", ['{"x": "4"}', '```json\n{"x": 4}\n```', '"{\\"x\\": 4}"', '{"x": 4', '{"x": 4.0}']
)
async def test_arguments_with_usual_mistakes_are_mended(arguments: str) -> None:
    stage = Stage(ScriptedModels(calls(arguments), reply("ok")))

    await stage.run()

    assert stage.results() == ["8"]


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (Conflict("The table is locked."), "The table is locked."),
        (ZeroDivisionError("at 10.0.0.7"), "The tool failed. Trying again will not help."),
    ],
)
async def test_errors_of_tools_are_told_without_internals(error: Exception, told: str) -> None:
    stage = Stage(ScriptedModels(calls('{"x": 1}'), reply("ok")), tools=[Doubling(error=error)])

    await stage.run()

    assert stage.results() == [told]
    assert stage.last.messages[-1].tool_error


async def test_a_slow_tool_is_given_up() -> None:
    slow = Doubling(waits_for=99, options={"timeout_s": 0.01})
    stage = Stage(ScriptedModels(calls('{"x": 1}'), reply("ok")), tools=[slow])

    await stage.run()

    assert stage.results() == ["The tool gave no result within 0.01 seconds."]


async def test_an_unknown_tool_is_named() -> None:
    stage = Stage(ScriptedModels(calls("{}", name="triple"), reply("ok")))

    await stage.run()

    assert stage.results() == ["There is no tool of this name. Tools: double."]


async def test_at_the_limit_of_steps_the_model_must_answer() -> None:
    endless = [calls(f'{{"x": {number}}}') for number in range(2)]
    stage = Stage(ScriptedModels(*endless, reply("Enough.")), limits=Limits(agent_steps=2))

    await stage.run()

    assert stage.last.tool_choice == "none"
    assert stage.last.messages[-1].role == "system"
    assert stage.events[-2] == AnswerCompleted(
        text="Enough.", reasoning="", finish_reason=FinishReason.STOP, is_last=True
    )


async def test_a_model_that_repeats_itself_gets_the_same_result_and_then_no_more_tools() -> None:
    tool = Doubling()
    stage = Stage(ScriptedModels(*[calls('{"x": 1}')] * 5, reply("Well.")), tools=[tool])

    await stage.run()

    assert tool.seen == [1, 1]
    assert stage.results()[2].endswith("with the same result:\n2")
    assert stage.last.tool_choice == "none"


async def test_three_useless_turns_in_a_row_end_in_an_answer() -> None:
    stage = Stage(ScriptedModels(*[calls("{}")] * 3, reply("Well.")))

    await stage.run()

    assert stage.last.tool_choice == "none"


async def test_calls_beyond_the_limit_are_refused() -> None:
    tool = Doubling()
    stage = Stage(
        ScriptedModels(calls('{"x": 1}', '{"x": 2}'), reply("ok")),
        tools=[tool],
        limits=Limits(agent_tool_calls=1),
    )

    await stage.run()

    assert tool.seen == [1]
    assert stage.results()[1].startswith("No more calls")


async def test_reasoning_before_calls_belongs_to_the_answer_that_follows() -> None:
    thoughts: list[Step] = [ReasoningDelta("Hm.")]
    stage = Stage(ScriptedModels(calls('{"x": 1}', before=thoughts), reply("2")))

    await stage.run()

    assert sum(isinstance(event, AnswerStarted) for event in stage.events) == 1
    (answer,) = [event for event in stage.events if isinstance(event, AnswerCompleted)]
    assert (answer.reasoning, answer.text) == ("Hm.", "2")


async def test_a_tool_may_give_the_answer_itself() -> None:
    tool = Doubling(options={"returns_directly": True})
    stage = Stage(ScriptedModels(calls('{"x": 4}', '{"x": 5}')), tools=[tool])

    outcome = await stage.run()

    assert outcome.finish_reason is FinishReason.STOP
    answers = [event for event in stage.events if isinstance(event, AnswerCompleted)]
    assert [(each.text, each.is_last) for each in answers] == [("8", False), ("10", True)]
    assert len(stage.models.requests) == 1


async def test_ids_that_a_model_repeats_or_leaves_out_become_unique() -> None:
    again: list[Step] = [
        ReplyStarted("r", "m"),
        ToolCallDelta(index=0, name="double", arguments='{"x": 1}'),
        ToolCallDelta(index=1, id="c0", name="double", arguments='{"x": 2}'),
        ReplyFinished(FinishReason.TOOL_CALLS),
    ]
    stage = Stage(ScriptedModels(calls('{"x": 3}'), again, reply("ok")))

    await stage.run()

    ids = [call.id for m in stage.last.messages for call in m.tool_calls]
    assert len(set(ids)) == 3
    assert [m.tool_call_id for m in stage.last.messages if m.role == "tool"] == ids


async def test_a_failing_model_keeps_what_was_done() -> None:
    broken: list[Step] = [ReplyStarted("r", "m")]
    stage = Stage(ScriptedModels(calls('{"x": 1}'), broken))

    with pytest.raises(ModelCallFailed):
        await stage.run()

    assert sum(isinstance(event, ToolEnded) for event in stage.events) == 1


async def test_cancelling_reaches_the_tools() -> None:
    tool = Doubling(waits_for=99)
    stage = Stage(ScriptedModels(calls('{"x": 1}')), tools=[tool])
    task = asyncio.create_task(stage.run())
    await tool.begun.wait()
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task

    assert tool.busy == 0
    assert not any(isinstance(event, ToolEnded) for event in stage.events)


async def test_long_results_leave_room_for_the_question() -> None:
    turns = [calls(f'{{"x": {number}}}') for number in range(4)]
    stage = Stage(ScriptedModels(*turns, reply("ok"), window=6000), tools=[Doubling(times=9000)])

    await stage.run()

    assert sum(len(message.text) for message in stage.last.messages) < 6000
    assert len(stage.results()) == 4
    assert all("characters left out" in text for text in stage.results())
    assert stage.last.messages[-9].text == "Q"


async def test_old_rounds_make_room_for_results() -> None:
    old = Round(
        messages=(
            ChatMessage.of_text("user", "a" * 1500),
            ChatMessage.of_text("assistant", "b" * 1500),
        )
    )
    stage = Stage(
        ScriptedModels(calls('{"x": 1}'), reply("ok"), window=4000, max_output=100),
        tools=[Doubling(times=900)],
    )

    await stage.run(history=(old,))

    assert len(stage.models.requests[0].messages) == 3
    assert [m.role for m in stage.last.messages] == ["user", "assistant", "tool"]


async def test_models_that_cannot_call_get_no_tools() -> None:
    models = ScriptedModels(reply("ok"), capabilities=Capabilities(tools="none"))
    stage = Stage(models)

    await stage.run()

    assert stage.last.tools == ()


async def test_of_two_tools_with_one_name_the_first_is_kept() -> None:
    first, second = Doubling(), Doubling()
    stage = Stage(ScriptedModels(calls('{"x": 1}'), reply("ok")), tools=[first, second])

    await stage.run()

    assert (first.seen, second.seen) == ([1], [])
    assert [e.warning for e in stage.events if isinstance(e, AgentWarned)] == ["tool_name_taken"]


async def test_results_are_cut_before_they_are_told_and_kept() -> None:
    stage = Stage(
        ScriptedModels(calls('{"x": 1}'), reply("ok")),
        tools=[Doubling(times=5000)],
        limits=Limits(agent_tool_result_chars=1000),
    )

    await stage.run()

    (ended,) = [event for event in stage.events if isinstance(event, ToolEnded)]
    assert ended.text.endswith("\n[4000 characters left out]")


async def test_an_error_of_the_caller_comes_through_as_it_is() -> None:
    class Refusing(Stage):
        async def emit(self, event: AgentEvent) -> None:
            if isinstance(event, ToolEnded):
                raise Conflict("The run is over.")

    stage = Refusing(ScriptedModels(calls('{"x": 1}', '{"x": 2}')))

    with pytest.raises(Conflict):
        await stage.run()
