"""Apps on the Coze surface."""

from typing import Final

import msgspec
from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery

from api.envelope import Envelope, ok
from api.wire import optional_id, page, query_choice, required_id, seconds
from application.app.dto import AppView, ListApps
from application.app.publishing import AppPublishingService
from application.app.service import AppService
from domain.shared.access import Principal

_PAGE_SIZE: Final = 20  # as at Coze
_MAX_PAGE_SIZE: Final = 50
_STATES: Final = {
    "all": "all",
    "published_online": "published",
    "published_draft": "published",
    "unpublished_draft": "unpublished",
}
_PUBLISHED: Final = {None: None, "all": None, "published": True, "unpublished": False}


class SimpleApp(msgspec.Struct, frozen=True, kw_only=True):
    """An app in a list."""

    id: str
    name: str
    description: str
    icon_url: str
    is_published: bool
    owner_user_id: str
    updated_at: int
    published_at: int | msgspec.UnsetType = msgspec.UNSET

    @classmethod
    def of(cls, app: AppView) -> "SimpleApp":
        published_at = app.published_at
        return cls(
            id=str(app.id),
            name=app.name,
            description=app.description,
            icon_url=app.icon_url,
            is_published=published_at is not None,
            owner_user_id=str(app.creator_id),
            updated_at=seconds(app.updated_at),
            published_at=msgspec.UNSET if published_at is None else seconds(published_at),
        )


class SimpleAppList(msgspec.Struct, frozen=True, kw_only=True):
    """One page of apps, newest change first."""

    items: list[SimpleApp]
    total: int


class WireAppVariable(msgspec.Struct, frozen=True, kw_only=True):
    """A variable of an app."""

    keyword: str
    default_value: str
    description: str
    channel: str
    enable: bool


class WireApp(msgspec.Struct, frozen=True, kw_only=True):
    """An app as published last; ``version`` is empty for one that never was."""

    app_id: str
    version: str
    name: str
    description: str
    icon_url: str
    variables: list[WireAppVariable]

    @classmethod
    def of(cls, app: AppView) -> "WireApp":
        return cls(
            app_id=str(app.id),
            version=app.version,
            name=app.name,
            description=app.description,
            icon_url=app.icon_url,
            variables=[
                WireAppVariable(
                    keyword=each.keyword,
                    default_value=each.default_value,
                    description=each.description,
                    channel=each.channel.value,
                    enable=each.enabled,
                )
                for each in app.variables
            ],
        )


class AppController(Controller):
    """Apps of a workspace."""

    path = "/v1/apps"
    tags = ("apps",)

    @get("/", operation_id="apps.list")
    async def list(
        self,
        *,
        principal: NamedDependency[Principal],
        apps: NamedDependency[AppService],
        workspace_id: FromQuery[str | None] = None,
        publish_status: FromQuery[str | None] = None,
        connector_id: FromQuery[str | None] = None,
        page_index: FromQuery[str | None] = None,
        page_num: FromQuery[str | None] = None,
        page_size: FromQuery[str | None] = None,
    ) -> Envelope[SimpleAppList]:
        """List the apps of a workspace."""
        wanted = page(
            page_index or page_num,
            page_size,
            default=_PAGE_SIZE,
            maximum=_MAX_PAGE_SIZE,
            field="page_index",
        )
        found = await apps.list(
            principal,
            ListApps(
                space_id=required_id(workspace_id, field="workspace_id"),
                limit=wanted.size,
                offset=wanted.offset,
                is_published=_PUBLISHED[
                    query_choice(publish_status, _STATES, field="publish_status")
                ],
                connector_id=optional_id(connector_id, field="connector_id"),
            ),
        )
        return ok(
            SimpleAppList(items=[SimpleApp.of(each) for each in found.items], total=found.total)
        )

    @get("/{app_id:str}", operation_id="apps.retrieve")
    async def retrieve(
        self,
        *,
        principal: NamedDependency[Principal],
        app_publishing: NamedDependency[AppPublishingService],
        app_id: FromPath[str],
        connector_id: FromQuery[str | None] = None,
    ) -> Envelope[WireApp]:
        """Return an app with its variables, as published last, else its draft."""
        app = await app_publishing.online(
            principal,
            required_id(app_id, field="app_id"),
            connector_id=optional_id(connector_id, field="connector_id"),
        )
        return ok(WireApp.of(app))
