"""Knowledge in a turn: searched at once or by the model, packed, cited."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from crossdomain.agent.contract import (
    SEARCH_TOOL,
    AgentEvent,
    AgentTurn,
    AgentWarned,
    AnswerCompleted,
    AnswerDelta,
    AnswerStarted,
    KnowledgeRecalled,
    Round,
    StepStarted,
    TurnOverrides,
)
from domain.agent.tools.recall import UNAVAILABLE
from domain.agent.turn.meter import PreparationMeter
from domain.agent.turn.runner import AgentRunner
from domain.agent.value import (
    AgentConfig,
    KnowledgeSettings,
    NoRecallMode,
    Prompt,
    SourceMode,
)
from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.chat import (
    Capabilities,
    ChatMessage,
    ContentReplaced,
    FinishReason,
    ImagePart,
    ReplyFinished,
    ReplyStarted,
    TextPart,
    ToolCallDelta,
)
from domain.shared.error import Unavailable
from domain.shared.ids import SpaceId, UserId
from domain.shared.limits import Limits
from domain.shared.text.citation import CITING
from infra.contract.observability.metrics import Metrics
from tests.support.agent.scripted import (
    ListedKnowledge,
    ScriptedModels,
    Step,
    reply,
    slice_of,
)
from tests.support.agent.snapshot import a_snapshot
from tests.support.clock import FrozenClock

CONTEXT = CallContext(
    scope=TenantScope(UserId(7), frozenset({SpaceId(2)})), space_id=SpaceId(2), connector_id=1024
)
OIL, GAS = slice_of(1, "Oil burns.", page=3), slice_of(2, "Gas too.")


@dataclass
class Stage:
    """An agent with a dataset, and what it emitted."""

    clock: FrozenClock
    models: ScriptedModels
    knowledge: ListedKnowledge
    limits: Limits = field(default_factory=Limits)
    events: list[AgentEvent] = field(default_factory=list)

    async def emit(self, event: AgentEvent) -> None:
        self.events.append(event)

    async def run(
        self, *, persona: str = "P", turn: AgentTurn | None = None, **settings: Any
    ) -> None:
        runner = AgentRunner(
            meter=PreparationMeter(Metrics()),
            models=self.models,
            knowledge=self.knowledge,
            clock=self.clock,
            limits=self.limits,
        )
        knowledge = KnowledgeSettings(**{"dataset_ids": (5, 6), **settings})
        snapshot = a_snapshot(AgentConfig(prompt=Prompt(text=persona), knowledge=knowledge))
        await runner.run(CONTEXT, snapshot, turn or ask(), self.emit)

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def answer(self) -> AnswerCompleted:
        found: AnswerCompleted = self.of(AnswerCompleted)[-1]
        return found

    @property
    def system(self) -> list[str]:
        return [m.text for m in self.models.requests[-1].messages if m.role == "system"]


def ask(text: str = "What burns?", **fields: Any) -> AgentTurn:
    values: dict[str, Any] = {"history": (), "question": (TextPart(text=text),), "variables": {}}
    return AgentTurn(**(values | fields))


def looking_up(*queries: str, **arguments: Any) -> list[Step]:
    return [
        ReplyStarted("r", "m"),
        *(
            ToolCallDelta(
                index=n,
                id=f"c{n}",
                name=SEARCH_TOOL,
                arguments=json.dumps({"query": query, **arguments}),
            )
            for n, query in enumerate(queries)
        ),
        ReplyFinished(FinishReason.TOOL_CALLS),
    ]


async def test_a_question_is_looked_up_once_before_the_model_is_asked(clock: FrozenClock) -> None:
    stage = Stage(clock, ScriptedModels(reply("Oil [1].")), ListedKnowledge([OIL, GAS]))
    past = Round(
        messages=(
            ChatMessage.of_text("user", "Hi"),
            ChatMessage.of_text("assistant", "Hello"),
        )
    )

    await stage.run(turn=ask(history=(past,)), search_type="hybrid", top_k=4, min_score=0.2)

    (request,) = stage.knowledge.requests
    assert (request.query, request.dataset_ids) == ("What burns?", (5, 6))
    assert [message.text for message in request.history] == ["Hi", "Hello"]
    how = request.strategy
    assert (how.search_type, how.top_k, how.min_score) == ("hybrid", 4, 0.2)
    assert (how.rewrites, how.reranks, how.uses_sql) == (True, True, True)
    first, recalled = stage.events[1], stage.events[0]
    assert isinstance(recalled, KnowledgeRecalled)
    assert isinstance(first, StepStarted)
    assert [(chunk.n, chunk.slice_id) for chunk in recalled.chunks] == [(1, 101), (2, 102)]
    roles = [message.role for message in stage.models.requests[0].messages]
    assert roles == ["system", "user", "assistant", "system", "user"]
    assert "recall slice 1 [guide 1.pdf, p. 3]: Oil burns." in stage.system[1]
    assert stage.models.requests[0].tools == ()


async def test_marks_become_citations_with_a_list(clock: FrozenClock) -> None:
    pieces = ("Oil", " [", "1", "] burns, ", "see [9] and [", "2]", ".")
    stage = Stage(clock, ScriptedModels(reply(*pieces)), ListedKnowledge([OIL, GAS]))

    await stage.run()

    shown = "".join(event.text for event in stage.of(AnswerDelta))
    assert shown == "Oil [1] burns, see  and [2].\n\n[1] guide 1.pdf, p. 3\n[2] guide 2.pdf"
    assert all(event.text.count("[") == event.text.count("]") for event in stage.of(AnswerDelta))
    answer = stage.answer
    assert answer.text == shown
    assert answer.citations is not None
    assert answer.citations.plain(shown) == "Oil burns, see  and."
    assert [card.slice_id for card in answer.citations.cards] == [101, 102]


async def test_in_card_mode_the_text_has_no_list(clock: FrozenClock) -> None:
    stage = Stage(clock, ScriptedModels(reply("Oil [1].")), ListedKnowledge([OIL]))

    await stage.run(show_source_mode=SourceMode.CARDS)

    assert stage.answer.text == "Oil [1]."
    assert stage.answer.citations is not None
    (card,) = stage.answer.citations.cards
    assert (card.n, card.document_name, card.page, card.quote) == (
        1,
        "guide 1.pdf",
        3,
        "Oil burns.",
    )


async def test_without_sources_shown_the_text_is_left_alone(clock: FrozenClock) -> None:
    stage = Stage(clock, ScriptedModels(reply("Oil [1] [7].")), ListedKnowledge([OIL]))

    await stage.run(show_source=False)

    assert (stage.answer.text, stage.answer.citations) == ("Oil [1] [7].", None)
    assert CITING not in stage.system[1]


async def test_answers_in_json_carry_no_marks_of_ours(clock: FrozenClock) -> None:
    stage = Stage(clock, ScriptedModels(reply('{"a": [1]}')), ListedKnowledge([OIL]))

    await stage.run(turn=ask(overrides=TurnOverrides(json_output=True)))

    assert (stage.answer.text, stage.answer.citations) == ('{"a": [1]}', None)


async def test_a_replaced_answer_is_cited_anew(clock: FrozenClock) -> None:
    script = [
        *reply("Hm [1] [")[:2],
        ContentReplaced(text="Gas [2]", reasoning="Hm [1]"),
        ReplyFinished(FinishReason.STOP),
    ]
    stage = Stage(clock, ScriptedModels(script), ListedKnowledge([OIL, GAS]))

    await stage.run(show_source_mode=SourceMode.CARDS)

    assert stage.answer.text == "Gas [2]"
    assert stage.answer.citations is not None
    assert [card.n for card in stage.answer.citations.cards] == [2]


async def test_a_persona_may_say_where_knowledge_goes(clock: FrozenClock) -> None:
    stage = Stage(clock, ScriptedModels(reply("ok")), ListedKnowledge([OIL]))

    await stage.run(persona="Before {{knowledge}} after")

    (only,) = stage.system
    assert only.startswith("Before ")
    assert only.endswith(" after")
    assert only.count("<knowledge-") == 1


@pytest.mark.parametrize(
    ("mode", "expected"),
    [(NoRecallMode.MODEL, ["P"]), (NoRecallMode.TEXT, ["P", "Call us."])],
)
async def test_when_nothing_is_found_the_agent_decides_what_the_model_reads(
    clock: FrozenClock, mode: NoRecallMode, expected: list[str]
) -> None:
    stage = Stage(clock, ScriptedModels(reply("ok")), ListedKnowledge())

    await stage.run(no_recall_reply_mode=mode, no_recall_reply_customize_prompt="Call us.")

    assert len(stage.system) == len(expected)
    assert all(text in found for text, found in zip(expected, stage.system, strict=True))
    assert stage.of(KnowledgeRecalled)[0].chunks == ()


async def test_the_text_for_nothing_found_can_be_the_answer_without_any_model(
    clock: FrozenClock,
) -> None:
    stage = Stage(clock, ScriptedModels(), ListedKnowledge())

    await stage.run(
        no_recall_reply_mode=NoRecallMode.DIRECT, no_recall_reply_customize_prompt="Call us."
    )

    assert [type(event) for event in stage.events] == [
        KnowledgeRecalled,
        AnswerStarted,
        AnswerDelta,
        AnswerCompleted,
    ]
    assert stage.answer.text == "Call us."


@pytest.mark.parametrize(
    ("failure", "deadline_s", "warning"),
    [
        (Unavailable("The index is away."), 60.0, "knowledge_failed"),
        (ZeroDivisionError(), 60.0, "knowledge_failed"),
        ("hang", 0.02, "knowledge_timeout"),
    ],
)
async def test_a_failed_search_is_told_to_the_model_and_the_caller(
    clock: FrozenClock, failure: Any, deadline_s: float, warning: str
) -> None:
    stage = Stage(
        clock,
        ScriptedModels(reply("ok")),
        ListedKnowledge(failure),
        limits=Limits(knowledge_deadline_s=deadline_s),
    )

    await stage.run(
        no_recall_reply_mode=NoRecallMode.DIRECT, no_recall_reply_customize_prompt="Call us."
    )

    assert [event.warning for event in stage.of(AgentWarned)] == [warning]
    assert stage.of(KnowledgeRecalled)[0].is_failed
    assert stage.system[1] == UNAVAILABLE
    assert stage.answer.text == "ok"


async def test_a_question_without_words_is_not_looked_up(clock: FrozenClock) -> None:
    stage = Stage(clock, ScriptedModels(reply("ok")), ListedKnowledge([OIL]))

    await stage.run(turn=ask(question=(ImagePart(url="https://x/a.png"),)))

    assert not stage.knowledge.requests
    assert not stage.of(KnowledgeRecalled)


async def test_cancelling_reaches_the_search(clock: FrozenClock) -> None:
    stage = Stage(clock, ScriptedModels(), ListedKnowledge("hang"))
    task = asyncio.create_task(stage.run())
    await stage.knowledge.started.wait()
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert stage.events == []


async def test_on_demand_the_model_searches_itself(clock: FrozenClock) -> None:
    models = ScriptedModels(looking_up("oil"), reply("Oil [1]."))
    stage = Stage(clock, models, ListedKnowledge([OIL]))

    await stage.run(auto_call=False)

    (spec,) = models.requests[0].tools
    assert spec.name == SEARCH_TOOL
    assert "5: guides. How to." in spec.description
    assert spec.parameters["properties"]["knowledge_ids"]["items"]["enum"] == ["5"]
    assert len(models.requests[0].messages) == 2
    assert [request.query for request in stage.knowledge.requests] == ["oil"]
    assert stage.knowledge.requests[0].dataset_ids == (5,)
    result = models.requests[1].messages[-1]
    assert "recall slice 1 [guide 1.pdf, p. 3]: Oil burns." in result.text
    assert stage.answer.text == "Oil [1].\n\n[1] guide 1.pdf, p. 3"


async def test_several_searches_are_numbered_through(clock: FrozenClock) -> None:
    models = ScriptedModels(looking_up("oil"), looking_up("all"), reply("Gas [2], oil [1]."))
    stage = Stage(clock, models, ListedKnowledge([OIL], [OIL, GAS]))

    await stage.run(auto_call=False, show_source_mode=SourceMode.CARDS)

    second = models.requests[2].messages[-1].text
    assert "recall slice 2 [guide 2.pdf]: Gas too." in second
    assert "Found again: recall slices 1" in second
    assert "Oil burns." not in second
    numbers = [[chunk.n for chunk in event.chunks] for event in stage.of(KnowledgeRecalled)]
    assert numbers == [[1], [1, 2]]
    assert stage.answer.text == "Gas [2], oil [1]."


@pytest.mark.parametrize(
    ("arguments", "results", "told"),
    [
        ({"knowledge_ids": ["6"]}, [], "not allowed. Allowed: 5"),
        ({"knowledge_ids": "5"}, [[OIL]], "Oil burns."),
        ({}, [], "Nothing was found."),
        ({}, [Unavailable("Away.")], UNAVAILABLE),
    ],
)
async def test_what_a_search_of_the_model_comes_to(
    clock: FrozenClock, arguments: dict[str, Any], results: Sequence[Any], told: str
) -> None:
    models = ScriptedModels(looking_up("x", **arguments), reply("ok"))
    stage = Stage(clock, models, ListedKnowledge(*results))

    await stage.run(auto_call=False)

    assert told in models.requests[1].messages[-1].text


async def test_models_that_cannot_call_tools_get_knowledge_anyway(clock: FrozenClock) -> None:
    models = ScriptedModels(reply("ok"), capabilities=Capabilities(tools="none"))
    stage = Stage(clock, models, ListedKnowledge([OIL]))

    await stage.run(auto_call=False)

    assert "Oil burns." in stage.system[1]
    assert models.requests[0].tools == ()


async def test_an_agent_without_datasets_that_exist_has_no_search(clock: FrozenClock) -> None:
    models = ScriptedModels(reply("ok"))
    stage = Stage(clock, models, ListedKnowledge([OIL]))

    await stage.run(auto_call=False, dataset_ids=(6, 7))

    assert models.requests[0].tools == ()


async def test_an_agent_without_datasets_pays_nothing(clock: FrozenClock) -> None:
    stage = Stage(clock, ScriptedModels(reply("See [1].")), ListedKnowledge([OIL]))

    await stage.run(dataset_ids=())

    assert stage.answer.text == "See [1]."
    assert not stage.knowledge.requests


async def test_an_error_of_the_caller_comes_through_as_it_is(clock: FrozenClock) -> None:
    class Refusing(Stage):
        async def emit(self, event: AgentEvent) -> None:
            raise Unavailable("The database is away.")

    stage = Refusing(clock, ScriptedModels(), ListedKnowledge([OIL]))

    with pytest.raises(Unavailable):
        await stage.run()
