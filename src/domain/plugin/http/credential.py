"""Proves to services who calls: keys, and tokens of grants that renew themselves."""

import asyncio
import logging
import secrets as random
from collections.abc import Mapping
from datetime import timedelta
from typing import Final
from weakref import WeakValueDictionary

from domain.plugin.entity import Plugin
from domain.plugin.error import AuthorisationRefused, GrantNeeded, ToolCallFailed
from domain.plugin.grant import (
    SHARED,
    STATE_MINUTES,
    Grant,
    PendingGrant,
    Tokens,
    authorize_url,
    digest_of,
    read_tokens,
    token_body,
)
from domain.plugin.http.request import Draft
from domain.plugin.repository import PluginStore
from domain.plugin.value import SECRET_CLIENT, SECRET_TOKEN, Auth, AuthType, GrantId, Location
from domain.shared.access import TenantScope
from domain.shared.error import AppError, Conflict
from domain.shared.id_generator import IdGenerator
from domain.shared.secret import Secret
from infra.contract.clock import Clock
from infra.contract.egress import EgressClient, EgressPolicy, EgressRequest

_CLIENT: Final = "@client"
"""Holder of the token that the plugin itself has."""

_TOKEN_BYTES: Final = 256 * 1024
_TOKEN_S: Final = 15.0
_VERIFIER_BYTES: Final = 48
_STATE_BYTES: Final = 32
_LOG: Final = logging.getLogger(__name__)


def holder_of(scope: TenantScope, end_user_id: str) -> str:
    """Name the person behind a call: an end user, else the account."""
    return f"user:{end_user_id}" if end_user_id else f"account:{scope.principal_id}"


class Credentials:
    """Adds what proves the caller; ``redirect_url`` is where providers send users back to."""

    def __init__(
        self,
        *,
        store: PluginStore,
        egress: EgressClient,
        clock: Clock,
        ids: IdGenerator,
        redirect_url: str,
    ) -> None:
        self._store = store
        self._egress = egress
        self._clock = clock
        self._ids = ids
        self._redirect_url = redirect_url
        self._locks: WeakValueDictionary[tuple[int, str], asyncio.Lock] = WeakValueDictionary()

    async def apply(
        self,
        draft: Draft,
        plugin: Plugin,
        auth: Auth,
        *,
        scope: TenantScope,
        end_user_id: str,
        hosts: frozenset[str],
    ) -> None:
        """Put the proof into a request.

        Raises:
            GrantNeeded: the user has not given access, or it ended.
            ToolCallFailed: the credentials are lost, or the provider issues no token.
        """
        if auth.type is AuthType.NONE:
            return
        if auth.type is AuthType.SERVICE:
            token = _secret(plugin, SECRET_TOKEN).reveal()
            draft.secrets.append(token)
            if auth.location is Location.QUERY:
                draft.query.append((auth.key, token))
            else:
                draft.headers[auth.key.lower()] = token
            return
        holder = self.holder(auth, scope, end_user_id)
        access = await self._access(plugin, auth, scope=scope, holder=holder, hosts=hosts)
        draft.secrets.append(access.reveal())
        draft.headers["authorization"] = f"Bearer {access.reveal()}"

    def holder(self, auth: Auth, scope: TenantScope, end_user_id: str) -> str:
        """Name whose grant a call uses."""
        if auth.type is AuthType.CLIENT_CREDENTIALS:
            return _CLIENT
        return SHARED if auth.is_shared else holder_of(scope, end_user_id)

    async def begin(self, plugin: Plugin, *, scope: TenantScope, holder: str) -> str:
        """Return where the holder grants access; good once, and for ten minutes."""
        state = random.token_urlsafe(_STATE_BYTES)
        verifier = random.token_urlsafe(_VERIFIER_BYTES)
        waiting = PendingGrant(
            digest=digest_of(state),
            plugin_id=plugin.id,
            space_id=plugin.space_id,
            holder=holder,
            verifier=Secret(verifier),
            expires_at=self._clock.now() + timedelta(minutes=STATE_MINUTES),
        )
        async with self._store.transaction() as uow:
            await uow.grants.expect(scope, waiting)
            await uow.commit()
        return authorize_url(
            plugin.manifest.auth, state=state, verifier=verifier, redirect_url=self._redirect_url
        )

    async def complete(self, *, state: str, code: str) -> str:
        """Take a user back from the provider; return the name of the plugin.

        Raises:
            AuthorisationRefused: nobody was sent there with this state, or it was used.
            ToolCallFailed: the provider issues no token.
        """
        async with self._store.transaction() as uow:
            found = await uow.pending.take(digest_of(state), self._clock.now())
            await uow.commit()
        if found is None:
            raise AuthorisationRefused("This address was used or is too old; start again.")
        waiting, user_id = found
        if not code:
            raise AuthorisationRefused("Access was not granted.")
        scope = TenantScope(user_id, frozenset({waiting.space_id}))
        async with self._store.snapshot() as uow:
            plugin = await uow.plugins.get(scope, waiting.plugin_id)
            hosts = frozenset(await uow.hosts.get(scope, plugin.space_id))
        auth = plugin.manifest.auth
        if auth.type is not AuthType.AUTHORIZATION_CODE:
            raise AuthorisationRefused("The plugin does not work with grants any more.")
        fields = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._redirect_url,
            "code_verifier": waiting.verifier.reveal(),
        }
        tokens = await self._ask(plugin, auth, fields, hosts)
        await self._give(plugin, tokens, scope=scope, holder=waiting.holder)
        return plugin.name

    async def _access(
        self,
        plugin: Plugin,
        auth: Auth,
        *,
        scope: TenantScope,
        holder: str,
        hosts: frozenset[str],
    ) -> Secret:
        key = (plugin.id, holder)
        lock = self._locks.setdefault(key, asyncio.Lock())
        async with lock:  # one renewal at a time; others find the new token
            async with self._store.snapshot() as uow:
                grant = await uow.grants.find(scope, plugin.id, holder)
            now = self._clock.now()
            if grant is not None and grant.is_forgotten(now):
                await self._end(scope, grant, "unused")
                grant = None
            if grant is not None and grant.wants_renewal(now):
                grant = await self._renewed(plugin, auth, grant, scope=scope, hosts=hosts)
            if grant is not None and grant.is_usable(now):
                if grant.used(now):
                    await self._store_grant(scope, grant)
                return grant.access
            if auth.type is AuthType.CLIENT_CREDENTIALS:
                fields = {"grant_type": "client_credentials"}
                if auth.scope:
                    fields["scope"] = auth.scope
                tokens = await self._ask(plugin, auth, fields, hosts)
                return (await self._give(plugin, tokens, scope=scope, holder=holder)).access
        raise GrantNeeded(
            f"The user has to give {plugin.name} access first.",
            authorize_url=await self.begin(plugin, scope=scope, holder=holder),
        )

    async def _renewed(
        self,
        plugin: Plugin,
        auth: Auth,
        grant: Grant,
        *,
        scope: TenantScope,
        hosts: frozenset[str],
    ) -> Grant | None:
        """Renew at half of the life: a provider that fails now may work before it ends."""
        fields = {"grant_type": "refresh_token", "refresh_token": grant.refresh.reveal()}
        now = self._clock.now()
        try:
            tokens = await self._ask(plugin, auth, fields, hosts)
        except AppError:
            _LOG.warning("A grant of plugin %s could not be renewed.", plugin.id)
            if grant.renewal_failed():
                await self._end(scope, grant, "renewal_failed")
                return None
        else:
            grant.renew(tokens, now=now)
        await self._store_grant(scope, grant)
        return grant

    async def _end(self, scope: TenantScope, grant: Grant, reason: str) -> None:
        grant.revoke(reason, now=self._clock.now())
        async with self._store.transaction() as uow:
            await uow.grants.remove(scope, grant)
            await uow.commit()

    async def _store_grant(self, scope: TenantScope, grant: Grant) -> None:
        try:
            async with self._store.transaction() as uow:
                await uow.grants.save(scope, grant)
                await uow.commit()
        except Conflict:  # another process was quicker; both tokens are good
            _LOG.info("A grant was stored by another process too.")

    async def _give(
        self, plugin: Plugin, tokens: Tokens, *, scope: TenantScope, holder: str
    ) -> Grant:
        grant = Grant.give(
            GrantId(self._ids.next_id()),
            tokens,
            plugin_id=plugin.id,
            space_id=plugin.space_id,
            holder=holder,
            now=self._clock.now(),
        )
        await self._store_grant(scope, grant)
        return grant

    async def _ask(
        self, plugin: Plugin, auth: Auth, fields: Mapping[str, str], hosts: frozenset[str]
    ) -> Tokens:
        secret = _secret(plugin, SECRET_CLIENT).reveal()
        body, media = token_body(
            auth, {**fields, "client_id": auth.client_id, "client_secret": secret}
        )
        response = await self._egress.request(
            EgressRequest(
                url=auth.client_url,
                method="POST",
                headers={"content-type": media, "accept": "application/json"},
                body=body,
            ),
            EgressPolicy(
                space_id=plugin.space_id,
                max_bytes=_TOKEN_BYTES,
                max_seconds=_TOKEN_S,
                max_redirects=0,
                allow_methods=frozenset({"POST"}),
                allow_hosts=hosts,
            ),
        )
        return read_tokens(response.status, response.body)


def _secret(plugin: Plugin, name: str) -> Secret:
    found = plugin.secrets.get(name)
    if not found:
        raise ToolCallFailed(f"The credentials of {plugin.name} have to be set anew.")
    return found
