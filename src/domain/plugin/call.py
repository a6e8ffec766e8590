"""What a call of a tool is made of, whatever stands behind the tool."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from domain.plugin.entity import Plugin
from domain.plugin.value import Manifest, ToolDefinition, ToolId
from domain.shared.access import TenantScope


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """On whose behalf a tool is called; ``key`` names the call, equal ones have one effect."""

    scope: TenantScope
    end_user_id: str = ""
    connector_id: int = 0
    agent_id: str = ""
    conversation_id: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedTool:
    """A tool with all that a call needs; ``version`` is empty for the draft."""

    id: ToolId
    plugin: Plugin
    manifest: Manifest
    definition: ToolDefinition
    version: str
    hosts: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """What a call gave; ``text`` is what a model reads, ``raw`` what the service said."""

    output: Mapping[str, Any]
    text: str
    raw: str
    status: int


@dataclass(slots=True)
class Trace:
    """What the debug view shows of a call, also of one that failed."""

    request: Mapping[str, Any] = field(default_factory=dict)
    status: int = 0
    raw: str = ""


class ToolCaller(Protocol):
    """Calls the tools of one kind of plugin."""

    def longest_s(self, tool: LoadedTool) -> float:
        """Return after how many seconds a call is given up."""
        ...

    async def call(
        self,
        tool: LoadedTool,
        arguments: Mapping[str, Any],
        caller: Caller,
        *,
        fixed: Mapping[str, Any],
        trace: Trace,
    ) -> Called:
        """Call the tool; raises as ``ToolInvoker.call``."""
        ...
