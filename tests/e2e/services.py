"""Services that plugins under test call, in threads of the test process."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Asked:
    """One request that arrived; ``target`` has the query."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


Answer = tuple[int, str, bytes]
"""Status, media type and body."""


@dataclass
class Service:
    """Answers as its function says, and remembers what it was asked."""

    answer: Callable[[Asked], Answer]
    port: int = 0
    asked: list[Asked] = field(default_factory=list)
    is_over: threading.Event = field(default_factory=threading.Event)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}"

    @contextmanager
    def listening(self) -> Iterator["Service"]:
        web = Web(("127.0.0.1", 0), Handler)
        web.service = self
        self.port = web.server_address[1]
        thread = threading.Thread(target=web.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self.is_over.set()
            web.shutdown()
            web.server_close()
            thread.join(10)


class Web(ThreadingHTTPServer):
    """Carries what the handlers share."""

    daemon_threads = True
    service: Service

    def handle_error(self, *_: Any) -> None:
        """Clients that hang up are part of the tests."""


class Handler(BaseHTTPRequestHandler):
    """Speaks to one client."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        """Keep quiet."""

    def _serve(self) -> None:
        assert isinstance(self.server, Web)
        service = self.server.service
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(self.command, self.path, headers, body)
        service.asked.append(asked)
        status, media, data = service.answer(asked)
        self.send_response(status)
        self.send_header("content-type", media)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def do_PUT(self) -> None:
        self._serve()

    def do_PATCH(self) -> None:
        self._serve()

    def do_DELETE(self) -> None:
        self._serve()


def as_json(status: int, value: object) -> Answer:
    """Answer with JSON."""
    return status, "application/json", json.dumps(value).encode()
