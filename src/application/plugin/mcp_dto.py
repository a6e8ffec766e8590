"""MCP servers behind plugins, as the admin surface spells them."""

from typing import Any

import msgspec

from application.plugin.dto import PluginView, ToolView


class ServerToolText(msgspec.Struct, frozen=True, kw_only=True):
    """What models read of a tool: foreign text, written by its server."""

    title: str
    description: str
    input_schema: dict[str, Any]


class ServerTool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool of the server beside the accepted one.

    ``change``: ``added``, ``changed``, ``removed`` or ``same``. ``before`` is what was accepted,
    ``now`` what the server offers. ``problem``: why it cannot be taken.
    """

    name: str
    change: str
    tool_id: str
    before: ServerToolText | None
    now: ServerToolText | None
    read_only: bool
    destructive: bool
    problem: str


class ServerToolList(msgspec.Struct, frozen=True, kw_only=True):
    """What a server offers now; ``digest`` names exactly this list."""

    digest: str
    items: tuple[ServerTool, ...]
    total: int
    is_changed: bool
    """Something differs from what was accepted."""


class AcceptTools(msgspec.Struct, frozen=True, kw_only=True):
    """Consent to a list that was looked at; ``names`` takes some of its tools only."""

    digest: str
    names: tuple[str, ...] | None = None


class AcceptReport(msgspec.Struct, frozen=True, kw_only=True):
    """The plugin with the tools it has now; what was left out, and why."""

    plugin: PluginView
    tools: tuple[ToolView, ...]
    problems: tuple[ServerTool, ...]
