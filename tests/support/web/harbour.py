"""A service behind plugins: three operations of the harbour, and a provider of tokens."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

KEY: Final = "geheim-key-of-the-harbour"

_DOCUMENT: Final = {
    "openapi": "3.0.3",
    "info": {"title": "Harbour", "version": "1"},
    "servers": [{"url": "/v2"}],
    "paths": {"/ping": {"get": {"operationId": "ping", "responses": {}}}},
}
"""As the service describes itself, its address counted from where this lies."""


@dataclass
class Seen:
    """One request that arrived."""

    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: bytes
    target: str = ""
    """Path and query as they came."""


@dataclass
class PluginService:
    """Answers, and remembers what it was asked."""

    port: int = 0
    seen: list[Seen] = field(default_factory=list)
    failures: int = 0
    """Answers 503 so often before it works."""
    tokens: int = 0

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @asynccontextmanager
    async def listening(self) -> AsyncGenerator["PluginService", None]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()

    async def _read(self, reader: asyncio.StreamReader) -> Seen:
        """Take one request, and remember it."""
        line = (await reader.readline()).decode()
        method, target, _ = line.split(" ", 2)
        headers: dict[str, str] = {}
        while (text := (await reader.readline()).decode().strip()) != "":
            name, _, value = text.partition(":")
            headers[name.lower()] = value.strip()
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        url = urlsplit(target)
        asked = Seen(method, url.path, parse_qs(url.query), headers, body, target)
        self.seen.append(asked)
        return asked

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = await self._read(reader)
        status, answer = self._answer(asked)
        data = json.dumps(answer).encode()
        head = (
            f"HTTP/1.1 {status} X\r\ncontent-type: application/json\r\n"
            f"content-length: {len(data)}\r\nconnection: close\r\n\r\n"
        )
        writer.write(head.encode() + data)
        await writer.drain()
        writer.close()

    def _answer(self, asked: Seen) -> tuple[int, Any]:
        if self.failures:
            self.failures -= 1
            return 503, {"error": "busy"}
        if asked.path == "/token":
            return self._token(parse_qs(asked.body.decode()))
        key = asked.headers.get("x-harbour-key", "") or asked.headers.get("authorization", "")
        match asked.method, asked.path:
            case "GET", "/v2/boats":
                found = [{"id": "7", "name": "Möwe", "secret_margin": 12, "note": key}]
                return 200, {"items": found, "total": 1, "internal": "not declared"}
            case "POST", "/v2/boats":
                return 201, {"id": "8", **json.loads(asked.body)}
            case "GET", "/v2/weather/Sylt/2026-05-01":
                return 200, {"wind": 9.5, "waves": None, "station": 3}
            case _:
                is_document = asked.path == "/docs/openapi.json"
                nothing = {"error": f"nothing here for {key}"}
                return (200, _DOCUMENT) if is_document else (404, nothing)

    def _token(self, form: dict[str, list[str]]) -> tuple[int, Any]:
        if form.get("client_secret") != ["geheim-client"]:
            return 401, {"error": "invalid_client", "sent": form}
        self.tokens += 1
        answer = {"access_token": f"geheim-access-{self.tokens}", "expires_in": 3600}
        return 200, {**answer, "refresh_token": "geheim-refresh"}
