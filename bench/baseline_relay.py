"""The least a relay can do: a raw ASGI application that parses SSE with aiohttp and passes it on.

No authentication, no storage, no run: the yardstick for ``bench.relay``. Run as
``python -m bench.baseline_relay UPSTREAM_URL``; prints its port.
"""

import socket
import sys
from typing import Any

import aiohttp
import msgspec
import uvicorn


class Relay:
    """Forwards ``POST /v1/chat/completions``, decoding and encoding every event on the way."""

    def __init__(self, upstream: str) -> None:
        self._upstream = upstream
        self._client: aiohttp.ClientSession | None = None

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        if self._client is None:
            self._client = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0), timeout=aiohttp.ClientTimeout(total=None)
            )
        headers = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-cache")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        async with self._client.post(f"{self._upstream}/chat/completions", data=body) as response:
            async for line in response.content:
                if line.startswith(b"data: {"):
                    event = msgspec.json.decode(line[6:])
                    frame = b"data: " + msgspec.json.encode(event) + b"\n\n"
                    await send({"type": "http.response.body", "body": frame, "more_body": True})
        await send({"type": "http.response.body", "body": b"data: [DONE]\n\n"})


def main() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listener:
        sys.stdout.write(f"{listener.getsockname()[1]}\n")
        sys.stdout.flush()
        config = uvicorn.Config(
            Relay(sys.argv[1]),
            log_level="warning",
            access_log=False,
            loop="uvloop",
            http="httptools",
            lifespan="off",
        )
        uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
