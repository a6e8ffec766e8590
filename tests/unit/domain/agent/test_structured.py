"""Structured answers: what is shown, what is asked for again, and when a turn fails."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import pytest

from crossdomain.agent.contract import (
    AgentEvent,
    AgentOutcome,
    AgentTurn,
    AnswerCompleted,
    AnswerDelta,
    AnswerStarted,
    Handling,
    OpenQuestion,
    StepEnded,
    TurnOverrides,
)
from crossdomain.model.contract import ModelDescription
from domain.agent.error import ResponseFormatFailed
from domain.agent.teams.context import TeamContext
from domain.agent.tools.tool import Tool, ToolOutput, TurnContext
from domain.agent.turn.budget import RunBudget
from domain.agent.turn.meter import PreparationMeter
from domain.agent.turn.runner import AgentRunner, handling
from domain.agent.value import AgentConfig, KnowledgeSettings, ModelSettings, NoRecallMode
from domain.shared.chat import (
    Capabilities,
    ContentReplaced,
    FinishReason,
    OutputFormat,
    ReasoningDelta,
    ReplyFinished,
    ReplyStarted,
    Sampling,
    TextDelta,
    TextPart,
    ToolSpec,
    Usage,
)
from domain.shared.limits import Limits
from infra.contract.model.chat_model import ModelCallFailed, ModelFailure
from infra.contract.observability.metrics import Metrics
from tests.support.agent.scripted import ListedKnowledge, ScriptedModels, Step, reply
from tests.support.agent.snapshot import a_snapshot
from tests.support.clock import FrozenClock
from tests.unit.domain.agent.tool_stage import CONTEXT, Doubling, Kind, calls

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "degrees": {"type": "integer"}},
    "required": ["city", "degrees"],
    "additionalProperties": False,
}
GOOD = '{"city": "Oslo", "degrees": -3}'
BAD = '{"city": "Oslo"}'
NATIVE = Capabilities(json_schema=True)
BY_SCHEMA = TurnOverrides(json_output=True, json_schema=SCHEMA)
STRICT = TurnOverrides(json_output=True, json_schema=SCHEMA, json_strict=True)
ANY_OBJECT = TurnOverrides(json_output=True)
CLOCK_TOOL = ToolSpec(name="get_time", description="", parameters={"type": "object"})


class Saying(Doubling):
    """Doubles, and tells the user by itself."""

    turn: TurnContext | None = None

    async def call(self, arguments: Mapping[str, Any]) -> ToolOutput:
        assert self.turn is not None
        await self.turn.emit(AnswerStarted())
        await self.turn.emit(AnswerDelta("From the tool."))
        text = "From the tool."
        await self.turn.emit(
            AnswerCompleted(
                text=text, reasoning="", finish_reason=FinishReason.STOP, is_interim=True
            )
        )
        return await super().call(arguments)


@dataclass
class Bound(Kind):
    """Tools that know their turn."""

    async def tools(self, turn: TurnContext) -> Sequence[Tool]:
        for each in self.found:
            if isinstance(each, Saying):
                each.turn = turn
        return self.found


@dataclass
class Stage:
    """One runner, and what it emitted."""

    models: ScriptedModels
    tools: Sequence[Tool] = ()
    limits: Limits = field(default_factory=Limits)
    config: AgentConfig = field(default_factory=AgentConfig)
    overrides: TurnOverrides = BY_SCHEMA
    answers: OpenQuestion | None = None
    outputs: Mapping[str, str] = field(default_factory=dict)
    events: list[AgentEvent] = field(default_factory=list)

    async def emit(self, event: AgentEvent) -> None:
        self.events.append(event)

    async def run(self, *, team: TeamContext | None = None) -> AgentOutcome:
        runner = AgentRunner(
            meter=PreparationMeter(Metrics()),
            models=self.models,
            knowledge=ListedKnowledge(),
            clock=FrozenClock(datetime(2030, 5, 1, tzinfo=UTC)),
            limits=self.limits,
            tool_kinds=[Bound(self.tools)],
        )
        turn = AgentTurn(
            history=(),
            question=(TextPart(text="Q"),),
            variables={},
            overrides=self.overrides,
            takes_calls=True,
            answers=self.answers,
            outputs=self.outputs,
        )
        return await runner.run(CONTEXT, a_snapshot(self.config), turn, self.emit, team=team)

    @property
    def shown(self) -> str:
        return "".join(e.text for e in self.events if isinstance(e, AnswerDelta))

    @property
    def thoughts(self) -> str:
        return "".join(e.reasoning for e in self.events if isinstance(e, AnswerDelta))

    @property
    def completed(self) -> list[AnswerCompleted]:
        return [e for e in self.events if isinstance(e, AnswerCompleted)]

    @property
    def deltas(self) -> list[str]:
        return [e.text for e in self.events if isinstance(e, AnswerDelta) and e.text]


def scripted(*scripts: Sequence[Step], able: Capabilities | None = None) -> ScriptedModels:
    return ScriptedModels(*scripts, capabilities=able)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ([GOOD[:9], GOOD[9:]], GOOD),
        (["Here you are:\n```json\n", GOOD, "\n```\nAnything else?"], GOOD),
        ([f"  {GOOD}\n"], GOOD),
        (["As [1] says: ", GOOD], GOOD),
    ],
)
async def test_only_the_json_is_shown_and_only_once_it_is_complete(
    said: list[str], shown: str
) -> None:
    stage = Stage(scripted(reply(*said)))

    outcome = await stage.run()

    assert outcome.finish_reason is FinishReason.STOP
    assert (stage.shown, stage.deltas) == (shown, [shown])
    assert [(e.text, e.is_last) for e in stage.completed] == [(shown, True)]
    request = stage.models.requests[0]
    assert (request.output, request.json_schema) == (OutputFormat.JSON, SCHEMA)


async def test_a_wrong_answer_is_asked_for_once_more() -> None:
    stage = Stage(scripted(reply(BAD), reply(GOOD)))

    outcome = await stage.run()

    assert stage.shown == GOOD
    assert len(stage.completed) == 1
    said, told = stage.models.requests[1].messages[-2:]
    assert (said.role, said.text, told.role) == ("assistant", BAD, "user")
    assert "'degrees' is missing" in told.text
    assert outcome.usage == Usage(input_tokens=20, output_tokens=2)
    assert sum(isinstance(event, StepEnded) for event in stage.events) == 2


@pytest.mark.parametrize("second", [BAD, "I cannot.", '{"city": "Oslo", "degrees": 3.5}', "[]"])
async def test_a_second_wrong_answer_fails_the_turn(second: str) -> None:
    stage = Stage(scripted(reply("It is cold."), reply(second), reply(GOOD)))

    with pytest.raises(ResponseFormatFailed) as failed:
        await stage.run()

    assert (failed.value.slug, failed.value.code) == ("response_format_failed", 5001)
    assert "$" in failed.value.message or "no JSON" in failed.value.message
    assert len(stage.models.requests) == 2
    assert (stage.shown, stage.completed) == ("", [])


@pytest.mark.parametrize(
    ("said", "is_object"), [('{"any": 1}', True), ("[1]", False), ("5", False), ("no", False)]
)
async def test_without_a_schema_any_object_will_do(said: str, *, is_object: bool) -> None:
    stage = Stage(scripted(reply(said), reply('{"then": 2}')), overrides=ANY_OBJECT)

    await stage.run()

    assert stage.shown == (said if is_object else '{"then": 2}')


async def test_an_answer_that_does_not_fit_beside_the_question_is_not_repeated() -> None:
    long = "x" * 1400
    stage = Stage(
        ScriptedModels(reply(long), reply(GOOD), window=1500, max_output=100), overrides=ANY_OBJECT
    )

    await stage.run()

    roles = [message.role for message in stage.models.requests[1].messages]
    assert roles == ["system", "user", "user"]


async def test_reasoning_is_shown_at_once_and_belongs_to_the_answer_that_is_right() -> None:
    first: list[Step] = [ReplyStarted("r", "m"), ReasoningDelta("Hm. "), TextDelta(BAD)]
    second: list[Step] = [ReplyStarted("r", "m"), ReasoningDelta("So."), TextDelta(GOOD)]
    end = ReplyFinished(FinishReason.STOP)
    stage = Stage(scripted([*first, end], [*second, end]))

    await stage.run()

    assert (stage.thoughts, stage.shown) == ("Hm. So.", GOOD)
    assert sum(isinstance(event, AnswerStarted) for event in stage.events) == 1
    assert [(e.reasoning, e.text) for e in stage.completed] == [("Hm. So.", GOOD)]


async def test_text_that_turns_out_to_be_reasoning_is_none_of_the_answer() -> None:
    replaced: list[Step] = [
        ReplyStarted("r", "m"),
        TextDelta("Well, "),
        ContentReplaced(text="", reasoning="Well, "),
        TextDelta(GOOD),
        ReplyFinished(FinishReason.STOP),
    ]
    stage = Stage(scripted(replaced))

    await stage.run()

    assert stage.shown == GOOD
    assert [(e.reasoning, e.text) for e in stage.completed] == [("Well, ", GOOD)]


@pytest.mark.parametrize("reason", [FinishReason.LENGTH, FinishReason.CONTENT_FILTER])
async def test_what_was_cut_off_is_shown_with_the_reason(reason: FinishReason) -> None:
    stage = Stage(scripted(reply(BAD[:-3], reason=reason)))

    outcome = await stage.run()

    assert outcome.finish_reason is reason
    assert stage.shown == BAD[:-3]
    assert len(stage.models.requests) == 1


async def test_a_model_that_fails_is_the_cause_of_the_failure() -> None:
    gone = ModelCallFailed("Gone.", failure=ModelFailure.TIMEOUT, model="m")
    stage = Stage(scripted(reply(BAD), [gone]))

    with pytest.raises(ModelCallFailed):
        await stage.run()

    assert stage.shown == ""


async def test_a_large_answer_comes_in_pieces() -> None:
    large = json.dumps({"text": "é" * 5000}, ensure_ascii=False)
    stage = Stage(scripted(reply(large)), overrides=ANY_OBJECT)

    await stage.run()

    assert stage.shown == large
    assert len(stage.deltas) == 5


@pytest.mark.parametrize(
    ("overrides", "able", "streams"),
    [
        (STRICT, NATIVE, True),
        (STRICT, Capabilities(), False),
        (BY_SCHEMA, NATIVE, False),
        (ANY_OBJECT, NATIVE, False),
    ],
)
async def test_only_models_that_keep_to_the_schema_are_shown_while_they_write(
    overrides: TurnOverrides, able: Capabilities, *, streams: bool
) -> None:
    stage = Stage(scripted(reply(GOOD[:9], GOOD[9:]), able=able), overrides=overrides)

    await stage.run()

    assert stage.deltas == ([GOOD[:9], GOOD[9:]] if streams else [GOOD])
    assert stage.models.requests[0].json_strict is overrides.json_strict


@pytest.mark.parametrize("said", [BAD, f"Here: {GOOD}", "Sorry."])
async def test_what_was_shown_while_it_was_written_cannot_be_repaired(said: str) -> None:
    stage = Stage(scripted(reply(said), reply(GOOD), able=NATIVE), overrides=STRICT)

    with pytest.raises(ResponseFormatFailed):
        await stage.run()

    assert (len(stage.models.requests), stage.completed) == (1, [])


async def test_beside_tools_nothing_but_the_last_answer_is_shown() -> None:
    asked = calls('{"x": 4}', before=[ReasoningDelta("Hm."), TextDelta("Let me see.")])
    stage = Stage(scripted(asked, reply(GOOD), able=NATIVE), tools=[Doubling()], overrides=STRICT)

    await stage.run()

    assert (stage.shown, stage.thoughts) == (GOOD, "Hm.")
    assert [(e.text, e.reasoning) for e in stage.completed] == [(GOOD, "Hm.")]
    said = stage.models.requests[1].messages[-2]
    assert (said.text, len(said.tool_calls)) == ("Let me see.", 1)


async def test_a_repair_makes_no_calls() -> None:
    stage = Stage(
        scripted(calls('{"x": 4}'), reply("Eight."), calls('{"x": 5}')), tools=[Doubling()]
    )

    with pytest.raises(ResponseFormatFailed):
        await stage.run()

    assert [request.tool_choice for request in stage.models.requests] == ["auto", "auto", "none"]


async def test_a_tool_that_answers_by_itself_is_read_by_the_model() -> None:
    tool = Saying(options={"returns_directly": True})
    stage = Stage(scripted(calls('{"x": 4}'), reply(GOOD)), tools=[tool])

    await stage.run()

    assert (stage.shown, tool.seen) == (GOOD, [4])
    assert [each.text for each in stage.completed] == [GOOD]


async def test_no_answer_after_the_last_call_is_a_failure() -> None:
    again = [calls('{"x": 4}') for _ in range(4)]
    stage = Stage(scripted(*again), tools=[Doubling()], limits=Limits(agent_steps=1))

    with pytest.raises(ResponseFormatFailed):
        await stage.run()

    assert stage.shown == ""


async def test_turns_with_calls_of_the_client_show_no_words() -> None:
    overrides = TurnOverrides(json_output=True, json_schema=SCHEMA, tools=(CLOCK_TOOL,))
    asked = calls("{}", name="get_time", before=[TextDelta("One moment.")])
    first = Stage(scripted(asked), overrides=overrides)

    outcome = await first.run()

    assert first.shown == ""
    assert outcome.question is not None
    (call,) = outcome.question.calls
    second = Stage(
        scripted(reply("Late."), reply(GOOD)),
        overrides=TurnOverrides(),
        answers=outcome.question,
        outputs={call.id: "12:00"},
    )
    await second.run()
    assert second.shown == GOOD


async def test_a_wrong_call_of_the_client_leaves_no_words_behind() -> None:
    strict = ToolSpec(
        name="get_time",
        description="",
        parameters={"type": "object", "properties": {}, "additionalProperties": False},
    )
    overrides = TurnOverrides(
        json_output=True, json_schema=SCHEMA, tools=(strict,), strict_tools=("get_time",)
    )
    wrong = calls('{"x": 1}', name="get_time", before=[TextDelta("One moment.")])
    stage = Stage(scripted(wrong, reply(GOOD)), overrides=overrides)

    await stage.run()

    assert stage.shown == GOOD


async def test_agents_that_are_called_answer_in_words() -> None:
    stage = Stage(scripted(reply("It is cold.")))

    await stage.run(team=TeamContext(budget=RunBudget(Limits()), callers=(9,)))

    assert stage.shown == "It is cold."


@pytest.mark.parametrize(("text", "fits"), [("Nothing found.", False), (GOOD, True)])
async def test_a_fixed_text_is_an_answer_only_if_it_is_what_was_asked_for(
    text: str, *, fits: bool
) -> None:
    knowledge = KnowledgeSettings(
        dataset_ids=(5,),
        auto_call=True,
        no_recall_reply_mode=NoRecallMode.DIRECT,
        no_recall_reply_customize_prompt=text,
    )
    stage = Stage(scripted(), config=AgentConfig(knowledge=knowledge))

    if fits:
        await stage.run()
        assert stage.shown == GOOD
    else:
        with pytest.raises(ResponseFormatFailed, match="fixed text"):
            await stage.run()
        assert stage.shown == ""


async def test_locked_agents_keep_to_schemas_and_leave_out_other_formats() -> None:
    config = AgentConfig(model=ModelSettings(lock_model_params=True))
    schema = Stage(scripted(reply(BAD), reply(GOOD)), config=config)
    plain = Stage(scripted(reply("Cold.")), config=config, overrides=ANY_OBJECT)

    await schema.run()
    await plain.run()

    assert (schema.shown, plain.shown) == (GOOD, "Cold.")


@pytest.mark.parametrize(
    "said",
    [
        r'{"city": "![x](http://evil.test/?q=1)", "degrees": 1}',
        r'{"city": "\u0021\u005bx\u005d\u0028http://evil.test/?q=1\u0029", "degrees": 1}',
        r'{"city": "\u003cimg src=http://evil.test/x>", "degrees": 1}',
    ],
)
async def test_escapes_hide_no_image_from_the_filter(said: str) -> None:
    stage = Stage(scripted(reply(said)))

    await stage.run()

    city = json.loads(stage.shown)["city"]
    assert "](" not in city
    assert "<img" not in city


async def test_escapes_that_hide_nothing_stay() -> None:
    said = r'{"city": "Troms\u00f8 \ud83d\ude00", "degrees": 1}'
    stage = Stage(scripted(reply(said)))

    await stage.run()

    assert stage.shown == said


async def test_half_a_character_is_no_text() -> None:
    stage = Stage(scripted(reply(r'{"city": "\ud800", "degrees": 1}'), reply(GOOD)))

    await stage.run()

    assert stage.shown == GOOD


EVERYTHING = TurnOverrides(
    sampling=Sampling(temperature=1.0, seed=5),
    max_output_tokens=9,
    stop=("x",),
    json_output=True,
    json_schema=SCHEMA,
    json_strict=True,
    reasoning_effort="low",
    verbosity="low",
)


def described(*dropped: str, **able: bool) -> ModelDescription:
    return ModelDescription(
        id="1",
        name="m",
        capabilities=Capabilities(**able),  # type: ignore[arg-type]
        window=1000,
        max_output=100,
        dropped=frozenset(dropped),
    )


@pytest.mark.parametrize(
    ("config", "model", "ignored"),
    [
        (AgentConfig(), described(reasoning_effort=True, verbosity=True), set()),
        (AgentConfig(), described(), {"reasoning_effort", "verbosity"}),
        (
            AgentConfig(),
            described("seed", "stop", reasoning_effort=True),
            {"seed", "stop", "verbosity"},
        ),
        (
            AgentConfig(model=ModelSettings(lock_model_params=True)),
            described(reasoning_effort=True, verbosity=True),
            {"temperature", "seed", "max_tokens", "stop", "reasoning_effort", "verbosity"},
        ),
    ],
)
def test_what_has_no_effect_is_known_before(
    config: AgentConfig, model: ModelDescription, ignored: set[str]
) -> None:
    assert set(handling(config, EVERYTHING, model).ignored) == ignored
    assert handling(config, TurnOverrides(), model) == Handling()


@pytest.mark.parametrize(
    ("config", "overrides", "able", "is_held"),
    [
        (AgentConfig(), TurnOverrides(), True, False),
        (AgentConfig(), STRICT, True, False),
        (AgentConfig(), STRICT, False, True),
        (AgentConfig(), BY_SCHEMA, True, True),
        (AgentConfig(), ANY_OBJECT, True, True),
        (AgentConfig(client_tools=(CLOCK_TOOL,)), STRICT, True, True),
        (AgentConfig(), replace(STRICT, tools=(CLOCK_TOOL,)), True, True),
        (AgentConfig(model=ModelSettings(lock_model_params=True)), ANY_OBJECT, True, False),
    ],
)
def test_whether_an_answer_is_held_back_is_known_before(
    config: AgentConfig, overrides: TurnOverrides, *, able: bool, is_held: bool
) -> None:
    assert handling(config, overrides, described(json_schema=able)).is_held is is_held
