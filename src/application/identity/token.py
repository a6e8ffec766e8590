"""Use cases of access tokens."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, Protocol, TypeVar

from application.identity.cache import PrincipalCache
from application.identity.dto import CreateToken, IssueToken, NewToken, TokenPage, TokenView
from application.identity.sign_in import revoke_sessions
from domain.identity.entity import ApiToken
from domain.identity.error import InvalidIdentity, TokenExceedsOwner, TokenNotFound
from domain.identity.repository import IdentityStore, IdentityUnitOfWork
from domain.identity.service import OPERATOR_TOKEN, require_within
from domain.identity.value import TokenKind, new_token_text
from domain.shared.access import BROWSER_PERMISSIONS, Grant, Permission, Principal, TenantScope
from domain.shared.error import NotFound
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import AgentId, SessionId, SpaceId, TokenId
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from infra.contract.clock import Clock

T = TypeVar("T")

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
            NotFound: an agent outside the caller's workspaces.
            InvalidIdentity: the name or the expiry breaks its rule.
        """
        _require_manager(principal)
        maker = principal.grant
        expires_at = self._expiry(command, self._clock.now()) or principal.expires_at
        spaces = None if command.space_ids is None else _space_ids(command.space_ids)
        if spaces is not None and not spaces <= principal.roles.keys():
            raise TokenExceedsOwner("workspace_ids: you are not a member of all of these.")
        agents = None
        if command.agent_ids is not None:
            agents = await self._known_agents(principal, command.agent_ids)
        grant = replace(
            maker,
            permissions=_inherit(command.permissions, maker.permissions),
            space_ids=_inherit(spaces, maker.space_ids),
            agent_ids=_inherit(agents, maker.agent_ids),
        )
        require_within(principal, grant, expires_at)
        async with self._store.transaction() as uow:
            await _require_alive(uow, principal)
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
        if principal.grant.is_browser:
            raise TokenExceedsOwner("A short-lived token cannot make tokens.")
        if not 1 <= command.duration_s <= self._limits.short_token_s:
            raise InvalidIdentity(
                f"duration_seconds: 1 to {self._limits.short_token_s}.", field="duration_seconds"
            )
        if len(command.end_user_id) > self._limits.end_user_chars:
            raise InvalidIdentity(
                f"user_id: at most {self._limits.end_user_chars} characters.", field="user_id"
            )
        agents = await self._known_agents(principal, command.agent_ids)
        now, maker = self._clock.now(), principal.grant
        grant = replace(
            maker,
            permissions=frozenset(p for p in BROWSER_PERMISSIONS if maker.permits(p)),
            agent_ids=agents,
            end_user_id=command.end_user_id
            or maker.end_user_id
            or f"visitor:{self._ids.next_id()}",
            is_browser=True,
        )
        expires_at = now + timedelta(seconds=command.duration_s)
        if principal.expires_at is not None:
            expires_at = min(expires_at, principal.expires_at)
        require_within(principal, grant, expires_at)
        async with self._store.transaction() as uow:
            await _require_alive(uow, principal)
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

    async def _known_agents(
        self, principal: Principal, agent_ids: Iterable[int]
    ) -> frozenset[AgentId]:
        wanted = [AgentId(agent_id) for agent_id in sorted(agent_ids)]
        if not wanted:
            raise InvalidIdentity("bot_ids: name at least one agent.", field="bot_ids")
        found = await self._agents.names(principal.scope, wanted)
        for agent_id in wanted:
            if agent_id not in found:
                raise NotFound(f"bot_ids: no agent {agent_id}.", field="bot_ids")
        return frozenset(wanted)

    async def page(
        self, principal: Principal, *, before: int | None = None, limit: int = 20
    ) -> TokenPage:
        """List personal tokens within the caller's own that are not revoked, newest first."""
        _require_manager(principal)
        async with self._store.snapshot() as uow:
            tokens, total = await uow.tokens.page(
                principal.scope,
                within=principal.grant,
                before=TokenId(before) if before else None,
                limit=limit + 1,
            )
        return TokenPage.cut(TokenView.each(tokens), total, limit=limit)

    async def get(self, principal: Principal, token_id: int) -> TokenView:
        _require_manager(principal)
        async with self._store.snapshot() as uow:
            return TokenView.of(await _within(uow, principal, token_id))

    async def rename(self, principal: Principal, token_id: int, name: str) -> TokenView:
        _require_manager(principal)
        async with self._store.transaction() as uow:
            token = await _within(uow, principal, token_id)
            token.rename(name, actor_id=principal.user_id, now=self._clock.now())
            await uow.tokens.save(principal.scope, token)
            await uow.commit()
        return TokenView.of(token)

    async def revoke(self, principal: Principal, token_id: int) -> None:
        """Stop a token for good; in this process at once."""
        _require_manager(principal)
        async with self._store.transaction() as uow:
            token = await _within(uow, principal, token_id)
            now = self._clock.now()
            token.revoke(actor_id=principal.user_id, now=now)
            await uow.tokens.save(principal.scope, token)
            sessions = await revoke_sessions(
                uow, token.user_id, actor_id=principal.user_id, now=now, opened_with=token.id
            )
            await uow.commit()
        for revoked in (token.id, *map(TokenId, sessions)):
            self._cache.forget_token(revoked)

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

    async def _add(
        self,
        uow: IdentityUnitOfWork,
        principal: Principal,
        *,
        kind: TokenKind,
        name: str,
        grant: Grant,
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
            source_id=principal.token_id if principal.is_delegated else None,
            actor_id=principal.user_id,
            now=self._clock.now(),
        )
        await uow.tokens.save(principal.scope, token)
        return NewToken(token=TokenView.of(token), text=text)


def _require_manager(principal: Principal) -> None:
    """Tokens are managed with a token that is not limited to some permissions, or to this one."""
    principal.require_token(Permission.ADMIN)


async def _require_alive(uow: IdentityUnitOfWork, principal: Principal) -> None:
    """Look whether the caller's token was revoked a moment ago; what it makes would live on."""
    if principal.is_session:
        await uow.sessions.get(principal.user_id, SessionId(principal.token_id))
    elif principal.token_id != OPERATOR_TOKEN and await uow.credentials.is_revoked(
        principal.token_id
    ):
        raise TokenNotFound(f"No token {principal.token_id}.", token_id=principal.token_id)


async def _within(uow: IdentityUnitOfWork, principal: Principal, token_id: int) -> ApiToken:
    """Return a token of the account that is not larger than the caller's; else it is not found."""
    token = await uow.tokens.get(principal.scope, TokenId(token_id))
    if not principal.grant.contains(token.grant):
        raise TokenNotFound(f"No token {token_id}.", token_id=token_id)
    return token


def _space_ids(numbers: frozenset[int]) -> frozenset[SpaceId]:
    return frozenset(SpaceId(number) for number in numbers)


def _inherit(wanted: frozenset[T] | None, parent: frozenset[T] | None) -> frozenset[T] | None:
    return parent if wanted is None else wanted
