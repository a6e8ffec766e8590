"""A server made with the official SDK, over any transport and of either era.

Run as ``python reference.py <stdio|http|sse> [port] [handshake]``.
"""

import asyncio
import sys
from typing import Any

import uvicorn
from mcp.server.mcpserver import Context, Image, MCPServer

server = MCPServer("reference")


@server.tool()
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@server.tool()
def fail() -> str:
    """Fail always."""
    raise ValueError("out of order")


@server.tool()
async def slow(steps: int, ctx: Context) -> str:
    """Report progress a few times."""
    for step in range(steps):
        await asyncio.sleep(0.2)
        await ctx.report_progress(step + 1, steps, f"step {step + 1}")
    return "done"


@server.tool()
async def hang() -> str:
    """Never answer."""
    await asyncio.sleep(3600)
    return "too late"


@server.tool()
def picture() -> Image:
    """Return an image."""
    return Image(data=b"\x89PNG", format="png")


class HandshakeOnly:
    """Answers requests of the later era as a server would that has never heard of it."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        later = (b"mcp-protocol-version", b"2026-07-28")
        if scope["type"] == "http" and later in scope["headers"]:
            await send({"type": "http.response.start", "status": 400, "headers": []})
            await send({"type": "http.response.body", "body": b"Bad Request"})
            return
        await self._app(scope, receive, send)


def main(transport: str, port: str = "0", era: str = "") -> None:
    if transport == "stdio":
        server.run("stdio")
        return
    app: Any = (
        server.sse_app(host="0.0.0.0")  # noqa: S104 - any name in the Host header will do
        if transport == "sse"
        else server.streamable_http_app(host="0.0.0.0")  # noqa: S104
    )
    if era == "handshake":
        app = HandshakeOnly(app)
    uvicorn.run(app, host="127.0.0.1", port=int(port), log_level="warning")


if __name__ == "__main__":
    main(*sys.argv[1:])
