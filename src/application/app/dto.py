"""Commands and views of the app use cases; surfaces translate them to their wires."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from application.shared.page import Listed, Part
from application.shared.projection import At, Projection
from domain.app.entity import App, AppVersion
from domain.app.repository import AppQuery
from domain.app.value import AppVariable
from domain.shared.access import CONNECTOR_API
from domain.shared.ids import Id


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ListApps(AppQuery):
    """One page of the apps of a space."""

    space_id: int


class PublishApp(msgspec.Struct, frozen=True, kw_only=True):
    """Freeze the draft; an empty ``version`` takes the next free label."""

    app_id: int
    version: str = ""
    description: str = ""
    connector_ids: tuple[int, ...] = (CONNECTOR_API,)


class AppView(Projection, of=App, only=()):
    """An app: its draft, or the version named by ``version``."""

    id: Id
    space_id: Id
    creator_id: Id
    name: str
    description: str
    icon_file_id: Id | None
    icon_url: str
    version: str
    latest_version: str
    connector_ids: tuple[Id, ...]
    variables: Annotated[tuple[AppVariable, ...], At("content.variables")]
    conversations: Annotated[tuple[str, ...], At("content.conversations")]
    revision: int
    created_at: datetime
    updated_at: datetime
    published_at: datetime | None


class AppPage(Part[AppView]):
    """One page of apps; ``total`` counts all matches."""


class AppVersionView(Projection, of=AppVersion, only=()):
    """One publication of an app."""

    id: Id
    version: Annotated[str, At("label")]
    description: Annotated[str, At("note")]
    creator_id: Id
    connector_ids: tuple[Id, ...]
    created_at: datetime


class AppVersionPage(Listed[AppVersionView]):
    """One page of publications, newest first."""
