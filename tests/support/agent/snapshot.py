"""Agents as turns find them."""

from domain.agent.entity import AgentSnapshot
from domain.agent.value import AgentConfig, Mode
from domain.shared.ids import AgentId, SpaceId


def a_snapshot(
    config: AgentConfig | None = None, *, number: int = 1, name: str = "", version: str = "1"
) -> AgentSnapshot:
    """Return an agent of the space 2; without a version it is a draft."""
    return AgentSnapshot(
        agent_id=AgentId(number),
        space_id=SpaceId(2),
        version=version,
        name=name,
        description="",
        icon_file_id=None,
        mode=Mode.SINGLE,
        config=config or AgentConfig(),
    )
