"""One process serving requests: start, announce, drain, stop."""

import asyncio
import contextlib
import gc
import logging
import signal
import socket
from collections.abc import Awaitable, Callable, Generator
from typing import Final

import uvicorn
from litestar.types import ASGIApp

from application.operation.health import Drain
from bootstrap.listener import BACKLOG

CLOSE_CONNECTIONS_S: Final = 3
"""How long responses may take to end after the runs behind them have."""

KEEP_ALIVE_S: Final = 75
SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)

_log: Final = logging.getLogger("coterie")


class _Server(uvicorn.Server):
    """Leaves the signals to ``serve``, which drains before the server closes."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield


class Stopping:
    """Turns the first signal into an orderly stop and the second into an immediate one."""

    def __init__(self, *, abort: Callable[[], None]) -> None:
        self.asked = asyncio.Event()
        self._abort = abort

    @contextlib.contextmanager
    def listening(self) -> Generator[None, None, None]:
        loop = asyncio.get_running_loop()
        for number in SIGNALS:
            loop.add_signal_handler(number, self.signal)
        try:
            yield
        finally:
            for number in SIGNALS:
                loop.remove_signal_handler(number)

    def signal(self) -> None:
        if self.asked.is_set():
            self._abort()
        self.asked.set()


def make_server(app: ASGIApp, *, trusted_proxies: tuple[str, ...]) -> uvicorn.Server:
    """An HTTP server without its own logging, signals, and optional headers."""
    return _Server(
        uvicorn.Config(
            app,
            http="httptools",
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=bool(trusted_proxies),
            forwarded_allow_ips=list(trusted_proxies),
            backlog=BACKLOG,
            timeout_keep_alive=KEEP_ALIVE_S,
            timeout_graceful_shutdown=CLOSE_CONNECTIONS_S,
        )
    )


async def serve(
    app: ASGIApp,
    listener: socket.socket,
    *,
    drain: Drain,
    finish_runs: Callable[[], Awaitable[None]],
    announce: Callable[[], None],
    abort: Callable[[], None],
    trusted_proxies: tuple[str, ...] = (),
) -> None:
    """Serve until a signal comes; then take no new runs, let the open ones end, and close.

    ``finish_runs`` returns when no run is left, within its own grace period. A second signal
    calls ``abort``, which does not return: whatever was acknowledged is stored already.
    """
    server = make_server(app, trusted_proxies=trusted_proxies)
    stopping = Stopping(abort=abort)

    async def served() -> None:
        try:
            await server.serve(sockets=[listener])
        finally:
            stopping.asked.set()

    with stopping.listening():
        async with asyncio.TaskGroup() as group:
            group.create_task(served())
            # What start-up made lives until the end: keep the collector from walking it again.
            gc.collect()
            gc.freeze()
            announce()
            await stopping.asked.wait()
            drain.begin()
            _log.info("draining")
            await finish_runs()
            server.should_exit = True
