"""The caller's own account: profile, password, preferences, and where it is signed in."""

from datetime import datetime, timedelta

import msgspec

from application.identity.cache import PrincipalCache
from application.identity.dto import UserView
from application.identity.own_session import own_session
from application.identity.sign_in import SignInService, revoke_sessions, set_password
from application.shared.page import Listed
from application.shared.projection import Projection
from domain.identity.entity import User
from domain.identity.error import SpaceNotFound
from domain.identity.password import checked_password
from domain.identity.repository import IdentityStore
from domain.identity.session import ADMIN_IDLE, SESSION_TTL, BrowserSession
from domain.identity.value import Preferences, SignInWay
from domain.shared.access import ROLE_PERMISSIONS, Permission, Principal, Role
from domain.shared.error import Forbidden
from domain.shared.ids import Id, SessionId, TokenId, UserId
from domain.shared.secret import Secret
from infra.contract.clock import Clock
from infra.contract.security.password_hasher import PasswordHasher


class AccountView(UserView):
    """An account as its owner sees it."""

    has_password: bool


class SessionView(Projection, of=BrowserSession, only=()):
    """A browser in which the account is signed in."""

    id: Id
    way: SignInWay
    device: str
    address: str
    is_remembered: bool
    is_current: bool
    """It is the one that asks."""
    created_at: datetime
    signed_in_at: datetime
    last_used_at: datetime | None
    expires_at: datetime


class SessionPage(Listed[SessionView]):
    """All open sessions of an account, the latest first."""


class SessionSpace(msgspec.Struct, frozen=True, kw_only=True):
    """A workspace of the account, and what it may do there."""

    id: Id
    name: str
    kind: str
    icon_url: str
    """Address of the icon, which is shown without a sign-in; empty for none."""
    role: Role
    permissions: tuple[Permission, ...]


class SessionOverview(msgspec.Struct, frozen=True, kw_only=True):
    """Who is signed in, until when, and where they may do what."""

    user: UserView
    preferences: Preferences
    signed_in_at: datetime
    expires_at: datetime
    is_remembered: bool
    spaces: tuple[SessionSpace, ...]


class AccountService:
    """What people change about themselves; a token does so too if nothing was taken from it."""

    def __init__(
        self,
        *,
        store: IdentityStore,
        cache: PrincipalCache,
        sign_in: SignInService,
        hasher: PasswordHasher,
        clock: Clock,
    ) -> None:
        self._store = store
        self._cache = cache
        self._sign_in = sign_in
        self._hasher = hasher
        self._clock = clock

    async def me(self, principal: Principal) -> AccountView:
        """Return the caller's account."""
        principal.require_unlimited()
        async with self._store.snapshot() as uow:
            user = await uow.users.get(principal.user_id)
            password = await uow.sign_ins.password_of(user.id)
        return AccountView.of(user, has_password=password is not None)

    async def describe(self, principal: Principal, *, nickname: str | None) -> AccountView:
        """Change what others see; None leaves a value."""
        account, _ = await self._described(principal, nickname=nickname)
        return account

    async def show_with(self, principal: Principal, avatar_url: str) -> tuple[AccountView, str]:
        """Change the address of the picture; return the former one too.

        Raises:
            StaleRevision: the account changed meanwhile.
        """
        return await self._described(principal, avatar_url=avatar_url)

    async def _described(
        self, principal: Principal, *, nickname: str | None = None, avatar_url: str | None = None
    ) -> tuple[AccountView, str]:
        principal.require_unlimited()
        async with self._store.transaction() as uow:
            user = await uow.users.get(principal.user_id)
            former = user.avatar_url
            user.describe(nickname=nickname, avatar_url=avatar_url)
            await uow.users.save(user)
            password = await uow.sign_ins.password_of(user.id)
            await uow.commit()
        return AccountView.of(user, has_password=password is not None), former

    async def preferences(self, principal: Principal) -> Preferences:
        """Return the caller's preferences, without views of workspaces that they have left."""
        principal.require_unlimited()
        async with self._store.snapshot() as uow:
            kept = await uow.users.preferences_of(principal.user_id)
        views = tuple(each for each in kept.run_views if each.space_id in principal.roles)
        return msgspec.structs.replace(kept, run_views=views)

    async def prefer(self, principal: Principal, preferences: Preferences) -> Preferences:
        """Replace the caller's preferences; raise ``SpaceNotFound`` for a view of a foreign one."""
        principal.require_unlimited()
        for view in preferences.run_views:
            if view.space_id not in principal.roles:
                raise SpaceNotFound(f"No workspace {view.space_id}.", space_id=view.space_id)
        async with self._store.transaction() as uow:
            await uow.users.prefer(principal.user_id, preferences)
            await uow.commit()
        return preferences

    async def set_password(
        self, principal: Principal, password: Secret, *, current: Secret | None, peer: str
    ) -> None:
        """Change the password; the account is signed out everywhere else.

        Raises:
            WrongCredentials: ``current`` is not the password so far.
            RecentSignInNeeded: there is none so far, and the sign-in is too old.
            WeakPassword: the new one is refused.
        """
        account = await self.me(principal)
        if account.has_password:
            if current is None:
                raise Forbidden("current: the password so far is needed.", field="current")
            await self._sign_in.prove(account.name, current, peer=peer)
        else:
            await self._sign_in.require_recent(principal)
        encoded = await self._hasher.hash(checked_password(password, name=account.name))
        async with self._store.transaction() as uow:
            ended = await set_password(
                uow,
                principal.user_id,
                encoded,
                now=self._clock.now(),
                without=principal.token_id,
            )
            await uow.commit()
        self._forget(ended)

    async def overview(self, principal: Principal) -> SessionOverview:
        """Tell who is signed in and what they may do where."""
        async with self._store.snapshot() as uow:
            user = await uow.users.get(principal.user_id)
            preferences = await uow.users.preferences_of(user.id)
            session = await own_session(uow, principal)
            spaces, _ = await uow.spaces.page(
                principal.scope, offset=0, limit=max(len(principal.roles), 1)
            )
        return SessionOverview(
            user=UserView.of(user),
            preferences=preferences,
            signed_in_at=session.signed_in_at,
            expires_at=session.ends_at(user),
            is_remembered=session.is_remembered,
            spaces=tuple(
                SessionSpace(
                    id=space.id,
                    name=space.name,
                    kind=space.kind.value,
                    icon_url=space.icon_url,
                    role=role,
                    permissions=tuple(sorted(ROLE_PERMISSIONS[role])),
                )
                for space, role in spaces
            ),
        )

    async def sessions(self, principal: Principal) -> SessionPage:
        """List where the caller is signed in."""
        principal.require_unlimited()
        return await self._sessions_of(principal.user_id, current=principal.token_id)

    async def sign_out(self, principal: Principal, session_id: int | None = None) -> None:
        """End one of the caller's sessions, or all but the one that asks."""
        principal.require_unlimited()
        await self._end(
            principal.user_id, session_id, actor_id=principal.user_id, without=principal.token_id
        )

    async def sessions_of(self, principal: Principal, user_id: int) -> SessionPage:
        """List where an account is signed in, for administrators."""
        principal.require_deployment_admin()
        return await self._sessions_of(UserId(user_id), current=principal.token_id)

    async def sign_out_account(self, principal: Principal, user_id: int) -> None:
        """End all sessions of an account, for administrators."""
        principal.require_deployment_admin()
        await self._end(UserId(user_id), None, actor_id=principal.user_id)

    async def _sessions_of(self, user_id: UserId, *, current: int) -> SessionPage:
        now = self._clock.now()
        async with self._store.snapshot() as uow:
            user = await uow.users.get(user_id)
            found = await uow.sessions.open_ones(user_id, used_after=now - _longest(user))
        valid = [each for each in found if each.is_valid(user, now)]
        return SessionPage(
            items=tuple(
                SessionView.of(each, is_current=each.id == current, expires_at=each.ends_at(user))
                for each in valid
            ),
            total=len(valid),
        )

    async def _end(
        self,
        user_id: UserId,
        session_id: int | None,
        *,
        actor_id: UserId,
        without: int | None = None,
    ) -> None:
        now = self._clock.now()
        async with self._store.transaction() as uow:
            await uow.users.get(user_id)
            if session_id is None:
                ended = await revoke_sessions(
                    uow, user_id, actor_id=actor_id, now=now, without=without
                )
            else:
                session = await uow.sessions.get(user_id, SessionId(session_id))
                session.revoke(actor_id=actor_id, now=now)
                await uow.sessions.save(session)
                ended = [session.id]
            await uow.commit()
        self._forget(ended)

    def _forget(self, ended: list[SessionId]) -> None:
        for session_id in ended:
            self._cache.forget_token(TokenId(session_id))


def _longest(user: User) -> timedelta:
    return ADMIN_IDLE if user.is_admin else SESSION_TTL
