"""Use cases of what people granted applications."""

from datetime import datetime

import msgspec

from application.identity.cache import PrincipalCache
from application.shared.page import Listed
from domain.identity.oauth.error import ClientGrantNotFound
from domain.identity.repository import IdentityStore
from domain.shared.access import Permission, Principal
from domain.shared.ids import Id, OAuthGrantId
from infra.contract.clock import Clock


class OAuthGrantView(msgspec.Struct, frozen=True, kw_only=True):
    """What the caller granted an application, in one workspace."""

    id: Id
    app_id: Id
    app_name: str
    space_id: Id
    permissions: tuple[Permission, ...]
    created_at: datetime
    expires_at: datetime
    last_used_at: datetime | None


class OAuthGrantList(Listed[OAuthGrantView]):
    """All grants of the caller."""


class OAuthGrantService:
    """Shows people what they granted, and takes it back."""

    def __init__(self, *, store: IdentityStore, cache: PrincipalCache, clock: Clock) -> None:
        self._store = store
        self._cache = cache
        self._clock = clock

    async def list(self, principal: Principal) -> OAuthGrantList:
        """Return what the caller granted and is good, newest first."""
        async with self._store.snapshot() as uow:
            grants = await uow.oauth.grants_of(principal.user_id, now=self._clock.now())
            apps = await uow.oauth.apps([grant.app_id for grant in grants])
        views = tuple(
            OAuthGrantView(
                id=grant.id,
                app_id=app.id,
                app_name=app.name,
                space_id=grant.space_id,
                permissions=tuple(sorted(grant.permissions & app.rules.permissions)),
                created_at=grant.created_at,
                expires_at=grant.expires_at,
                last_used_at=grant.last_used_at,
            )
            for grant in grants
            if (app := apps.get(grant.app_id)) is not None
        )
        return OAuthGrantList(items=views, total=len(views))

    async def revoke(self, principal: Principal, grant_id: int) -> None:
        """Take a grant back with all its tokens; raise ``ClientGrantNotFound``."""
        async with self._store.transaction() as uow:
            grant = await uow.oauth.grant(OAuthGrantId(grant_id))
            if grant is None or grant.user_id != principal.user_id:
                raise ClientGrantNotFound(f"No grant {grant_id}.", grant_id=grant_id)
            grant.revoke(
                reason="taken back", actor_id=int(principal.user_id), now=self._clock.now()
            )
            await uow.oauth.delete_grant(grant)
            await uow.commit()
        self._cache.forget_user(principal.user_id)
