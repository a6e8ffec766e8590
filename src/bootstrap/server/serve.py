"""Servers of a process: requests until a signal comes, and operators on a listener of their own."""

import asyncio
import contextlib
import gc
import logging
import signal
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from functools import partial
from typing import Final

import uvicorn
from litestar.types import ASGIApp

from application.operation.health import Drain
from bootstrap.server.listener import BACKLOG, listen
from bootstrap.server.protocol import Protocol
from bootstrap.settings import Settings
from domain.shared.limits import Limits

CLOSE_CONNECTIONS_S: Final = 3
"""How long responses may take to end after the runs behind them have."""

ACCEPTED_AT_ONCE: Final = 256
"""Connections that a turn of the loop takes at most; what else is to be done comes between."""
SHARED_AT_ONCE: Final = 2
"""The same where siblings wait for them too: who has much to do has few turns, and gets few."""

KEEP_ALIVE_S: Final = 75
_QUIET_S: Final = 0.5
SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)

_log: Final = logging.getLogger("coterie")

_COLLECT_AFTER: Final = 5_000
"""New objects until the collector looks at them: four chats make Python's own 700, and looking at
each batch of these was a twentieth of their time; hardly any of it is garbage in circles."""


class _Server(uvicorn.Server):
    """Leaves the signals to ``serve``, which drains before the server closes.

    It takes the connections that wait behind one that was taken. libuv takes one in a turn of the
    loop; a loop that is busy has few turns, and whoever comes faster would wait in the system's
    queue until that overflows, where nobody can tell him to come back.
    """

    def __init__(self, config: uvicorn.Config, *, at_once: int) -> None:
        super().__init__(config)
        self._at_once = at_once
        self._has_stopped_listening = asyncio.Event()
        self._connections_may_end = asyncio.Event()
        self._connections_may_end.set()
        self._listeners: list[socket.socket] = []
        self._adoptions = asyncio.TaskGroup()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        async with self._adoptions:
            await super().serve(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        loop = asyncio.get_running_loop()
        for listener in sockets or ():
            self._listeners.append(also := listener.dup())
            loop.add_reader(also, self._accept, also)

    def _accept(self, listener: socket.socket) -> None:
        # None is left, or the process may open no more: the loop's own server deals with that.
        with contextlib.suppress(OSError):
            for _ in range(self._at_once):
                self._adoptions.create_task(self._adopt(listener.accept()[0]))

    async def _adopt(self, connection: socket.socket) -> None:
        protocol = partial(
            self.config.http_protocol_class,
            config=self.config,  # type: ignore[call-arg] # as the method calls it that is extended
            server_state=self.server_state,
            app_state=self.lifespan.state,
        )
        try:
            await asyncio.get_running_loop().connect_accepted_socket(protocol, connection)
        except OSError:  # it is gone already
            connection.close()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for also in self._listeners:
            asyncio.get_running_loop().remove_reader(also)
            also.close()
        self._listeners.clear()
        for server in self.servers:
            server.close()
        for listener in sockets or ():
            listener.close()
        self._has_stopped_listening.set()
        await self._connections_may_end.wait()
        await super().shutdown(sockets)

    async def close_listener(self) -> None:
        """Take no more connections; return when that is so. ``close`` ends those there are."""
        self._connections_may_end.clear()
        self.should_exit = True
        await self._has_stopped_listening.wait()

    def close(self) -> None:
        """Take no more connections, and end those there are when they are answered."""
        self.should_exit = True
        self._connections_may_end.set()

    async def answered(self) -> None:
        """Return when nothing is being answered and, for a moment, nobody asked anything.

        Who was answered before it was told to connect anew may still use that connection.
        """
        while True:
            while self.server_state.tasks:
                await asyncio.wait(list(self.server_state.tasks))
            before = self.server_state.total_requests
            await asyncio.sleep(_QUIET_S)
            if self.server_state.total_requests == before and not self.server_state.tasks:
                return


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

    def follow(self, lifeline: int) -> None:
        """Stop in an orderly way once the descriptor can be read, too."""
        loop = asyncio.get_running_loop()

        def ended() -> None:
            loop.remove_reader(lifeline)
            self.asked.set()

        loop.add_reader(lifeline, ended)


def make_server(
    app: ASGIApp,
    *,
    limits: Limits,
    trusted_proxies: tuple[str, ...],
    at_once: int = ACCEPTED_AT_ONCE,
) -> _Server:
    """An HTTP server without its own logging, signals, and optional headers."""
    return _Server(
        uvicorn.Config(
            app,
            http=partial(Protocol, limits=limits),  # type: ignore[arg-type] # called like one
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
        ),
        at_once=at_once,
    )


async def serve(
    app: ASGIApp,
    listener: socket.socket,
    *,
    drain: Drain,
    finish_runs: Callable[[float], Awaitable[None]],
    announce: Callable[[], None],
    abort: Callable[[], None],
    limits: Limits,
    linger_s: float = 0.0,
    trusted_proxies: tuple[str, ...] = (),
    lifeline: int | None = None,
) -> None:
    """Serve until a signal comes; then take no new runs, let the open ones end, and close.

    Without ``linger_s`` the process is taken for the only one: it answers until its runs have
    ended, and refuses new work. With it, others stand by: the process says that it is not ready,
    answers everything for so long, and then closes its listener; no request is refused.

    ``finish_runs`` returns when no run is left, within the seconds it is given. A second signal
    calls ``abort``, which does not return: whatever was acknowledged is stored already.

    ``lifeline`` is given to one of several servers on the listener: its end is like a first signal.
    """
    server = make_server(
        app,
        limits=limits,
        trusted_proxies=trusted_proxies,
        at_once=ACCEPTED_AT_ONCE if lifeline is None else SHARED_AT_ONCE,
    )
    stopping = Stopping(abort=abort)

    async def served() -> None:
        try:
            await server.serve(sockets=[listener])
        finally:
            stopping.asked.set()

    with stopping.listening():
        if lifeline is not None:
            stopping.follow(lifeline)
        async with asyncio.TaskGroup() as group:
            group.create_task(served())
            # What start-up made lives until the end: keep the collector from walking it again.
            gc.freeze()
            gc.set_threshold(_COLLECT_AFTER, *gc.get_threshold()[1:])
            gc.enable()
            announce()
            await stopping.asked.wait()
            grace_s = limits.shutdown_grace_s
            if linger_s:
                grace_s = await _leave(server, drain, linger_s=linger_s, grace_s=grace_s)
            drain.begin()
            _log.info("draining")
            await finish_runs(grace_s)
            server.close()


async def _leave(server: _Server, drain: Drain, *, linger_s: float, grace_s: float) -> float:
    """Wait until balancers have noticed, close the listener, and let requests end.

    Returns what is left of the grace period, for runs that nobody waits for.
    """
    drain.leave()
    _log.info("leaving")
    # Still with an open listener: a balancer looks now and then only, and must find nobody refused.
    await asyncio.sleep(linger_s)
    loop = asyncio.get_running_loop()
    ends_at = loop.time() + grace_s
    await server.close_listener()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout_at(ends_at):
            await server.answered()
    return max(ends_at - loop.time(), 0.0)


def operations_listener(settings: Settings) -> socket.socket:
    """Bind the listener; raise ``SettingsInvalid`` if its address is taken or not there."""
    place = settings.operations
    return listen(place.host, place.port, chosen_by="operations.port")


@contextlib.asynccontextmanager
async def operations_served(
    app: ASGIApp, listener: socket.socket, *, limits: Limits
) -> AsyncGenerator[None, None]:
    """Answer on the listener for as long as the block runs, the way down included."""
    server = make_server(app, limits=limits, trusted_proxies=())
    async with asyncio.TaskGroup() as group:
        group.create_task(server.serve(sockets=[listener]))
        try:
            yield
        finally:
            server.should_exit = True
