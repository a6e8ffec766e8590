"""An MCP server over streamable HTTP that behaves as the last part of its address says.

``good`` works; the texts of ``changing`` are of the current ``edition``; ``dies`` closes the
connection in the middle of a call, ``garbage`` answers with no JSON, ``flood`` with ten megabytes,
``hangs`` never, ``pages`` lists tools without end. Run in a thread: ``with listening() as server``.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any, Final

from tests.support.web.server import QuietHandler, QuietServer, served

SECRET: Final = "geheim-key-of-the-mcp-server"
_SCHEMA: Final = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "note": {"type": "string"}},
    "required": ["city"],
}


@dataclass
class HostileServer:
    """What it was asked, and where it listens."""

    port: int = 0
    calls: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    lists: int = 0
    edition: int = 1
    is_over: threading.Event = field(default_factory=threading.Event)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def url(self, way: str) -> str:
        return f"http://{self.host}/{way}"

    def tools(self, way: str, cursor: str) -> dict[str, Any]:
        """The result of ``tools/list``."""
        self.lists += 1
        told = f"Weather, edition {self.edition}." if way == "changing" else "Weather."
        hints = {"readOnlyHint": True} if way != "risky" else {"destructiveHint": True}
        tool = {"name": "weather", "description": told, "inputSchema": _SCHEMA}
        listed: dict[str, Any] = {"tools": [{**tool, "annotations": hints}]}
        if way == "pages":
            page = int(cursor or "0")
            listed = {"tools": [{**tool, "name": f"weather_{page}"}], "nextCursor": str(page + 1)}
        return listed


class Web(QuietServer):
    """Carries what the handlers share."""

    hostile: HostileServer


class Handler(QuietHandler, BaseHTTPRequestHandler):
    """Speaks to one client."""

    @property
    def hostile(self) -> HostileServer:
        assert isinstance(self.server, Web)
        return self.server.hostile

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        message = json.loads(body)
        self.hostile.headers.append({name.lower(): value for name, value in self.headers.items()})
        way = self.path.strip("/")
        match message.get("method"):
            case "initialize":
                version = message["params"]["protocolVersion"]
                info = {"name": "hostile", "version": "1"}
                self._result(
                    message,
                    {
                        "protocolVersion": version,
                        "capabilities": {"tools": {}},
                        "serverInfo": info,
                    },
                )
            case "tools/list":
                cursor = message.get("params", {}).get("cursor", "")
                self._result(message, self.hostile.tools(way, cursor))
            case "tools/call":
                self._call(message, way)
            case _ if "id" in message:
                self._answer(
                    {
                        "jsonrpc": "2.0",
                        "id": message["id"],
                        "error": {"code": -32601, "message": "no such method"},
                    }
                )
            case _:
                self._write(202, b"")

    def do_GET(self) -> None:
        self._write(405, b"")

    def do_DELETE(self) -> None:
        self._write(405, b"")

    def _call(self, message: dict[str, Any], way: str) -> None:
        params = message["params"]
        self.hostile.calls.append(params)
        key = self.headers.get("x-weather-key", "")
        match way:
            case "dies":
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", "1000")
                self.end_headers()
                self.wfile.write(b'{"jsonrpc"')
                self.close_connection = True
            case "garbage":
                self._write(200, b"\x00\xff<html>no json")
            case "hangs":
                self.hostile.is_over.wait(60)
                self.close_connection = True
            case "flood":
                block = {"type": "text", "text": "x" * 10_000_000}
                self._result(message, {"content": [block]})
            case "fails":
                block = {"type": "text", "text": f"out of order, key {key}"}
                self._result(message, {"content": [block], "isError": True})
            case _:
                city = params["arguments"].get("city")
                said = {"city": city, "degrees": 17, "echo": key}
                block = {"type": "text", "text": json.dumps(said)}
                self._result(message, {"content": [block], "structuredContent": said})

    def _result(self, message: dict[str, Any], result: dict[str, Any]) -> None:
        self._answer({"jsonrpc": "2.0", "id": message["id"], "result": result})

    def _answer(self, message: dict[str, Any]) -> None:
        self._write(200, json.dumps(message).encode())

    def _write(self, status: int, data: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        try:
            self.wfile.write(data)
        except OSError:  # the client had enough
            self.close_connection = True


@contextmanager
def listening() -> Iterator[HostileServer]:
    """Serve in threads of this process."""
    server = HostileServer()
    web = Web(("127.0.0.1", 0), Handler)
    web.hostile = server
    with served(web, server.is_over) as server.port:
        yield server
