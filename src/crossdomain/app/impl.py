"""Apps for other contexts: translates between the contract and the app domain."""

from collections.abc import Sequence

from crossdomain.app.contract import AppVariableDescription
from domain.app.repository import AppStore
from domain.app.value import AppContent, AppId
from domain.shared.access import TenantScope


class DomainApps:
    """Implements ``Apps`` of the contract."""

    def __init__(self, store: AppStore) -> None:
        self._store = store

    async def conversations(
        self, scope: TenantScope, app_id: int, *, is_draft: bool
    ) -> Sequence[str]:
        return (await self._content(scope, app_id, is_draft=is_draft)).conversations

    async def variables(
        self, scope: TenantScope, app_id: int, *, is_draft: bool
    ) -> Sequence[AppVariableDescription]:
        content = await self._content(scope, app_id, is_draft=is_draft)
        return [
            AppVariableDescription(
                keyword=each.keyword,
                description=each.description,
                default_value=each.default_value,
                channel=each.channel.value,
                is_enabled=each.enabled,
                type=each.type.value,
            )
            for each in content.variables
        ]

    async def _content(self, scope: TenantScope, app_id: int, *, is_draft: bool) -> AppContent:
        async with self._store.snapshot() as uow:
            app = await uow.apps.get(scope, AppId(app_id))
            if is_draft:
                return app.content
            return (await uow.versions.get(scope, app.id, app.latest_version)).content
