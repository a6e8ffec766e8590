"""Use cases on the tools of a draft: add, change, remove, and try."""

from datetime import timedelta
from typing import Any

import msgspec

from application.plugin.access import permitted_plugin
from application.plugin.call_recorder import CallRecorder
from application.plugin.dto import DebugReport, ToolForm, ToolPage, ToolPatch, ToolView
from application.plugin.view import tool_view
from crossdomain.workflow.contract import Workflows
from domain.plugin.call import Called, Caller, Trace
from domain.plugin.entity import Tool
from domain.plugin.error import GrantNeeded, PluginInvalid
from domain.plugin.invoker import ToolInvoker
from domain.plugin.repository import PluginStore
from domain.plugin.rules import EXAMPLE_BYTES, PluginRules
from domain.plugin.schema import schema_of
from domain.plugin.value import PluginId, ToolDefinition, ToolId
from domain.shared.access import Permission, Principal
from domain.shared.error import AppError, NotFound, StaleRevision
from domain.shared.id_generator import IdGenerator
from domain.shared.limits import Limits
from infra.contract.clock import Clock


class PluginToolService:
    """Works on the tools of drafts."""

    def __init__(
        self,
        *,
        store: PluginStore,
        invoker: ToolInvoker,
        flows: Workflows,
        clock: Clock,
        ids: IdGenerator,
        limits: Limits,
        calls: CallRecorder,
    ) -> None:
        self._store = store
        self._invoker = invoker
        self._calls = calls
        self._flows = flows
        self._clock = clock
        self._ids = ids
        self._limits = limits
        self._rules = PluginRules(limits)

    async def all(self, principal: Principal, plugin_id: int) -> ToolPage:
        """Return every tool, oldest first."""
        async with self._store.snapshot() as uow:
            plugin = await permitted_plugin(uow, principal, plugin_id, Permission.PLUGIN_READ)
            found = await uow.tools.of_plugin(principal.scope, plugin.id)
        return ToolPage(items=tuple(tool_view(each) for each in found), total=len(found))

    async def get(self, principal: Principal, plugin_id: int, tool_id: int) -> ToolView:
        """Show a tool; raise ``PluginToolNotFound``."""
        async with self._store.snapshot() as uow:
            plugin = await permitted_plugin(uow, principal, plugin_id, Permission.PLUGIN_READ)
            return tool_view(await uow.tools.get(principal.scope, plugin.id, ToolId(tool_id)))

    async def add(self, principal: Principal, plugin_id: int, given: ToolForm) -> ToolView:
        """Add a tool; raise ``PluginInvalid``."""
        definition, now = self._rules.tool(given.definition()), self._clock.now()
        await self._require_workflow(principal, plugin_id, definition.workflow_id)
        async with self._store.transaction() as uow:
            plugin = await permitted_plugin(uow, principal, plugin_id, Permission.PLUGIN_WRITE)
            self._rules.belongs(definition, plugin.manifest)
            others = await uow.tools.of_plugin(principal.scope, plugin.id)
            if len(others) >= self._limits.plugin_tools:
                raise PluginInvalid(f"A plugin has at most {self._limits.plugin_tools} tools.")
            self._rules.unique([*(each.definition for each in others), definition])
            tool = Tool(
                id=ToolId(self._ids.next_id()),
                plugin_id=plugin.id,
                space_id=plugin.space_id,
                definition=definition,
                created_at=now,
                updated_at=now,
            )
            await uow.tools.save(principal.scope, tool)
            plugin.tools_changed(actor_id=principal.user_id, now=now)
            await uow.plugins.save(principal.scope, plugin)
            await uow.commit()
        return tool_view(tool)

    async def change(
        self, principal: Principal, plugin_id: int, tool_id: int, given: ToolPatch
    ) -> ToolView:
        """Change what is given; the tool has to be tried again before it is published."""
        changes = given.patch()
        if wanted := changes.values.get("workflow_id"):
            await self._require_workflow(principal, plugin_id, wanted)
        now = self._clock.now()
        async with self._store.transaction() as uow:
            plugin = await permitted_plugin(uow, principal, plugin_id, Permission.PLUGIN_WRITE)
            tool = await uow.tools.get(principal.scope, plugin.id, ToolId(tool_id))
            definition = self._rules.tool(changes.applied(tool.definition))
            self._rules.belongs(definition, plugin.manifest)
            others = await uow.tools.of_plugin(principal.scope, plugin.id)
            self._rules.unique(
                [*(each.definition for each in others if each.id != tool.id), definition]
            )
            tool.change(definition, now=now)
            await uow.tools.save(principal.scope, tool)
            plugin.tools_changed(actor_id=principal.user_id, now=now)
            await uow.plugins.save(principal.scope, plugin)
            await uow.commit()
        return tool_view(tool)

    async def remove(self, principal: Principal, plugin_id: int, tool_id: int) -> None:
        """Remove a tool from the draft; versions keep it."""
        async with self._store.transaction() as uow:
            plugin = await permitted_plugin(uow, principal, plugin_id, Permission.PLUGIN_WRITE)
            tool = await uow.tools.get(principal.scope, plugin.id, ToolId(tool_id))
            await uow.tools.remove(principal.scope, tool)
            plugin.tools_changed(actor_id=principal.user_id, now=self._clock.now())
            await uow.plugins.save(principal.scope, plugin)
            await uow.commit()

    async def debug(
        self, principal: Principal, plugin_id: int, tool_id: int, arguments: dict[str, Any]
    ) -> DebugReport:
        """Call a tool of the draft; failures are in the report.

        A success is remembered with the tool, as long as nobody changed it meanwhile.
        """
        async with self._store.snapshot() as uow:
            plugin = await permitted_plugin(uow, principal, plugin_id, Permission.PLUGIN_WRITE)
        loaded = await self._invoker.load(
            principal.scope, PluginId(plugin_id), ToolId(tool_id), is_draft=True
        )
        caller = Caller(
            scope=principal.scope.within(plugin.space_id),
            end_user_id=principal.end_user_id,
            connector_id=principal.connector_id,
        )
        trace, began = Trace(), self._clock.now()
        called: Called | None = None
        reason = url = ""
        try:
            called = await self._invoker.call(loaded, arguments, caller, trace=trace)
        except GrantNeeded as exc:
            reason, url = exc.message, exc.authorize_url
        except AppError as exc:
            reason = exc.message
        elapsed = max(0, (self._clock.now() - began) // timedelta(milliseconds=1))
        await self._calls.flush()
        if called is not None:
            await self._remember(principal, loaded.definition, plugin_id, tool_id, called)
        output = None if called is None else dict(called.output)
        return DebugReport(
            success=called is not None,
            reason=reason,
            status=trace.status,
            duration_ms=elapsed,
            response=output,
            text="" if called is None else called.text,
            raw_request=dict(trace.request),
            raw_response=trace.raw,
            inferred_response_schema=None if output is None else schema_of(output),
            authorize_url=url,
        )

    async def _require_workflow(
        self, principal: Principal, plugin_id: int, workflow_id: int
    ) -> None:
        """Raise ``NotFound`` unless the workspace of the plugin has the workflow."""
        if not workflow_id:
            return
        async with self._store.snapshot() as uow:
            plugin = await permitted_plugin(uow, principal, plugin_id, Permission.PLUGIN_WRITE)
        scope = principal.scope.within(plugin.space_id)
        await self._flows.find(scope, workflow_id=workflow_id, is_draft=True)

    async def _remember(
        self,
        principal: Principal,
        tried: ToolDefinition,
        plugin_id: int,
        tool_id: int,
        called: Called,
    ) -> None:
        is_small = len(msgspec.json.encode(called.output)) <= EXAMPLE_BYTES
        example = dict(called.output) if is_small else None
        try:
            async with self._store.transaction() as uow:
                tool = await uow.tools.get(principal.scope, PluginId(plugin_id), ToolId(tool_id))
                if tool.definition != tried:
                    return
                tool.passed(example)
                await uow.tools.save(principal.scope, tool)
                await uow.commit()
        except (NotFound, StaleRevision):  # changed while it was tried
            return
