"""What other contexts may ask of plugins, in plain types only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from domain.shared.access import TenantScope
from domain.shared.call import CallContext


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginToolRef:
    """A tool of a version; without one of the newest, or of the draft if ``is_draft``."""

    plugin_id: int
    tool_id: int
    version: str = ""
    is_draft: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginToolDescription:
    """A tool as a model may call it; ``parameters`` and ``result`` are JSON Schema objects.

    ``effect`` is ``read``, ``external_write`` or ``irreversible``. ``is_direct``: the result is
    the answer, the model does not see it.
    """

    plugin_id: int
    tool_id: int
    version: str
    plugin_name: str
    name: str
    description: str
    parameters: Mapping[str, Any]
    result: Mapping[str, Any]
    effect: str = "read"
    needs_approval: bool = False
    is_direct: bool = False
    timeout_s: float = 30.0
    kind: str = "http"
    """What stands behind it: ``http``, ``mcp``, ``local`` (the client) or ``workflow``."""
    workflow_id: int = 0
    plugin_description: str = ""
    icon_file_id: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginCall:
    """One call; nobody overrides the values in ``fixed``. Equal ``key``, same effect."""

    ref: PluginToolRef
    arguments: Mapping[str, Any]
    fixed: Mapping[str, Any] = field(default_factory=dict)
    key: str = ""
    agent_id: str = ""
    conversation_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginResult:
    """What a call gave; ``text`` is what a model reads, ``raw`` what the service said."""

    output: Mapping[str, Any]
    text: str
    raw: str = ""


class AccessNeeded(Exception):
    """The user has to give access at ``authorize_url`` first."""

    def __init__(self, message: str, *, authorize_url: str) -> None:
        super().__init__(message)
        self.message = message
        self.authorize_url = authorize_url


class Plugins(Protocol):
    """Tools of plugins, with the rights of the context's spaces."""

    async def describe(
        self, scope: TenantScope, ref: PluginToolRef, *, preset: Sequence[str] = ()
    ) -> PluginToolDescription:
        """Describe a tool without hidden parameters and without those in ``preset``.

        Raises:
            NotFound: there is no such plugin, version or tool in the scope.
        """
        ...

    async def call(self, context: CallContext, call: PluginCall) -> PluginResult:
        """Call a tool.

        Raises:
            NotFound: there is no such plugin, version or tool in the scope.
            AccessNeeded: the user has not given access.
            AppError: the arguments are wrong, or the service failed; the message tells why.
        """
        ...

    async def existing(
        self, scope: TenantScope, tools: Sequence[tuple[int, int]]
    ) -> frozenset[tuple[int, int]]:
        """Return which of these pairs of plugin and tool exist, in drafts."""
        ...

    async def tools(
        self, scope: TenantScope, plugin_id: int, *, is_draft: bool = False
    ) -> Sequence[int]:
        """List the tools of the newest version of a plugin, or of its draft.

        Raises:
            NotFound: there is no such plugin in the scope, or it is not published.
        """
        ...

    async def latest(self, scope: TenantScope, plugin_ids: Sequence[int]) -> Mapping[int, str]:
        """Return the newest version of each plugin that is published."""
        ...
