"""Passing the conversation to another agent, and back."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.agent.teams.member import Members
from domain.agent.tools.tool import HandOff, Tool, ToolDescription, ToolOutput, TurnContext
from domain.agent.value.team import MemberKind
from domain.shared.chat import ToolSpec
from domain.shared.limits import Limits

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


class HandOffToolKind:
    """Finds the agents that the model may pass the conversation to."""

    name = "hand_offs"

    def __init__(self, members: Members, *, limits: Limits) -> None:
        self._members = members
        self._limits = limits

    async def tools(self, turn: TurnContext) -> Sequence[Tool]:
        """Return one tool per agent, and one for the way back; none to an agent that was called."""
        if turn.team.is_called:
            return ()
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
