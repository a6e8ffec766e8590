"""One understanding with a server, whatever carries the messages."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, Protocol

from domain.shared.error import AppError
from infra.contract.mcp import McpTool, McpUnavailable
from infra.impl.mcp.message import notification

_FAREWELL_S: Final = 1.0

OnNotice = Callable[[Mapping[str, Any]], None]
"""Takes the notifications that come while a request is being answered."""
Tell = Callable[[Mapping[str, Any]], Awaitable[None]]
"""Sends the server a message that it does not answer."""


class SessionLost(McpUnavailable):
    """The server has forgotten the session; a new one may be opened."""


class Session(Protocol):
    """Asks an MCP server."""

    @property
    def mirrors(self) -> bool:
        """Whether arguments are repeated as headers, so that tools' marks must be in order."""
        ...

    async def ask(
        self,
        method: str,
        params: Mapping[str, Any],
        *,
        on_notice: OnNotice,
        tool: McpTool | None = None,
    ) -> dict[str, Any]:
        """Return the result of a request; on cancellation the server is told.

        Raises:
            SessionLost: open another one.
            McpUnavailable: it failed, or the server answered with an error.
        """
        ...


def ignore(_: Mapping[str, Any]) -> None:
    """Take notifications that matter to nobody."""


@asynccontextmanager
async def cancelling(tell: Tell, number: int) -> AsyncGenerator[None, None]:
    """Tell the server when the wait for the answer of a request is given up."""
    try:
        yield
    except asyncio.CancelledError:
        with suppress(AppError, TimeoutError):
            async with asyncio.timeout(_FAREWELL_S):
                await tell(notification("notifications/cancelled", {"requestId": number}))
        raise
