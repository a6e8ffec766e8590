"""What an agent is bound to, by name: its plugins with their tools, and its workflows."""

from collections.abc import Sequence

import msgspec

from crossdomain.plugin.contract import Plugins, PluginToolDescription, PluginToolRef
from crossdomain.workflow.contract import Workflows
from domain.agent.entity import AgentSnapshot
from domain.agent.tools.tool import EFFECTS, stronger
from domain.agent.value import PluginBinding, WorkflowBinding
from domain.shared.access import TenantScope
from domain.shared.error import AppError, NotFound
from domain.shared.ids import Id


class NamedTool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool of a plugin."""

    id: Id
    name: str
    description: str


class NamedPlugin(msgspec.Struct, frozen=True, kw_only=True):
    """A plugin with those of its tools that an agent uses."""

    id: Id
    name: str
    description: str
    icon_file_id: Id
    tools: tuple[NamedTool, ...]
    icon_url: str = ""


class NamedWorkflow(msgspec.Struct, frozen=True, kw_only=True):
    """A workflow that an agent uses; ``effect`` is what counts when the model calls it."""

    id: Id
    version: str
    name: str
    description: str
    effect: str


class BoundTools:
    """Looks up what bindings point to; what is gone is left out."""

    def __init__(self, *, plugins: Plugins, flows: Workflows) -> None:
        self._plugins = plugins
        self._flows = flows

    async def plugins(self, scope: TenantScope, content: AgentSnapshot) -> tuple[NamedPlugin, ...]:
        """Return the plugins in the order of the bindings, each once."""
        here = scope.within(content.space_id)
        found: dict[int, list[PluginToolDescription]] = {}
        for binding in content.config.plugins:
            try:
                tool = await self._plugins.describe(here, _ref(binding, content))
            except NotFound:
                continue
            found.setdefault(tool.plugin_id, []).append(tool)
        return tuple(map(_named, found.values()))

    async def workflows(
        self, scope: TenantScope, content: AgentSnapshot
    ) -> tuple[NamedWorkflow, ...]:
        """Return the workflows in the order of the bindings; drafts have those of drafts."""
        here = scope.within(content.space_id)
        found = []
        for binding in content.config.workflows:
            try:
                flow = await self._flows.find(
                    here,
                    workflow_id=binding.workflow_id,
                    version=binding.version,
                    is_draft=not (content.version or binding.version),
                )
                name, description = flow.name, flow.description
            except NotFound:
                continue
            except AppError:  # there, but nothing that runs: a draft under construction
                name, description = binding.tool_name, ""
            found.append(
                NamedWorkflow(
                    id=binding.workflow_id,
                    version=binding.version,
                    name=name,
                    description=description,
                    effect=await self._effect(here, binding),
                )
            )
        return tuple(found)

    async def _effect(self, here: TenantScope, binding: WorkflowBinding) -> str:
        """Return what a call counts as; of what was never published, as its draft would."""
        for is_draft in (False, True):
            try:
                effect = await self._flows.effect(
                    here,
                    workflow_id=binding.workflow_id,
                    version=binding.version,
                    is_draft=is_draft,
                )
            except NotFound:
                continue
            except AppError:  # nothing that runs
                break
            return stronger(binding.effect, EFFECTS.get(effect, "external_write"))
        return stronger(binding.effect, "external_write")


def _ref(binding: PluginBinding, content: AgentSnapshot) -> PluginToolRef:
    return PluginToolRef(
        plugin_id=binding.plugin_id,
        tool_id=binding.tool_id,
        version=binding.version,
        is_draft=not (content.version or binding.version),
    )


def _named(tools: Sequence[PluginToolDescription]) -> NamedPlugin:
    first = tools[0]
    return NamedPlugin(
        id=first.plugin_id,
        name=first.plugin_name,
        description=first.plugin_description,
        icon_file_id=first.icon_file_id,
        tools=tuple(
            NamedTool(id=each.tool_id, name=each.name, description=each.description)
            for each in tools
        ),
    )
