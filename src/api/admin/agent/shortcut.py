"""Shortcuts of an agent's draft on the admin surface."""

from typing import Annotated

import msgspec
from litestar import Controller, delete, get, patch, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import UNSET, UnsetType

from api.shape import Changes, Fields, Shape, id_or_none
from api.wire import WireId, required_id
from application.agent.shortcut_service import ShortcutService
from application.shared.page import Whole
from application.shared.projection import By
from domain.agent.value.shortcut import (
    SendType,
    Shortcut,
    ShortcutComponent,
    ShortcutParameter,
    ShortcutTool,
)
from domain.shared.access import Principal


class ToolFields(Fields, of=ShortcutTool):
    """The tool that is called before the model is asked."""

    workflow_id: Annotated[WireId | None, By(id_or_none)] = None
    plugin_id: Annotated[WireId | None, By(id_or_none)] = None
    plugin_tool_id: Annotated[WireId | None, By(id_or_none)] = None
    params: tuple[ShortcutParameter, ...] = ()


class ShortcutFields(Changes, of=Shortcut, without=("id",)):
    """Changes of a shortcut; what is left out stays, lists are replaced as a whole."""

    name: str | UnsetType = UNSET
    command: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    send_type: SendType | UnsetType = UNSET
    template_query: str | UnsetType = UNSET
    tool: ToolFields | UnsetType | None = UNSET
    components: tuple[ShortcutComponent, ...] | UnsetType = UNSET
    card_schema: str | UnsetType = UNSET
    agent_node_id: str | UnsetType = UNSET


class ShortcutOrderBody(msgspec.Struct, frozen=True, kw_only=True):
    """All shortcuts of the agent, in their new order."""

    shortcut_ids: list[WireId]


class AdminShortcutComponent(Shape, of=ShortcutComponent):
    """A field of the form."""


class AdminShortcut(Shape, of=Shortcut):
    """A shortcut in full."""

    tool: ToolFields | None
    components: list[AdminShortcutComponent]


class AdminShortcutList(Whole[AdminShortcut]):
    """The shortcuts of an agent, in their order."""


class AdminShortcutController(Controller):
    """Shortcuts of a draft; publishing the agent publishes them."""

    path = "/admin/v1/agents/{agent_id:str}/shortcuts"

    @get("/", operation_id="admin.shortcuts.list")
    async def list(
        self,
        *,
        principal: NamedDependency[Principal],
        shortcuts: NamedDependency[ShortcutService],
        agent_id: FromPath[str],
    ) -> AdminShortcutList:
        """List the shortcuts of the draft."""
        found = AdminShortcut.each(await shortcuts.list(principal, _agent(agent_id)))
        return AdminShortcutList(items=found, total=len(found))

    @post("/", operation_id="admin.shortcuts.create")
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

    @put("/order", operation_id="admin.shortcuts.reorder")
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
        items = AdminShortcut.each(found)
        return AdminShortcutList(items=items, total=len(items))

    @patch("/{shortcut_id:str}", operation_id="admin.shortcuts.update")
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

    @delete("/{shortcut_id:str}", operation_id="admin.shortcuts.delete")
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


def _agent(value: str) -> int:
    return required_id(value, field="agent_id")


def _shortcut(value: str) -> int:
    return required_id(value, field="shortcut_id")
