"""Plugins for other contexts: the calls of this one in the words of the contract."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Literal

from crossdomain.plugin.contract import (
    AccessNeeded,
    PluginCall,
    PluginResult,
    PluginToolDescription,
    PluginToolRef,
)
from domain.plugin.call import Caller, LoadedTool
from domain.plugin.error import GrantNeeded
from domain.plugin.invoker import ToolInvoker
from domain.plugin.mcp.mcp_tool import shown_schema
from domain.plugin.repository import PluginStore
from domain.plugin.schema import object_schema
from domain.plugin.value import PluginId, ToolId
from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.chat import ModelCall, Usage
from domain.shared.error import NotFound


class DomainPlugins:
    """Implements ``crossdomain.plugin.contract.Plugins``."""

    def __init__(
        self,
        *,
        store: PluginStore,
        invoker: ToolInvoker,
        now: Callable[[], datetime],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._invoker = invoker
        self._now = now
        self._monotonic = monotonic

    async def describe(
        self, scope: TenantScope, ref: PluginToolRef, *, preset: Sequence[str] = ()
    ) -> PluginToolDescription:
        tool = await self._load(scope, ref)
        known = tool.definition
        return PluginToolDescription(
            plugin_id=ref.plugin_id,
            tool_id=ref.tool_id,
            version=tool.version,
            plugin_name=tool.plugin.name,
            name=known.name,
            description=known.description or known.name,
            parameters=shown_schema(known, preset)
            if known.pin
            else object_schema(known.parameters, preset=preset),
            result=object_schema(known.responses, is_input=False),
            effect=known.effect.value,
            needs_approval=known.needs_approval,
            is_direct=known.returns_directly,
            timeout_s=self._invoker.longest_s(tool) + 1,
            kind=tool.manifest.kind.value,
            workflow_id=known.workflow_id,
            plugin_description=tool.plugin.description,
            icon_file_id=tool.plugin.icon_file_id or 0,
        )

    async def call(self, context: CallContext, call: PluginCall) -> PluginResult:
        scope = context.scope.within(context.space_id)
        tool = (await self._load(scope, call.ref)).narrowed(context.egress_hosts)
        caller = Caller(
            scope=scope,
            end_user_id=context.end_user_id,
            connector_id=context.connector_id,
            agent_id=call.agent_id,
            conversation_id=call.conversation_id,
            key=call.key,
        )
        outcome: Literal["ok", "failed", "canceled"] = "failed"
        began = self._monotonic()
        try:
            called = await self._invoker.call(tool, call.arguments, caller, fixed=call.fixed)
            outcome = "ok"
        except GrantNeeded as exc:
            raise AccessNeeded(exc.message, authorize_url=exc.authorize_url) from exc
        except asyncio.CancelledError:
            outcome = "canceled"
            raise
        finally:
            context.record_call(
                ModelCall(
                    model=f"{tool.plugin.name}/{tool.definition.name}",
                    provider=tool.manifest.kind.value,
                    attempt=1,
                    purpose="plugin",
                    usage=Usage(),
                    outcome=outcome,
                    total_ms=round((self._monotonic() - began) * 1000),
                    ended_at=self._now(),
                )
            )
        return PluginResult(output=called.output, text=called.text, raw=called.raw)

    async def existing(
        self, scope: TenantScope, tools: Sequence[tuple[int, int]]
    ) -> frozenset[tuple[int, int]]:
        found: set[tuple[int, int]] = set()
        async with self._store.snapshot() as uow:
            for plugin_id in {plugin_id for plugin_id, _ in tools}:
                known = await uow.tools.of_plugin(scope, PluginId(plugin_id))
                found |= {(plugin_id, each.id) for each in known}
        return frozenset(found & set(tools))

    async def tools(
        self, scope: TenantScope, plugin_id: int, *, is_draft: bool = False
    ) -> Sequence[int]:
        async with self._store.snapshot() as uow:
            await uow.plugins.get(scope, PluginId(plugin_id))
            if is_draft:
                drafts = await uow.tools.of_plugin(scope, PluginId(plugin_id))
                return [each.id for each in drafts if not each.definition.is_disabled]
            version = await uow.versions.get(scope, PluginId(plugin_id), "")
            frozen = await uow.versions.tools(scope, version)
        return [each.id for each in frozen if not each.definition.is_disabled]

    async def latest(self, scope: TenantScope, plugin_ids: Sequence[int]) -> Mapping[int, str]:
        found: dict[int, str] = {}
        async with self._store.snapshot() as uow:
            for plugin_id in dict.fromkeys(plugin_ids):
                try:
                    version = await uow.versions.get(scope, PluginId(plugin_id), "")
                except NotFound:
                    continue
                found[plugin_id] = version.label
        return found

    async def _load(self, scope: TenantScope, ref: PluginToolRef) -> LoadedTool:
        return await self._invoker.load(
            scope,
            PluginId(ref.plugin_id),
            ToolId(ref.tool_id),
            version=ref.version,
            is_draft=ref.is_draft,
        )
