"""Many clients at once, each with a connection of its own, as cheap as can be."""

import asyncio
import json
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from tests.support.process.server import RunningServer

PATIENCE_S = 120.0


@dataclass(frozen=True)
class Reply:
    """What a client got."""

    kind: str
    status: int
    headers: bytes
    body: bytes

    @property
    def is_served(self) -> bool:
        """The request was answered; a chat, to its end."""
        is_whole = self.kind != "chat" or b"event: done" in self.body or b"event:done" in self.body
        return self.status == 200 and is_whole

    @property
    def is_refused(self) -> bool:
        """The client was told to come back, and when."""
        return self.status in {429, 503} and b"retry-after: " in self.headers.lower()


class Crowd:
    """Clients of one server."""

    def __init__(self, server: RunningServer) -> None:
        self._server = server
        parts = urlsplit(server.url)
        self._host, self._port = parts.hostname or "", parts.port or 80
        self._started = time.monotonic()
        self.replies: list[Reply] = []
        self._requests = {
            "chat": self._request(
                "POST",
                "/v3/chat",
                {
                    "bot_id": server.agent_id,
                    "user_id": "crowd",
                    "stream": True,
                    "additional_messages": [
                        {"role": "user", "content": "Hello", "content_type": "text"}
                    ],
                },
            ),
            "list": self._request("GET", f"/v1/conversations?bot_id={server.agent_id}"),
            "health": self._request("GET", "/healthz"),
            "cancel": self._request(
                "POST", "/v3/chat/cancel", {"conversation_id": "1", "chat_id": "1"}
            ),
            "upload": self._request("POST", "/v1/files/upload", {}),
        }

    async def ask(self, kind: str) -> Reply:
        """Send one request and read its answer to the end."""
        async with asyncio.timeout(PATIENCE_S):
            reader, writer = await asyncio.open_connection(self._host, self._port)
            try:
                writer.write(self._requests[kind])
                answer = await reader.read(-1)
            finally:
                writer.close()
        headers, _, body = answer.partition(b"\r\n\r\n")
        reply = Reply(kind, int(headers[9:12]), headers, body)
        self.replies.append(reply)
        return reply

    async def busy(self, *kinds: str, clients: int, for_s: float) -> float:
        """Have clients ask one thing after the other; return how many were served in a second."""
        self._restart()

        async def client() -> None:
            while time.monotonic() - self._started < for_s:
                for kind in kinds:
                    await self.ask(kind)

        async with asyncio.TaskGroup() as group:
            for _ in range(clients):
                group.create_task(client())
        return sum(reply.is_served for reply in self.replies) / (time.monotonic() - self._started)

    async def rush(self, *kinds: str, per_s: float, for_s: float) -> None:
        """Come at a rate that does not care whether anybody is served; return when all is over."""
        self._restart()
        async with asyncio.TaskGroup() as group:
            sent = 0
            while (passed := time.monotonic() - self._started) < for_s:
                while sent < passed * per_s:
                    group.create_task(self._ask_later(kinds[sent % len(kinds)]))
                    sent += 1
                await asyncio.sleep(0.005)

    def open_files(self) -> int:
        """Descriptors that the server holds."""
        return len(list(Path(f"/proc/{self._server.process.pid}/fd").iterdir()))

    def _restart(self) -> None:
        self._started = time.monotonic()
        self.replies = []

    async def _ask_later(self, kind: str) -> None:
        await self.ask(kind)

    def _request(self, method: str, path: str, body: object = None) -> bytes:
        payload = b"" if body is None else json.dumps(body).encode()
        lines = [
            f"{method} {path} HTTP/1.1",
            f"host: {self._host}:{self._port}",
            "connection: close",
            *(f"{name}: {value}" for name, value in self._server.headers.items()),
            "content-type: application/json",
            f"content-length: {len(payload)}",
        ]
        return ("\r\n".join(lines) + "\r\n\r\n").encode() + payload
