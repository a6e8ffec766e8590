"""Commands and views of channels."""

from collections.abc import Mapping
from datetime import datetime

import msgspec

from application.shared.page import Listed
from application.shared.patch import Patch
from application.shared.projection import Projection
from domain.channel.channel import Channel
from domain.channel.value import ChannelSettings
from domain.shared.ids import Id
from domain.shared.secret import Secret
from domain.shared.target import TargetKind


class CredentialView(msgspec.Struct, frozen=True, kw_only=True):
    """A credential of a platform: whether it is there, and its text where it is no secret."""

    name: str
    is_secret: bool
    is_required: bool
    is_set: bool = False
    value: str = ""
    choices: tuple[str, ...] = ()
    """Not empty: what it may be, the usual one first."""


class ChannelView(Projection, of=Channel, only=()):
    """A channel as those see it who may change it; never its secrets."""

    id: Id
    space_id: Id
    creator_id: Id
    public_id: str
    platform: str
    target_kind: TargetKind
    target_id: Id
    settings: ChannelSettings
    bot_id: str
    created_at: datetime
    updated_at: datetime
    credentials: tuple[CredentialView, ...]


class PlatformView(msgspec.Struct, frozen=True, kw_only=True):
    """A platform on which channels can be, and what it asks for."""

    name: str
    credentials: tuple[CredentialView, ...]
    has_groups: bool
    takes_files: bool
    edits: bool
    """Answers are shown there while they are written."""


class ChannelList(Listed[ChannelView], kw_only=True):
    """All channels of a workspace, and where others can be."""

    platforms: tuple[PlatformView, ...] = ()


class ChannelTest(msgspec.Struct, frozen=True, kw_only=True):
    """Who the app is on its platform; else why it does not say so."""

    is_ok: bool
    bot_id: str = ""
    bot_name: str = ""
    target_name: str = ""
    problem: str = ""


class CreateChannel(msgspec.Struct, frozen=True, kw_only=True):
    """Let a published agent or workflow answer on a platform."""

    space_id: int
    platform: str
    target_kind: TargetKind
    target_id: int
    settings: ChannelSettings
    credentials: Mapping[str, Secret]


class ChangeChannel(msgspec.Struct, frozen=True, kw_only=True):
    """Change how a channel behaves, and what opens its platform; what is left out stays."""

    settings: Patch[ChannelSettings] = Patch()
    credentials: Mapping[str, Secret] = {}
