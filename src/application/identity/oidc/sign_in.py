"""Sign-in by providers of OpenID Connect, and sign-out here and there."""

import hmac
import logging
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final, NoReturn

import msgspec

from application.identity.cache import PrincipalCache
from application.identity.dto import CreateUser
from application.identity.oidc.exchange import Connection, ProviderClient, address_with
from application.identity.oidc.provider import KnownProviders, OidcAddresses
from application.identity.sign_in import NewSession, SignInService, Visit
from application.identity.user import UserService
from domain.identity.entity import Space, User
from domain.identity.error import SessionNotFound, SpaceNotFound
from domain.identity.oidc.claims import (
    CLOCK_SKEW,
    Person,
    account_names,
    check_id_token,
    lacks_something,
    logout_notice,
    person_of,
    subject_of,
)
from domain.identity.oidc.error import (
    OidcProviderNotFound,
    OidcSignInRefused,
    ProviderUnusable,
    TokenRefused,
)
from domain.identity.oidc.link import (
    ExternalIdentity,
    GivenRole,
    ProviderSession,
    identity_digest,
    role_after,
)
from domain.identity.oidc.value import Refusal
from domain.identity.repository import IdentityStore, IdentityUnitOfWork
from domain.identity.session import RECENT_SIGN_IN, BrowserSession, new_secret
from domain.identity.value import SignInWay, SpaceKind
from domain.shared.access import Principal, TenantScope
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import SessionId, SpaceId, TokenId, UserId
from domain.shared.secret import Secret
from infra.contract.clock import Clock
from infra.contract.security.secret_box import SecretBox, SecretUnreadable

_log: Final = logging.getLogger(__name__)

FLOW_TTL: Final = timedelta(minutes=10)
"""How long somebody may take at the provider."""

_FLOW_PLACE: Final = b"oidc sign-in"
_FLOW_CHARS: Final = 4000
_CODE_CHARS: Final = 4096
_HINT_CHARS: Final = 4096
"""Longer, and addresses with it are refused on the way."""

_SYSTEM: Final = UserId(0)


class _Flow(msgspec.Struct, frozen=True, kw_only=True):
    """What a browser keeps while its person is at the provider; sealed."""

    provider: str
    state: str
    nonce: str
    verifier: str
    return_to: str
    is_remembered: bool
    is_confirming: bool
    begun_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class BegunSignIn:
    """Where to send a browser, and what it keeps until it comes back."""

    url: str
    kept: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderCallback:
    """What a browser brings back from a provider."""

    kept: str
    state: str = ""
    code: str = ""
    error: str = ""
    issuer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderSignIn:
    """A session that was opened for whom a provider knows, and where the person wanted to go."""

    opened: NewSession
    return_to: str


@dataclass(frozen=True, slots=True)
class NotSignedIn:
    """Why somebody is not signed in, in a word that pages know."""

    reason: str


class OidcSignInService:
    """Signs people in whom a provider knows.

    An account is a person's by issuer and subject. By its e-mail address it becomes so if the
    provider has verified it and is trusted with that, and the account has the address from somebody
    who may say so: otherwise whoever was first to write an address down had its owner's account.
    """

    def __init__(
        self,
        *,
        store: IdentityStore,
        cache: PrincipalCache,
        sign_in: SignInService,
        users: UserService,
        known: KnownProviders,
        client: ProviderClient,
        box: SecretBox,
        addresses: OidcAddresses,
        ids: IdGenerator,
        clock: Clock,
    ) -> None:
        self._store = store
        self._cache = cache
        self._sign_in = sign_in
        self._users = users
        self._known = known
        self._client = client
        self._box = box
        self._addresses = addresses
        self._ids = ids
        self._clock = clock

    async def begin(
        self, key: str, *, return_to: str, is_remembered: bool = False, is_confirming: bool = False
    ) -> BegunSignIn | NotSignedIn:
        """Send somebody to a provider; one who ``is_confirming`` shows there once more who it is.

        Raises:
            OidcProviderNotFound: there is no such provider.
        """
        try:
            connection, published = await self._published(key)
        except OidcSignInRefused as exc:
            return NotSignedIn(exc.refusal.value)
        state, nonce, verifier = (new_secret().reveal() for _ in range(3))
        flow = _Flow(
            provider=key,
            state=state,
            nonce=nonce,
            verifier=verifier,
            return_to=return_to,
            is_remembered=is_remembered,
            is_confirming=is_confirming,
            begun_at=self._clock.now(),
        )
        query = {
            "response_type": "code",
            "response_mode": "query",
            "client_id": connection.rules.client_id,
            "redirect_uri": self._addresses.callback(key),
            "scope": " ".join(connection.rules.scopes),
            "state": state,
            "nonce": nonce,
            "code_challenge": _challenge(verifier),
            "code_challenge_method": "S256",
        }
        if is_confirming:
            query |= {"prompt": "login", "max_age": "0"}
        sealed = self._box.seal(msgspec.json.encode(flow), aad=_FLOW_PLACE)
        return BegunSignIn(
            url=address_with(published.authorization_endpoint, query),
            kept=urlsafe_b64encode(sealed).decode(),
        )

    async def finish(
        self, key: str, callback: ProviderCallback, visit: Visit
    ) -> ProviderSignIn | NotSignedIn:
        """Sign somebody in who comes back, or say why not."""
        try:
            return await self._finish(key, callback, visit)
        except OidcSignInRefused as exc:
            return NotSignedIn(exc.refusal.value)

    async def _finish(self, key: str, callback: ProviderCallback, visit: Visit) -> ProviderSignIn:
        flow = self._flow(key, callback)
        if callback.error:
            _log.info("A provider signed nobody in.", extra={"provider": key})
            raise OidcSignInRefused("The provider did not sign you in.", refusal=Refusal.DENIED)
        connection, _ = await self._published(key)
        try:
            person, id_token = await self._person(connection, callback, flow)
        except TokenRefused as exc:
            _refuse(key, exc, Refusal.FAILED)
        except ProviderUnusable as exc:
            _refuse(key, exc, Refusal.UNREACHABLE)
        user = await self._account(connection, person)
        visit = Visit(device=visit.device, peer=visit.peer, is_remembered=flow.is_remembered)

        async def along(uow: IdentityUnitOfWork, session: BrowserSession) -> None:
            await uow.oidc.add_session(
                ProviderSession(
                    session_id=session.id,
                    user_id=user.id,
                    provider=key,
                    digest=identity_digest(connection.rules.issuer, person.subject),
                    provider_session=person.session,
                    sealed_id_token=self._sealed_token(session.id, id_token),
                    created_at=session.created_at,
                )
            )

        opened = await self._sign_in.open_session(
            user.id, SignInWay.OIDC, visit, signed_in_at=person.signed_in_at, along=along
        )
        return ProviderSignIn(opened=opened, return_to=flow.return_to)

    async def sign_out_address(self, principal: Principal) -> str:
        """Return where a person of a session goes to sign out at its provider, too; or nothing."""
        async with self._store.snapshot() as uow:
            session = await uow.oidc.session(SessionId(principal.token_id))
        if session is None:
            return ""
        try:
            connection = await self._known.connection(session.provider)
            published = await self._client.published(connection)
        except (OidcProviderNotFound, ProviderUnusable):
            return ""
        if not published.end_session_endpoint:
            return ""
        query = {
            "client_id": connection.rules.client_id,
            "post_logout_redirect_uri": self._addresses.signed_out_url,
        }
        if token := self._opened_token(session):
            query["id_token_hint"] = token
        return address_with(published.end_session_endpoint, query)

    async def sign_out_there(self, key: str, token: str) -> int:
        """Sign out whom a provider says has left it; return how many sessions that ended.

        Only sessions end that were there when the provider said so: its word can be repeated
        without harm.

        Raises:
            OidcProviderNotFound: there is no such provider.
            TokenRefused: the word is not its own, or too old.
            ProviderUnusable: it cannot be asked for its keys.
        """
        connection = await self._known.connection(key)
        claims = await self._client.verified(connection, token)
        rules, now = connection.rules, self._clock.now()
        notice = logout_notice(claims, issuer=rules.issuer, client_id=rules.client_id, now=now)
        digest = identity_digest(rules.issuer, notice.subject) if notice.subject else b""
        ended: list[SessionId] = []
        async with self._store.transaction() as uow:
            for each in await uow.oidc.sessions(
                key,
                digest=digest,
                provider_session=notice.session,
                until=notice.at + CLOCK_SKEW,
            ):
                try:
                    session = await uow.sessions.get(each.user_id, each.session_id)
                except SessionNotFound:
                    continue
                session.revoke(actor_id=each.user_id, now=now)
                await uow.sessions.save(session)
                ended.append(session.id)
            await uow.commit()
        for session_id in ended:
            self._cache.forget_token(TokenId(session_id))
        return len(ended)

    async def _published(self, key: str) -> tuple[Connection, Any]:
        try:
            connection = await self._known.connection(key)
            return connection, await self._client.published(connection)
        except ProviderUnusable as exc:
            _refuse(key, exc, Refusal.UNREACHABLE)

    def _flow(self, key: str, callback: ProviderCallback) -> _Flow:
        """Return what the browser kept; a state that it did not keep is somebody else's."""
        try:
            sealed = urlsafe_b64decode(callback.kept[:_FLOW_CHARS])
            flow = msgspec.json.decode(self._box.open(sealed, aad=_FLOW_PLACE), type=_Flow)
        except (ValueError, SecretUnreadable, msgspec.DecodeError) as exc:
            raise _expired() from exc
        is_same = hmac.compare_digest(flow.state.encode(), callback.state.encode())
        if flow.provider != key or not is_same or self._clock.now() - flow.begun_at > FLOW_TTL:
            raise _expired()
        return flow

    async def _person(
        self, connection: Connection, callback: ProviderCallback, flow: _Flow
    ) -> tuple[Person, str]:
        """Return whom the provider has signed in, once every word of it is checked."""
        published = await self._client.published(connection)
        rules = connection.rules
        must_name = published.authorization_response_iss_parameter_supported
        if (must_name or callback.issuer) and callback.issuer != rules.issuer:
            raise TokenRefused("Another provider answered (RFC 9207).")
        if not 1 <= len(callback.code) <= _CODE_CHARS:
            raise TokenRefused("The provider sent no code.")
        tokens = await self._client.exchange(
            connection,
            code=callback.code,
            verifier=flow.verifier,
            redirect_uri=self._addresses.callback(connection.key),
        )
        claims: Mapping[str, Any] = await self._client.verified(connection, tokens.id_token)
        now = self._clock.now()
        check_id_token(
            claims, issuer=rules.issuer, client_id=rules.client_id, nonce=flow.nonce, now=now
        )
        if lacks_something(claims, groups_claim=rules.groups_claim):
            more = await self._client.described(connection, tokens.access_token)
            if more and subject_of(more) != subject_of(claims):
                raise TokenRefused("The provider describes somebody else.")
            claims = {**more, **claims}
        person = person_of(claims, groups_claim=rules.groups_claim)
        if flow.is_confirming and (
            person.signed_in_at is None or now - person.signed_in_at > RECENT_SIGN_IN
        ):
            raise TokenRefused("The provider did not ask the person again.")
        return person, tokens.id_token

    async def _account(self, connection: Connection, person: Person) -> User:
        """Return whose account the person has, with the roles of its groups."""
        key, rules, now = connection.key, connection.rules, self._clock.now()
        digest = identity_digest(rules.issuer, person.subject)
        async with self._store.transaction() as uow:
            await uow.serialise(f"oidc identity {digest.hex()}")
            identity = await uow.oidc.identity(digest)
            if identity is None:
                user, by_email = await self._new_account(uow, connection, person)
                identity = ExternalIdentity.link(
                    id=self._ids.next_id(),
                    user_id=user.id,
                    provider=key,
                    issuer=rules.issuer,
                    subject=person.subject,
                    by_email=by_email,
                    now=now,
                )
            else:
                user = await uow.users.get(identity.user_id)
            if user.is_disabled:
                raise OidcSignInRefused("This account is disabled.", refusal=Refusal.DISABLED)
            identity.last_used_at = now
            await uow.oidc.save_identity(identity)
            if person.picture and not user.avatar_url:
                user.describe(avatar_url=person.picture)
                await uow.users.save(user)
            if person.groups is not None:
                await self._map_roles(uow, connection, user.id, person.groups)
            await uow.commit()
        self._cache.forget_user(user.id)
        return user

    async def _new_account(
        self, uow: IdentityUnitOfWork, connection: Connection, person: Person
    ) -> tuple[User, bool]:
        """Return the account of somebody who comes first, and whether the address led to it."""
        rules = connection.rules
        owner = await uow.users.find_by_email(person.email) if person.email else None
        is_known = person.is_email_verified and rules.trust_email
        if owner is not None and is_known and owner.is_email_trusted:
            links = await uow.oidc.identities_of(owner.id)
            if all(each.issuer != rules.issuer for each in links):
                return owner, True
        if not rules.create_accounts:
            refusal = Refusal.NO_ACCOUNT if owner is None else Refusal.TAKEN
            raise OidcSignInRefused("Nobody here has an account for you.", refusal=refusal)
        if owner is not None and is_known:
            # Whose account it is nobody has vouched for, or it is another person's of the same
            # provider, who had the address before: an administrator says which.
            raise OidcSignInRefused("An account has your address already.", refusal=Refusal.TAKEN)
        return await self._created(uow, person, email=person.email if is_known else ""), False

    async def _created(self, uow: IdentityUnitOfWork, person: Person, *, email: str) -> User:
        """Open an account; an address that nobody vouches for would keep its owner out."""
        await uow.serialise("account names")
        for name in account_names(person, number=self._ids.next_id()):
            if await uow.users.find_by_name(name) is None:
                break
        return await self._users.open_account(
            uow,
            CreateUser(
                name=name,
                nickname=person.name,
                email=email,
                is_email_trusted=bool(email),
            ),
            token=None,
            actor_id=None,
        )

    async def _map_roles(
        self,
        uow: IdentityUnitOfWork,
        connection: Connection,
        user_id: UserId,
        groups: frozenset[str],
    ) -> None:
        """Give the roles of somebody's groups, and take those whose group is gone."""
        key, wanted = connection.key, connection.rules.roles_of(groups)
        given = {each.space_id: each for each in await uow.oidc.roles_given(key, user_id)}
        kept = []
        for space_id in sorted({*given, *wanted}):
            scope = TenantScope(user_id, frozenset({space_id}))
            try:
                space = await uow.spaces.get(scope, space_id)
            except SpaceNotFound:
                _log.warning(
                    "A group leads to a workspace that is not there.",
                    extra={"provider": key, "workspace_id": str(space_id)},
                )
                continue
            if space.kind is SpaceKind.PERSONAL:
                continue
            before = space.members.get(user_id)
            if left := self._adapt(space, user_id, key, given.get(space_id), wanted):
                kept.append(left)
            if space.members.get(user_id) is not before:
                await uow.spaces.save(scope, space)
        await uow.oidc.replace_roles(key, user_id, kept)

    def _adapt(
        self,
        space: Space,
        user_id: UserId,
        key: str,
        given: GivenRole | None,
        wanted: Mapping[SpaceId, Any],
    ) -> GivenRole | None:
        member = space.members.get(user_id)
        current = member.role if member else None
        role, is_of_group, former = role_after(current, given, wanted.get(space.id))
        now = self._clock.now()
        if role is None and current is not None:
            space.remove_member(user_id, actor_id=_SYSTEM, now=now)
        elif role is not None and current is None:
            space.add_member(user_id, role, actor_id=_SYSTEM, now=now)
        elif role is not None and role is not current:
            space.set_role(user_id, role, actor_id=_SYSTEM, now=now)
        if role is None or not is_of_group:
            return None
        return GivenRole(
            provider=key, user_id=user_id, space_id=space.id, role=role, former_role=former
        )

    def _sealed_token(self, session_id: SessionId, token: str) -> bytes:
        if len(token) > _HINT_CHARS:
            return b""
        return self._box.seal(token.encode(), aad=_token_place(session_id))

    def _opened_token(self, session: ProviderSession) -> str:
        if not session.sealed_id_token:
            return ""
        place = _token_place(session.session_id)
        try:
            return Secret(self._box.open(session.sealed_id_token, aad=place).decode()).reveal()
        except SecretUnreadable:
            return ""


def _challenge(verifier: str) -> str:
    return urlsafe_b64encode(sha256(verifier.encode()).digest()).decode().rstrip("=")


def _token_place(session_id: SessionId) -> bytes:
    return f"oidc_session:{session_id}:id_token".encode()


def _expired() -> OidcSignInRefused:
    return OidcSignInRefused(
        "The sign-in took too long, or began in another browser; begin anew.",
        refusal=Refusal.EXPIRED,
    )


def _refuse(key: str, cause: TokenRefused | ProviderUnusable, refusal: Refusal) -> NoReturn:
    """Refuse a sign-in; what was wrong is for the operator's log, not for a page."""
    _log.warning("A sign-in by %s failed: %s", key, cause.message)
    raise OidcSignInRefused("The provider's answer cannot be used.", refusal=refusal) from cause
