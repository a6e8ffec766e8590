"""Services of tests in threads of the test process: quiet, and gone when the test is over."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class QuietServer(ThreadingHTTPServer):
    """Clients that hang up are part of the tests."""

    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """Tell nobody."""


class QuietHandler(BaseHTTPRequestHandler):
    """Speaks to one client and logs nothing."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        """Keep quiet."""


@contextmanager
def served(web: ThreadingHTTPServer, is_over: threading.Event) -> Iterator[int]:
    """Answer requests and return the port; ``is_over`` lets handlers that wait go home."""
    thread = threading.Thread(target=web.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield web.server_address[1]
    finally:
        is_over.set()
        web.shutdown()
        web.server_close()
        thread.join(10)
