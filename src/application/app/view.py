"""Turns apps into views: resolves icons to URLs."""

from collections.abc import Sequence

from application.app.dto import AppView
from crossdomain.file.contract import Files
from domain.app.entity import App, AppVersion
from domain.shared.access import TenantScope
from domain.shared.error import NotFound
from domain.shared.ids import FileId


class AppViews:
    """Builds views; an icon that is gone shows as empty."""

    def __init__(self, files: Files) -> None:
        self._files = files

    async def draft(self, scope: TenantScope, app: App) -> AppView:
        return (await self.drafts(scope, [app]))[0]

    async def drafts(self, scope: TenantScope, apps: Sequence[App]) -> tuple[AppView, ...]:
        urls = {app.icon_file_id: await self._icon(scope, app.icon_file_id) for app in apps}
        return tuple(AppView.of(app, icon_url=urls[app.icon_file_id], version="") for app in apps)

    async def version(self, scope: TenantScope, app: App, version: AppVersion) -> AppView:
        return AppView.of(
            app,
            name=version.name,
            description=version.description,
            icon_file_id=version.icon_file_id,
            icon_url=await self._icon(scope, version.icon_file_id),
            version=version.label,
            connector_ids=version.connector_ids,
            variables=version.content.variables,
            conversations=version.content.conversations,
            updated_at=version.created_at,
            published_at=version.created_at,
        )

    async def _icon(self, scope: TenantScope, file_id: FileId | None) -> str:
        if file_id is None:
            return ""
        try:
            return (await self._files.describe(scope, [file_id]))[file_id].url
        except NotFound:
            return ""
