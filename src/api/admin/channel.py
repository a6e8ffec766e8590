"""Channels on the admin surface."""

from collections.abc import Mapping
from typing import Annotated

from litestar import Controller, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_200_OK
from msgspec import UNSET, Struct, UnsetType

from api.disconnect import EndsWithClient
from api.shape import Changes, Fields, Shape
from api.wire import WireId, required_id
from application.channel.dto import (
    ChangeChannel,
    ChannelTest,
    ChannelView,
    CreateChannel,
    CredentialView,
    PlatformView,
)
from application.channel.service import ChannelService
from application.shared.page import Whole
from application.shared.patch import Patch
from application.shared.projection import At
from domain.channel.value import ChannelSettings
from domain.shared.access import Principal
from domain.shared.secret import Secret
from domain.shared.target import TargetKind


class ChannelBehaviour(Fields, of=ChannelSettings):
    """How a channel behaves."""


class ChannelBehaviourChanges(Changes, of=ChannelSettings):
    """Changes of how a channel behaves; what is absent stays, null resets it."""


class ChannelCredential(Shape, of=CredentialView):
    """A credential: whether it is there; its text only where it is no secret."""


class ChannelPlatform(Shape, of=PlatformView):
    """A platform on which channels can be, and what it asks for."""

    credentials: list[ChannelCredential]


class ChannelItem(
    Shape, of=ChannelView, without=("public_id",), rename={"target_kind": "target_type"}
):
    """A channel; secrets are never told."""

    code: Annotated[str, At("public_id")]
    """The platform calls `/channels/{code}`."""
    settings: ChannelBehaviour
    credentials: list[ChannelCredential]


class ChannelItems(Whole[ChannelItem], kw_only=True):
    """All channels of a workspace, newest first, and the platforms there are."""

    platforms: list[ChannelPlatform]


class ChannelTestResult(Shape, of=ChannelTest):
    """Who the app is on its platform, and what answers there; else the problem."""


class CreateChannelBody(Struct, frozen=True, kw_only=True):
    """A channel to make."""

    platform: str
    """`feishu`, `slack` or `wecom`."""
    target_type: TargetKind
    """`agent`, or `workflow` for a chat flow."""
    target_id: WireId
    settings: ChannelBehaviour
    credentials: dict[str, str]
    """What the platform gave, by the names it has there."""


class ChangeChannelBody(Struct, frozen=True, kw_only=True):
    """Changes of a channel; what is absent stays."""

    settings: ChannelBehaviourChanges | UnsetType = UNSET
    credentials: dict[str, str] | UnsetType = UNSET
    """Those to replace; an empty text forgets one."""


class AdminChannelController(Controller):
    """Messaging platforms on which agents and chat flows answer."""

    path = "/admin/v1"

    @get("/workspaces/{workspace_id:str}/channels", operation_id="admin.channels.list")
    async def list_channels(
        self,
        *,
        principal: NamedDependency[Principal],
        channels: NamedDependency[ChannelService],
        workspace_id: FromPath[str],
    ) -> ChannelItems:
        """List the channels of a workspace, newest first, and where others can be."""
        found = await channels.list(principal, required_id(workspace_id, field="workspace_id"))
        return ChannelItems(
            items=ChannelItem.each(found.items),
            total=found.total,
            platforms=ChannelPlatform.each(found.platforms),
        )

    @post("/workspaces/{workspace_id:str}/channels", operation_id="admin.channels.create")
    async def create(
        self,
        *,
        data: JSONBody[CreateChannelBody],
        principal: NamedDependency[Principal],
        channels: NamedDependency[ChannelService],
        workspace_id: FromPath[str],
    ) -> ChannelItem:
        """Let a published agent or chat flow answer on a messaging platform."""
        settings: ChannelSettings = data.settings.value("settings")
        made = await channels.create(
            principal,
            CreateChannel(
                space_id=required_id(workspace_id, field="workspace_id"),
                platform=data.platform,
                target_kind=data.target_type,
                target_id=required_id(data.target_id, field="target_id"),
                settings=settings,
                credentials=_secrets(data.credentials),
            ),
        )
        return ChannelItem.of(made)

    @get("/channels/{channel_id:str}", operation_id="admin.channels.get")
    async def read(
        self,
        *,
        principal: NamedDependency[Principal],
        channels: NamedDependency[ChannelService],
        channel_id: FromPath[str],
    ) -> ChannelItem:
        """Show a channel without its secrets."""
        return ChannelItem.of(await channels.get(principal, _channel(channel_id)))

    @patch("/channels/{channel_id:str}", operation_id="admin.channels.update")
    async def update(
        self,
        *,
        data: JSONBody[ChangeChannelBody],
        principal: NamedDependency[Principal],
        channels: NamedDependency[ChannelService],
        channel_id: FromPath[str],
    ) -> ChannelItem:
        """Change how a channel behaves, or the credentials of its platform."""
        patch: Patch[ChannelSettings] = (
            Patch() if data.settings is UNSET else data.settings.patch("settings")
        )
        given = {} if data.credentials is UNSET else data.credentials
        changed = await channels.change(
            principal,
            _channel(channel_id),
            ChangeChannel(settings=patch, credentials=_secrets(given)),
        )
        return ChannelItem.of(changed)

    @post(
        "/channels/{channel_id:str}/test",
        operation_id="admin.channels.test",
        middleware=[EndsWithClient],
        status_code=HTTP_200_OK,
    )
    async def test(
        self,
        *,
        principal: NamedDependency[Principal],
        channels: NamedDependency[ChannelService],
        channel_id: FromPath[str],
    ) -> ChannelTestResult:
        """Ask the platform who the app is there, with the credentials of the channel."""
        return ChannelTestResult.of(await channels.test(principal, _channel(channel_id)))

    @delete("/channels/{channel_id:str}", operation_id="admin.channels.delete")
    async def remove(
        self,
        *,
        principal: NamedDependency[Principal],
        channels: NamedDependency[ChannelService],
        channel_id: FromPath[str],
    ) -> None:
        """Delete a channel: what waits there is not answered any more."""
        await channels.delete(principal, _channel(channel_id))


def _channel(channel_id: str) -> int:
    return required_id(channel_id, field="channel_id")


def _secrets(given: Mapping[str, str]) -> dict[str, Secret]:
    return {name: Secret(text) for name, text in given.items()}
