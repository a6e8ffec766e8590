"""The step loop: calls, results, limits and what the model is told."""

import asyncio

import pytest

from crossdomain.agent.contract import (
    AgentEvent,
    AnswerCompleted,
    AnswerDelta,
    AnswerStarted,
    StepEnded,
    StepStarted,
    ToolEnded,
    ToolsRequested,
    ToolStarted,
)
from domain.shared.chat import (
    FinishReason,
    ReasoningDelta,
    ReplyStarted,
    TextDelta,
)
from domain.shared.error import Conflict
from infra.contract.model.chat_model import ModelCallFailed
from tests.support.agent.scripted import ScriptedModels, Step, reply
from tests.unit.domain.agent.tool_stage import Doubling, Stage, calls


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


async def test_an_error_of_the_caller_comes_through_as_it_is() -> None:
    class Refusing(Stage):
        async def emit(self, event: AgentEvent) -> None:
            if isinstance(event, ToolEnded):
                raise Conflict("The run is over.")

    stage = Refusing(ScriptedModels(calls('{"x": 1}', '{"x": 2}')))

    with pytest.raises(Conflict):
        await stage.run()
