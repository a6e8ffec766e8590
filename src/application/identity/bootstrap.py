"""The first start, and the operator at the machine."""

from dataclasses import dataclass

from application.identity.dto import CreateUser
from application.identity.user import UserService
from domain.identity.error import UserNotFound
from domain.identity.repository import IdentityStore
from domain.identity.service import principal_of
from domain.identity.value import TokenKind, given_token, new_token_text
from domain.shared.access import Principal
from domain.shared.secret import Secret

FIRST_USER = "admin"


@dataclass(frozen=True, slots=True, kw_only=True)
class BootstrapResult:
    """``token`` only if it was ``created`` now; it cannot be shown again."""

    created: bool
    token: Secret | None


class BootstrapService:
    """Makes a new deployment usable, and speaks for whoever has a shell on the machine."""

    def __init__(self, *, store: IdentityStore, users: UserService) -> None:
        self._store = store
        self._users = users

    async def ensure(self, token: Secret | None = None) -> BootstrapResult:
        """Create the first administrator with a personal space and ``token``, or a random one.

        Does nothing once any account exists.

        Raises:
            InvalidIdentity: the given token does not begin with ``pat_`` or is too short.
        """
        text = given_token(token) if token else new_token_text(TokenKind.PERSONAL)
        async with self._store.snapshot() as uow:
            _, existing = await uow.users.page(before=None, limit=1, text="")
        if existing:
            return BootstrapResult(created=False, token=None)
        async with self._store.transaction() as uow:
            await uow.serialise("first account")
            if await uow.users.find_by_name(FIRST_USER):  # another process was quicker
                return BootstrapResult(created=False, token=None)
            command = CreateUser(name=FIRST_USER, nickname="Admin", is_admin=True)
            await self._users.open_account(uow, command, token=text, actor_id=None)
            await uow.commit()
        return BootstrapResult(created=True, token=text)

    async def operator(self) -> Principal:
        """Return the first administrator with all rights, for commands given at the machine.

        Raises:
            UserNotFound: there is no administrator yet; ``ensure`` comes first.
        """
        async with self._store.snapshot() as uow:
            user = await uow.users.find_first_admin()
            if user is None:
                raise UserNotFound("There is no administrator yet; start the server once.")
            roles, shares = await uow.credentials.rights_of(user.id)
        return principal_of(user, roles, shares=shares)
