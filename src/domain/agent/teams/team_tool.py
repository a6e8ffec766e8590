"""The tools that agents have of each other."""

from collections.abc import Sequence

from crossdomain.workflow.contract import ChatFlows
from domain.agent.teams.delegate import DelegateToolKind, RunTurn
from domain.agent.teams.hand_off import HandOffToolKind
from domain.agent.teams.member import Members
from domain.agent.tools.tool import ToolKind
from domain.shared.limits import Limits
from infra.contract.clock import Clock


class TeamTools:
    """Makes the kinds once there is something that runs agents."""

    def __init__(self, members: Members, *, flows: ChatFlows, clock: Clock, limits: Limits) -> None:
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
