"""Pictures of accounts and workspaces, at addresses that hold a secret of their own."""

from typing import Any

from litestar import Controller, Request, Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from api.download import ANSWERS, download
from api.wire import required_id
from application.identity.avatar import AvatarService
from domain.shared.limits import Limits


class AvatarController(Controller):
    """What pages of any host show beside what somebody wrote."""

    opt = {"public": True}  # noqa: RUF012

    @get(
        "/avatars/{owner_id:str}/{key:str}",
        operation_id="avatars.download",
        media_type="application/octet-stream",
        responses=ANSWERS,
    )
    async def picture(
        self,
        *,
        request: Request[Any, Any, Any],
        avatars: NamedDependency[AvatarService],
        limits: NamedDependency[Limits],
        owner_id: FromPath[str],
        key: FromPath[str],
    ) -> Response[bytes]:
        """Download the picture of an account, or the icon of a workspace."""
        content = await avatars.open(required_id(owner_id, field="owner_id"), key)
        return download(content, request, limits=limits)
