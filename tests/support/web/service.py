"""Services that plugins under test call, in threads of the test process."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler

from tests.support.web.server import QuietHandler, QuietServer, served


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
        with served(web, self.is_over) as self.port:
            yield self


class Web(QuietServer):
    """Carries what the handlers share."""

    service: Service


class Handler(QuietHandler, BaseHTTPRequestHandler):
    """Passes requests on to the service."""

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
