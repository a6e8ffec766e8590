"""Port: tools that other servers offer by the Model Context Protocol (MCP)."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import msgspec

from domain.shared.error import AppError, ErrorKind, NotFound

Transport = Literal["auto", "streamable_http", "sse"]


class McpUnavailable(AppError):
    """The server cannot be reached, breaks the protocol, or takes too long."""

    code, kind = 5001, ErrorKind.UPSTREAM


class McpProgramNotFound(NotFound):
    """The operator offers no such program to the workspace, whether or not another has it."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"No MCP program {name[:64]!r} is offered to this workspace; the operator lists "
            "programs and their workspaces under [[mcp_programs]]."
        )


class McpUnauthorized(McpUnavailable):
    """The server does not accept the credentials that were configured for it."""


class McpRejected(McpUnavailable):
    """The server answered the request with an error; the message is its own, shortened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class McpServer:
    """Where tools are offered: at an address, or by a program that the operator configured.

    Exactly one of ``url`` and ``program`` is set. ``owner`` separates sessions and processes, for
    instance by workspace. ``headers`` may carry credentials and are never logged.
    """

    owner: str
    url: str = ""
    transport: Transport = "auto"
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    program: str = ""
    call_s: float | None = None
    """Longest silence of a call; None means the deployment's limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class McpTool:
    """A tool as its server describes it; the texts are foreign and must not be trusted."""

    name: str
    title: str = ""
    description: str = ""
    input_schema: Mapping[str, Any] = field(default_factory=dict)
    is_read_only: bool = False
    is_destructive: bool = True
    says_destructive: bool = False
    """The server says so itself; it is not only the protocol's assumption."""

    @property
    def digest(self) -> str:
        """Fingerprint of everything a model or a caller sees of the tool."""
        return _digest([self.name, self.title, self.description, self.input_schema])


@dataclass(frozen=True, slots=True, kw_only=True)
class McpToolList:
    """All tools of a server, by name."""

    tools: tuple[McpTool, ...]
    server_name: str = ""

    @property
    def digest(self) -> str:
        """Fingerprint to pin: differs as soon as any tool differs, whatever their order."""
        return _digest(sorted([tool.name, tool.digest] for tool in self.tools))


@dataclass(frozen=True, slots=True, kw_only=True)
class McpPart:
    """An image, a sound or a file of a result."""

    media_type: str
    data: bytes
    uri: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class McpResult:
    """What a call gave; ``text`` is the structured content as JSON if there is any."""

    text: str
    structured: Any = None
    parts: tuple[McpPart, ...] = ()
    is_error: bool = False


OnProgress = Callable[[float, str], None]
"""Takes how far a call is, from 0 to 1 (or -1 if unknown), and the server's words."""


class McpClient(Protocol):
    """Talks to servers of both eras of the protocol; every call ends in bounded time."""

    async def list_tools(self, server: McpServer) -> McpToolList:
        """Ask for all tools.

        Raises:
            EgressDenied: the address or a header is not allowed; nothing was sent.
            NotFound: no such program is configured.
            McpUnavailable: see the class and its subclasses.
        """
        ...

    async def call(
        self,
        server: McpServer,
        tool: McpTool,
        arguments: Mapping[str, Any],
        *,
        on_progress: OnProgress | None = None,
    ) -> McpResult:
        """Call a tool; progress extends the wait. Raises as ``list_tools``.

        Cancellation is passed on to the server.
        """
        ...


def _digest(value: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()
