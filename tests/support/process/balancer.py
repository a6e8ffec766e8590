"""A balancer as simple as they come: it forwards connections to servers that say they are ready."""

import asyncio
import itertools
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

PROBE_S = 0.1
"""How often each server is asked whether it is ready."""
PATIENCE_S = 60.0
"""How long a connection waits for a server that takes it."""
_PROBE = b"GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"


class Balancer:
    """Passes bytes on and repeats nothing; only a refused connection goes to another server."""

    def __init__(self, ports: Mapping[str, int], *, is_each_request: bool, port: int) -> None:
        self.port = port
        self._is_each_request = is_each_request
        self._ports = ports
        self._ready: set[str] = set()
        self._turn = itertools.count()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def ready(self) -> frozenset[str]:
        """Names of the servers that get connections."""
        return frozenset(self._ready)

    async def run(self, started: threading.Event, stop: asyncio.Event) -> None:
        server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = server.sockets[0].getsockname()[1]
        async with asyncio.TaskGroup() as group:
            probes = [group.create_task(self._watch(name)) for name in self._ports]
            started.set()
            await stop.wait()
            server.close()
            for probe in probes:
                probe.cancel()

    async def _watch(self, name: str) -> None:
        while True:
            (self._ready.add if await self._is_ready(name) else self._ready.discard)(name)
            await asyncio.sleep(PROBE_S)

    async def _is_ready(self, name: str) -> bool:
        try:
            async with asyncio.timeout(1):
                reader, writer = await asyncio.open_connection("127.0.0.1", self._ports[name])
                try:
                    writer.write(_PROBE)
                    return b" 200 " in await reader.readline()
                finally:
                    writer.transport.abort()
        except (OSError, TimeoutError):
            return False

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            # Before a server has its turn: browsers connect in advance.
            first = await _lone(reader) if self._is_each_request else b""
            async with asyncio.timeout(PATIENCE_S):
                there, back = await self._connect()
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            writer.close()
            return
        try:
            back.write(first)
            async with asyncio.TaskGroup() as group:
                group.create_task(_pump(reader, back))
                group.create_task(_pump(there, writer))
        finally:
            back.transport.abort()
            writer.transport.abort()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        while True:
            names = sorted(self._ready)
            if names:
                name = names[next(self._turn) % len(names)]
                try:
                    return await asyncio.open_connection("127.0.0.1", self._ports[name])
                except ConnectionRefusedError:
                    self._ready.discard(name)
            await asyncio.sleep(0.01)


async def _lone(reader: asyncio.StreamReader) -> bytes:
    """Begin a request after which the server closes: a client must connect for the next one."""
    return await reader.readuntil(b"\r\n") + b"Connection: close\r\n"


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Copy until one side ends or breaks; the other one hears of it."""
    try:
        while piece := await reader.read(64 * 1024):
            writer.write(piece)
            await writer.drain()
    except OSError:
        writer.transport.abort()
    else:
        writer.close()


async def _end_all() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@contextmanager
def running_balancer(
    ports: Mapping[str, int], *, is_each_request: bool = False, port: int = 0
) -> Iterator[Balancer]:
    """Balance between servers by name until the block ends: by connection, or by request.

    It listens on a free port, or on this one.
    """
    balancer = Balancer(ports, is_each_request=is_each_request, port=port)
    started = threading.Event()
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()
    thread = threading.Thread(
        target=lambda: loop.run_until_complete(balancer.run(started, stop)), daemon=True
    )
    thread.start()
    assert started.wait(10)
    try:
        yield balancer
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)
        loop.run_until_complete(_end_all())
        loop.close()
