"""Use cases of access tokens."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final, Protocol, TypeVar

from application.identity.cache import PrincipalCache
from application.identity.dto import CreateToken, IssueToken, NewToken, TokenPage, TokenView
from application.identity.view import token_view
from domain.identity.entity import ApiToken, TokenGrant
from domain.identity.error import InvalidIdentity, TokenExceedsOwner
from domain.identity.repository import IdentityStore, IdentityUnitOfWork
from domain.identity.service import OPERATOR_TOKEN
from domain.identity.value import TokenKind, new_token_text
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.error import NotFound
from domain.shared.ids import AgentId, SpaceId, TokenId
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from infra.contract.clock import Clock
from infra.contract.id_generator import IdGenerator

T = TypeVar("T")

CHAT_PERMISSIONS: Final = frozenset(
    {
        Permission.AGENT_READ,
        Permission.CHAT,
        Permission.CONVERSATION_READ,
        Permission.CONVERSATION_WRITE,
        Permission.MESSAGE_READ,
        Permission.MESSAGE_WRITE,
        Permission.FILE,
    }
)
"""What a short-lived token grants at most."""

_KEEP_EXPIRED: Final = timedelta(days=1)


class AgentNames(Protocol):
    """What this context asks of agents."""

    async def names(self, scope: TenantScope, agent_ids: Sequence[AgentId]) -> dict[AgentId, str]:
        """Names of the agents that exist in the scope."""
        ...


class TokenService:
    """Makes, lists and revokes the caller's own tokens."""

    def __init__(
        self,
        *,
        store: IdentityStore,
        cache: PrincipalCache,
        agents: AgentNames,
        ids: IdGenerator,
        clock: Clock,
        limits: Limits,
    ) -> None:
        self._agents = agents
        self._store = store
        self._cache = cache
        self._ids = ids
        self._clock = clock
        self._limits = limits

    async def create(self, principal: Principal, command: CreateToken) -> NewToken:
        """Make a personal token that grants no more than the one it is made with.

        Raises:
            TokenExceedsOwner: it would grant more.
            InvalidIdentity: the name or the expiry breaks its rule.
        """
        _require_manager(principal)
        now = self._clock.now()
        expires_at = self._expiry(command, now)
        async with self._store.transaction() as uow:
            parent = await self._grant_of(uow, principal)
            spaces = None if command.space_ids is None else _space_ids(command.space_ids)
            if spaces is not None and not spaces <= principal.roles.keys():
                raise TokenExceedsOwner("workspace_ids: you are not a member of all of these.")
            grant = TokenGrant(
                permissions=_inherit(command.permissions, parent.permissions),
                space_ids=_inherit(spaces, parent.space_ids),
                agent_ids=parent.agent_ids,
                end_user_id=parent.end_user_id,
            )
            if grant.exceeds(parent):
                raise TokenExceedsOwner("A token cannot grant more than the one that creates it.")
            created = await self._add(
                uow,
                principal,
                kind=TokenKind.PERSONAL,
                name=command.name,
                grant=grant,
                expires_at=expires_at,
            )
            await uow.commit()
        return created

    async def issue(self, principal: Principal, command: IssueToken) -> NewToken:
        """Make a short-lived token that can only chat with the named agents.

        It is bound to one end user, a new one unless named, whose conversations and files are all
        it can see. It never outlives the token it is made with, and cannot make tokens itself.

        Raises:
            NotFound: an agent outside the caller's workspaces.
            TokenExceedsOwner: it would grant more than the token it is made with.
        """
        principal.require_token(Permission.CHAT)
        if not 1 <= command.duration_s <= self._limits.short_token_s:
            raise InvalidIdentity(
                f"duration_seconds: 1 to {self._limits.short_token_s}.", field="duration_seconds"
            )
        if not command.agent_ids:
            raise InvalidIdentity("bot_ids: name at least one agent.", field="bot_ids")
        if len(command.end_user_id) > self._limits.end_user_chars:
            raise InvalidIdentity(
                f"user_id: at most {self._limits.end_user_chars} characters.", field="user_id"
            )
        await self._require_agents(principal, command.agent_ids)
        now = self._clock.now()
        async with self._store.transaction() as uow:
            parent = await self._parent(uow, principal)
            limit = parent.grant if parent else TokenGrant()
            grant = TokenGrant(
                permissions=CHAT_PERMISSIONS & (limit.permissions or CHAT_PERMISSIONS),
                space_ids=limit.space_ids,
                agent_ids=frozenset(AgentId(i) for i in command.agent_ids),
                end_user_id=command.end_user_id
                or limit.end_user_id
                or f"visitor:{self._ids.next_id()}",
            )
            if grant.exceeds(limit):
                raise TokenExceedsOwner("A token cannot grant more than the one that creates it.")
            expires_at = now + timedelta(seconds=command.duration_s)
            if parent and parent.expires_at:
                expires_at = min(expires_at, parent.expires_at)
            await uow.tokens.forget_short_lived(principal.scope, expired_before=now - _KEEP_EXPIRED)
            created = await self._add(
                uow,
                principal,
                kind=TokenKind.SHORT_LIVED,
                name="chat",
                grant=grant,
                expires_at=expires_at,
            )
            await uow.commit()
        return created

    async def _require_agents(self, principal: Principal, agent_ids: Iterable[int]) -> None:
        wanted = [AgentId(agent_id) for agent_id in sorted(agent_ids)]
        found = await self._agents.names(principal.scope, wanted)
        for agent_id in wanted:
            if agent_id not in found:
                raise NotFound(f"bot_ids: no agent {agent_id}.", field="bot_ids")

    async def page(
        self, principal: Principal, *, before: int | None = None, limit: int = 20
    ) -> TokenPage:
        """List personal tokens that are not revoked, newest first."""
        _require_manager(principal)
        async with self._store.snapshot() as uow:
            tokens, total = await uow.tokens.page(
                principal.scope, before=TokenId(before) if before else None, limit=limit + 1
            )
        more = len(tokens) > limit
        items = tuple(token_view(token) for token in tokens[:limit])
        return TokenPage(items=items, total=total, next_before=items[-1].id if more else None)

    async def get(self, principal: Principal, token_id: int) -> TokenView:
        _require_manager(principal)
        async with self._store.snapshot() as uow:
            return token_view(await uow.tokens.get(principal.scope, TokenId(token_id)))

    async def rename(self, principal: Principal, token_id: int, name: str) -> TokenView:
        _require_manager(principal)
        async with self._store.transaction() as uow:
            token = await uow.tokens.get(principal.scope, TokenId(token_id))
            token.rename(name, actor_id=principal.user_id, now=self._clock.now())
            await uow.tokens.save(principal.scope, token)
            await uow.commit()
        return token_view(token)

    async def revoke(self, principal: Principal, token_id: int) -> None:
        """Stop a token for good; in this process at once."""
        _require_manager(principal)
        async with self._store.transaction() as uow:
            token = await uow.tokens.get(principal.scope, TokenId(token_id))
            token.revoke(actor_id=principal.user_id, now=self._clock.now())
            await uow.tokens.save(principal.scope, token)
            await uow.commit()
        self._cache.forget_token(token.id)

    def _expiry(self, command: CreateToken, now: datetime) -> datetime | None:
        if command.duration_days is not None:
            if command.expires_at is not None:
                raise InvalidIdentity(
                    "Give duration_days or expires_at, not both.", field="expires_at"
                )
            return now + timedelta(days=command.duration_days)
        latest = now + timedelta(days=self._limits.token_max_days)
        if command.expires_at is not None and not now < command.expires_at <= latest:
            raise InvalidIdentity(
                f"expires_at: in the future, within {self._limits.token_max_days} days.",
                field="expires_at",
            )
        return command.expires_at

    async def _parent(self, uow: IdentityUnitOfWork, principal: Principal) -> ApiToken | None:
        """The token the request came with; None for the operator at the machine."""
        if principal.token_id == OPERATOR_TOKEN:
            return None
        parent = await uow.tokens.get(principal.scope, principal.token_id)
        if parent.kind is not TokenKind.PERSONAL:
            raise TokenExceedsOwner("A short-lived token cannot make tokens.")
        return parent

    async def _grant_of(self, uow: IdentityUnitOfWork, principal: Principal) -> TokenGrant:
        parent = await self._parent(uow, principal)
        return parent.grant if parent else TokenGrant()

    async def _add(
        self,
        uow: IdentityUnitOfWork,
        principal: Principal,
        *,
        kind: TokenKind,
        name: str,
        grant: TokenGrant,
        expires_at: datetime | None,
    ) -> NewToken:
        text: Secret = new_token_text(kind)
        token = ApiToken.create(
            id=TokenId(self._ids.next_id()),
            user_id=principal.user_id,
            kind=kind,
            name=name,
            text=text.reveal(),
            grant=grant,
            expires_at=expires_at,
            actor_id=principal.user_id,
            now=self._clock.now(),
        )
        await uow.tokens.save(principal.scope, token)
        return NewToken(token=token_view(token), text=text)


def _require_manager(principal: Principal) -> None:
    """Tokens are managed with a token that is not limited to some permissions, or has all."""
    principal.require_token(Permission.ADMIN)


def _space_ids(numbers: frozenset[int]) -> frozenset[SpaceId]:
    return frozenset(SpaceId(number) for number in numbers)


def _inherit(wanted: frozenset[T] | None, parent: frozenset[T] | None) -> frozenset[T] | None:
    return parent if wanted is None else wanted
