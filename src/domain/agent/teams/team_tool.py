"""The tools that agents have of each other."""

from collections.abc import Awaitable, Mapping, Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Any, Final, Protocol, assert_never

import msgspec

from crossdomain.agent.contract import (
    AgentEvent,
    AgentOutcome,
    AgentSwitched,
    AgentTurn,
    AgentWarned,
    AnswerCompleted,
    AnswerDelta,
    AnswerReplaced,
    AnswerStarted,
    EmitAgentEvent,
    FlowNode,
    FlowVariables,
    FollowUpsSuggested,
    KnowledgeRecalled,
    MemberActed,
    MemberCall,
    MemberEnded,
    MemberEvent,
    MemberStarted,
    StepEnded,
    StepStarted,
    ToolAnswering,
    ToolEnded,
    ToolsRequested,
    ToolStarted,
    TurnOverrides,
)
from crossdomain.workflow.contract import Workflows
from domain.agent.entity import AgentSnapshot
from domain.agent.teams.context import TeamContext
from domain.agent.teams.member import Member, Members
from domain.agent.tools.taint import Taint
from domain.agent.tools.tool import (
    CURRENT_CALL,
    HandOff,
    Tool,
    ToolDescription,
    ToolKind,
    ToolOutput,
    TurnContext,
)
from domain.agent.turn.suspension import Suspension
from domain.agent.value.team import MemberKind
from domain.shared.call import CallContext
from domain.shared.chat import TextPart, ToolSpec, Usage
from domain.shared.error import AppError
from domain.shared.limits import Limits
from infra.contract.clock import Clock

_BACK: Final = "hand_back"
_BRIEF: Final = {
    "type": "object",
    "properties": {
        "brief": {
            "type": "string",
            "description": "What the next agent should know beyond the conversation.",
        }
    },
}
_TOO_OFTEN: Final = (
    "The conversation was passed on too often in this run. Answer the user yourself now."
)
_DELTA_CHARS = 256
"""Nobody reads these as they are written: few pieces do, and keep the log of events small."""


class MemberVoice:
    """Passes on what the agent does under its call, and keeps what it answers."""

    def __init__(self, emit: EmitAgentEvent, call: MemberCall) -> None:
        self._emit = emit
        self._call = call
        self._answers: list[str] = []
        self._interim = ""
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._chars = 0

    @property
    def answer(self) -> str:
        """What it said last, or all of its last answers if there are several."""
        return "\n\n".join(self._answers) or self._interim

    async def __call__(self, event: AgentEvent) -> None:
        match event:
            case AnswerDelta(text=text, reasoning=reasoning):
                await self._write(text, reasoning)
            case AnswerCompleted():
                await self._complete(event)
            case MemberActed(path=path, event=inner):
                await self._flush()
                await self._emit(MemberActed(path=(self._call, *path), event=inner))
            case (
                StepStarted()
                | StepEnded()
                | KnowledgeRecalled()
                | ToolStarted()
                | ToolEnded()
                | AgentWarned()
            ):
                await self.tell(event)
            case (
                AnswerStarted()
                | AnswerReplaced()
                | ToolsRequested()
                | ToolAnswering()
                | FollowUpsSuggested()
                | AgentSwitched()
                | FlowNode()
                | FlowVariables()
            ):
                pass  # parts of an answer or of a conversation, and this is neither
            case _:
                assert_never(event)

    async def tell(self, event: MemberEvent) -> None:
        """Pass on one event, behind the text before it."""
        await self._flush()
        await self._emit(MemberActed(path=(self._call,), event=event))

    async def _complete(self, event: AnswerCompleted) -> None:
        await self._flush()
        text = event.text if event.citations is None else event.citations.plain(event.text)
        if event.is_interim and not event.is_last:
            self._interim = text
        elif text:
            self._answers.append(text)

    async def _write(self, text: str, reasoning: str) -> None:
        self._text.append(text)
        self._reasoning.append(reasoning)
        self._chars += len(text) + len(reasoning)
        if self._chars >= _DELTA_CHARS:
            await self._flush()

    async def _flush(self) -> None:
        if not self._chars:
            return
        delta = AnswerDelta("".join(self._text), "".join(self._reasoning))
        self._text, self._reasoning, self._chars = [], [], 0
        await self._emit(MemberActed(path=(self._call,), event=delta))


_WALL_SHARE: Final = 0.5
"""The part of a run's time that one call may take: the caller still has to answer."""

_SILENT: Final = "The agent gave no answer."
_ASKS: Final = (
    "The agent could not finish: it would have to ask the user, which it cannot do when another "
    "agent calls it. Its question: "
)


class RunTurn(Protocol):
    """Executes one turn of an agent."""

    def __call__(
        self,
        context: CallContext,
        snapshot: AgentSnapshot,
        turn: AgentTurn,
        emit: EmitAgentEvent,
        *,
        team: TeamContext,
    ) -> Awaitable[AgentOutcome]: ...


class DelegateToolKind:
    """Finds the agents that the model may call, as deep as the limit allows."""

    name = "agents"

    def __init__(
        self, members: Members, run: RunTurn, *, flows: Workflows, clock: Clock, limits: Limits
    ) -> None:
        self._members = members
        self._run = run
        self._flows = flows
        self._clock = clock
        self._limits = limits

    def may_have(self, turn: TurnContext) -> bool:
        return any(each.kind is MemberKind.DELEGATE for each in turn.snapshot.config.agents)

    async def tools(self, turn: TurnContext) -> Sequence[Tool]:
        """Return the delegates; callers of this agent and agents too deep are left out."""
        busy = {*turn.team.callers, turn.snapshot.agent_id}
        bound = [e for e in turn.snapshot.config.agents if e.kind is MemberKind.DELEGATE]
        wanted = [each for each in bound if each.agent_id not in busy]
        if len(turn.team.callers) >= self._limits.agent_depth:
            wanted = []
        if len(wanted) < len(bound):
            text = "Agents were left out: they called this one, or calls are nested too deep."
            await turn.emit(AgentWarned(warning="agent_depth", text=text, subject="agents"))
        found = await self._members.present(turn.call.scope, turn.snapshot, wanted, turn.emit)
        return tuple(
            DelegateTool(
                each, turn, self._run, flows=self._flows, clock=self._clock, limits=self._limits
            )
            for each in found
        )


class DelegateTool:
    """One agent to be called, bound to one turn of its caller.

    It knows its task and nothing else, and shares the budget and the taint of its caller.
    """

    def __init__(
        self,
        member: Member,
        turn: TurnContext,
        run: RunTurn,
        *,
        flows: Workflows,
        clock: Clock,
        limits: Limits,
    ) -> None:
        self._member = member
        self._turn = turn
        self._run = run
        self._flows = flows
        self._clock = clock
        self._description = ToolDescription(
            spec=ToolSpec(
                name=member.name,
                description=f"Ask the agent {member.snapshot.name}: {member.purpose}",
                parameters=_parameters(member),
            ),
            timeout_s=limits.run_wall_s * _WALL_SHARE,
            reference=f"agent/{member.snapshot.agent_id}",
            kind="agent",
            is_trusted=True,  # unless the agent read strangers' words, which it tells by itself
        )

    def describe(self) -> ToolDescription:
        return self._description

    async def call(self, arguments: Mapping[str, Any]) -> ToolOutput:
        """Let the agent do its task; its failure is the error of the call."""
        snapshot = self._member.snapshot
        call = MemberCall(
            agent_id=snapshot.agent_id, name=snapshot.name, call_id=CURRENT_CALL.get()
        )
        voice = MemberVoice(self._turn.emit, call)
        task = _task(arguments)
        began = self._clock.now()
        output = ToolOutput(text="", is_error=True)
        usage = Usage()
        taint = Taint(list(self._turn.taint.sources))
        await voice.tell(MemberStarted(task=task, version=snapshot.version))
        try:
            outcome = await self._outcome(task, voice, call, taint)
            usage = outcome.usage
            output = await self._output(outcome, voice)
        except AppError as exc:
            output = ToolOutput(text=exc.message, is_error=True)
        finally:
            if set(taint.sources) - set(self._turn.taint.sources):
                self._turn.taint.mark(self._member.name)
            elapsed = (self._clock.now() - began) // timedelta(milliseconds=1)
            await voice.tell(
                MemberEnded(
                    text=output.text,
                    is_error=output.is_error,
                    usage=usage,
                    duration_ms=max(0, elapsed),
                )
            )
        return output

    async def _outcome(
        self, task: str, voice: MemberVoice, call: MemberCall, taint: Taint
    ) -> AgentOutcome:
        turn, team = self._turn, self._turn.team
        return await self._run(
            turn.call,  # at most the hosts of its caller
            self._member.snapshot,
            AgentTurn(
                history=(),
                question=(TextPart(text=task),),
                variables=turn.turn.variables,
                conversation_id=turn.turn.conversation_id,
                overrides=TurnOverrides(recorded=turn.turn.overrides.recorded),
            ),
            voice,
            team=TeamContext(
                budget=team.budget,
                taint=taint,
                callers=(*team.callers, turn.snapshot.agent_id),
                lane=_lane(team.lane, call.call_id),
            ),
        )

    async def _output(self, outcome: AgentOutcome, voice: MemberVoice) -> ToolOutput:
        if outcome.question is not None:
            waiting = Suspension.of(outcome.question).waiting
            for each in waiting:
                await self._flows.abandon(self._turn.call.scope, each.question.workflow_run_id)
            asked = " ".join(each.prompt for each in waiting)
            return ToolOutput(text=_ASKS + asked, is_error=True, used=outcome.nested_usage)
        text = voice.answer
        return ToolOutput(text=text or _SILENT, is_error=not text, used=outcome.nested_usage)


def _lane(outer: str, call_id: str) -> str:
    """Return a short mark for what happens in one call; models choose ids of any length."""
    return sha256(f"{outer}/{call_id}".encode()).hexdigest()[:16] + ":"


def _parameters(member: Member) -> dict[str, Any]:
    properties: dict[str, Any] = {
        "task": {
            "type": "string",
            "description": "What to do, with everything that is needed to know for it.",
        }
    }
    required = ["task"]
    if member.binding.parameters:
        properties["input"] = dict(member.binding.parameters)
        required.append("input")
    return {"type": "object", "properties": properties, "required": required}


def _task(arguments: Mapping[str, Any]) -> str:
    task = str(arguments.get("task", ""))
    if "input" not in arguments:
        return task
    return f"{task}\n\n{msgspec.json.encode(arguments['input']).decode()}"


class TeamTools:
    """Makes the kinds once there is something that runs agents."""

    def __init__(self, members: Members, *, flows: Workflows, clock: Clock, limits: Limits) -> None:
        self._members = members
        self._flows = flows
        self._clock = clock
        self._limits = limits

    def kinds(self, run: RunTurn) -> Sequence[ToolKind]:
        """Return the kinds; ``run`` executes the agents that are called."""
        return (
            DelegateToolKind(
                self._members, run, flows=self._flows, clock=self._clock, limits=self._limits
            ),
            HandOffToolKind(self._members, limits=self._limits),
        )


class HandOffToolKind:
    """Finds the agents that the model may pass the conversation to."""

    name = "hand_offs"

    def __init__(self, members: Members, *, limits: Limits) -> None:
        self._members = members
        self._limits = limits

    def may_have(self, turn: TurnContext) -> bool:
        """An agent that was called hands nothing over."""
        bound = turn.snapshot.config.agents
        has_any = any(each.kind is MemberKind.HAND_OFF for each in bound)
        return (has_any or bool(turn.team.back_to)) and not turn.team.is_called

    async def tools(self, turn: TurnContext) -> Sequence[Tool]:
        """Return one tool per agent, and one for the way back."""
        bound = [e for e in turn.snapshot.config.agents if e.kind is MemberKind.HAND_OFF]
        found = await self._members.present(turn.call.scope, turn.snapshot, bound, turn.emit)
        most = self._limits.agent_hand_offs
        tools: list[Tool] = [
            HandOffTool(
                turn,
                ToolSpec(
                    name=f"hand_off_to_{each.name}",
                    description=(
                        f"Let the agent {each.snapshot.name} go on with the conversation from "
                        f"here: {each.purpose}"
                    ),
                    parameters=_BRIEF,
                ),
                to=each.snapshot.agent_id,
                name=each.snapshot.name,
                most=most,
            )
            for each in found
        ]
        if name := turn.team.back_to:
            text = f"Give the conversation back to the agent {name}, who passed it to you."
            spec = ToolSpec(name=_BACK, description=text, parameters=_BRIEF)
            tools.append(HandOffTool(turn, spec, to=0, name=name, most=most))
        return tuple(tools)


class HandOffTool:
    """Ends the turn of this agent; the other one goes on with it."""

    def __init__(self, turn: TurnContext, spec: ToolSpec, *, to: int, name: str, most: int) -> None:
        self._turn = turn
        self._to = to
        self._name = name
        self._most = most
        self._description = ToolDescription(spec=spec, is_trusted=True, kind="agent")

    def describe(self) -> ToolDescription:
        return self._description

    async def call(self, arguments: Mapping[str, Any]) -> ToolOutput:
        """Pass on, unless that happened too often in this run: then tools are over for it."""
        team = self._turn.team
        if team.hand_offs >= self._most:
            team.budget.close()
            return ToolOutput(text=_TOO_OFTEN, is_error=True)
        brief = str(arguments.get("brief", ""))
        return ToolOutput(
            text=f"{self._name} goes on from here.",
            hand_off=HandOff(agent_id=self._to, brief=brief),
        )
