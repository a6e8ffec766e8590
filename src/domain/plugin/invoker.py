"""Finds tools and calls them, each by what stands behind its plugin."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, Final

from crossdomain.identity.contract import Groups
from domain.plugin.call import Called, Caller, LoadedTool, ToolCaller, Trace
from domain.plugin.entity import Plugin
from domain.plugin.error import PluginRestricted, PluginToolNotFound, ToolCallFailed
from domain.plugin.repository import PluginStore
from domain.plugin.value import LastCall, PluginId, PluginKind, ToolId
from domain.shared.access import TenantScope
from domain.shared.capacity.fair_share import MAX_WAIT_S, FairShare, ShareRefused
from domain.shared.limits import Limits
from infra.contract.egress import EgressDenied, EgressFailed


class ToolInvoker:
    """Calls tools: a few of each plugin at a time, and none for longer than it may take."""

    def __init__(
        self,
        *,
        store: PluginStore,
        callers: Mapping[PluginKind, ToolCaller],
        groups: Groups,
        limits: Limits,
        note: Callable[[Plugin, LastCall], None],
        now: Callable[[], datetime],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """``note`` is told how each call went that reached the service, or should have."""
        self._note = note
        self._now = now
        self._monotonic = monotonic
        self._store = store
        self._groups = groups
        self._callers = callers
        self._turns = Turns(parallel=limits.plugin_parallel, queue=limits.plugin_queue)

    def longest_s(self, tool: LoadedTool) -> float:
        """Return after how many seconds a call is given up; 0 for one that waits for a person."""
        caller = self._callers.get(tool.manifest.kind)
        return 0.0 if caller is None else caller.longest_s(tool)

    async def load(
        self,
        scope: TenantScope,
        plugin_id: PluginId,
        tool_id: ToolId,
        *,
        version: str = "",
        is_draft: bool = False,
    ) -> LoadedTool:
        """Find a tool: of a version, of the newest one, or of the draft.

        Raises:
            PluginNotFound, PluginNotPublished, PluginToolNotFound
        """
        async with self._store.snapshot() as uow:
            plugin = await uow.plugins.get(scope, plugin_id)
            hosts = frozenset(await uow.hosts.get(scope, plugin.space_id))
            if is_draft:
                draft = await uow.tools.get(scope, plugin_id, tool_id)
                manifest, definition = plugin.manifest, draft.definition
            else:
                found = await uow.versions.get(scope, plugin_id, version)
                definition = (await uow.versions.tool(scope, found, tool_id)).definition
                manifest, version = found.manifest, found.label
        if definition.is_disabled:
            raise PluginToolNotFound(f"The tool {definition.name} is switched off.")
        return LoadedTool(
            id=tool_id,
            plugin=plugin,
            manifest=manifest,
            definition=definition,
            version="" if is_draft else version,
            hosts=hosts,
        )

    async def call(
        self,
        tool: LoadedTool,
        arguments: Mapping[str, Any],
        caller: Caller,
        *,
        fixed: Mapping[str, Any] | None = None,
        trace: Trace | None = None,
    ) -> Called:
        """Call a tool; nobody overrides the values in ``fixed``.

        Raises:
            PluginInvalid: an argument is missing or of another type.
            PluginRestricted: the plugin is for members of groups, and who calls is none.
            GrantNeeded: the user has not given access.
            EgressDenied: the address may not be called.
            ToolCallFailed, EgressFailed: the service answers with an error, or not in time.
        """
        way = self._callers.get(tool.manifest.kind)
        trace = trace or Trace()
        if way is None:
            raise ToolCallFailed(
                f"{tool.definition.name} is a tool of type {tool.manifest.kind}; only agents can "
                "use it."
            )
        await self._require_member(tool, caller)
        seconds = way.longest_s(tool)
        began: float | None = None
        try:
            turn = self._turns.of(tool.plugin.id, space_id=tool.plugin.space_id)
            async with asyncio.timeout(seconds), turn:
                began = self._monotonic()
                called = await way.call(tool, arguments, caller, fixed=fixed or {}, trace=trace)
        except TimeoutError as exc:
            self._tell(tool, trace, began, has_worked=False)
            raise ToolCallFailed(f"The service gave no answer within {seconds:g} s.") from exc
        except (ToolCallFailed, EgressDenied, EgressFailed):
            self._tell(tool, trace, began, has_worked=False)
            raise
        self._tell(tool, trace, began, has_worked=True)
        return called

    def _tell(
        self, tool: LoadedTool, trace: Trace, began: float | None, *, has_worked: bool
    ) -> None:
        if began is None:  # its turn never came, which says nothing about the service
            return
        call = LastCall(
            at=self._now(),
            tool=tool.definition.name,
            has_worked=has_worked,
            status=trace.status,
            duration_ms=round((self._monotonic() - began) * 1000),
        )
        self._note(tool.plugin, call)

    async def _require_member(self, tool: LoadedTool, caller: Caller) -> None:
        plugin = tool.plugin
        if plugin.groups and not await self._groups.include(
            plugin.groups, user_id=caller.scope.principal_id, space_ids=(plugin.space_id,)
        ):
            raise PluginRestricted(
                f"The plugin {plugin.name} is for members of certain groups only; ask who "
                "administers the workspace to add you to one.",
                plugin_id=plugin.id,
            )


_REMEMBERED: Final = 1000
"""Plugins beyond which those that nobody calls are forgotten."""


class Turns:
    """Counts the calls of each plugin in this process."""

    def __init__(self, *, parallel: int, queue: int) -> None:
        self._parallel = parallel
        self._queue = queue
        self._shares: dict[int, FairShare] = {}

    @asynccontextmanager
    async def of(self, plugin_id: int, *, space_id: int) -> AsyncGenerator[None, None]:
        """Wait for a turn; raise ``ToolCallFailed`` if the line is full."""
        share = self._shares.get(plugin_id) or self._open(plugin_id)
        try:
            await share.acquire(space_id)
        except ShareRefused as exc:
            raise ToolCallFailed(
                "Too many calls of this plugin are going on; try again later."
            ) from exc
        try:
            yield
        finally:
            share.release(space_id)

    def _open(self, plugin_id: int) -> FairShare:
        if len(self._shares) >= _REMEMBERED:
            self._shares = {key: each for key, each in self._shares.items() if not each.is_idle}
        share = self._shares[plugin_id] = FairShare(
            "the plugin", capacity=self._parallel, waiting=self._queue, wait_s=MAX_WAIT_S
        )
        return share
