"""Shortcuts of an agent's draft on the admin surface."""

from typing import Any

import msgspec
from litestar import Controller, delete, get, patch, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import UNSET, UnsetType

from api.wire import WireId, optional_id, required_id
from application.agent.shortcut_service import (
    InputType,
    SendType,
    Shortcut,
    ShortcutComponent,
    ShortcutParameter,
    ShortcutPatch,
    ShortcutService,
    ShortcutTool,
    ShortcutToolType,
)
from domain.shared.access import Principal


class ToolFields(msgspec.Struct, frozen=True, kw_only=True):
    """The tool that is called before the model is asked."""

    type: ShortcutToolType
    workflow_id: WireId | None = None
    plugin_id: WireId | None = None
    plugin_tool_id: WireId | None = None
    name: str = ""
    params: tuple[ShortcutParameter, ...] = ()

    @classmethod
    def of(cls, tool: ShortcutTool) -> "ToolFields":
        return cls(
            type=tool.type,
            workflow_id=str(tool.workflow_id) if tool.workflow_id else None,
            plugin_id=str(tool.plugin_id) if tool.plugin_id else None,
            plugin_tool_id=str(tool.plugin_tool_id) if tool.plugin_tool_id else None,
            name=tool.name,
            params=tool.params,
        )

    def tool(self) -> ShortcutTool:
        return ShortcutTool(
            type=self.type,
            workflow_id=optional_id(self.workflow_id, field="tool.workflow_id") or 0,
            plugin_id=optional_id(self.plugin_id, field="tool.plugin_id") or 0,
            plugin_tool_id=optional_id(self.plugin_tool_id, field="tool.plugin_tool_id") or 0,
            name=self.name,
            params=self.params,
        )


class ShortcutFields(msgspec.Struct, frozen=True, kw_only=True):
    """Changes of a shortcut; what is left out stays, lists are replaced as a whole."""

    name: str | UnsetType = UNSET
    command: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    icon_file_id: WireId | UnsetType | None = UNSET
    send_type: SendType | UnsetType = UNSET
    template_query: str | UnsetType = UNSET
    tool: ToolFields | UnsetType | None = UNSET
    components: tuple[ShortcutComponent, ...] | UnsetType = UNSET
    card_schema: str | UnsetType = UNSET
    agent_node_id: str | UnsetType = UNSET

    def patch(self) -> ShortcutPatch:
        icon = self.icon_file_id
        return ShortcutPatch(
            name=self.name,
            command=self.command,
            description=self.description,
            icon_file_id=UNSET if icon is UNSET else optional_id(icon, field="icon_file_id"),
            send_type=self.send_type,
            template_query=self.template_query,
            tool=self.tool.tool() if isinstance(self.tool, ToolFields) else self.tool,
            components=self.components,
            card_schema=self.card_schema,
            agent_node_id=self.agent_node_id,
        )


class ShortcutOrderBody(msgspec.Struct, frozen=True, kw_only=True):
    """All shortcuts of the agent, in their new order."""

    shortcut_ids: list[WireId]


class AdminShortcutComponent(msgspec.Struct, frozen=True, kw_only=True):
    """A field of the form."""

    name: str
    description: str
    input_type: InputType
    parameter: str
    options: tuple[str, ...]
    default_value: str
    hide: bool
    upload_options: tuple[InputType, ...]


class AdminShortcut(msgspec.Struct, frozen=True, kw_only=True):
    """A shortcut in full."""

    id: str
    name: str
    command: str
    description: str
    icon_file_id: str | None
    send_type: SendType
    template_query: str
    tool: ToolFields | None
    components: list[AdminShortcutComponent]
    card_schema: str
    agent_node_id: str

    @classmethod
    def of(cls, shortcut: Shortcut) -> "AdminShortcut":
        icon = shortcut.icon_file_id
        return cls(
            id=str(shortcut.id),
            name=shortcut.name,
            command=shortcut.command,
            description=shortcut.description,
            icon_file_id=None if icon is None else str(icon),
            send_type=shortcut.send_type,
            template_query=shortcut.template_query,
            tool=None if shortcut.tool is None else ToolFields.of(shortcut.tool),
            components=[_component(each) for each in shortcut.components],
            card_schema=shortcut.card_schema,
            agent_node_id=shortcut.agent_node_id,
        )


class AdminShortcutList(msgspec.Struct, frozen=True, kw_only=True):
    """The shortcuts of an agent, in their order."""

    items: list[AdminShortcut]
    total: int
    next_cursor: str | None = None


class AdminShortcutController(Controller):
    """Shortcuts of a draft; publishing the agent publishes them."""

    path = "/admin/v1/agents/{agent_id:str}/shortcuts"
    tags = ("admin agents",)

    @get("/", operation_id="agents.shortcuts.list")
    async def list(
        self,
        *,
        principal: NamedDependency[Principal],
        shortcuts: NamedDependency[ShortcutService],
        agent_id: FromPath[str],
    ) -> AdminShortcutList:
        """List the shortcuts of the draft."""
        found = [AdminShortcut.of(e) for e in await shortcuts.list(principal, _agent(agent_id))]
        return AdminShortcutList(items=found, total=len(found))

    @post("/", operation_id="agents.shortcuts.create")
    async def create(
        self,
        *,
        data: JSONBody[ShortcutFields],
        principal: NamedDependency[Principal],
        shortcuts: NamedDependency[ShortcutService],
        agent_id: FromPath[str],
    ) -> AdminShortcut:
        """Add a shortcut behind the others."""
        made = await shortcuts.create(principal, _agent(agent_id), data.patch())
        return AdminShortcut.of(made)

    @put("/order", operation_id="agents.shortcuts.order")
    async def order(
        self,
        *,
        data: JSONBody[ShortcutOrderBody],
        principal: NamedDependency[Principal],
        shortcuts: NamedDependency[ShortcutService],
        agent_id: FromPath[str],
    ) -> AdminShortcutList:
        """Put the shortcuts into another order."""
        wanted = [required_id(each, field="shortcut_ids") for each in data.shortcut_ids]
        found = await shortcuts.order(principal, _agent(agent_id), wanted)
        items = [AdminShortcut.of(each) for each in found]
        return AdminShortcutList(items=items, total=len(items))

    @patch("/{shortcut_id:str}", operation_id="agents.shortcuts.update")
    async def update(
        self,
        *,
        data: JSONBody[ShortcutFields],
        principal: NamedDependency[Principal],
        shortcuts: NamedDependency[ShortcutService],
        agent_id: FromPath[str],
        shortcut_id: FromPath[str],
    ) -> AdminShortcut:
        """Change a shortcut."""
        changed = await shortcuts.update(
            principal, _agent(agent_id), _shortcut(shortcut_id), data.patch()
        )
        return AdminShortcut.of(changed)

    @delete("/{shortcut_id:str}", operation_id="agents.shortcuts.delete")
    async def remove(
        self,
        *,
        principal: NamedDependency[Principal],
        shortcuts: NamedDependency[ShortcutService],
        agent_id: FromPath[str],
        shortcut_id: FromPath[str],
    ) -> None:
        """Remove a shortcut."""
        await shortcuts.delete(principal, _agent(agent_id), _shortcut(shortcut_id))


def _component(component: ShortcutComponent) -> AdminShortcutComponent:
    fields: dict[str, Any] = msgspec.structs.asdict(component)
    return AdminShortcutComponent(**fields)


def _agent(value: str) -> int:
    return required_id(value, field="agent_id")


def _shortcut(value: str) -> int:
    return required_id(value, field="shortcut_id")
