"""Use cases on end users: of whom an agent or app has something."""

from collections.abc import Mapping

import msgspec

from application.memory.variable_service import owner_of
from application.shared.page import Listed
from application.shared.projection import Projection
from crossdomain.memory.contract import VariableSource
from domain.memory.database import Side
from domain.memory.end_user import KnownEndUser
from domain.memory.repository import MemoryStore
from domain.memory.variable import OwnerKind
from domain.shared.access import Permission, Principal
from domain.shared.ids import Id
from domain.shared.limits import Limits


class ListEndUsers(msgspec.Struct, frozen=True, kw_only=True):
    """Whose names contain ``text``, of those whom an agent, or an app, has something of."""

    agent_id: int | None = None
    app_id: int | None = None
    is_draft: bool = False
    text: str = ""
    offset: int = 0
    limit: int = 50


class EndUserView(Projection, of=KnownEndUser):
    """What an agent or app has of one end user on one connector, counted."""

    connector_id: Id


class EndUserPage(Listed[EndUserView], frozen=True, kw_only=True):
    """One page, who came last first."""


class EndUserService:
    """Finds end users for those who may read their variables."""

    def __init__(
        self,
        *,
        store: MemoryStore,
        sources: Mapping[OwnerKind, VariableSource],
        limits: Limits,
    ) -> None:
        self._store = store
        self._sources = sources
        self._limits = limits

    async def page(self, principal: Principal, wanted: ListEndUsers) -> EndUserPage:
        """Return a page; raise ``NotFound``, ``Forbidden``."""
        owner = owner_of(principal, agent_id=wanted.agent_id, app_id=wanted.app_id)
        declared = await self._sources[owner.kind].declared(
            principal.scope, owner.id, is_draft=True, connector_id=principal.connector_id
        )
        principal.require(Permission.VARIABLE, declared.space_id)
        async with self._store.snapshot() as uow:
            found, total = await uow.end_users.page(
                principal.scope.within(declared.space_id),
                owner,
                Side.DRAFT if wanted.is_draft else Side.ONLINE,
                text=wanted.text,
                offset=wanted.offset,
                limit=max(1, min(wanted.limit, self._limits.page_size)),
            )
        return EndUserPage(items=[EndUserView.of(each) for each in found], total=total)
