"""Use cases of applications, for who administers their workspace."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Annotated, Final

import msgspec

from application.identity.cache import PrincipalCache
from application.identity.dto import in_order
from application.shared.page import Listed
from application.shared.projection import At, By, Projection
from domain.identity.error import TokenExceedsOwner, TooManyTokens
from domain.identity.oauth.app import (
    AppRules,
    OAuthApp,
    PublicKey,
    new_client_secret,
)
from domain.identity.oauth.error import ClientAppNotFound
from domain.identity.repository import IdentityStore, IdentityUnitOfWork
from domain.identity.service import require_within
from domain.identity.value import ClientType
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import Id, OAuthAppId, SpaceId
from domain.shared.secret import Secret
from infra.contract.clock import Clock
from infra.contract.security.assertion import Assertions

_PER_SPACE: Final = 100


def _key_id(key: PublicKey | None) -> str | None:
    return None if key is None else key.key_id


class OAuthAppView(Projection, of=OAuthApp, only=()):
    """An application without its secret."""

    id: Id
    client_id: str
    space_id: Id
    creator_id: Id
    name: str
    client_type: ClientType
    permissions: Annotated[tuple[Permission, ...], At("rules.permissions"), By(in_order)]
    redirect_uris: Annotated[tuple[str, ...], At("rules.redirect_uris")]
    allows_plain: Annotated[bool, At("rules.allows_plain")]
    key_id: Annotated[str | None, At("rules.public_key"), By(_key_id)]
    secret_last4: str
    created_at: datetime
    updated_at: datetime
    last_used_at: datetime | None
    disabled_at: datetime | None
    """Since when it is disabled, in Unix seconds; null: it is not."""


class OAuthAppOverview(OAuthAppView, of=OAuthApp, only=()):
    """An application as whoever administers the deployment sees it."""

    space_name: str


class OAuthAppList(Listed[OAuthAppView]):
    """All applications of a workspace."""


class NewOAuthApp(msgspec.Struct, frozen=True, kw_only=True):
    """An application with its secret, which is shown this once; None if it has none."""

    app: OAuthAppView
    secret: Secret | None


class CreateOAuthApp(msgspec.Struct, frozen=True, kw_only=True):
    """Register an application."""

    space_id: int
    name: str
    client_type: ClientType
    permissions: Collection[Permission]
    redirect_uris: Sequence[str] = ()
    allows_plain: bool = False
    public_key: str | None = None
    """In PEM."""
    key_id: str | None = None
    """Name of the key; None: its thumbprint."""


class ChangeOAuthApp(msgspec.Struct, frozen=True, kw_only=True):
    """Change an application; what is left out stays."""

    name: str | msgspec.UnsetType = msgspec.UNSET
    permissions: Collection[Permission] | msgspec.UnsetType = msgspec.UNSET
    redirect_uris: Sequence[str] | msgspec.UnsetType = msgspec.UNSET
    allows_plain: bool | msgspec.UnsetType = msgspec.UNSET
    public_key: str | msgspec.UnsetType = msgspec.UNSET
    key_id: str | msgspec.UnsetType | None = msgspec.UNSET


class OAuthAppService:
    """Registers, changes and removes applications of workspaces."""

    def __init__(
        self,
        *,
        store: IdentityStore,
        cache: PrincipalCache,
        assertions: Assertions,
        ids: IdGenerator,
        clock: Clock,
    ) -> None:
        self._store = store
        self._cache = cache
        self._assertions = assertions
        self._ids = ids
        self._clock = clock

    async def list(self, principal: Principal, space_id: int) -> OAuthAppList:
        """Return the applications of a workspace, newest first."""
        space = SpaceId(space_id)
        principal.require(Permission.SPACE_WRITE, space)
        async with self._store.snapshot() as uow:
            found = await uow.oauth_apps.all(principal.scope.within(space))
        return OAuthAppList(items=tuple(map(OAuthAppView.of, found)), total=len(found))

    async def get(self, principal: Principal, app_id: int) -> OAuthAppView:
        async with self._store.snapshot() as uow:
            return OAuthAppView.of(await _permitted(uow, principal, app_id))

    async def overview(
        self, principal: Principal, *, before: int | None = None, limit: int = 100, text: str = ""
    ) -> tuple[OAuthAppOverview, ...]:
        """List the applications of all workspaces, newest first; ``text`` is in their names.

        Raises:
            Forbidden: only administrators of the deployment do.
        """
        principal.require_deployment_admin()
        async with self._store.snapshot() as uow:
            found = await uow.oauth.page(
                before=None if before is None else OAuthAppId(before),
                limit=limit,
                text=text.strip(),
            )
        return tuple(OAuthAppOverview.of(app, space_name=name) for app, name in found)

    async def set_disabled(
        self, principal: Principal, app_id: int, *, is_disabled: bool
    ) -> OAuthAppView:
        """Let an application in no more, with all that it was given, or let it in again.

        Raises:
            Forbidden: only administrators of the deployment do.
            ClientAppNotFound: there is none.
        """
        principal.require_deployment_admin()
        now = self._clock.now()
        async with self._store.transaction() as uow:
            app = await _administered(uow, principal, app_id)
            if is_disabled:
                await _revoke_grants(uow, app, principal, now)
                app.disable(actor_id=principal.user_id, now=now)
            else:
                app.enable(actor_id=principal.user_id, now=now)
            await uow.oauth_apps.save(_scope(principal, app), app)
            await uow.commit()
        self._cache.forget_all()
        return OAuthAppView.of(app)

    async def create(self, principal: Principal, command: CreateOAuthApp) -> NewOAuthApp:
        """Register an application that may do no more than the token it is made with.

        Raises:
            TokenExceedsOwner: it could do more, or act longer.
            InvalidClientApp, KeyInvalid: an attribute breaks its rule.
            TooManyTokens: the workspace has as many as it may.
        """
        space, now = SpaceId(command.space_id), self._clock.now()
        principal.require(Permission.SPACE_WRITE, space)
        app = OAuthApp.create(
            id=OAuthAppId(self._ids.next_id()),
            space_id=space,
            name=command.name,
            client_type=command.client_type,
            rules=AppRules(
                permissions=frozenset(command.permissions),
                redirect_uris=tuple(command.redirect_uris),
                allows_plain=command.allows_plain,
                public_key=self._key(command.public_key, command.key_id),
            ),
            actor_id=principal.user_id,
            now=now,
        )
        _require_within(principal, app)
        secret = new_client_secret() if app.client_type is ClientType.WEB else None
        if secret is not None:
            app.set_secret(secret, actor_id=principal.user_id, now=now)
        scope = principal.scope.within(space)
        async with self._store.transaction() as uow:
            await uow.serialise(f"oauth applications of {space}")
            if len(await uow.oauth_apps.all(scope)) >= _PER_SPACE:
                raise TooManyTokens(
                    f"A workspace has at most {_PER_SPACE} applications: delete one."
                )
            await uow.oauth_apps.save(scope, app)
            await uow.commit()
        return NewOAuthApp(app=OAuthAppView.of(app), secret=secret)

    async def change(
        self, principal: Principal, app_id: int, command: ChangeOAuthApp
    ) -> OAuthAppView:
        """Change an application; what it was given holds within what it may have now."""
        unset = msgspec.UNSET
        async with self._store.transaction() as uow:
            app = await _permitted(uow, principal, app_id)
            key = app.rules.public_key
            if command.public_key is not unset or command.key_id is not unset:
                pem = command.public_key
                key = self._key(
                    (None if key is None else key.pem) if pem is unset else pem,
                    None if command.key_id is unset else command.key_id,
                )
            was = app.rules
            rules = AppRules(
                permissions=(
                    was.permissions
                    if command.permissions is unset
                    else frozenset(command.permissions)
                ),
                redirect_uris=(
                    was.redirect_uris
                    if command.redirect_uris is unset
                    else tuple(command.redirect_uris)
                ),
                allows_plain=(
                    was.allows_plain if command.allows_plain is unset else command.allows_plain
                ),
                public_key=key,
            )
            app.change(
                name=app.name if command.name is unset else command.name,
                rules=rules,
                actor_id=principal.user_id,
                now=self._clock.now(),
            )
            _require_within(principal, app)
            await uow.oauth_apps.save(principal.scope, app)
            await uow.commit()
        self._cache.forget_all()
        return OAuthAppView.of(app)

    async def new_secret(self, principal: Principal, app_id: int) -> NewOAuthApp:
        """Draw another secret; the former is useless at once."""
        secret = new_client_secret()
        async with self._store.transaction() as uow:
            app = await _permitted(uow, principal, app_id)
            _require_within(principal, app)
            app.set_secret(secret, actor_id=principal.user_id, now=self._clock.now())
            await uow.oauth_apps.save(principal.scope, app)
            await uow.commit()
        return NewOAuthApp(app=OAuthAppView.of(app), secret=secret)

    async def delete(self, principal: Principal, app_id: int) -> None:
        """Remove an application with all that it was given.

        Those who administer its workspace do, and administrators of the deployment.
        """
        now = self._clock.now()
        async with self._store.transaction() as uow:
            app = await _administered(uow, principal, app_id)
            await _revoke_grants(uow, app, principal, now)
            app.delete(actor_id=principal.user_id, now=now)
            await uow.oauth_apps.delete(_scope(principal, app), app)
            await uow.commit()
        self._cache.forget_all()

    def _key(self, pem: str | None, key_id: str | None) -> PublicKey | None:
        if pem is None:
            return None
        thumbprint = self._assertions.thumbprint(pem)
        return PublicKey(key_id=key_id or thumbprint, pem=pem)


def _require_within(principal: Principal, app: OAuthApp) -> None:
    """Raise ``TokenExceedsOwner`` for an application that could do more than who registers it.

    One with a key acts without anybody's consent, so it must not outlive its maker either.
    """
    if app.client_type is ClientType.JWT:
        require_within(principal, app.grant, None)
    elif not principal.grant.contains(app.grant):
        raise TokenExceedsOwner("An application cannot get more than the token that registers it.")


async def _permitted(uow: IdentityUnitOfWork, principal: Principal, app_id: int) -> OAuthApp:
    app = await uow.oauth_apps.get(principal.scope, OAuthAppId(app_id))
    principal.require(Permission.SPACE_WRITE, app.space_id)
    return app


async def _administered(uow: IdentityUnitOfWork, principal: Principal, app_id: int) -> OAuthApp:
    """Return an application of any workspace to whoever administers the deployment."""
    if not principal.administers_deployment:
        return await _permitted(uow, principal, app_id)
    found = await uow.oauth.apps([OAuthAppId(app_id)])
    if not found:
        raise ClientAppNotFound(f"No application {app_id}.", app_id=app_id)
    return found[OAuthAppId(app_id)]


def _scope(principal: Principal, app: OAuthApp) -> TenantScope:
    """Administrators of the deployment have no role in most workspaces."""
    return TenantScope(principal.user_id, frozenset({app.space_id}))


async def _revoke_grants(
    uow: IdentityUnitOfWork, app: OAuthApp, principal: Principal, now: datetime
) -> None:
    for grant in await uow.oauth.grants_to(app.id):
        grant.revoke(reason="application", actor_id=int(principal.user_id), now=now)
        await uow.oauth.delete_grant(grant)
