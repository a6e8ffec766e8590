"""Accounts that people open for themselves, by an invitation or an address of a known domain."""

import msgspec

from application.identity.dto import CreateUser
from application.identity.invitation import join, open_invitation
from application.identity.sign_in import NewSession, SignInService, Visit, set_password
from application.identity.user import UserService
from domain.identity.error import SignUpClosed, UserNameTaken
from domain.identity.password import checked_password
from domain.identity.repository import IdentityStore
from domain.identity.value import SignInWay
from domain.shared.secret import Secret
from infra.contract.clock import Clock
from infra.contract.security.password_hasher import PasswordHasher


class Registration(msgspec.Struct, frozen=True, kw_only=True):
    """An account that somebody opens; ``code`` is that of an invitation."""

    name: str
    password: Secret
    nickname: str = ""
    email: str = ""
    code: Secret | None = None


class RegistrationService:
    """Opens accounts for strangers, as far as the deployment lets them in."""

    def __init__(
        self,
        *,
        store: IdentityStore,
        users: UserService,
        sign_in: SignInService,
        hasher: PasswordHasher,
        clock: Clock,
    ) -> None:
        self._store = store
        self._users = users
        self._sign_in = sign_in
        self._hasher = hasher
        self._clock = clock

    async def register(self, asked: Registration, visit: Visit) -> NewSession:
        """Open an account, make it a member where it is invited, and sign it in.

        Raises:
            SignUpClosed: nobody opens an account this way here.
            PasswordsOff: nobody has a password here.
            InvitationNotFound: the invitation lets nobody in.
            UserNameTaken, EmailTaken: another account has the name or the address.
            InvalidIdentity, WeakPassword: name, address or password break a rule.
        """
        self._sign_in.require_passwords()
        if not self._sign_in.rules.lets_register(
            email=asked.email, is_invited=asked.code is not None
        ):
            raise SignUpClosed("Nobody opens an account here this way; ask an administrator.")
        password = checked_password(asked.password, name=asked.name)
        if asked.code is not None:  # before the processor works for whoever made one up
            async with self._store.snapshot() as uow:
                await open_invitation(uow, asked.code, now=self._clock.now())
        encoded = await self._hasher.hash(password)
        command = CreateUser(name=asked.name, nickname=asked.nickname, email=asked.email)
        async with self._store.transaction() as uow:
            now = self._clock.now()
            if await uow.users.find_by_name(asked.name.strip()):
                raise UserNameTaken("name: another account has this name.", field="name")
            user = await self._users.open_account(uow, command, token=None, actor_id=None)
            await set_password(uow, user.id, encoded, now=now)
            if asked.code is not None:
                await join(uow, user.id, asked.code, now=now)
            await uow.commit()
        return await self._sign_in.open_session(user.id, SignInWay.PASSWORD, visit)
