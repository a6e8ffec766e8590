"""Use cases of consent: an application asks, a person answers."""

from datetime import datetime, timedelta
from typing import Final

import msgspec

from application.identity.cache import peer_network
from application.shared.rate import RateLimiter
from domain.identity.oauth.app import HAS_REDIRECT, OAuthApp
from domain.identity.oauth.error import (
    ConsentRequestNotFound,
    InvalidClient,
    UnauthorizedClient,
)
from domain.identity.oauth.request import (
    DEVICE_TTL,
    POLL_S,
    OAuthRequest,
    challenge_of,
    checked_state,
    handle_digest,
    new_code,
    new_handle,
    new_user_code,
    spelled_user_code,
)
from domain.identity.repository import IdentityStore, IdentityUnitOfWork
from domain.identity.value import ClientType
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.error import InvalidRequest, NotFound, RateLimited
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import Id, OAuthAppId, OAuthRequestId, SpaceId, parse_id
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from infra.contract.clock import Clock

KEPT: Final = timedelta(days=1)
"""How long what has expired is remembered, to tell what is used twice."""

_PENDING_PER_APP: Final = 10_000
"""A bound of the table, and far more than people answer in a quarter of an hour."""

_TRIES_PER_MIN: Final = 10
"""Wrong codes of a device that somebody types; a code has 34 bits and 15 minutes."""


class BeginAuthorization(msgspec.Struct, frozen=True, kw_only=True):
    """What a browser brings from an application."""

    client_id: str
    response_type: str
    redirect_uri: str
    state: str = ""
    challenge: str = ""
    challenge_method: str = ""
    space_id: int | None = None


class DeviceCode(msgspec.Struct, frozen=True, kw_only=True):
    """What a device asks with, and what it shows."""

    device_code: Secret
    user_code: str
    interval_s: int
    expires_s: int


class ConsentSpace(msgspec.Struct, frozen=True, kw_only=True):
    """A workspace that the person may choose."""

    id: Id
    name: str


class ConsentView(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody is asked for: by whom, for what, and where."""

    id: str
    """Name of the request, with which it is answered."""
    app_name: str
    app_space: str
    """Name of the workspace that registered the application."""
    client_type: ClientType
    redirect_host: str
    """Where the browser goes afterwards; empty for a device."""
    permissions: tuple[Permission, ...]
    workspaces: tuple[ConsentSpace, ...]
    """Those that may be chosen; none: the person may not answer."""
    expires_at: datetime


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """An answer."""

    is_approved: bool
    space_id: int | None = None


class OAuthConsentService:
    """Keeps requests of applications until somebody answers, and answers them."""

    def __init__(
        self, *, store: IdentityStore, ids: IdGenerator, clock: Clock, limits: Limits
    ) -> None:
        self._store = store
        self._ids = ids
        self._clock = clock
        size = limits.auth_cache_entries
        self._asked = RateLimiter(per_minute=limits.oauth_requests_per_min, size=size)
        self._tries = RateLimiter(per_minute=_TRIES_PER_MIN, size=size)

    async def begin(self, command: BeginAuthorization, *, peer: str) -> str:
        """Keep a request; return its name, which leads to the page that asks.

        Raises:
            InvalidClient, UnauthorizedClient, InvalidRequest: nobody may be sent back.
            RateLimited: the peer, or all together, ask too often.
        """
        self._require_rate(peer)
        now, handle = self._clock.now(), new_handle()
        async with self._store.transaction() as uow:
            app = await app_of(uow, command.client_id)
            if app.client_type not in HAS_REDIRECT:
                raise UnauthorizedClient(
                    f"An application of type {app.client_type} sends no browser here.",
                    field="client_id",
                )
            if command.redirect_uri not in app.rules.redirect_uris:
                raise InvalidRequest(
                    "redirect_uri: not one of those that the application registered, letter by "
                    "letter.",
                    field="redirect_uri",
                )
            if command.response_type != "code":
                raise InvalidRequest("response_type: expected code.", field="response_type")
            challenge, method = challenge_of(
                app, challenge=command.challenge, method=command.challenge_method
            )
            await self._require_room(uow, app, now)
            request = OAuthRequest.for_code(
                id=OAuthRequestId(self._ids.next_id()),
                app=app,
                handle=handle,
                space_id=None if command.space_id is None else SpaceId(command.space_id),
                redirect_uri=command.redirect_uri,
                state=checked_state(command.state),
                challenge=challenge,
                method=method,
                now=now,
            )
            await uow.oauth.save_request(request)
            await uow.commit()
        return handle.reveal()

    async def begin_device(self, client_id: str, *, space_id: int | None, peer: str) -> DeviceCode:
        """Keep a request of a device; raise as ``begin``."""
        self._require_rate(peer)
        now, device_code, user_code = self._clock.now(), new_code(), new_user_code()
        async with self._store.transaction() as uow:
            app = await app_of(uow, client_id)
            if app.client_type is not ClientType.DEVICE:
                raise UnauthorizedClient(
                    f"An application of type {app.client_type} gets no codes of devices.",
                    field="client_id",
                )
            await self._require_room(uow, app, now)
            request = OAuthRequest.for_device(
                id=OAuthRequestId(self._ids.next_id()),
                app=app,
                user_code=user_code,
                device_code=device_code,
                space_id=None if space_id is None else SpaceId(space_id),
                now=now,
            )
            await uow.oauth.save_request(request)
            await uow.commit()
        return DeviceCode(
            device_code=device_code,
            user_code=user_code,
            interval_s=POLL_S,
            expires_s=int(DEVICE_TTL.total_seconds()),
        )

    async def show(self, principal: Principal, name: str) -> ConsentView:
        """Tell a person what they are asked for; ``name`` may be the code of a device."""
        async with self._store.snapshot() as uow:
            request, app = await self._open(uow, principal, name)
            return await self._view(uow, principal, name, request, app)

    async def answer(self, principal: Principal, name: str, decision: Decision) -> str:
        """Answer a request; return where the browser goes, empty for a device.

        Raises:
            ConsentRequestNotFound, ConsentRequestDecided: nobody waits for the answer.
            NotFound: a workspace that the person does not see.
        """
        now = self._clock.now()
        async with self._store.transaction() as uow:
            request, _ = await self._open(uow, principal, name)
            if not decision.is_approved:
                request.deny(user_id=principal.user_id, now=now)
                await uow.oauth.save_request(request)
                await uow.commit()
                return request.answer_url(error="access_denied")
            if decision.space_id is None:
                raise InvalidRequest("workspace_id: choose one.", field="workspace_id")
            space_id = SpaceId(decision.space_id)
            if space_id not in principal.roles:
                raise NotFound(f"No workspace {space_id}.", space_id=space_id)
            code = None if request.is_device else new_code()
            request.approve(user_id=principal.user_id, space_id=space_id, code=code, now=now)
            await uow.oauth.save_request(request)
            await uow.commit()
        return "" if code is None else request.answer_url(code=code.reveal())

    async def _open(
        self, uow: IdentityUnitOfWork, principal: Principal, name: str
    ) -> tuple[OAuthRequest, OAuthApp]:
        now = self._clock.now()
        request = await uow.oauth.request_of(handle_digest(spelled_user_code(name)))
        app = None if request is None else await uow.oauth.app(request.app_id)
        if request is None or app is None:
            if wait_s := self._tries.take(principal.user_id, now=now):
                raise RateLimited(
                    "Too many wrong codes; wait a moment.",
                    retry_after_s=wait_s,
                    limit="wrong codes",
                )
            raise ConsentRequestNotFound(
                "Nobody asks with this code, or no longer; look at the device again."
            )
        request.require_open(now)
        return request, app

    async def _view(
        self,
        uow: IdentityUnitOfWork,
        principal: Principal,
        name: str,
        request: OAuthRequest,
        app: OAuthApp,
    ) -> ConsentView:
        spaces, _ = await uow.spaces.page(principal.scope, offset=0, limit=len(principal.roles))
        asked = request.fixed_space_id
        choices = [
            ConsentSpace(id=space.id, name=space.name)
            for space, _role in sorted(spaces, key=lambda each: each[0].id != app.space_id)
            if asked in {None, space.id}
        ]
        everywhere = TenantScope(principal.user_id, frozenset({app.space_id}))
        home = await uow.spaces.get(everywhere, app.space_id)
        return ConsentView(
            id=spelled_user_code(name),
            app_name=app.name,
            app_space=home.name,
            client_type=app.client_type,
            redirect_host=request.redirect_host,
            permissions=tuple(sorted(app.rules.permissions)),
            workspaces=tuple(choices),
            expires_at=request.expires_at,
        )

    async def _require_room(self, uow: IdentityUnitOfWork, app: OAuthApp, now: datetime) -> None:
        await uow.oauth.forget_expired(app.id, before=now - KEPT)
        if await uow.oauth.count_pending(app.id, now=now) >= _PENDING_PER_APP:
            raise RateLimited(
                "Too many requests of this application wait for an answer.", retry_after_s=60
            )

    def _require_rate(self, peer: str) -> None:
        if wait_s := self._asked.take(peer_network(peer), now=self._clock.now()):
            raise RateLimited(
                "Too many requests of applications from your address; wait a moment.",
                retry_after_s=wait_s,
                limit="oauth_requests_per_min",
            )


async def app_of(uow: IdentityUnitOfWork, client_id: str) -> OAuthApp:
    """Return the application that calls itself so; raise ``InvalidClient``."""
    try:
        app = await uow.oauth.app(OAuthAppId(parse_id(client_id, field="client_id")))
    except InvalidRequest:
        app = None
    if app is None:
        raise InvalidClient("client_id: no such application.", field="client_id")
    return app
