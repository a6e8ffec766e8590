"""A small web site that documents can be fetched from, and that counts who came."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

HOURS: Final = "<html><body><h1>Opening hours</h1><p>The museum opens at nine.</p></body></html>"


@dataclass
class Site:
    """Where the site is and which paths were asked for."""

    url: str
    address: str
    visits: list[str] = field(default_factory=list)


@contextmanager
def running_site() -> Iterator[Site]:
    """Serve ``/hours.html``, a picture at ``/logo.png``, and 404 for everything else."""
    site = Site(url="", address="")

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.visits.append(self.path)
            found = {"/hours.html": ("text/html", HOURS), "/logo.png": ("image/png", "x")}
            kind, text = found.get(self.path, ("text/html", "Nothing here."))
            self.send_response(200 if self.path in found else 404)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Nothing of this belongs into the output of tests."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site.address = f"127.0.0.1:{server.server_port}"
    site.url = f"http://{site.address}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        thread.join(10)
        server.server_close()
