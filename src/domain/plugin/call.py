"""What a call of a tool is made of, whatever stands behind the tool."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from domain.plugin.entity import Plugin
from domain.plugin.value import Manifest, ToolDefinition, ToolId
from domain.shared.access import TenantScope
from infra.contract.egress import EgressDenied


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
    """A tool with all that a call needs; ``version`` is empty for the draft.

    ``hosts`` are the only ones that the call may reach, credentials and files included; none
    named means all public ones.
    """

    id: ToolId
    plugin: Plugin
    manifest: Manifest
    definition: ToolDefinition
    version: str
    hosts: frozenset[str]

    def narrowed(self, hosts: frozenset[str] | None) -> "LoadedTool":
        """Return the tool with only those hosts that ``hosts`` has as well; None has all.

        Raises:
            EgressDenied: no host is left.
        """
        if hosts is None or not self.manifest.server_url:  # programs and clients have no host
            return self
        left = hosts & self.hosts if self.hosts else hosts
        if not left:
            raise EgressDenied(
                "The agent may call none of the hosts that plugins of this workspace may call; "
                "compare its egress_hosts with those of the workspace."
            )
        return replace(self, hosts=left)


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
