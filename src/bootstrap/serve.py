"""One process serving requests: start, announce, drain, stop."""

import asyncio
import contextlib
import gc
import logging
import math
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

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.closing = asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.closing.set()
        await super().shutdown(sockets)

    async def close_listener(self, *, within_s: float) -> None:
        """Take no more connections and end idle ones; return when that is done.

        What is being answered may go on for so long.
        """
        self.config.timeout_graceful_shutdown = math.ceil(within_s)
        self.should_exit = True
        await self.closing.wait()

    async def answered(self) -> None:
        """Return when nothing is being answered any more."""
        while self.server_state.tasks:
            await asyncio.wait(list(self.server_state.tasks))


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


def make_server(app: ASGIApp, *, trusted_proxies: tuple[str, ...]) -> _Server:
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
    finish_runs: Callable[[float], Awaitable[None]],
    announce: Callable[[], None],
    abort: Callable[[], None],
    grace_s: float,
    linger_s: float = 0.0,
    trusted_proxies: tuple[str, ...] = (),
) -> None:
    """Serve until a signal comes; then take no new runs, let the open ones end, and close.

    Without ``linger_s`` the process is taken for the only one: it answers until its runs have
    ended, and refuses new work. With it, others stand by: the process says that it is not ready,
    answers everything for so long, and then closes its listener; no request is refused.

    ``finish_runs`` returns when no run is left, within the seconds it is given. A second signal
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
            gc.freeze()
            gc.enable()
            announce()
            await stopping.asked.wait()
            if linger_s:
                grace_s = await _leave(server, drain, linger_s=linger_s, grace_s=grace_s)
            drain.begin()
            _log.info("draining")
            await finish_runs(grace_s)
            server.should_exit = True


async def _leave(server: _Server, drain: Drain, *, linger_s: float, grace_s: float) -> float:
    """Wait until balancers have noticed, close the listener, and let requests end.

    Returns what is left of the grace period, for runs that nobody waits for.
    """
    drain.leave()
    _log.info("leaving")
    await asyncio.sleep(linger_s)
    loop = asyncio.get_running_loop()
    ends_at = loop.time() + grace_s
    await server.close_listener(within_s=grace_s + CLOSE_CONNECTIONS_S)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout_at(ends_at):
            await server.answered()
    return max(ends_at - loop.time(), 0.0)
