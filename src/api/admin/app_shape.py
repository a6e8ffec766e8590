"""Apps in the spelling of the admin surface."""

import msgspec
from msgspec import UNSET, UnsetType

from api.wire import WireId, seconds
from application.app.dto import (
    AppVariable,
    AppVariableChannel,
    AppVariableType,
    AppVersionView,
    AppView,
)


class AppVariableFields(msgspec.Struct, frozen=True, kw_only=True):
    """A variable of the app; ``channel`` app: one value for all, else one per end user.

    Workflows that take it for another ``type`` are told so when they are checked.
    """

    key: str
    description: str = ""
    default_value: str = ""
    type: AppVariableType = AppVariableType.ANY
    channel: AppVariableChannel = AppVariableChannel.CUSTOM
    is_disabled: bool = False

    @classmethod
    def of(cls, variable: AppVariable) -> "AppVariableFields":
        return cls(
            key=variable.keyword,
            description=variable.description,
            default_value=variable.default_value,
            type=variable.type,
            channel=variable.channel,
            is_disabled=not variable.enabled,
        )

    def definition(self) -> AppVariable:
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


class AdminApp(msgspec.Struct, frozen=True, kw_only=True):
    """An app in full; ``version`` is empty for the draft."""

    id: str
    workspace_id: str
    creator_id: str
    name: str
    description: str
    icon_file_id: str | None
    icon_url: str
    version: str
    latest_version: str
    connector_ids: list[str]
    variables: list[AppVariableFields]
    conversations: list[str]
    revision: int
    created_at: int
    updated_at: int
    published_at: int | None

    @classmethod
    def of(cls, view: AppView) -> "AdminApp":
        return cls(
            id=str(view.id),
            workspace_id=str(view.space_id),
            creator_id=str(view.creator_id),
            name=view.name,
            description=view.description,
            icon_file_id=None if view.icon_file_id is None else str(view.icon_file_id),
            icon_url=view.icon_url,
            version=view.version,
            latest_version=view.latest_version,
            connector_ids=[str(each) for each in view.connector_ids],
            variables=[AppVariableFields.of(each) for each in view.variables],
            conversations=list(view.conversations),
            revision=view.revision,
            created_at=seconds(view.created_at),
            updated_at=seconds(view.updated_at),
            published_at=None if view.published_at is None else seconds(view.published_at),
        )


class AdminAppList(msgspec.Struct, frozen=True, kw_only=True):
    """One page of apps, newest change first."""

    items: list[AdminApp]
    total: int
    next_cursor: str | None


class AdminAppRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One publication of an app."""

    id: str
    version: str
    description: str
    creator_id: str
    connector_ids: list[str]
    status: str
    created_at: int

    @classmethod
    def of(cls, view: AppVersionView) -> "AdminAppRecord":
        return cls(
            id=str(view.id),
            version=view.version,
            description=view.description,
            creator_id=str(view.creator_id),
            connector_ids=[str(each) for each in view.connector_ids],
            status="done",
            created_at=seconds(view.created_at),
        )


class AdminAppRecordList(msgspec.Struct, frozen=True, kw_only=True):
    """One page of publications, newest first."""

    items: list[AdminAppRecord]
    total: int
    next_cursor: str | None


class AdminAppConversation(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation that the app defines; ``env`` is ``draft`` or ``release``."""

    name: str
    env: str


class AdminAppConversationList(msgspec.Struct, frozen=True, kw_only=True):
    """The conversations of an app."""

    items: list[AdminAppConversation]
    total: int
    next_cursor: str | None = None

    @classmethod
    def of(cls, view: AppView, *, env: str) -> "AdminAppConversationList":
        items = [AdminAppConversation(name=name, env=env) for name in view.conversations]
        return cls(items=items, total=len(items))
