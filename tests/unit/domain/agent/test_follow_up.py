"""Follow-up questions: reading them, keeping the good ones, and never failing a turn."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from crossdomain.agent.contract import (
    AgentEvent,
    AgentTurn,
    AnswerCompleted,
    FollowUpsSuggested,
)
from domain.agent.turn.follow_up import cleaned, read_questions
from domain.agent.turn.meter import PreparationMeter
from domain.agent.turn.runner import AgentRunner
from domain.agent.value import AgentConfig, Onboarding, SuggestMode, SuggestPolicy
from domain.shared.chat import FinishReason, TextPart
from domain.shared.limits import Limits
from infra.contract.model.chat_model import ModelCallFailed, ModelFailure
from infra.contract.observability.metrics import Metrics
from tests.support.agent.scripted import ListedKnowledge, ScriptedModels, Step, reply
from tests.support.agent.snapshot import a_snapshot
from tests.support.clock import FrozenClock
from tests.unit.domain.agent.tool_stage import CONTEXT

ENABLED = AgentConfig(
    suggest_reply=SuggestPolicy(mode=SuggestMode.ENABLE),
    onboarding=Onboarding(suggested_questions=("Q", "Where is it?", "How much is it?")),
)


@pytest.mark.parametrize(
    "text",
    [
        '["a?", "b?"]',
        '```json\n["a?", "b?"]\n```',
        '<think>["no?"]</think>\nHere: ["a?", "b?"] and so on',
        '{"questions": ["a?", "b?"]}',
        '[{"question": "a?"}, {"question": "b?"}]',
        '[1] says: ["a?", "b?"]',
        "Sure:\n1. a?\n2) b?",
        "- a?\n* b?",
    ],
)
def test_questions_are_found_in_whatever_models_write(text: str) -> None:
    assert read_questions(text) == ("a?", "b?")


@pytest.mark.parametrize(
    "text", ["", "[", "[" * 5000, "no list", "{}", "<think>[", "[1, 2]", "\x00"]
)
def test_what_holds_no_questions_gives_none(text: str) -> None:
    assert read_questions(text) == ()


def test_only_new_questions_of_bearable_length_are_kept() -> None:
    found = ['"What is it?"', "what is IT", "", "Asked before!", "x" * 100, "c?", "d?"]

    kept = cleaned(found, asked=["asked before"], count=3, chars=60)

    assert kept == ("What is it?", "x" * 60, "c?")


@dataclass
class Turn:
    """Runs one turn and keeps its events."""

    models: ScriptedModels
    config: AgentConfig = ENABLED
    limits: Limits = field(default_factory=Limits)
    events: list[AgentEvent] = field(default_factory=list)

    async def emit(self, event: AgentEvent) -> None:
        self.events.append(event)

    async def run(self, *, wanted: bool = True) -> FinishReason:
        runner = AgentRunner(
            meter=PreparationMeter(Metrics()),
            models=self.models,
            knowledge=ListedKnowledge(),
            clock=FrozenClock(datetime(2030, 5, 1, tzinfo=UTC)),
            limits=self.limits,
        )
        snapshot = a_snapshot(self.config)
        turn = AgentTurn(
            history=(), question=(TextPart(text="Q"),), variables={}, wants_follow_ups=wanted
        )
        outcome = await runner.run(CONTEXT, snapshot, turn, self.emit)
        return outcome.finish_reason

    @property
    def questions(self) -> Sequence[str]:
        found = [e.questions for e in self.events if isinstance(e, FollowUpsSuggested)]
        return found[0] if found else ()


async def test_the_answer_is_final_before_questions_are_thought_of() -> None:
    turn = Turn(ScriptedModels(reply("The answer."), reply('["a?", "b?", "c?", "d?"]')))

    assert await turn.run() is FinishReason.STOP

    *_, ended = turn.events
    [answer] = [each for each in turn.events if isinstance(each, AnswerCompleted)]
    assert (answer.text, answer.is_interim, answer.is_last) == ("The answer.", False, False)
    assert ended == FollowUpsSuggested(("a?", "b?", "c?"))
    asked = turn.models.requests[1]
    assert asked.max_output_tokens == 256
    assert "The answer." in asked.messages[-1].text
    assert not asked.tools


async def test_a_custom_instruction_takes_the_place_of_ours() -> None:
    policy = SuggestPolicy(mode=SuggestMode.CUSTOMIZED, customized_prompt="Only about trains.")
    turn = Turn(
        ScriptedModels(reply("x"), reply('["a?"]')), config=AgentConfig(suggest_reply=policy)
    )

    await turn.run()

    assert turn.models.requests[1].messages[0].text.startswith("Only about trains.")


@pytest.mark.parametrize(
    "script",
    [
        reply("I would rather not."),
        [ModelCallFailed("Down.", failure=ModelFailure.INTERRUPTED, model="m")],
        ["hang"],
    ],
    ids=["unreadable", "failed", "too late"],
)
async def test_without_questions_of_the_model_the_opening_ones_are_offered(
    script: list[Step],
) -> None:
    turn = Turn(ScriptedModels(reply("x"), script), limits=Limits(follow_up_deadline_s=0.05))

    assert await turn.run() is FinishReason.STOP
    assert turn.questions == ("Where is it?", "How much is it?")


@pytest.mark.parametrize(
    ("config", "wanted"), [(ENABLED, False), (AgentConfig(), True)], ids=["surface", "agent"]
)
async def test_whoever_does_not_want_questions_waits_for_none(
    config: AgentConfig, wanted: bool
) -> None:
    turn = Turn(ScriptedModels(reply("x")), config=config)

    await turn.run(wanted=wanted)

    [answer] = [each for each in turn.events if isinstance(each, AnswerCompleted)]
    assert answer.is_last
    assert len(turn.models.requests) == 1
