"""A TCP proxy that makes connections as bad as tests want them, at any moment."""

import asyncio
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PIECE = 64 * 1024
START_S = 60.0
Address = tuple[str, int] | Path
"""Host and port, or a Unix socket."""


@dataclass(frozen=True)
class Fault:
    """What is wrong with connections, in both directions; as it is made, nothing."""

    latency_s: float = 0.0
    """Before each piece."""
    bytes_per_s: float = 0.0
    """At most; 0: no bound."""
    slice_bytes: int = 0
    """Pieces are cut to this; 0: they stay as they came."""
    is_silent: bool = False
    """Connections are open, and nothing passes."""
    is_refused: bool = False
    """Connections end as soon as they are made."""
    cut_after: int = 0
    """Bytes from the server after which a connection ends; 0: never."""
    answer: bytes = b""
    """Said instead of what the server would say, to whoever says something."""


FINE = Fault()
SILENT = Fault(is_silent=True)
REFUSED = Fault(is_refused=True)


class Proxy:
    """Passes bytes between clients and one server, as badly as ``fault`` says.

    Runs in a thread of its own; every method may be called from any thread.
    """

    def __init__(self, target: Address) -> None:
        self._target = target
        self._fault = FINE
        self._clients: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._audible = asyncio.Event()
        self._audible.set()
        self._started = threading.Event()
        self.port = 0
        self.accepted = 0
        """Connections so far."""

    def set(self, fault: Fault) -> None:
        """Change what is wrong, for connections that are open too."""

        def change() -> None:
            self._fault = fault
            (self._audible.clear if fault.is_silent else self._audible.set)()
            if fault.is_refused:
                self._reset_all()

        self._do(change)

    def reset(self) -> None:
        """Reset all open connections; new ones are as the fault says."""
        self._do(self._reset_all)

    def half_close(self) -> None:
        """Tell all clients that the server says nothing more; it goes on listening to them."""

        def close() -> None:
            for writer in self._clients:
                if writer.can_write_eof() and not writer.is_closing():
                    writer.write_eof()

        self._do(close)

    @contextmanager
    def suffering(self, fault: Fault) -> Iterator[None]:
        """Let connections suffer until the block ends."""
        self.set(fault)
        try:
            yield
        finally:
            self.set(FINE)

    @contextmanager
    def listening(self, at: Path | None = None) -> Iterator["Proxy"]:
        """Listen on a free port, or on a Unix socket, until the block ends."""
        thread = threading.Thread(target=self._loop.run_until_complete, args=(self._run(at),))
        thread.start()
        assert self._started.wait(START_S)
        try:
            yield self
        finally:
            self._loop.call_soon_threadsafe(self._stop.set)
            thread.join(START_S)
            self._loop.close()

    def _do(self, action: Callable[[], None]) -> None:
        done = threading.Event()

        def act() -> None:
            action()
            done.set()

        self._loop.call_soon_threadsafe(act)
        assert done.wait(START_S)

    async def _run(self, at: Path | None) -> None:
        if at is None:
            server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
            self.port = server.sockets[0].getsockname()[1]
        else:
            server = await asyncio.start_unix_server(self._serve, at)
        self._started.set()
        await self._stop.wait()
        server.close()
        self._reset_all()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.accepted += 1
        if self._fault.is_refused:
            _reset(writer)
            return
        self._clients.add(writer)
        back: asyncio.StreamWriter | None = None
        try:
            there, back = await self._connect()
            async with asyncio.TaskGroup() as group:
                group.create_task(self._pump(reader, back, answering=writer))
                group.create_task(self._pump(there, writer))
        except (OSError, ExceptionGroup):
            if not writer.is_closing():
                _reset(writer)
        finally:
            self._clients.discard(writer)
            writer.close()
            if back is not None:
                back.transport.abort()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if isinstance(self._target, Path):
            return await asyncio.open_unix_connection(self._target)
        return await asyncio.open_connection(*self._target)

    async def _pump(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        answering: asyncio.StreamWriter | None = None,
    ) -> None:
        """Copy until one side ends; ``answering`` is who speaks, and hears what faults answer."""
        passed = 0
        while piece := await reader.read(PIECE):
            fault = self._fault
            if answering is not None and fault.answer:
                answering.write(fault.answer)
                await answering.drain()
                answering.close()
                return
            for part in _parts(piece, fault.slice_bytes):
                await self._audible.wait()
                pause = fault.latency_s
                if fault.bytes_per_s:
                    pause += len(part) / fault.bytes_per_s
                await asyncio.sleep(pause)
                allowed = len(part)
                if fault.cut_after and answering is None:
                    allowed = min(allowed, fault.cut_after - passed)
                writer.write(part[:allowed])
                await writer.drain()
                passed += allowed
                if allowed < len(part):
                    writer.close()
                    raise ConnectionAbortedError
        if not writer.is_closing() and writer.can_write_eof():
            writer.write_eof()

    def _reset_all(self) -> None:
        for writer in self._clients:
            _reset(writer)


def _parts(piece: bytes, size: int) -> Iterator[bytes]:
    step = size or len(piece)
    for start in range(0, len(piece), step):
        yield piece[start : start + step]


def _reset(writer: asyncio.StreamWriter) -> None:
    """End a connection without a farewell."""
    found: socket.socket | None = writer.get_extra_info("socket")
    if found is not None and not writer.is_closing() and found.fileno() >= 0:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
