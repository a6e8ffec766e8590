"""Use cases of publishing plugins: freeze, look back, compare."""

from application.plugin.access import permitted_plugin
from application.plugin.dto import ChangeList, PluginVersionPage, PluginVersionView, ToolChange
from domain.plugin.entity import FrozenTool, differences
from domain.plugin.repository import PluginStore
from domain.plugin.rules import PluginRules
from domain.plugin.value import PluginVersionId
from domain.shared.access import Permission, Principal
from domain.shared.id_generator import IdGenerator
from domain.shared.limits import Limits
from infra.contract.clock import Clock


class PluginPublishingService:
    """Makes versions of drafts."""

    def __init__(
        self, *, store: PluginStore, clock: Clock, ids: IdGenerator, limits: Limits
    ) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids
        self._rules = PluginRules(limits)

    async def publish(
        self,
        principal: Principal,
        plugin_id: int,
        *,
        label: str,
        note: str,
        is_forced: bool,
        revision: int | None = None,
    ) -> PluginVersionView:
        """Freeze the draft.

        Raises:
            PluginNotPublishable: there is nothing to call, or a tool was not tried.
            PluginInvalid: the label does not grow.
        """
        async with self._store.transaction() as uow:
            plugin = await permitted_plugin(uow, principal, plugin_id, Permission.PLUGIN_WRITE)
            plugin.expect_revision(revision)
            tools = await uow.tools.of_plugin(principal.scope, plugin.id)
            version = plugin.publish(
                PluginVersionId(self._ids.next_id()),
                tools,
                label=label,
                note=note,
                is_forced=is_forced,
                actor_id=principal.user_id,
                rules=self._rules,
                now=self._clock.now(),
            )
            frozen = [
                FrozenTool(id=each.id, definition=each.definition)
                for each in tools
                if not each.definition.is_disabled
            ]
            await uow.plugins.save(principal.scope, plugin)  # first: of two, one is told here
            await uow.versions.add(principal.scope, version, frozen)
            await uow.commit()
        return PluginVersionView.of(version)

    async def versions(
        self, principal: Principal, plugin_id: int, *, offset: int, limit: int
    ) -> PluginVersionPage:
        """Return one page of versions, newest first."""
        async with self._store.snapshot() as uow:
            plugin = await permitted_plugin(uow, principal, plugin_id, Permission.PLUGIN_READ)
            found, total = await uow.versions.page(
                principal.scope, plugin.id, offset=offset, limit=limit
            )
        end = offset + len(found)
        return PluginVersionPage(
            items=tuple(PluginVersionView.of(each) for each in found),
            total=total,
            next_cursor=str(end) if end < total else None,
        )

    async def changes(self, principal: Principal, plugin_id: int) -> ChangeList:
        """Tell what publishing would change."""
        async with self._store.snapshot() as uow:
            plugin = await permitted_plugin(uow, principal, plugin_id, Permission.PLUGIN_READ)
            draft = await uow.tools.of_plugin(principal.scope, plugin.id)
            published = []
            if plugin.latest_version:
                version = await uow.versions.get(principal.scope, plugin.id, "")
                published = list(await uow.versions.tools(principal.scope, version))
        items = tuple(
            ToolChange(tool_id=str(each.id), name=each.name, change=each.change)
            for each in differences(draft, published)
        )
        return ChangeList(items=items, total=len(items))
