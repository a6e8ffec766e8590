"""Use cases of service tokens: those of a workspace, with no person behind them."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Annotated, Final

import msgspec

from application.identity.cache import PrincipalCache
from application.identity.dto import in_order
from application.identity.token import AgentNames
from application.shared.page import Listed
from application.shared.projection import At, By, Projection
from domain.identity.error import InvalidIdentity, TooManyTokens
from domain.identity.repository import IdentityStore, IdentityUnitOfWork
from domain.identity.service import require_within
from domain.identity.service_token import (
    WARNED_BEFORE,
    ServiceRights,
    ServiceToken,
    networks,
    require_overlap,
)
from domain.identity.value import RateClass, TokenKind, new_token_text
from domain.shared.access import Permission, Principal
from domain.shared.error import NotFound
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import AgentId, Id, SpaceId, TokenId, UserId
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from infra.contract.clock import Clock

_PER_SPACE: Final = 100
"""A list that people still read; each service needs one."""

_WARNED_AT_ONCE: Final = 100
_DAYS: Final = 90
"""How long a token lives of which nothing else is said."""


class ServiceTokenView(Projection, of=ServiceToken, only=()):
    """A service token without its text; None among the limits means no limit."""

    id: Id
    space_id: Id
    creator_id: Id
    name: str
    last4: str
    permissions: Annotated[tuple[Permission, ...], At("rights.permissions"), By(in_order)]
    agent_ids: Annotated[tuple[Id, ...] | None, At("rights.agent_ids"), By(in_order)]
    networks: Annotated[tuple[str, ...] | None, At("rights.networks"), By(in_order)]
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    former_until: datetime | None
    rate_class: RateClass


class ServiceTokenList(Listed[ServiceTokenView]):
    """All service tokens of a workspace."""


class NewServiceToken(msgspec.Struct, frozen=True, kw_only=True):
    """A service token with its text, which is shown this once."""

    token: ServiceTokenView
    text: Secret


class CreateServiceToken(msgspec.Struct, frozen=True, kw_only=True):
    """Make a credential of a workspace."""

    space_id: int
    name: str
    permissions: Collection[Permission]
    agent_ids: Collection[int] | None = None
    networks: Collection[str] | None = None
    expires_at: datetime | msgspec.UnsetType | None = msgspec.UNSET
    """None: never; left out: in ninety days."""
    rate_class: RateClass = RateClass.DEFAULT


class ChangeServiceToken(msgspec.Struct, frozen=True, kw_only=True):
    """Change a credential of a workspace; what is left out stays."""

    name: str | msgspec.UnsetType = msgspec.UNSET
    permissions: Collection[Permission] | msgspec.UnsetType = msgspec.UNSET
    agent_ids: Collection[int] | msgspec.UnsetType | None = msgspec.UNSET
    networks: Collection[str] | msgspec.UnsetType | None = msgspec.UNSET
    expires_at: datetime | msgspec.UnsetType | None = msgspec.UNSET
    rate_class: RateClass | msgspec.UnsetType = msgspec.UNSET


class ServiceTokenService:
    """Makes, changes, rotates and revokes tokens of workspaces."""

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
        self._store = store
        self._cache = cache
        self._agents = agents
        self._ids = ids
        self._clock = clock
        self._limits = limits

    async def list(self, principal: Principal, space_id: int) -> ServiceTokenList:
        """Return the tokens of a workspace that the caller's own contains, newest first."""
        space = SpaceId(space_id)
        principal.require(Permission.SPACE_WRITE, space)
        async with self._store.snapshot() as uow:
            tokens = await uow.service_tokens.all(principal.scope.within(space))
        found = [each for each in tokens if principal.grant.contains(each.grant)]
        return ServiceTokenList(items=tuple(map(ServiceTokenView.of, found)), total=len(found))

    async def get(self, principal: Principal, token_id: int) -> ServiceTokenView:
        async with self._store.snapshot() as uow:
            return ServiceTokenView.of(await _permitted(uow, principal, token_id))

    async def create(self, principal: Principal, command: CreateServiceToken) -> NewServiceToken:
        """Make a token that grants no more than the one it is made with.

        Raises:
            TokenExceedsOwner: it would grant more, or last longer.
            InvalidIdentity: name, rights or expiry break a rule.
            TooManyTokens: the workspace has as many as it may.
        """
        space, now = SpaceId(command.space_id), self._clock.now()
        principal.require(Permission.SPACE_WRITE, space)
        rights = ServiceRights(
            permissions=frozenset(command.permissions),
            agent_ids=_agents(command.agent_ids),
            networks=None if command.networks is None else networks(command.networks),
        )
        expires_at = self._expiry(command.expires_at, principal, now)
        require_within(principal, rights.within(space), expires_at)
        await self._require_agents(principal, space, rights)
        text = new_token_text(TokenKind.SERVICE)
        scope = principal.scope.within(space)
        async with self._store.transaction() as uow:
            await uow.serialise(f"service tokens of {space}")
            if len(await uow.service_tokens.all(scope)) >= _PER_SPACE:
                raise TooManyTokens(
                    f"A workspace has at most {_PER_SPACE} service tokens: revoke one that is not "
                    "needed any more."
                )
            token = ServiceToken.create(
                id=TokenId(self._ids.next_id()),
                space_id=space,
                name=command.name,
                text=text.reveal(),
                rights=rights,
                expires_at=expires_at,
                rate_class=command.rate_class,
                actor_id=principal.user_id,
                now=now,
            )
            await uow.service_tokens.save(scope, token)
            await uow.commit()
        return NewServiceToken(token=ServiceTokenView.of(token), text=text)

    async def change(
        self, principal: Principal, token_id: int, command: ChangeServiceToken
    ) -> ServiceTokenView:
        """Change a token; what it may do then is still within the caller's own."""
        now = self._clock.now()
        async with self._store.transaction() as uow:
            token = await _permitted(uow, principal, token_id)
            was, unset = token.rights, msgspec.UNSET
            rights = ServiceRights(
                permissions=(
                    was.permissions
                    if command.permissions is unset
                    else frozenset(command.permissions)
                ),
                agent_ids=(
                    was.agent_ids if command.agent_ids is unset else _agents(command.agent_ids)
                ),
                networks=_networks(command.networks, was.networks),
            )
            expires_at = token.expires_at
            if command.expires_at is not unset:
                expires_at = self._expiry(command.expires_at, principal, now)
            require_within(principal, rights.within(token.space_id), expires_at)
            if rights.agent_ids != was.agent_ids:
                await self._require_agents(principal, token.space_id, rights)
            token.change(
                name=token.name if command.name is unset else command.name,
                rights=rights,
                expires_at=expires_at,
                rate_class=(
                    token.rate_class if command.rate_class is unset else command.rate_class
                ),
                actor_id=principal.user_id,
                now=now,
            )
            await uow.service_tokens.save(principal.scope, token)
            await uow.commit()
        self._forget(token)
        return ServiceTokenView.of(token)

    async def rotate(
        self, principal: Principal, token_id: int, *, overlap_s: int
    ) -> NewServiceToken:
        """Draw another text; the former goes on for ``overlap_s`` seconds."""
        require_overlap(overlap_s)
        text, now = new_token_text(TokenKind.SERVICE), self._clock.now()
        async with self._store.transaction() as uow:
            token = await _permitted(uow, principal, token_id)
            require_within(principal, token.grant, token.renewed_until(now))
            token.rotate(
                text.reveal(),
                overlap=timedelta(seconds=overlap_s),
                actor_id=principal.user_id,
                now=now,
            )
            await uow.service_tokens.save(principal.scope, token)
            await uow.commit()
        self._forget(token)
        return NewServiceToken(token=ServiceTokenView.of(token), text=text)

    async def revoke(self, principal: Principal, token_id: int) -> None:
        """Stop a token for good; in this process at once."""
        async with self._store.transaction() as uow:
            token = await _permitted(uow, principal, token_id)
            token.revoke(actor_id=principal.user_id, now=self._clock.now())
            await uow.service_tokens.save(principal.scope, token)
            await uow.commit()
        self._forget(token)

    async def warn(self) -> int:
        """Tell of the tokens that expire within a week, each once; return how many those are."""
        now, told = self._clock.now(), 0
        async with self._store.transaction() as uow:
            for token in await uow.services.expiring(
                before=now + WARNED_BEFORE, limit=_WARNED_AT_ONCE
            ):
                token.warn(now)
                await uow.services.save(token)
                told += 1
            await uow.commit()
        return told

    async def _require_agents(
        self, principal: Principal, space: SpaceId, rights: ServiceRights
    ) -> None:
        wanted = sorted(rights.agent_ids or ())
        found = await self._agents.names(principal.scope.within(space), wanted)
        for agent_id in wanted:
            if agent_id not in found:
                raise NotFound(f"bot_ids: no agent {agent_id}.", field="bot_ids")

    def _expiry(
        self, given: datetime | msgspec.UnsetType | None, principal: Principal, now: datetime
    ) -> datetime | None:
        if given is msgspec.UNSET:
            usual = now + timedelta(days=_DAYS)
            return min(usual, principal.expires_at or usual)
        latest = now + timedelta(days=self._limits.token_max_days)
        if given is not None and not now < given <= latest:
            raise InvalidIdentity(
                f"expires_at: in the future, within {self._limits.token_max_days} days.",
                field="expires_at",
            )
        return given

    def _forget(self, token: ServiceToken) -> None:
        self._cache.forget_user(UserId(token.id))


async def _permitted(uow: IdentityUnitOfWork, principal: Principal, token_id: int) -> ServiceToken:
    """Return a token that is not larger than the caller's; else it is not found."""
    token = await uow.service_tokens.get(principal.scope, TokenId(token_id))
    principal.require(Permission.SPACE_WRITE, token.space_id)
    if not principal.grant.contains(token.grant):
        raise NotFound(f"No service token {token_id}.", token_id=token_id)
    return token


def _agents(numbers: Collection[int] | None) -> frozenset[AgentId] | None:
    return None if numbers is None else frozenset(AgentId(each) for each in numbers)


def _networks(
    given: Collection[str] | msgspec.UnsetType | None, former: frozenset[str] | None
) -> frozenset[str] | None:
    if given is msgspec.UNSET:
        return former
    return None if given is None else networks(given)
