"""Effects of workflows outside this deployment, with those of all that they call."""

from dataclasses import replace

from application.workflow.definition.catalog import LoadedWorkflow, WorkflowCatalog
from crossdomain.plugin.contract import Plugins, PluginToolRef
from domain.shared.access import TenantScope
from domain.shared.error import AppError
from domain.shared.ids import parse_id
from domain.workflow.node.effect import OutsideEffect, ToolUse, WorkflowUse, strongest
from domain.workflow.outside import outside_of

_MOST_WORKFLOWS = 200
"""Of one that calls more nobody can say what it does; the engine runs fewer."""


class WorkflowEffects:
    """Finds the strongest effect of a workflow: of its nodes, tools and sub-workflows."""

    def __init__(self, *, catalog: WorkflowCatalog, plugins: Plugins) -> None:
        self._catalog = catalog
        self._plugins = plugins

    async def of(self, scope: TenantScope, workflow: LoadedWorkflow) -> OutsideEffect:
        """Return the effect of a run; what cannot be looked up counts as a write."""
        effect: OutsideEffect = "read"
        seen: set[tuple[int, str]] = set()
        tools: set[ToolUse] = set()
        waiting = [workflow]
        while waiting and len(seen) < _MOST_WORKFLOWS:
            current = waiting.pop()
            if (current.workflow_id, current.version) in seen:
                continue
            seen.add((current.workflow_id, current.version))
            found = outside_of(current.program)
            effect = strongest(effect, found.effect)
            for use in found.uses:
                if isinstance(use, ToolUse):
                    tools.add(use)
                elif (child := await self._child(scope, use)) is not None:
                    waiting.append(child)
                else:
                    effect = strongest(effect, "external_write")
        if waiting:
            effect = strongest(effect, "external_write")
        return strongest(effect, *[await self._of_tool(scope, each) for each in tools])

    async def _child(self, scope: TenantScope, use: WorkflowUse) -> LoadedWorkflow | None:
        try:
            number = parse_id(use.workflow_id, field="workflow_id")
            return await self._catalog.load(scope, number, version=use.version)
        except AppError:
            return None

    async def _of_tool(self, scope: TenantScope, use: ToolUse) -> str:
        try:
            plugin_id = parse_id(use.plugin_id, field="plugin_id")
            if not use.tool_id:
                found = await self._plugins.tools(scope, plugin_id)
                every = [replace(use, tool_id=str(tool_id)) for tool_id in found]
                return strongest(*[await self._of_tool(scope, each) for each in every])
            ref = PluginToolRef(
                plugin_id=plugin_id,
                tool_id=parse_id(use.tool_id, field="tool_id"),
                version="" if use.version in {"0", "draft"} else use.version,
            )
            return (await self._plugins.describe(scope, ref)).effect
        except AppError:
            return "external_write"
