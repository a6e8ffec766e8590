"""MCP addresses of workspaces."""

from collections.abc import AsyncGenerator, Sequence
from typing import Any

from litestar import Controller, Request, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.status_codes import HTTP_200_OK

from api.mcp.events import EventStreams
from api.mcp.gateway import McpGateway
from api.wire import required_id
from application.mcp.offer import OfferedTool, SpaceTools, ToolCall, ToolSays
from domain.shared.access import Principal
from domain.shared.ids import SpaceId


class _Tools:
    """The tools of a workspace for one caller; raises ``NotFound`` for a foreign workspace."""

    def __init__(self, tools: SpaceTools, principal: Principal, space_id: str) -> None:
        self._tools = tools
        self._principal = principal
        self._space_id = required_id(space_id, field="space_id")
        principal.scope.within(SpaceId(self._space_id))

    @property
    def title(self) -> str:
        return "Agents and workflows"

    async def offered(self) -> Sequence[OfferedTool]:
        return await self._tools.offered(self._principal, self._space_id)

    async def call(self, call: ToolCall) -> AsyncGenerator[ToolSays, None]:
        return await self._tools.call(self._principal, self._space_id, call)


class SpaceMcpController(Controller):
    """Published agents and workflows of a workspace, as tools.

    The answers are JSON-RPC, which an interface description cannot tell.
    """

    path = "/mcp/{space_id:str}"
    include_in_schema = False

    @post(status_code=HTTP_200_OK)
    async def ask(
        self,
        *,
        request: Request[Any, Any, Any],
        principal: NamedDependency[Principal],
        mcp_gateway: NamedDependency[McpGateway],
        space_tools: NamedDependency[SpaceTools],
        space_id: FromPath[str],
    ) -> Response[Any]:
        """Answer one message."""
        return await mcp_gateway.answer(
            request, principal, _Tools(space_tools, principal, space_id)
        )

    @get("/sse")
    async def listen(
        self,
        *,
        request: Request[Any, Any, Any],
        principal: NamedDependency[Principal],
        mcp_streams: NamedDependency[EventStreams],
        space_tools: NamedDependency[SpaceTools],
        space_id: FromPath[str],
    ) -> Response[Any]:
        """Open a stream for answers, for clients of the oldest transport."""
        _Tools(space_tools, principal, space_id)
        return mcp_streams.open(request, principal)

    @post("/sse")
    async def tell(
        self,
        *,
        request: Request[Any, Any, Any],
        principal: NamedDependency[Principal],
        mcp_streams: NamedDependency[EventStreams],
        space_tools: NamedDependency[SpaceTools],
        space_id: FromPath[str],
    ) -> Response[Any]:
        """Take a message whose answer goes to an open stream."""
        return await mcp_streams.take(request, principal, _Tools(space_tools, principal, space_id))
