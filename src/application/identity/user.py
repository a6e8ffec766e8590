"""Use cases of accounts."""

from datetime import datetime
from typing import Final

from application.identity.cache import PrincipalCache
from application.identity.dto import CreatedUser, CreateUser, UserPage, UserView
from domain.identity.entity import ApiToken, Space, User
from domain.identity.error import EmailTaken, LastAdministrator, UserNameTaken, UserNotFound
from domain.identity.repository import IdentityStore, IdentityUnitOfWork
from domain.identity.value import SpaceKind, TokenKind, new_token_text
from domain.shared.access import Grant, Principal, TenantScope
from domain.shared.error import Unauthenticated
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import SpaceId, TokenId, UserId
from domain.shared.secret import Secret
from infra.contract.clock import Clock

FIRST_TOKEN: Final = "First token"  # noqa: S105 - a name, not a secret


class UserService:
    """Accounts of the deployment; all but ``me`` is for its administrators."""

    def __init__(
        self, *, store: IdentityStore, cache: PrincipalCache, ids: IdGenerator, clock: Clock
    ) -> None:
        self._store = store
        self._cache = cache
        self._ids = ids
        self._clock = clock

    async def me(self, principal: Principal) -> UserView:
        """Return the caller's own account; a service shows itself as one."""
        async with self._store.snapshot() as uow:
            if principal.is_service:
                return await self._service(uow, principal)
            return UserView.of(await uow.users.get(principal.user_id))

    async def _service(self, uow: IdentityUnitOfWork, principal: Principal) -> UserView:
        token = await uow.services.find_by_id(TokenId(principal.user_id))
        if token is None:
            raise Unauthenticated("The workspace of this token is gone.")
        return UserView(
            id=token.id,
            name=token.name,
            nickname=token.name,
            avatar_url="",
            email="",
            is_admin=False,
            is_disabled=False,
            personal_space_id=token.space_id,
            created_at=token.created_at,
        )

    async def page(
        self, principal: Principal, *, before: int | None = None, limit: int = 20, text: str = ""
    ) -> UserPage:
        """List accounts whose names contain ``text``, newest first."""
        principal.require_deployment_admin()
        async with self._store.snapshot() as uow:
            users, total = await uow.users.page(
                before=UserId(before) if before else None, limit=limit + 1, text=text
            )
        return UserPage.cut(UserView.each(users), total, limit=limit)

    async def named(self, principal: Principal, name: str) -> UserView:
        """Return the account of this name; raise ``UserNotFound``."""
        principal.require_deployment_admin()
        async with self._store.snapshot() as uow:
            user = await uow.users.find_by_name(name.strip())
        if user is None:
            raise UserNotFound(f"No account is named {name.strip()}.")
        return UserView.of(user)

    async def create(self, principal: Principal, command: CreateUser) -> CreatedUser:
        """Open an account with its personal space and a first token.

        The token never expires, unless the one that the request came with does: it ends then too.

        Raises:
            UserNameTaken: another account has this name.
            InvalidIdentity: a name breaks its rule.
        """
        principal.require_deployment_admin()
        text = new_token_text(TokenKind.PERSONAL)
        async with self._store.transaction() as uow:
            if await uow.users.find_by_name(command.name.strip()):
                raise UserNameTaken("name: another account has this name.", field="name")
            user = await self.open_account(
                uow,
                command,
                token=text,
                actor_id=principal.user_id,
                expires_at=principal.expires_at,
            )
            await uow.commit()
        return CreatedUser(user=UserView.of(user), token=text)

    async def set_email(self, principal: Principal, user_id: int, email: str) -> UserView:
        """Write down whose address an account has; raise ``EmailTaken``. Empty: none."""
        principal.require_deployment_admin()
        async with self._store.transaction() as uow:
            await uow.serialise("e-mail addresses")
            user = await uow.users.get(UserId(user_id))
            user.set_email(email, is_trusted=True)
            await _require_free_email(uow, user)
            await uow.users.save(user)
            await uow.commit()
        return UserView.of(user)

    async def set_disabled(self, principal: Principal, user_id: int, *, disabled: bool) -> UserView:
        """Stop an account with all its tokens, or let it work again."""
        principal.require_deployment_admin()
        async with self._store.transaction() as uow:
            await uow.serialise("administrators")  # two could stop each other
            user = await uow.users.get(UserId(user_id))
            if disabled and user.is_admin and await uow.users.count_active_admins() <= 1:
                raise LastAdministrator("Make someone else an administrator first.")
            change = user.disable if disabled else user.enable
            change(actor_id=principal.user_id, now=self._clock.now())
            await uow.users.save(user)
            await uow.commit()
        self._cache.forget_user(user.id)
        return UserView.of(user)

    async def open_account(
        self,
        uow: IdentityUnitOfWork,
        command: CreateUser,
        *,
        token: Secret | None,
        actor_id: UserId | None,
        expires_at: datetime | None = None,
    ) -> User:
        """Add account and personal space to a running transaction, and a first token if given."""
        now = self._clock.now()
        user_id, space_id = UserId(self._ids.next_id()), SpaceId(self._ids.next_id())
        actor = user_id if actor_id is None else actor_id
        scope = TenantScope(user_id, frozenset({space_id}))
        user = User.create(
            id=user_id,
            name=command.name,
            nickname=command.nickname,
            email=command.email,
            is_email_trusted=command.is_email_trusted,
            personal_space_id=space_id,
            is_admin=command.is_admin,
            actor_id=actor,
            now=now,
        )
        space = Space.create(
            id=space_id,
            kind=SpaceKind.PERSONAL,
            name="Personal",
            owner_id=user_id,
            actor_id=actor,
            now=now,
        )
        if user.email:
            await uow.serialise("e-mail addresses")
            await _require_free_email(uow, user)
        await uow.users.save(user)
        await uow.spaces.save(scope, space)
        if token is not None:
            credential = ApiToken.create(
                id=TokenId(self._ids.next_id()),
                user_id=user_id,
                kind=TokenKind.PERSONAL,
                name=FIRST_TOKEN,
                text=token.reveal(),
                grant=Grant(),
                expires_at=expires_at,
                actor_id=actor,
                now=now,
            )
            await uow.tokens.save(scope, credential)
        return user


async def _require_free_email(uow: IdentityUnitOfWork, user: User) -> None:
    other = await uow.users.find_by_email(user.email) if user.email else None
    if other is not None and other.id != user.id:
        raise EmailTaken("email: another account has this address.", field="email")
