"""One turn of a team: whoever is active answers, and may pass the turn on."""

from collections.abc import Coroutine
from dataclasses import dataclass, field, replace
from typing import Any, Final

from crossdomain.agent.contract import (
    AgentOutcome,
    AgentSwitched,
    AgentTurn,
    AgentWarned,
    EmitAgentEvent,
    TurnOverrides,
)
from domain.agent.entity import AgentSnapshot
from domain.agent.teams.context import TeamContext
from domain.agent.teams.member import Members
from domain.agent.teams.router import Router
from domain.agent.tools.taint import Taint
from domain.agent.tools.tool import HandOff
from domain.agent.turn.budget import RunBudget
from domain.agent.turn.runner import AgentRunner
from domain.agent.turn.suspension import HandedOver, Suspension
from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.chat import ChatMessage, Usage
from domain.shared.error import AppError
from domain.shared.limits import Limits

_NOTE: Final = (
    "The agent {name} passed the conversation to you: you answer the user from here on, whatever "
    "others said about themselves before."
)
_GONE: Final = "The conversation could not be passed on: {text} Answer the user yourself."


@dataclass(slots=True, kw_only=True)
class _Relay:
    """A turn on its way. ``line`` begins with the agent that was asked and ends with the active.

    ``carried`` are the messages of the turn so far, ``note`` is for whoever is next.
    """

    turn: AgentTurn
    line: list[AgentSnapshot]
    budget: RunBudget
    taint: Taint = field(default_factory=Taint)
    hand_offs: int = 0
    carried: tuple[ChatMessage, ...] = ()
    note: str = ""
    used: Usage = field(default_factory=Usage)
    nested: Usage = field(default_factory=Usage)

    @property
    def path(self) -> tuple[int, ...]:
        return tuple(each.agent_id for each in self.line[1:])

    @property
    def context(self) -> TeamContext:
        return TeamContext(
            budget=self.budget,
            taint=self.taint,
            path=self.path,
            back_to=self.line[-2].name if len(self.line) > 1 else "",
            hand_offs=self.hand_offs,
            carried=self.carried,
            note=self.note,
            lane=f"{self.hand_offs}:" if self.hand_offs else "",
        )

    def take(self, outcome: AgentOutcome) -> None:
        """Add up what the active agent used."""
        self.used += outcome.usage
        self.nested += outcome.nested_usage

    def leave(self, outcome: HandedOver) -> None:
        """End the part of the active agent: what belonged to it stays behind."""
        turn = self.turn
        self.hand_offs += 1
        self.carried = outcome.messages
        self.turn = replace(
            turn,
            answers=None,
            outputs={},
            shortcut=None,
            overrides=_of_another(turn.overrides),
        )


class TeamRunner:
    """Runs the agent that was asked, or whoever acts for it; holds no state between turns."""

    def __init__(
        self, runner: AgentRunner, *, members: Members, router: Router, limits: Limits
    ) -> None:
        self._runner = runner
        self._members = members
        self._router = router
        self._limits = limits

    def run(
        self, context: CallContext, snapshot: AgentSnapshot, turn: AgentTurn, emit: EmitAgentEvent
    ) -> Coroutine[Any, Any, AgentOutcome]:
        """Execute one turn; the errors are those of ``AgentRunner.run``."""
        if any(each.takes_over for each in snapshot.config.agents):
            return self._pass_around(context, snapshot, turn, emit)
        return self._runner.run(context, snapshot, turn, emit)

    async def _pass_around(
        self, context: CallContext, snapshot: AgentSnapshot, turn: AgentTurn, emit: EmitAgentEvent
    ) -> AgentOutcome:
        relay = await self._begin(context, snapshot, turn, emit)
        while True:
            outcome = await self._runner.run(
                context, relay.line[-1], relay.turn, emit, team=relay.context
            )
            relay.take(outcome)
            if not isinstance(outcome, HandedOver):
                return replace(outcome, usage=relay.used, nested_usage=relay.nested)
            relay.leave(outcome)
            await self._pass_on(context.scope, relay, outcome.hand_off, emit)

    async def _begin(
        self, context: CallContext, snapshot: AgentSnapshot, turn: AgentTurn, emit: EmitAgentEvent
    ) -> _Relay:
        """Find out who is active: as the section, or the turn that waited, was left."""
        budget = RunBudget(self._limits, most_calls=turn.overrides.max_tool_calls)
        relay = _Relay(turn=turn, line=[snapshot], budget=budget)
        if turn.shortcut is not None:  # it belongs to the agent that was asked
            return relay
        path = turn.active
        if turn.answers is not None:
            before = Suspension.of(turn.answers)
            path, relay.hand_offs = before.path, before.hand_offs
        await self._follow(context.scope, relay, path, emit)
        if turn.answers is None and len(relay.line) == 1:
            await self._route(context, relay, emit)
        if len(relay.line) > 1:
            relay.turn = replace(turn, overrides=_of_another(turn.overrides))
            await emit(_switched(snapshot, relay, lasts=False))
        return relay

    async def _follow(
        self, scope: TenantScope, relay: _Relay, path: tuple[int, ...], emit: EmitAgentEvent
    ) -> None:
        """Go from agent to agent, as far as they are still there."""
        for agent_id in path:
            bound = relay.line[-1].config.agents
            binding = next((b for b in bound if b.agent_id == agent_id and b.takes_over), None)
            if binding is None:
                return
            found = await self._members.present(scope, relay.line[-1], (binding,), emit)
            if not found:
                return
            relay.line.append(found[0].snapshot)

    async def _route(self, context: CallContext, relay: _Relay, emit: EmitAgentEvent) -> None:
        asked = relay.line[0]
        chosen = await self._router.choose(context, asked, relay.turn, emit, budget=relay.budget)
        if chosen is not None:
            relay.line.append(chosen.snapshot)

    async def _pass_on(
        self, scope: TenantScope, relay: _Relay, to: HandOff, emit: EmitAgentEvent
    ) -> None:
        """Make another agent active; if it is gone meanwhile, the one before goes on."""
        giver = relay.line[-1]
        if not to.agent_id:
            relay.line.pop()
        else:
            binding = next(b for b in giver.config.agents if b.agent_id == to.agent_id)
            try:
                member = await self._members.load(scope, giver, binding)
            except AppError as exc:
                relay.note = _GONE.format(text=exc.message)
                await emit(
                    AgentWarned(warning="agent_missing", text=exc.message, subject=str(to.agent_id))
                )
                return
            relay.line.append(member.snapshot)
        relay.note = _NOTE.format(name=giver.name)  # the brief stands in the call, as data
        await emit(_switched(giver, relay, brief=to.brief))


def _of_another(overrides: TurnOverrides) -> TurnOverrides:
    """Leave out what the request changed of the agent that was asked."""
    return replace(overrides, model="", persona=None, name=None)


def _switched(
    giver: AgentSnapshot, relay: _Relay, *, brief: str = "", lasts: bool = True
) -> AgentSwitched:
    taker = relay.line[-1]
    return AgentSwitched(
        agent_id=taker.agent_id,
        name=taker.name,
        from_agent_id=giver.agent_id,
        from_name=giver.name,
        path=relay.path,
        brief=brief,
        lasts=lasts,
    )
