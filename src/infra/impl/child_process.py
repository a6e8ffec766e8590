"""Child processes, started without holding up the event loop for as long as a fork takes.

uvloop forks, which first copies the page tables of the server: with 350 MiB of memory nobody is
served for 50 ms. ``subprocess`` has the child borrow the memory until it becomes another program
(``vfork``), as long as nothing is to be done in the child before that (``preexec_fn``).
"""

import asyncio
import errno
import os
import signal
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import IO, Final, Self

from infra.impl.thread_affinity import RoamingThread

_BUFFER_BYTES: Final = 64 * 1024


class ChildProcess:
    """A program that was started. Its pipes are plain ones, which carry one way only.

    Event loops may use pairs of sockets instead, through which it could answer on its input.
    """

    stdin: asyncio.StreamWriter | None = None
    stdout: asyncio.StreamReader | None = None
    stderr: asyncio.StreamReader | None = None

    def __init__(self, process: subprocess.Popen[bytes], ended: asyncio.Event) -> None:
        self._process = process
        self._ended = ended
        files = (process.stdin, process.stdout, process.stderr)
        self._pipes: dict[IO[bytes], Callable[[], None]] = {
            file: file.close for file in files if file is not None
        }

    @classmethod
    async def start(
        cls,
        *command: str,
        env: Mapping[str, str],
        cwd: str | None = None,
        stdin: int = subprocess.DEVNULL,
        stdout: int = subprocess.DEVNULL,
        stderr: int = subprocess.DEVNULL,
        limit: int = _BUFFER_BYTES,
        start_new_session: bool = False,
        on_start: Callable[[int], object] | None = None,
    ) -> Self:
        """Start a program; raise ``OSError`` if that fails.

        ``limit`` is that of ``StreamReader``. ``on_start`` is called with the process's number, in
        another thread, before the event loop learns of it; it must not raise.
        """
        loop = asyncio.get_running_loop()
        started: asyncio.Future[subprocess.Popen[bytes]] = loop.create_future()
        ended = asyncio.Event()

        def run() -> None:
            try:
                process = subprocess.Popen(  # noqa: S603 - the callers say what is started
                    command,
                    bufsize=0,
                    env=env,
                    cwd=cwd,
                    stdin=stdin,
                    stdout=stdout,
                    stderr=stderr,
                    start_new_session=start_new_session,
                )
            except BaseException as exc:  # noqa: BLE001 - raised where it is waited for
                loop.call_soon_threadsafe(started.set_exception, exc)
                return
            if on_start is not None:
                on_start(process.pid)
            loop.call_soon_threadsafe(started.set_result, process)
            # The thread stays: a process that asked to die with its parent dies with the thread
            # that started it. And it leaves the status to the loop, which kills by the number: that
            # belongs to nobody else before.
            with suppress(ChildProcessError):  # somebody else has taken the status
                os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(_take_status, process, ended)

        try:
            RoamingThread(target=run, name="child process", daemon=True).start()
        except RuntimeError as exc:
            raise OSError(errno.EAGAIN, "No thread can be started") from exc
        is_cancelled = False
        while not started.done():
            # Even if cancelled: until then the thread uses descriptors that the caller will close.
            try:
                await asyncio.wait([started])
            except asyncio.CancelledError:
                is_cancelled = True
        if is_cancelled and started.exception() is not None:
            raise asyncio.CancelledError  # nothing runs, and nobody waits to hear why
        child = cls(started.result(), ended)
        try:
            if is_cancelled:
                raise asyncio.CancelledError  # noqa: TRY301 - one way out for both
            await child._connect(limit)
        except BaseException:
            child.close()
            child.kill()
            await child.wait()
            raise
        return child

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """Null until the event loop knows of the end; negative: the signal that ended it."""
        return self._process.returncode

    @property
    def is_running(self) -> bool:
        """Ask the kernel: the event loop learns of an end a little later."""
        if self.returncode is not None:
            return False
        try:
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        except ChildProcessError:
            return False

    def kill(self) -> None:
        """End it at once."""
        if self.is_running:
            os.kill(self.pid, signal.SIGKILL)

    async def wait(self) -> int:
        """Wait for the end, whatever is left in the pipes; return the status."""
        await self._ended.wait()
        return self._process.wait()

    def close(self) -> None:
        """Close the pipes, whoever has their other ends."""
        for close in self._pipes.values():
            close()

    async def _connect(self, limit: int) -> None:
        process = self._process
        if process.stdin is not None:
            self.stdin = await self._writer(process.stdin)
        if process.stdout is not None:
            self.stdout = await self._reader(process.stdout, limit)
        if process.stderr is not None:
            self.stderr = await self._reader(process.stderr, limit)

    async def _writer(self, pipe: IO[bytes]) -> asyncio.StreamWriter:
        loop = asyncio.get_running_loop()
        transport, protocol = await loop.connect_write_pipe(
            lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), pipe
        )

        def abort() -> None:
            if not transport.is_closing():
                transport.abort()  # what is not read by now never will be

        self._pipes[pipe] = abort
        return asyncio.StreamWriter(transport, protocol, None, loop)

    async def _reader(self, pipe: IO[bytes], limit: int) -> asyncio.StreamReader:
        reader = asyncio.StreamReader(limit)
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: _Output(reader), pipe
        )
        self._pipes[pipe] = transport.close
        return reader


class _Output(asyncio.StreamReaderProtocol):
    """Has a pipe closed at its end: uvloop would keep it open for what is written to it."""

    def eof_received(self) -> bool:
        super().eof_received()
        return False


def _take_status(process: subprocess.Popen[bytes], ended: asyncio.Event) -> None:
    process.wait()
    ended.set()
