"""Apps on the Coze surface."""

from datetime import datetime
from typing import Annotated, Final

from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery
from msgspec import UNSET, UnsetType

from api.envelope import Envelope, ok
from api.shape import CozeShape
from api.wire import optional_id, page, query_choice, required_id, seconds
from application.app.dto import AppView, ListApps
from application.app.publishing import AppPublishingService
from application.app.service import AppService
from application.shared.page import Listed
from application.shared.projection import After, At, By
from domain.app.value import AppVariable
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


def _published(instant: datetime | None) -> int | UnsetType:
    return UNSET if instant is None else seconds(instant)


class SimpleApp(
    CozeShape,
    of=AppView,
    only=("id", "name", "description", "icon_url", "creator_id", "updated_at"),
    rename={"creator_id": "owner_user_id"},
):
    """An app in a list."""

    is_published: Annotated[bool, At("published_at"), By(bool), After("icon_url")]
    published_at: Annotated[int | UnsetType, By(_published)] = UNSET


class SimpleAppList(Listed[SimpleApp]):
    """One page of apps, newest change first."""


class WireAppVariable(
    CozeShape,
    of=AppVariable,
    only=("keyword", "default_value", "description", "channel", "enabled"),
    rename={"enabled": "enable"},
):
    """A variable of an app."""

    channel: str


class WireApp(
    CozeShape,
    of=AppView,
    only=("id", "version", "name", "description", "icon_url"),
    rename={"id": "app_id"},
):
    """An app as published last; ``version`` is empty for one that never was."""

    variables: list[WireAppVariable]


class AppController(Controller):
    """Apps of a workspace."""

    path = "/v1/apps"

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

    @get("/{app_id:str}", operation_id="apps.get")
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
