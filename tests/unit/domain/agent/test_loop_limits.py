"""What bounds the step loop: arguments, limits, repetitions and the model's window."""

import pytest

from crossdomain.agent.contract import (
    AgentWarned,
    AnswerCompleted,
    AnswerStarted,
    Round,
    ToolEnded,
)
from crossdomain.usage.contract import BudgetExceeded
from domain.agent.turn.loop import reached
from domain.agent.value import ModelSettings
from domain.shared.chat import (
    Capabilities,
    ChatMessage,
    FinishReason,
    ReasoningDelta,
    ReplyFinished,
    ReplyStarted,
    ToolCallDelta,
)
from domain.shared.error import Conflict
from domain.shared.limits import Limits
from tests.support.agent.scripted import ScriptedModels, Step, reply
from tests.unit.domain.agent.tool_stage import Doubling, Stage, calls


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


async def test_at_the_limit_of_steps_the_model_must_answer() -> None:
    endless = [calls(f'{{"x": {number}}}') for number in range(2)]
    stage = Stage(ScriptedModels(*endless, reply("Enough.")), limits=Limits(agent_steps=2))

    await stage.run()

    assert stage.last.tool_choice == "none"
    assert stage.last.messages[-1].role == "system"
    assert stage.events[-2] == AnswerCompleted(
        text="Enough.", reasoning="", finish_reason=FinishReason.STOP, is_last=True
    )


async def test_a_model_that_calls_on_is_told_once_more_to_answer() -> None:
    stage = Stage(
        ScriptedModels(calls('{"x": 1}'), calls('{"x": 2}'), reply("Two.")),
        limits=Limits(agent_steps=1),
    )

    outcome = await stage.run()

    assert "plain sentences" in stage.last.messages[-1].text
    assert (said(stage), outcome.finish_reason) == (["Two."], FinishReason.STOP)
    assert stage.results() == ["2"], "calls of the closing reply are not executed"


@pytest.mark.parametrize("closing", [calls('{"x": 2}'), reply(" "), reply()])
async def test_a_turn_ends_in_words_whatever_the_model_does(closing: list[Step]) -> None:
    stage = Stage(
        ScriptedModels(calls('{"x": 21}'), closing, closing), limits=Limits(agent_steps=1)
    )

    outcome = await stage.run()

    assert outcome.finish_reason is FinishReason.STOP
    assert said(stage)[-1].endswith("**double**: 42")
    assert [each.is_last for each in stage.events if isinstance(each, AnswerCompleted)][-1]
    assert "no_closing_answer" in [e.warning for e in stage.events if isinstance(e, AgentWarned)]


REFUSED = BudgetExceeded("The budget is used up.", reason="agent", resets_at=None)


async def test_a_turn_whose_budget_is_used_up_says_what_was_reached() -> None:
    stage = Stage(ScriptedModels(calls('{"x": 21}'), [REFUSED]))

    outcome = await stage.run()

    assert outcome.finish_reason is FinishReason.STOP
    assert said(stage)[-1].endswith("**double**: 42")
    assert [each.is_last for each in stage.events if isinstance(each, AnswerCompleted)][-1]
    assert "budget_exceeded" in [e.warning for e in stage.events if isinstance(e, AgentWarned)]


async def test_a_turn_that_reached_nothing_is_refused() -> None:
    with pytest.raises(BudgetExceeded):
        await Stage(ScriptedModels([REFUSED])).run()


async def test_thoughts_of_a_silent_model_belong_to_the_answer_in_its_place() -> None:
    closing: list[Step] = [ReasoningDelta("Hm."), *calls('{"x": 2}')]
    stage = Stage(ScriptedModels(calls("{}"), closing, closing), limits=Limits(agent_steps=1))

    await stage.run()

    (answer,) = [each for each in stage.events if isinstance(each, AnswerCompleted)]
    assert answer.reasoning == "Hm.Hm."
    assert "nothing usable" in answer.text, "what failed is no result"
    assert [type(each) for each in stage.events].count(AnswerStarted) == 1


def test_what_was_reached_is_told_in_the_language_of_the_question() -> None:
    assert reached("今天天气怎么样", ()).startswith("这个问题没能处理完")
    assert reached("How is the weather?", ()).startswith("I could not finish")


def said(stage: Stage) -> list[str]:
    return [each.text for each in stage.events if isinstance(each, AnswerCompleted)]


async def test_a_model_that_repeats_itself_gets_the_same_result_and_then_no_more_tools() -> None:
    tool = Doubling()
    stage = Stage(ScriptedModels(*[calls('{"x": 1}')] * 5, reply("Well.")), tools=[tool])

    await stage.run()

    assert tool.seen == [1, 1]
    assert stage.results()[2].endswith("with the same result:\n2")
    assert stage.last.tool_choice == "none"


async def test_a_repeated_failure_stays_one() -> None:
    tool = Doubling(error=Conflict("The table is locked."))
    stage = Stage(ScriptedModels(*[calls('{"x": 1}')] * 3, reply("Well.")), tools=[tool])

    await stage.run()

    assert tool.seen == [1, 1]
    assert [each.tool_error for each in stage.last.messages if each.role == "tool"] == [True] * 3


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


@pytest.mark.parametrize(
    ("wanted", "first"),
    [("auto", "auto"), ("required", "required"), ("double", "double"), ("gone", "auto")],
)
async def test_an_agent_may_want_a_tool_called_first(wanted: str, first: str) -> None:
    settings = ModelSettings(tool_choice=wanted)
    stage = Stage(ScriptedModels(calls('{"x": 4}'), reply("8")), model=settings)

    await stage.run()

    assert [each.tool_choice for each in stage.models.requests] == [first, "auto"]


async def test_an_agent_may_want_no_tools() -> None:
    stage = Stage(ScriptedModels(reply("No.")), model=ModelSettings(tool_choice="none"))

    await stage.run()

    assert (stage.last.tools, stage.last.tool_choice) == ((), "auto")
