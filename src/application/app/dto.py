"""Commands and views of the app use cases; surfaces translate them to their wires."""

from datetime import datetime

import msgspec
from msgspec import UNSET, UnsetType

from domain.app.value import AppVariable, AppVariableChannel, AppVariableType
from domain.shared.access import CONNECTOR_API

__all__ = [
    "AppPage",
    "AppVariable",
    "AppVariableChannel",
    "AppVariableType",
    "AppVersionPage",
    "AppVersionView",
    "AppView",
    "CreateApp",
    "ListApps",
    "PublishApp",
    "UpdateApp",
]


class CreateApp(msgspec.Struct, frozen=True, kw_only=True):
    """Make a draft in a space."""

    space_id: int
    name: str
    description: str = ""
    icon_file_id: int | None = None
    variables: tuple[AppVariable, ...] = ()


class UpdateApp(msgspec.Struct, frozen=True, kw_only=True):
    """Change the draft; UNSET leaves a value, ``expected_revision`` None lets the last one win."""

    app_id: int
    name: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    icon_file_id: int | UnsetType | None = UNSET
    variables: tuple[AppVariable, ...] | UnsetType = UNSET
    expected_revision: int | None = None


class ListApps(msgspec.Struct, frozen=True, kw_only=True):
    """One page of the apps of a space, newest change first."""

    space_id: int
    limit: int
    offset: int = 0
    is_published: bool | None = None
    connector_id: int | None = None
    text: str = ""


class PublishApp(msgspec.Struct, frozen=True, kw_only=True):
    """Freeze the draft; an empty ``version`` takes the next free label."""

    app_id: int
    version: str = ""
    description: str = ""
    connector_ids: tuple[int, ...] = (CONNECTOR_API,)


class AppView(msgspec.Struct, frozen=True, kw_only=True):
    """An app: its draft, or the version named by ``version``."""

    id: int
    space_id: int
    creator_id: int
    name: str
    description: str
    icon_file_id: int | None
    icon_url: str
    version: str
    latest_version: str
    connector_ids: tuple[int, ...]
    variables: tuple[AppVariable, ...]
    conversations: tuple[str, ...]
    revision: int
    created_at: datetime
    updated_at: datetime
    published_at: datetime | None


class AppPage(msgspec.Struct, frozen=True, kw_only=True):
    """One page of apps; ``total`` counts all matches."""

    items: tuple[AppView, ...]
    total: int
    has_more: bool


class AppVersionView(msgspec.Struct, frozen=True, kw_only=True):
    """One publication of an app."""

    id: int
    version: str
    description: str
    creator_id: int
    connector_ids: tuple[int, ...]
    created_at: datetime


class AppVersionPage(msgspec.Struct, frozen=True, kw_only=True):
    """One page of publications, newest first."""

    items: tuple[AppVersionView, ...]
    total: int
