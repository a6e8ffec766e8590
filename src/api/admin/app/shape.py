"""Apps in the spelling of the admin surface."""

from operator import not_
from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from api.shape import Fields, Shape
from api.wire import WireId
from application.app.dto import AppVersionView, AppView
from application.shared.page import Paged, Whole
from application.shared.projection import After, At, By
from domain.app.value import AppVariable, AppVariableChannel, AppVariableType


class AppVariableFields(Fields, of=AppVariable, only=()):
    """A variable of the app; ``channel`` app: one value for all, else one per end user.

    Workflows that take it for another ``type`` are told so when they are checked.
    """

    key: Annotated[str, At("keyword")]
    description: str = ""
    default_value: str = ""
    type: AppVariableType = AppVariableType.ANY
    channel: AppVariableChannel = AppVariableChannel.CUSTOM
    is_disabled: Annotated[bool, At("enabled"), By(not_)] = False

    def value(self, field: str = "") -> AppVariable:
        """Return the variable."""
        return AppVariable(
            keyword=self.key,
            description=self.description,
            default_value=self.default_value,
            type=self.type,
            channel=self.channel,
            enabled=not self.is_disabled,
        )


class CreateAppBody(msgspec.Struct, frozen=True, kw_only=True):
    """A new app."""

    name: str
    description: str = ""
    icon_file_id: WireId | None = None
    variables: list[AppVariableFields] = []


class UpdateAppBody(msgspec.Struct, frozen=True, kw_only=True):
    """Changes of a draft; the list of variables is replaced as a whole."""

    name: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    icon_file_id: WireId | UnsetType | None = UNSET
    variables: list[AppVariableFields] | UnsetType = UNSET


class CopyAppBody(msgspec.Struct, frozen=True, kw_only=True):
    """What the copy is called."""

    name: str | None = None


class PublishAppBody(msgspec.Struct, frozen=True, kw_only=True):
    """What the version is called, and where it goes: the API unless said otherwise."""

    version: str | None = None
    description: str | None = None
    connectors: list[WireId] | None = None


class ConversationBody(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation of the app."""

    name: str


class AdminApp(Shape, of=AppView):
    """An app in full; ``version`` is empty for the draft."""

    variables: list[AppVariableFields]


class AdminAppList(Paged[AdminApp]):
    """One page of apps, newest change first."""


class AdminAppRecord(Shape, of=AppVersionView):
    """One publication of an app."""

    status: Annotated[str, After("connector_ids")]


class AdminAppRecordList(Paged[AdminAppRecord]):
    """One page of publications, newest first."""


class AdminAppConversation(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation that the app defines; ``env`` is ``draft`` or ``release``."""

    name: str
    env: str


class AdminAppConversationList(Whole[AdminAppConversation]):
    """The conversations of an app."""

    @classmethod
    def of(cls, view: AppView, *, env: str) -> "AdminAppConversationList":
        items = [AdminAppConversation(name=name, env=env) for name in view.conversations]
        return cls(items=items, total=len(items))
