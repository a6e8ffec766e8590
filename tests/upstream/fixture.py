"""The scripted provider in a thread of the test process."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from tests.upstream.server import Recorded, Script, Upstream, serve

PATIENCE_S = 60.0
"""How long a busy machine may take for anything."""


class RunningUpstream:
    """Handle of a running upstream."""

    def __init__(self, upstream: Upstream, port: int, loop: asyncio.AbstractEventLoop) -> None:
        self._upstream = upstream
        self._loop = loop
        self.port = port
        self.root_url = f"http://127.0.0.1:{port}"
        self.base_url = f"{self.root_url}/v1"
        """What goes into ``OPENAI_BASE_URL``."""

    def requests(self, *, model: str | None = None) -> list[Recorded]:
        """Requests so far, of one model if given."""
        return [
            request
            for request in list(self._upstream.requests)
            if model is None
            or (isinstance(request.body, dict) and request.body.get("model") == model)
            or f"/models/{model}:" in request.path
        ]

    def script(
        self,
        model: str,
        steps: Sequence[Mapping[str, Any]],
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Register the next answer of a model."""
        script = Script(
            model=model,
            steps=[dict(step) for step in steps],
            status=status,
            headers=dict(headers or {"content-type": "text/event-stream"}),
        )
        self._call(lambda: self._upstream.script(script))

    def forget(self) -> None:
        """Drop recorded requests and scripts."""
        self._call(self._upstream.forget)

    def _call(self, action: Callable[[], None]) -> None:
        """Run on the server's loop and wait for it."""
        done = threading.Event()
        self._loop.call_soon_threadsafe(action)
        self._loop.call_soon_threadsafe(done.set)
        if not done.wait(PATIENCE_S):
            raise AssertionError("The upstream does not answer.")

    def time(self) -> float:
        """Now, on the clock of the records."""
        return time.monotonic()

    def wait_request(self, model: str, *, timeout_s: float = PATIENCE_S) -> Recorded:
        """Wait for a request of this model and return the last one."""
        deadline = time.monotonic() + timeout_s
        while not (found := self.requests(model=model)):
            if time.monotonic() > deadline:
                raise AssertionError(f"No request for {model}.")
            time.sleep(0.002)
        return found[-1]

    def wait_closed(self, record: Recorded, *, timeout_s: float = PATIENCE_S) -> float:
        """Wait until the client's socket of a request is closed; return when that was."""
        deadline = time.monotonic() + timeout_s
        while record.closed_at is None:
            if time.monotonic() > deadline:
                raise AssertionError("The client's socket is still open.")
            time.sleep(0.002)
        return record.closed_at


@contextmanager
def running_upstream() -> Iterator[RunningUpstream]:
    """Serve in a thread with its own loop until the block ends."""
    upstream = Upstream()
    started = threading.Event()
    parts: dict[str, Any] = {}

    async def main() -> None:
        server = await serve(upstream)
        parts["stop"] = asyncio.Event()
        parts["loop"] = asyncio.get_running_loop()
        parts["port"] = server.sockets[0].getsockname()[1]
        started.set()
        await parts["stop"].wait()
        server.close()

    thread = threading.Thread(target=lambda: asyncio.run(main()), name="upstream", daemon=True)
    thread.start()
    if not started.wait(PATIENCE_S):
        raise AssertionError("The upstream did not start.")
    try:
        yield RunningUpstream(upstream, parts["port"], parts["loop"])
    finally:
        parts["loop"].call_soon_threadsafe(parts["stop"].set)
        thread.join(10)
