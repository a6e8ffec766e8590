"""Use cases of an agent's shortcuts: they belong to its draft, and publishing freezes them."""

from collections.abc import Callable, Sequence

from application.agent.access import permitted_agent
from application.shared.patch import Patch
from crossdomain.file.contract import Files
from domain.agent.entity import Agent
from domain.agent.repository import AgentStore
from domain.agent.rules import AgentRules
from domain.agent.tools.fixed_value import masked_shortcut, unmasked_shortcut
from domain.agent.value.shortcut import (
    Shortcut,
    find_shortcut,
    ordered_shortcuts,
    with_shortcut,
    without_shortcut,
)
from domain.shared.access import Permission, Principal
from domain.shared.id_generator import IdGenerator
from domain.shared.limits import Limits
from infra.contract.clock import Clock

_Shortcuts = tuple[Shortcut, ...]


class ShortcutService:
    """Edits the shortcuts of a draft."""

    def __init__(
        self, *, store: AgentStore, files: Files, clock: Clock, ids: IdGenerator, limits: Limits
    ) -> None:
        self._store = store
        self._files = files
        self._clock = clock
        self._ids = ids
        self._rules = AgentRules(limits)

    async def list(self, principal: Principal, agent_id: int) -> Sequence[Shortcut]:
        """Return the shortcuts of the draft, in their order."""
        async with self._store.snapshot() as uow:
            agent = await permitted_agent(uow, principal, agent_id, Permission.AGENT_READ)
        return tuple(map(masked_shortcut, agent.config.shortcuts))

    async def create(self, principal: Principal, agent_id: int, patch: Patch[Shortcut]) -> Shortcut:
        """Add a shortcut at the end; raise ``AgentInvalid``, ``FileNotFound``."""
        await self._require_icon(principal, patch)
        made = unmasked_shortcut(patch.applied(Shortcut(id=self._ids.next_id(), name="")), None)
        await self._change(principal, agent_id, lambda now: (*now, made))
        return masked_shortcut(made)

    async def update(
        self, principal: Principal, agent_id: int, shortcut_id: int, patch: Patch[Shortcut]
    ) -> Shortcut:
        """Change a shortcut in its place; raise ``ShortcutNotFound``, ``AgentInvalid``."""
        await self._require_icon(principal, patch)

        def changed(now: _Shortcuts) -> _Shortcuts:
            before = find_shortcut(now, shortcut_id)
            return with_shortcut(now, unmasked_shortcut(patch.applied(before), before))

        agent = await self._change(principal, agent_id, changed)
        return masked_shortcut(find_shortcut(agent.config.shortcuts, shortcut_id))

    async def delete(self, principal: Principal, agent_id: int, shortcut_id: int) -> None:
        """Remove a shortcut; raise ``ShortcutNotFound``."""
        await self._change(principal, agent_id, lambda now: without_shortcut(now, shortcut_id))

    async def order(
        self, principal: Principal, agent_id: int, shortcut_ids: Sequence[int]
    ) -> Sequence[Shortcut]:
        """Put all shortcuts into this order."""
        agent = await self._change(
            principal, agent_id, lambda now: ordered_shortcuts(now, shortcut_ids)
        )
        return tuple(map(masked_shortcut, agent.config.shortcuts))

    async def _change(
        self, principal: Principal, agent_id: int, change: Callable[[_Shortcuts], _Shortcuts]
    ) -> Agent:
        async with self._store.transaction() as uow:
            agent = await permitted_agent(uow, principal, agent_id, Permission.AGENT_WRITE)
            agent.replace_shortcuts(
                change(agent.config.shortcuts),
                actor_id=principal.user_id,
                rules=self._rules,
                now=self._clock.now(),
            )
            await uow.agents.save(principal.scope, agent)
            await uow.commit()
        return agent

    async def _require_icon(self, principal: Principal, patch: Patch[Shortcut]) -> None:
        if icon := patch.values.get("icon_file_id"):
            await self._files.describe(principal.scope, [icon])
