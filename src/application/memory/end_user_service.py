"""Use cases on end users: of whom an agent has something."""

import msgspec

from application.shared.page import Listed
from application.shared.projection import Projection
from crossdomain.memory.contract import VariableSource
from domain.memory.database import Side
from domain.memory.end_user import KnownEndUser
from domain.memory.repository import MemoryStore
from domain.shared.access import Permission, Principal
from domain.shared.error import NotFound
from domain.shared.ids import AgentId, Id
from domain.shared.limits import Limits


class ListEndUsers(msgspec.Struct, frozen=True, kw_only=True):
    """Whose names contain ``text``, of those whom an agent has something of."""

    agent_id: int
    is_draft: bool = False
    text: str = ""
    offset: int = 0
    limit: int = 50


class EndUserView(Projection, of=KnownEndUser):
    """What an agent has of one end user on one connector, counted."""

    connector_id: Id


class EndUserPage(Listed[EndUserView], frozen=True, kw_only=True):
    """One page, who came last first."""


class EndUserService:
    """Finds end users for those who may read their variables."""

    def __init__(self, *, store: MemoryStore, agents: VariableSource, limits: Limits) -> None:
        self._store = store
        self._agents = agents
        self._limits = limits

    async def page(self, principal: Principal, wanted: ListEndUsers) -> EndUserPage:
        """Return a page; raise ``NotFound``, ``Forbidden``."""
        agent_id = AgentId(wanted.agent_id)
        if principal.agent_ids is not None and agent_id not in principal.agent_ids:
            raise NotFound(f"No agent {agent_id}.", agent_id=agent_id)
        declared = await self._agents.declared(
            principal.scope, agent_id, is_draft=True, connector_id=principal.connector_id
        )
        principal.require(Permission.VARIABLE, declared.space_id)
        async with self._store.snapshot() as uow:
            found, total = await uow.end_users.page(
                principal.scope.within(declared.space_id),
                agent_id,
                Side.DRAFT if wanted.is_draft else Side.ONLINE,
                text=wanted.text,
                offset=wanted.offset,
                limit=max(1, min(wanted.limit, self._limits.page_size)),
            )
        return EndUserPage(items=[EndUserView.of(each) for each in found], total=total)
