"""The other agents of a team as a turn finds them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from crossdomain.agent.contract import AgentWarned, EmitAgentEvent
from domain.agent.definition import AgentDefinitions
from domain.agent.entity import AgentSnapshot
from domain.agent.error import AgentInvalid, AgentNotPublished
from domain.agent.value import Mode
from domain.agent.value.team import AgentBinding
from domain.shared.access import TenantScope
from domain.shared.error import AppError
from domain.shared.ids import AgentId

_FORBIDDEN: Final = re.compile(r"[^A-Za-z0-9_-]+", re.ASCII)
_NAME_CHARS: Final = 48
_DESCRIPTION_CHARS: Final = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """An agent, and how another one is bound to it."""

    binding: AgentBinding
    snapshot: AgentSnapshot

    @property
    def name(self) -> str:
        """What models call it: a name that every provider takes."""
        if self.binding.name:
            return self.binding.name
        plain = _FORBIDDEN.sub("_", self.snapshot.name).strip("_")[:_NAME_CHARS]
        return plain or f"agent_{self.snapshot.agent_id}"

    @property
    def purpose(self) -> str:
        """What it is for, as models read it."""
        text = self.binding.description or self.snapshot.description or self.snapshot.name
        return text[:_DESCRIPTION_CHARS]


class Members:
    """Loads agents for those that work with them: the draft those of a draft, else fixed versions.

    Agents of other spaces are not found.
    """

    def __init__(self, definitions: AgentDefinitions) -> None:
        self._definitions = definitions

    async def load(self, scope: TenantScope, owner: AgentSnapshot, binding: AgentBinding) -> Member:
        """Return one.

        Raises:
            AgentNotFound: it is gone.
            AgentNotPublished: it has no such version, or the owner was published without one.
            AgentInvalid: a workflow answers for it.
        """
        within = scope.within(owner.space_id)
        agent_id = AgentId(binding.agent_id)
        if binding.version:
            snapshot = await self._definitions.version(within, agent_id, binding.version)
        elif owner.version:
            raise AgentNotPublished(f"The agent {agent_id} was not published.", agent_id=agent_id)
        else:
            snapshot = await self._definitions.draft(within, agent_id)
        if snapshot.mode is not Mode.SINGLE:
            raise AgentInvalid(
                f"agents: a workflow answers for the agent {agent_id}; bind the workflow instead.",
                field="agents",
            )
        return Member(binding=binding, snapshot=snapshot)

    async def present(
        self,
        scope: TenantScope,
        owner: AgentSnapshot,
        bindings: Sequence[AgentBinding],
        emit: EmitAgentEvent,
    ) -> list[Member]:
        """Return those that are there; the others are left out with a warning."""
        found: list[Member] = []
        for binding in bindings:
            try:
                found.append(await self.load(scope, owner, binding))
            except AppError as exc:
                await emit(
                    AgentWarned(
                        warning="agent_missing",
                        text=f"An agent is left out: {exc.message}",
                        subject=str(binding.agent_id),
                    )
                )
        return found
