"""Teams of agents: cycles, budgets, references, and what a called agent gets and gives."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from crossdomain.agent.contract import (
    AgentEvent,
    AgentOutcome,
    AgentTurn,
    AnswerCompleted,
    AnswerDelta,
    EmitAgentEvent,
    MemberActed,
    MemberCall,
    MemberEnded,
    MemberStarted,
    OpenQuestion,
    StepStarted,
)
from domain.agent.entity import AgentSnapshot
from domain.agent.error import AgentInvalid, ContextTooLong
from domain.agent.teams.context import TeamContext
from domain.agent.teams.graph import cycle_from
from domain.agent.teams.member import Member
from domain.agent.teams.rules import check_team
from domain.agent.teams.team_tool import DelegateTool, HandOffTool, MemberVoice
from domain.agent.tools.taint import Taint
from domain.agent.tools.tool import CURRENT_CALL, TurnContext
from domain.agent.turn.budget import RunBudget
from domain.agent.turn.source import Sources
from domain.agent.turn.suspension import Suspension, WaitingCall
from domain.agent.value.team import (
    AgentBinding,
    MemberKind,
    RouterMode,
    RouterRule,
    RouterSettings,
    rebound,
)
from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.chat import FinishReason, TextPart, ToolCall, ToolSpec, Usage, UsageReported
from domain.shared.limits import Limits
from tests.support.agent.scripted import NoFlows, ScriptedModels, reply
from tests.support.agent.snapshot import a_snapshot
from tests.support.clock import FrozenClock
from tests.unit.domain.agent.tool_stage import CONTEXT, calls
from tests.unit.domain.agent.tool_stage import Stage as Loop

CALL = MemberCall(agent_id=2, name="Helper", call_id="c1")


@pytest.mark.parametrize(
    ("edges", "cycle"),
    [
        ({1: [2], 2: [3]}, ()),
        ({1: [2, 3], 2: [4], 3: [4], 4: []}, ()),
        ({1: [2], 2: [3], 3: [2]}, ()),
        ({1: [1]}, (1, 1)),
        ({1: [2, 5], 2: [3], 3: [1], 5: [1]}, (1, 5, 1)),
    ],
)
def test_a_cycle_is_a_way_back_to_the_start(
    edges: dict[int, list[int]], cycle: tuple[int, ...]
) -> None:
    assert cycle_from(1, edges) == cycle


def test_a_budget_is_spent_by_rounds_tokens_or_on_purpose() -> None:
    limits = Limits(agent_steps=2, agent_tool_calls=1, agent_run_tokens=10)
    budgets = [RunBudget(limits) for _ in range(4)]
    budgets[0].rounds = 2
    budgets[1].spend(Usage(input_tokens=6, output_tokens=4))
    budgets[2].close()

    assert [each.is_spent for each in budgets] == [True, True, True, False]
    assert [budgets[3].take_call(), budgets[3].take_call()] == [True, False]
    assert budgets[3].is_spent


@pytest.mark.parametrize(("asked", "granted"), [(None, 3), (1, 1), (3, 3), (9, 3)])
def test_a_request_lowers_the_number_of_calls_and_never_raises_it(
    asked: int | None, granted: int
) -> None:
    budget = RunBudget(Limits(agent_tool_calls=3), most_calls=asked)

    assert [budget.take_call() for _ in range(4)].count(True) == granted


async def test_a_run_over_its_tokens_answers_without_tools() -> None:
    used = UsageReported(Usage(input_tokens=5))
    models = ScriptedModels(calls('{"x": 1}', before=[used]), reply("Enough."))
    stage = Loop(models, limits=Limits(agent_run_tokens=5))

    await stage.run()

    assert stage.last.tool_choice == "none"


def test_references_move_with_a_document_or_are_left_out() -> None:
    agents = (
        AgentBinding(agent_id=1, version="7"),
        AgentBinding(agent_id=2, kind=MemberKind.ROUTE, name="r"),
        AgentBinding(agent_id=3, kind=MemberKind.HAND_OFF),
    )
    rules = (RouterRule(agent_id=2, words=("a",)), RouterRule(agent_id=3, words=("b",)))
    router = RouterSettings(mode=RouterMode.RULES, rules=rules, default_agent_id=3)

    moved, routed = rebound(agents, router, {1: 11, 2: 12}, keeps_versions=False)
    assert [(each.agent_id, each.version, each.name) for each in moved] == [
        (11, "", ""),
        (12, "", "r"),
    ]
    assert [each.agent_id for each in routed.rules] == [12]
    assert routed.default_agent_id == 0
    assert rebound(agents, router, {1: 1}, keeps_versions=True) == (agents[:1], RouterSettings())


def test_a_router_may_name_only_those_that_take_over() -> None:
    agents = [AgentBinding(agent_id=1), AgentBinding(agent_id=2, kind=MemberKind.ROUTE)]
    check_team(agents, RouterSettings(mode=RouterMode.MODEL, default_agent_id=2), Limits())
    for router in (
        RouterSettings(mode=RouterMode.MODEL, default_agent_id=1),
        RouterSettings(mode=RouterMode.RULES),
        RouterSettings(mode=RouterMode.RULES, rules=(RouterRule(agent_id=2, words=()),)),
        RouterSettings(mode=RouterMode.RULES, rules=(RouterRule(agent_id=2, words=(" ",)),)),
    ):
        with pytest.raises(AgentInvalid, match="router"):
            check_team(agents, router, Limits())


async def test_a_voice_tells_everything_and_keeps_the_last_answers() -> None:
    told: list[AgentEvent] = []

    async def emit(event: AgentEvent) -> None:
        told.append(event)

    voice = MemberVoice(emit, CALL)
    inner = MemberCall(agent_id=3, name="Inner", call_id="c2")
    await voice(AnswerDelta("Let me "))
    await voice(AnswerDelta("look."))
    await voice(_answer("Let me look.", is_interim=True))
    await voice(MemberActed(path=(inner,), event=StepStarted(step=1, model="m")))
    assert voice.answer == "Let me look."
    await voice(_answer("So.", is_interim=False))

    assert voice.answer == "So."
    assert told == [
        MemberActed(path=(CALL,), event=AnswerDelta("Let me look.")),
        MemberActed(path=(CALL, inner), event=StepStarted(step=1, model="m")),
    ]


@dataclass
class Stage:
    """A delegate whose runs end as told, and what they were given."""

    says: Sequence[AgentEvent] = ()
    reads: str = ""
    outcome: AgentOutcome | Exception = field(
        default_factory=lambda: AgentOutcome(finish_reason=FinishReason.STOP, usage=Usage())
    )
    events: list[AgentEvent] = field(default_factory=list)
    turns: list[tuple[AgentTurn, TeamContext]] = field(default_factory=list)
    abandoned: list[int] = field(default_factory=list)

    async def emit(self, event: AgentEvent) -> None:
        self.events.append(event)

    async def run(
        self,
        context: CallContext,
        snapshot: AgentSnapshot,
        turn: AgentTurn,
        emit: EmitAgentEvent,
        *,
        team: TeamContext,
    ) -> AgentOutcome:
        self.turns.append((turn, team))
        if self.reads:
            team.taint.mark(self.reads)
        for event in self.says:
            await emit(event)
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome

    def tool(
        self, team: TeamContext | None = None, *, turn: TurnContext | None = None
    ) -> DelegateTool:
        stage = self

        class Flows(NoFlows):
            async def abandon(self, scope: TenantScope, run_id: int) -> None:
                stage.abandoned.append(run_id)

        return DelegateTool(
            Member(binding=AgentBinding(agent_id=2), snapshot=_snapshot(2, "Ünï Helper")),
            turn or self.context(team),
            self.run,
            flows=Flows(),
            clock=FrozenClock(datetime(2030, 5, 1, tzinfo=UTC)),
            limits=Limits(),
        )

    def context(self, team: TeamContext | None = None) -> TurnContext:
        return TurnContext(
            call=CONTEXT,
            snapshot=_snapshot(1, "Lead"),
            turn=AgentTurn(history=(), question=(TextPart(text="Q"),), variables={"city": "Oslo"}),
            emit=self.emit,
            sources=Sources(),
            recall_tokens=1,
            cites=True,
            taint=Taint(["web"]),
            team=team or TeamContext(),
        )


async def test_a_delegate_gets_its_task_and_shares_budget_and_taint() -> None:
    stage = Stage(says=[_answer("Done.", is_interim=False)])
    team = TeamContext(callers=(9,))
    tool = stage.tool(team)
    assert tool.describe().spec.name == "n_Helper"
    CURRENT_CALL.set("c7")

    output = await tool.call({"task": "Dig", "input": {"depth": 2}})

    assert (output.text, output.is_error) == ("Done.", False)
    [(turn, given)] = stage.turns
    assert turn.question == (TextPart(text='Dig\n\n{"depth":2}'),)
    assert turn.variables == {"city": "Oslo"}
    assert not turn.takes_outputs
    assert given.budget is team.budget
    assert given.callers == (9, 1)
    assert given.taint.sources == ["web"]
    kinds = [each.event for each in stage.events if isinstance(each, MemberActed)]
    assert isinstance(kinds[0], MemberStarted)
    assert isinstance(kinds[-1], MemberEnded)
    assert all(e.path[0].call_id == "c7" for e in stage.events if isinstance(e, MemberActed))


@pytest.mark.parametrize("reads", ["", "web", "mail"])
async def test_what_a_delegate_reads_of_strangers_counts_for_its_caller(reads: str) -> None:
    stage = Stage(reads=reads)
    turn = stage.context()

    await stage.tool(turn=turn).call({"task": "x"})

    assert turn.taint.sources == (["web", "n_Helper"] if reads == "mail" else ["web"])


async def test_a_delegate_that_fails_or_asks_is_an_error_of_its_call() -> None:
    failing = Stage(outcome=ContextTooLong("Too long."))
    assert (await failing.tool().call({"task": "x"})).text == "Too long."

    waiting = WaitingCall(
        call=ToolCall(id="c", name="flow", arguments="{}"),
        question=OpenQuestion(workflow_run_id=77, question_id="q", kind=2),
        prompt="Which day?",
    )
    question = Suspension(messages=(), results=(), waiting=(waiting,)).question
    asking = Stage(
        outcome=AgentOutcome(finish_reason=FinishReason.STOP, usage=Usage(), question=question)
    )
    output = await asking.tool().call({"task": "x"})
    assert output.is_error
    assert output.text.endswith("Which day?")
    assert asking.abandoned == [77]

    silent = await Stage().tool().call({"task": "x"})
    assert silent.is_error


async def test_too_many_hand_offs_end_the_use_of_tools() -> None:
    stage = Stage()
    spec = ToolSpec(name="hand_off_to_b", description="", parameters={"type": "object"})
    for hand_offs, passes in ((4, True), (5, False)):
        team = TeamContext(hand_offs=hand_offs)
        tool = HandOffTool(stage.context(team), spec, to=2, name="B", most=5)

        output = await tool.call({"brief": "b"})

        assert (output.hand_off is not None) is passes
        assert output.is_error is not passes
        assert team.budget.is_spent is not passes


def _answer(text: str, *, is_interim: bool) -> AnswerCompleted:
    return AnswerCompleted(
        text=text,
        reasoning="",
        finish_reason=FinishReason.STOP,
        is_interim=is_interim,
        is_last=not is_interim,
    )


def _snapshot(number: int, name: str) -> AgentSnapshot:
    return a_snapshot(number=number, name=name, version="")
