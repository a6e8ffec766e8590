"""One turn: what the model is asked, and which events its reply becomes."""

import asyncio
from dataclasses import dataclass, field

import pytest

from crossdomain.agent.contract import (
    AgentEvent,
    AgentOutcome,
    AgentTurn,
    AgentWarned,
    AnswerCompleted,
    AnswerDelta,
    AnswerReplaced,
    AnswerStarted,
    Round,
    StepEnded,
    StepStarted,
    TurnOverrides,
)
from domain.agent.error import ContextTooLong, PromptTooLong
from domain.agent.turn.meter import PreparationMeter
from domain.agent.turn.preparation import Branches
from domain.agent.turn.runner import AgentRunner
from domain.agent.value import (
    AgentConfig,
    ModelSettings,
    OpenAISystem,
    Prompt,
    VariableDefinition,
)
from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.chat import (
    Capabilities,
    ChatMessage,
    ContentReplaced,
    FinishReason,
    ImagePart,
    OutputFormat,
    ReasoningDelta,
    ReplyFinished,
    ReplyStarted,
    Sampling,
    TextDelta,
    TextPart,
    Usage,
    UsageReported,
)
from domain.shared.error import NotFound
from domain.shared.ids import SpaceId, UserId
from domain.shared.limits import Limits
from infra.contract.model.chat_model import ModelCallFailed, ModelFailure
from infra.contract.observability.metrics import Metrics
from tests.support.agent.scripted import ListedKnowledge, ScriptedModels, Step, reply
from tests.support.agent.snapshot import a_snapshot
from tests.support.clock import FrozenClock

CONTEXT = CallContext(
    scope=TenantScope(UserId(7), frozenset({SpaceId(2)})),
    space_id=SpaceId(2),
    connector_id=1024,
    end_user_id="alice",
)


@dataclass
class Stage:
    """One runner, what it emitted, and the shortest way to run a turn."""

    models: ScriptedModels
    clock: FrozenClock
    events: list[AgentEvent] = field(default_factory=list)

    async def emit(self, event: AgentEvent) -> None:
        self.events.append(event)

    async def run(
        self, config: AgentConfig | None = None, turn: AgentTurn | None = None
    ) -> AgentOutcome:
        runner = AgentRunner(
            meter=PreparationMeter(Metrics()),
            models=self.models,
            knowledge=ListedKnowledge(),
            clock=self.clock,
            limits=Limits(),
        )
        snapshot = a_snapshot(config, name="Weather")
        return await runner.run(CONTEXT, snapshot, turn or ask(), self.emit)

    @property
    def system(self) -> list[str]:
        return [m.text for m in self.models.requests[-1].messages if m.role == "system"]


def ask(
    text: str = "Hi",
    *,
    variables: dict[str, str] | None = None,
    history: tuple[Round, ...] = (),
    extra_system: tuple[str, ...] = (),
    overrides: TurnOverrides | None = None,
) -> AgentTurn:
    return AgentTurn(
        history=history,
        question=(TextPart(text=text),),
        variables=variables or {},
        extra_system=extra_system,
        overrides=overrides or TurnOverrides(),
    )


def past(question: str, answer: str) -> Round:
    return Round(
        messages=(
            ChatMessage.of_text("user", question),
            ChatMessage.of_text("assistant", answer),
        )
    )


def persona(text: str, **settings: object) -> AgentConfig:
    return AgentConfig(prompt=Prompt(text=text), model=ModelSettings(**settings))  # type: ignore[arg-type]


async def test_an_answer_streams_between_its_start_and_its_completion(clock: FrozenClock) -> None:
    stage = Stage(ScriptedModels(reply("It ", "", "rains.")), clock)

    outcome = await stage.run()

    usage = Usage(input_tokens=10, output_tokens=3)
    assert stage.events == [
        StepStarted(step=1, model="m"),
        AnswerStarted(),
        AnswerDelta("It "),
        AnswerDelta("rains."),
        AnswerCompleted(
            text="It rains.", reasoning="", finish_reason=FinishReason.STOP, is_last=True
        ),
        StepEnded(
            step=1, model="upstream", finish_reason=FinishReason.STOP, usage=usage, duration_ms=0
        ),
    ]
    assert outcome == AgentOutcome(finish_reason=FinishReason.STOP, usage=usage)
    assert stage.models.closed == 1


async def test_reasoning_travels_apart_from_the_answer(clock: FrozenClock) -> None:
    script: list[Step] = [
        ReplyStarted("r", "m"),
        TextDelta("hmm"),
        ContentReplaced(text="", reasoning="hmm"),
        ReasoningDelta("!"),
        TextDelta("42"),
        ReplyFinished(FinishReason.STOP),
    ]
    stage = Stage(ScriptedModels(script), clock)

    await stage.run()

    assert stage.events[1:-1] == [
        AnswerStarted(),
        AnswerDelta("hmm"),
        AnswerReplaced("", "hmm"),
        AnswerDelta("", "!"),
        AnswerDelta("42"),
        AnswerCompleted(text="42", reasoning="hmm!", finish_reason=FinishReason.STOP, is_last=True),
    ]


@pytest.mark.parametrize("reason", [FinishReason.LENGTH, FinishReason.CONTENT_FILTER])
async def test_cut_and_filtered_answers_are_kept_and_marked(
    clock: FrozenClock, reason: FinishReason
) -> None:
    stage = Stage(ScriptedModels(reply("Half", reason=reason)), clock)

    assert (await stage.run()).finish_reason is reason
    assert (
        AnswerCompleted(text="Half", reasoning="", finish_reason=reason, is_last=True)
        in stage.events
    )


async def test_a_filtered_empty_reply_is_no_answer(clock: FrozenClock) -> None:
    stage = Stage(ScriptedModels(reply(reason=FinishReason.CONTENT_FILTER)), clock)

    assert (await stage.run()).finish_reason is FinishReason.CONTENT_FILTER
    assert [type(event) for event in stage.events] == [StepStarted, StepEnded]


async def test_calls_of_tools_nobody_offered_end_the_answer_normally(clock: FrozenClock) -> None:
    stage = Stage(ScriptedModels(reply("Hi", reason=FinishReason.TOOL_CALLS)), clock)

    assert (await stage.run()).finish_reason is FinishReason.STOP


async def test_an_empty_reply_is_asked_for_once_more(clock: FrozenClock) -> None:
    stage = Stage(ScriptedModels(reply(), reply("Now")), clock)

    outcome = await stage.run()

    assert outcome.usage == Usage(input_tokens=20, output_tokens=1)
    assert [e.step for e in stage.events if isinstance(e, StepStarted)] == [1, 2]


async def test_a_second_empty_reply_fails_the_turn(clock: FrozenClock) -> None:
    stage = Stage(ScriptedModels(reply(), reply()), clock)

    with pytest.raises(ModelCallFailed) as caught:
        await stage.run()
    assert caught.value.failure is ModelFailure.EMPTY
    assert not any(isinstance(event, AnswerCompleted) for event in stage.events)


@pytest.mark.parametrize(
    "end",
    [
        [ModelCallFailed("Gone.", failure=ModelFailure.INTERRUPTED)],
        [ReplyFinished(FinishReason.ERROR)],
        [],
    ],
)
async def test_a_broken_reply_fails_without_completing_its_answer(
    clock: FrozenClock, end: list[Step]
) -> None:
    stage = Stage(ScriptedModels([ReplyStarted("r", "m"), TextDelta("Ha"), *end]), clock)

    with pytest.raises(ModelCallFailed) as caught:
        await stage.run()

    assert caught.value.failure is ModelFailure.INTERRUPTED
    assert AnswerDelta("Ha") in stage.events
    assert not any(isinstance(event, AnswerCompleted) for event in stage.events)
    assert isinstance(stage.events[-1], StepEnded)
    assert stage.events[-1].finish_reason is FinishReason.ERROR


async def test_cancelling_closes_the_model_and_emits_nothing_more(clock: FrozenClock) -> None:
    models = ScriptedModels([ReplyStarted("r", "m"), TextDelta("Ha"), "hang"])
    stage = Stage(models, clock)
    async with asyncio.TaskGroup() as group:
        task = group.create_task(stage.run())
        await models.started.wait()
        task.cancel()

    assert task.cancelled()
    assert models.closed == 1
    assert stage.events[-1] == AnswerDelta("Ha")


async def test_the_persona_knows_request_over_default_over_system_values(
    clock: FrozenClock,
) -> None:
    config = AgentConfig(
        prompt=Prompt(text="{{city}}|{{mood}}|{{off}}|{{agent_name}}|{{user_input}}|{{nope}}|"),
        variables=(
            VariableDefinition(keyword="city", default_value="Oslo"),
            VariableDefinition(keyword="mood", default_value="calm"),
            VariableDefinition(keyword="off", default_value="x", enabled=False),
        ),
    )
    stage = Stage(ScriptedModels(reply("ok")), clock)

    await stage.run(config, ask("Hi {{mood}}", variables={"city": "{{mood}}"}))

    assert stage.system == ["Your name is Weather.\n\n{{mood}}|calm||Weather|Hi {{mood}}||"]


async def test_the_persona_may_quote_the_history(clock: FrozenClock) -> None:
    stage = Stage(ScriptedModels(reply("ok")), clock)

    await stage.run(persona("Before: {{history}}"), ask(history=(past("a", "b"),)))

    assert stage.system == ["Your name is Weather.\n\nBefore: user: a\nassistant: b"]


async def test_time_comes_late_and_in_the_users_zone(clock: FrozenClock) -> None:
    stage = Stage(ScriptedModels(reply("ok")), clock)

    await stage.run(
        persona("P", sp_current_time=True),
        ask(variables={"time_zone": "Asia/Shanghai"}, history=(past("a", "b"),)),
    )

    roles = [message.role for message in stage.models.requests[0].messages]
    assert roles == ["system", "user", "assistant", "system", "user"]
    assert stage.system[1] == "It is now Wednesday, 2030-05-01 17:00 (CST, UTC+0800)."


async def test_models_with_one_system_message_get_one(clock: FrozenClock) -> None:
    models = ScriptedModels(reply("ok"), capabilities=Capabilities(system_messages="first"))
    stage = Stage(models, clock)

    await stage.run(persona("P", sp_current_time=True), ask(history=(past("a", "b"),)))

    assert [m.role for m in models.requests[0].messages] == ["system", "user", "assistant", "user"]
    assert stage.system[0].endswith("(UTC, UTC+0000).")


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../../etc/passwd", "America", "x" * 500, "\x00"])
async def test_an_unknown_time_zone_is_utc_with_a_warning(clock: FrozenClock, zone: str) -> None:
    stage = Stage(ScriptedModels(reply("ok")), clock)

    await stage.run(persona("{{time_zone}}"), ask(variables={"timezone": zone}))

    assert stage.system == ["Your name is Weather.\n\nUTC"]
    assert [e.warning for e in stage.events if isinstance(e, AgentWarned)] == ["time_zone_unknown"]


@pytest.mark.parametrize(
    ("policy", "expected"), [("append", "P\n\nS1\n\nS2"), ("replace", "S1\n\nS2"), ("ignore", "P")]
)
async def test_system_texts_of_the_request_follow_the_agents_policy(
    clock: FrozenClock, policy: OpenAISystem, expected: str
) -> None:
    stage = Stage(ScriptedModels(reply("ok")), clock)
    config = AgentConfig(prompt=Prompt(text="P"), openai_system=policy)

    await stage.run(config, ask(extra_system=("S1", " S2 ")))

    assert stage.system == [f"Your name is Weather.\n\n{expected}"]


async def test_settings_become_the_request(clock: FrozenClock) -> None:
    stage = Stage(ScriptedModels(reply("ok")), clock)
    config = persona(
        "P",
        temperature=0.2,
        top_k=5,
        max_tokens=5000,
        response_format=OutputFormat.JSON,
        sp_anti_leak=True,
        parameters={"thinking_type": "disabled"},
    )

    await stage.run(config, ask(overrides=TurnOverrides(sampling=Sampling(seed=1), stop=("END",))))

    request = stage.models.requests[0]
    assert request.sampling == Sampling(temperature=0.2, top_k=5, seed=1)
    assert (request.output, request.stop, request.model) == (OutputFormat.JSON, ("END",), "1")
    assert request.max_output_tokens == 1000
    assert request.parameters == {"thinking_type": "disabled"}
    assert "alice" not in request.end_user
    assert request.end_user
    assert "JSON" in stage.system[0]
    assert "confidential" in stage.system[0]


async def test_locked_settings_do_not_yield_to_the_request(clock: FrozenClock) -> None:
    stage = Stage(ScriptedModels(reply("ok")), clock)
    overrides = TurnOverrides(
        sampling=Sampling(temperature=1.5),
        max_output_tokens=7,
        stop=("x",),
        json_output=True,
        name="Other",
        persona="Hello from {{agent_name}}",
    )

    await stage.run(persona("P", temperature=0.1, lock_model_params=True), ask(overrides=overrides))

    request = stage.models.requests[0]
    assert request.sampling == Sampling(temperature=0.1)
    assert (request.max_output_tokens, request.stop) == (None, ())
    assert request.output is OutputFormat.TEXT
    assert stage.system == ["Your name is Other.\n\nHello from Other"]


async def test_the_question_keeps_its_parts(clock: FrozenClock) -> None:
    stage = Stage(ScriptedModels(reply("ok")), clock)
    parts = (TextPart(text="What is it?"), ImagePart(file_id=5))

    await stage.run(turn=AgentTurn(history=(), question=parts, variables={}))

    assert stage.models.requests[0].messages[-1] == ChatMessage(role="user", parts=parts)


async def test_history_is_bounded_by_rounds_and_by_tokens(clock: FrozenClock) -> None:
    history = tuple(past(str(n), "x" * 99) for n in range(9))
    stage = Stage(ScriptedModels(reply("ok"), reply("ok"), reply("ok"), window=1000), clock)

    await stage.run(persona("", history_rounds=3), ask(history=history))
    await stage.run(persona(""), ask(history=history))
    await stage.run(persona("", history_rounds=0), ask(history=history))

    asked = [[m.text for m in r.messages if m.role == "user"] for r in stage.models.requests]
    assert asked == [["6", "7", "8", "Hi"], ["2", "3", "4", "5", "6", "7", "8", "Hi"], ["Hi"]]


async def test_what_never_fits_is_refused_before_the_model_is_asked(clock: FrozenClock) -> None:
    stage = Stage(ScriptedModels(window=1000), clock)

    with pytest.raises(ContextTooLong):
        await stage.run(turn=ask("x" * 800))
    with pytest.raises(PromptTooLong):
        await stage.run(persona("x" * 800))
    assert stage.models.requests == []


async def test_a_missing_model_is_not_found(clock: FrozenClock) -> None:
    with pytest.raises(NotFound):
        await Stage(ScriptedModels(), clock).run(persona("", model_id="gone"))


async def test_an_overlong_persona_is_cut_with_a_warning(clock: FrozenClock) -> None:
    stage = Stage(ScriptedModels(reply("ok"), window=10**7), clock)

    await stage.run(persona("{{a}}{{a}}{{a}}"), ask(variables={"a": "é" * 60_000}))

    assert len(stage.system[0].encode()) <= Limits().persona_output_bytes + 30
    assert [e.warning for e in stage.events if isinstance(e, AgentWarned)] == ["persona_truncated"]


async def test_a_failing_branch_degrades_and_a_slow_one_times_out(clock: FrozenClock) -> None:
    stage = Stage(ScriptedModels(), clock)

    async def fail() -> str:
        raise ZeroDivisionError

    async def hang() -> str:
        await asyncio.Event().wait()
        return "never"

    metrics = Metrics()
    meter = PreparationMeter(metrics)
    branches = Branches(emit=stage.emit, meter=meter)
    one = branches.guard("one", 1.0, fail(), instead="f")
    two = branches.guard("two", 0.01, hang(), instead="f")
    await branches.join()
    assert (one.value, two.value) == ("f", "f")
    shown = metrics.render().decode()
    assert 'prepare_seconds_count{branch="one",outcome="failed"} 1' in shown
    assert 'prepare_seconds_count{branch="two",outcome="timeout"} 1' in shown
    warnings = [event.warning for event in stage.events if isinstance(event, AgentWarned)]
    assert warnings == ["one_failed", "two_timeout"]


@pytest.mark.parametrize("count", [0, 1, 2])
async def test_branches_have_tasks_only_beside_each_other(clock: FrozenClock, count: int) -> None:
    stage = Stage(ScriptedModels(), clock)
    branches = Branches(emit=stage.emit, meter=PreparationMeter(Metrics()))

    async def whose() -> asyncio.Task[object] | None:
        return asyncio.current_task()

    results = [branches.guard(f"n{n}", 60.0, whose(), instead=None) for n in range(count)]
    await branches.join()

    own = asyncio.current_task()
    assert [each.value is own for each in results] == [count == 1] * count
    assert None not in [each.value for each in results]


async def test_the_error_of_a_branch_that_is_not_guarded_is_that_of_the_run(
    clock: FrozenClock,
) -> None:
    async def fail() -> str:
        raise ZeroDivisionError

    async def work() -> str:
        return "done"

    for others in (0, 1):
        branches = Branches(
            emit=Stage(ScriptedModels(), clock).emit, meter=PreparationMeter(Metrics())
        )
        done = [branches.add(work(), instead="") for _ in range(others)]
        branches.add(fail(), instead="")
        with pytest.raises(ZeroDivisionError):
            await branches.join()
        assert [each.value for each in done] == ["done"] * others


async def test_cancellation_of_the_run_passes_a_guarded_branch(clock: FrozenClock) -> None:
    stage = Stage(ScriptedModels(), clock)
    entered = asyncio.Event()

    async def hang() -> str:
        entered.set()
        await asyncio.Event().wait()
        return "never"

    async with asyncio.TaskGroup() as group:
        meter = PreparationMeter(Metrics())
        branches = Branches(emit=stage.emit, meter=meter)
        branches.guard("x", 5.0, hang(), instead="f")
        task = group.create_task(branches.join())
        await entered.wait()
        task.cancel()

    assert task.cancelled()
    assert stage.events == []


async def test_usage_is_what_the_model_reported(clock: FrozenClock) -> None:
    usage = Usage(input_tokens=5, output_tokens=2, cached_tokens=1)
    script: list[Step] = [
        ReplyStarted("r", "m"),
        TextDelta("x"),
        UsageReported(usage),
        ReplyFinished(FinishReason.STOP),
    ]

    assert (await Stage(ScriptedModels(script), clock).run()).usage == usage
