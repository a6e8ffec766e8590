"""The services of identity over one database."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Final

from application.identity.audit import AuditService
from application.identity.authentication import AuthService
from application.identity.bootstrap import BootstrapService
from application.identity.dto import (
    CreateUser,
)
from application.identity.space import MemberService, SpaceService
from application.identity.token import TokenService
from application.identity.user import UserService
from domain.identity.repository import IdentityUnitOfWork
from domain.shared.access import Principal, TenantScope
from domain.shared.ids import AgentId
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from infra.impl.repository.sql.identity.repository import SqlIdentityStore

LIMITS = Limits(spaces_per_user=3, auth_failures_per_min=5)
FIRST = Secret("pat_for_automation_2026")


@dataclass
class CountingStore:
    """Counts how often authentication reads the database."""

    inner: SqlIdentityStore
    snapshots: int = field(default=0)

    def transaction(self) -> AbstractAsyncContextManager[IdentityUnitOfWork]:
        return self.inner.transaction()

    def snapshot(self) -> AbstractAsyncContextManager[IdentityUnitOfWork]:
        self.snapshots += 1
        return self.inner.snapshot()


class KnownAgents:
    """Agents of every workspace, but one that nobody has."""

    missing: Final = AgentId(404)

    async def names(self, scope: TenantScope, agent_ids: Sequence[AgentId]) -> dict[AgentId, str]:
        return {agent_id: "Agent" for agent_id in agent_ids if agent_id != self.missing}


@dataclass
class Identity:
    """All services of the context over one database."""

    store: CountingStore
    auth: AuthService
    users: UserService
    spaces: SpaceService
    members: MemberService
    tokens: TokenService
    bootstrap: BootstrapService
    audit: AuditService

    async def principal(self, text: Secret = FIRST) -> Principal:
        return await self.auth.authenticate(f"Bearer {text.reveal()}", peer="192.0.2.1")


async def add_user(identity: Identity, name: str) -> tuple[int, Secret]:
    created = await identity.users.create(await identity.principal(), CreateUser(name=name))
    return created.user.id, created.token
