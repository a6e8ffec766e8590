"""Variables that apps declare, over the contract of their context."""

from crossdomain.app.contract import Apps
from crossdomain.memory.contract import DeclaredVariable, DeclaredVariables
from domain.shared.access import TenantScope
from domain.shared.error import NotFound


class AppVariableSource:
    """Implements ``VariableSource``; an app that was never published shows its draft."""

    def __init__(self, apps: Apps) -> None:
        self._apps = apps

    async def declared(
        self, scope: TenantScope, owner_id: int, *, is_draft: bool, connector_id: int
    ) -> DeclaredVariables:
        for wants_draft in dict.fromkeys((is_draft, True)):
            for space_id in sorted(scope.space_ids):
                try:
                    found = await self._apps.variables(
                        scope.within(space_id), owner_id, is_draft=wants_draft
                    )
                except NotFound:
                    continue
                return DeclaredVariables(
                    space_id=space_id,
                    items=tuple(
                        DeclaredVariable(
                            keyword=each.keyword,
                            default_value=each.default_value,
                            description=each.description,
                            is_system=each.channel == "system",
                            is_shared=each.channel == "app",
                            is_enabled=each.is_enabled,
                        )
                        for each in found
                    ),
                )
        raise NotFound(f"No app {owner_id}.", app_id=owner_id)
