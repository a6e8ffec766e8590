"""Trouble between a client and a server: connections that break, and answers of other servers."""

import json
import random
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final
from urllib.parse import urlsplit

PIECE_BYTES: Final = 65_536
SOMEBODY: Final = {
    "code": 0,
    "msg": "",
    "detail": {"logid": ""},
    "data": {"user_id": "1", "user_name": "somebody", "nick_name": "", "avatar_url": ""},
}


class Cuts:
    """A relay that breaks its first connections after some bytes, and an event, of the answer."""

    def __init__(self, url: str, *, times: int, seed: int) -> None:
        self.left = times
        self._chance = random.Random(seed)  # noqa: S311
        self._lock = threading.Lock()
        there = urlsplit(url)
        self._there = (there.hostname, there.port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def serve(self) -> None:
        with suppress(OSError):  # closed
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._relay, args=(client,), daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _relay(self, client: socket.socket) -> None:
        with client, socket.create_connection(self._there) as server:
            threading.Thread(target=_pass_on, args=(client, server), daemon=True).start()
            limit = self._next_limit()
            seen = bytearray()
            with suppress(OSError):
                while piece := server.recv(PIECE_BYTES):
                    passed = len(seen)
                    seen += piece
                    if limit is not None and len(seen) > (end := max(limit, _progress(seen))):
                        client.sendall(seen[passed:end])
                        break
                    client.sendall(piece)
            for side in (client, server):  # closing alone would not wake the other thread
                with suppress(OSError):
                    side.shutdown(socket.SHUT_RDWR)

    def _next_limit(self) -> int | None:
        with self._lock:
            if not self.left:
                return None
            self.left -= 1
            return self._chance.randint(1200, 2200)


def _progress(answer: bytearray) -> int:
    """Where the first event of an answer ends: its text grows with the time that a client was away.

    Without it a connection would tell nothing new, and the next one had to tell more.
    """
    head = answer.find(b"\r\n\r\n")
    event = answer.find(b"id: ", head)
    end = answer.find(b"\n\n", event)
    return len(answer) if -1 in (head, event, end) else end + 2


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while piece := source.recv(PIECE_BYTES):
            target.sendall(piece)


@contextmanager
def cutting_relay(url: str, *, times: int, seed: int = 7) -> Iterator[Cuts]:
    """Run a relay to a server whose first connections break."""
    relay = Cuts(url, times=times, seed=seed)
    thread = threading.Thread(target=relay.serve, daemon=True)
    thread.start()
    try:
        yield relay
    finally:
        relay.close()


class _Other(BaseHTTPRequestHandler):
    """Answers by path: ``/<status>/<code>`` refuses, ``/flaky/<n>`` at first, ``/old`` is old."""

    protocol_version = "HTTP/1.1"
    failures: Final[dict[str, int]] = {}

    def do_GET(self) -> None:
        first, second, *_ = [*self.path.strip("/").split("/"), ""]
        if first == "flaky":
            count = self.failures[self.path] = self.failures.get(self.path, 0) + 1
            if count <= int(second):
                self._say(503, {"code": 5002, "msg": "busy"})
            else:
                self.failures.clear()
                self._say(200, SOMEBODY)
        elif first == "old":
            self._say(200, SOMEBODY, version="0.0.9")
        else:
            self._say(int(first), {"code": int(second), "msg": "refused", "detail": {"logid": "L"}})

    def _say(self, status: int, body: object, *, version: str = "0.1.0") -> None:
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.send_header("Coterie-Version", version)
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def other_server() -> Iterator[str]:
    """Run a server that says what its paths ask for; yield its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Other)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
