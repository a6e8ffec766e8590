"""The caller's own account on the Coze surface."""

import msgspec
from litestar import Controller, get
from litestar.di import NamedDependency

from api.envelope import Envelope, ok
from application.identity.user import UserService
from domain.shared.access import Principal


class Me(msgspec.Struct, frozen=True, kw_only=True):
    """An account."""

    user_id: str
    user_name: str
    nick_name: str
    avatar_url: str


class UserController(Controller):
    """Who the token belongs to."""

    path = "/v1/users"

    @get("/me", operation_id="users.get_me")
    async def me(
        self, *, principal: NamedDependency[Principal], users: NamedDependency[UserService]
    ) -> Envelope[Me]:
        """Show the account of the token; a visitor sees itself, and nothing of the account."""
        if principal.grant.is_browser:
            name = principal.end_user_id
            return ok(Me(user_id=name, user_name=name, nick_name=name, avatar_url=""))
        user = await users.me(principal)
        return ok(
            Me(
                user_id=str(user.id),
                user_name=user.name,
                nick_name=user.nickname,
                avatar_url=user.avatar_url,
            )
        )
