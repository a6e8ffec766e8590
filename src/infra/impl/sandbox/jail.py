"""Starts processes that can compute, read libraries and speak over their pipes, nothing else."""

import asyncio
import json
import os
import resource
import signal
import stat
import struct
import subprocess
import sys
import sysconfig
from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Sequence
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import infra
from infra.impl.child_process import ChildProcess
from infra.impl.sandbox.lockdown import LOCK_FAILED, OUT_OF_MEMORY, LockSettings
from infra.impl.thread_affinity import processors
from infra.impl.time_slice import LONG_NS, USUAL_NS, set_slice

_HEADER: Final = struct.Struct(">I")
_CHUNK_BYTES: Final = 64 * 1024
_DIAGNOSTICS_BYTES: Final = 4096
_STEPPED_BACK: Final = 10
"""A tenth of the server's share, a third of other jailed processes': not so little that what is
nearly done misses its deadline on a busy machine."""
_SOON_S: Final = 0.02
"""After it those of other workspaces may interrupt a process, if they want the processor."""
LOOK_S: Final = 0.1
"""So often it is looked whether other workspaces want the processor."""
_LONG_S: Final = 2.0
"""What takes longer goes behind what is shorter, whoever wants the processor."""
_LOWEST: Final = 19
IN_CROWD: Final = 15
"""A tenth of other jailed processes' share, where those of other workspaces want the processor."""


class JailBroken(Exception):
    """The process ended early or does not keep to the frames: nothing it sent can be used."""


class OutputTooLarge(JailBroken):
    """The process sent more than its limit and was killed."""


class Ending(StrEnum):
    """How a jailed process came to its end."""

    OK = "ok"
    FAILED = "failed"
    CRASHED = "crashed"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "oom"
    OUTPUT_TOO_LARGE = "output_too_large"
    NOT_LOCKED = "not_locked"
    """A lock did not hold on this machine; the module did not run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JailLimits:
    """What one jailed process may use."""

    address_space_bytes: int
    cpu_s: int
    wall_s: float
    output_bytes: int
    open_files: int = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class JailExit:
    """The end of a jailed process; ``diagnostics`` is the end of what it wrote to stderr."""

    ending: Ending
    status: int
    """Exit status; negative: the signal that ended it."""
    diagnostics: str


class InputPipe:
    """The host's end of a process's standard input."""

    def __init__(self) -> None:
        self.reader, self._writer = os.pipe()
        self._changed = asyncio.Event()
        os.set_blocking(self._writer, False)

    async def write(self, data: bytes) -> None:
        """Write everything; raise ``JailBroken`` once nobody reads."""
        left = memoryview(data)
        while left:
            if self._writer < 0:
                raise JailBroken("The input has ended.")
            try:
                left = left[os.write(self._writer, left) :]
            except BlockingIOError:
                await self._until_writable()
            except OSError as exc:
                raise JailBroken("The process ended before it read its input.") from exc

    def close_reader(self) -> None:
        """Leave reading to the process."""
        os.close(self.reader)

    def close(self) -> None:
        """End the input."""
        if self._writer >= 0:
            asyncio.get_running_loop().remove_writer(self._writer)
            os.close(self._writer)
            self._writer = -1
            self._changed.set()

    async def _until_writable(self) -> None:
        loop = asyncio.get_running_loop()
        descriptor = self._writer
        self._changed.clear()
        loop.add_writer(descriptor, self._changed.set)
        try:
            await self._changed.wait()
        finally:
            if descriptor == self._writer:
                loop.remove_writer(descriptor)


class JailedProcess:
    """Speaks with a jailed process over its pipes; as a context manager it leaves none behind.

    The process is killed when its wall time is over, when it sends too much, and on leaving the
    context, also by cancellation.
    """

    def __init__(
        self,
        process: ChildProcess,
        limits: JailLimits,
        *,
        input_pipe: InputPipe | None = None,
    ) -> None:
        self._process = process
        self._input = input_pipe
        self._left = limits.output_bytes
        self._ending: Ending | None = None
        self._priority = 0
        self._slice_ns = LONG_NS  # nobody waits yet for what it prepares
        self._deadline = asyncio.get_running_loop().call_later(limits.wall_s, self._time_is_up)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.kill()
        await self.wait()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process.is_running

    def resident_bytes(self) -> int:
        """Memory that the process holds now; 0 once it has ended."""
        try:
            pages = Path(f"/proc/{self._process.pid}/statm").read_text("ascii").split()[1]
        except (OSError, IndexError):
            return 0
        return int(pages) * resource.getpagesize()

    async def send(self, data: bytes) -> None:
        """Write to the process; raise ``JailBroken`` if it does not listen any more."""
        if self._input is None:
            raise JailBroken("This process reads from a file.")
        await self._input.write(data)

    async def send_frame(self, data: bytes) -> None:
        """Write four bytes of length, most significant first, and the data."""
        await self.send(_HEADER.pack(len(data)) + data)

    def end_input(self) -> None:
        """Let the process read the end of its input."""
        if self._input is not None:
            self._input.close()

    async def receive_frame(self, *, limit_bytes: int) -> bytes | None:
        """Read one frame, or null at the end of the output.

        Raises:
            OutputTooLarge: the frame, or all output, exceeds its limit.
            JailBroken: the output ends within a frame.
        """
        output = self._output()
        try:
            header = await output.readexactly(_HEADER.size)
        except asyncio.IncompleteReadError as exc:
            if exc.partial:
                raise JailBroken("The output ends within a frame.") from exc
            return None
        (length,) = _HEADER.unpack(header)
        self._count(_HEADER.size + length, at_most=_HEADER.size + limit_bytes)
        try:
            return await output.readexactly(length)
        except asyncio.IncompleteReadError as exc:
            raise JailBroken("The output ends within a frame.") from exc

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        """Yield the output as it comes; raise ``OutputTooLarge`` beyond the limit."""
        while chunk := await self._output().read(_CHUNK_BYTES):
            self._count(len(chunk), at_most=len(chunk))
            yield chunk

    async def wait(self) -> JailExit:
        """Drop what is left of the output and wait for the end, at the latest the deadline."""
        self.end_input()
        while await self._output().read(_CHUNK_BYTES):
            pass
        tail = await self._diagnostics()
        status = await self._process.wait()
        self._deadline.cancel()
        return JailExit(ending=self._ending or _ending(status), status=status, diagnostics=tail)

    async def ended(self) -> None:
        """Wait for the end without touching the output, which another task may be reading."""
        await self._process.wait()

    @property
    def has_yielded(self) -> bool:
        """Whether it went behind others."""
        return self._priority > 0

    @contextmanager
    def yielding(
        self,
        is_wanted: Callable[[], bool],
        *,
        is_crowded: Callable[[], bool] | None = None,
        is_long: bool = False,
    ) -> Generator[None, None, None]:
        """Go behind others while inside: when they want the processor, and if it takes long.

        At first they only interrupt it, which can be taken back; then its share becomes less. What
        ``is_long`` by all that is known gets no chance to be short.
        """
        if not self.has_yielded:
            self._take_slices(USUAL_NS)
        look = _Look(self, is_wanted, is_crowded or is_oversubscribed)
        if is_long:
            look.step_back_if_wanted()
        try:
            yield
        finally:
            look.end()

    def let_others_interrupt(self) -> None:
        """Give way to what wakes up, until somebody waits for the next result."""
        self._take_slices(LONG_NS)

    def yield_processor(self, priority: int = _STEPPED_BACK) -> None:
        """Go behind the other jailed processes from now on; there is no way back."""
        if self._process.returncode is None and priority > self._priority:
            self._priority = priority
            with suppress(ProcessLookupError, PermissionError):
                os.setpriority(os.PRIO_PGRP, self._process.pid, priority)
            self.let_others_interrupt()

    def _take_slices(self, slice_ns: int) -> None:
        if self._process.returncode is None and slice_ns != self._slice_ns:
            self._slice_ns = slice_ns
            set_slice(self._process.pid, slice_ns, nice=self._priority or _priority_at_first())

    def kill(self, ending: Ending | None = None) -> None:
        """End the process at once, it has no children; ``ending`` is the cause for the record."""
        if self._process.returncode is None:
            self._ending = self._ending or ending
            self._process.kill()

    def _time_is_up(self) -> None:
        self.kill(Ending.TIMEOUT)

    def _count(self, size: int, *, at_most: int) -> None:
        self._left -= size
        if size > at_most or self._left < 0:
            self.kill(Ending.OUTPUT_TOO_LARGE)
            raise OutputTooLarge("The process sent more than its limit.")

    def _output(self) -> asyncio.StreamReader:
        if self._process.stdout is None:
            raise JailBroken("This process has no output.")
        return self._process.stdout

    async def _diagnostics(self) -> str:
        if self._process.stderr is None:
            return ""
        tail = b""
        while chunk := await self._process.stderr.read(_CHUNK_BYTES):
            tail = (tail + chunk)[-_DIAGNOSTICS_BYTES:]
        return tail.decode("utf-8", "replace")


def _priority_at_first() -> int:
    return min(_LOWEST, os.getpriority(os.PRIO_PROCESS, 0) + _BEHIND_THE_SERVER)


def _ending(status: int) -> Ending:
    named = {
        0: Ending.OK,
        LOCK_FAILED: Ending.NOT_LOCKED,
        OUT_OF_MEMORY: Ending.OUT_OF_MEMORY,
        -signal.SIGXCPU: Ending.TIMEOUT,
    }
    return named.get(status, Ending.CRASHED if status < 0 else Ending.FAILED)


class _Look:
    """Looks now and then whether a process is to go behind others, until its result is there."""

    def __init__(
        self,
        process: JailedProcess,
        is_wanted: Callable[[], bool],
        is_short_of_processors: Callable[[], bool],
    ) -> None:
        self._process = process
        self._is_wanted = is_wanted
        self._is_short_of_processors = is_short_of_processors
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._timer = self._loop.call_later(_SOON_S, self._again)

    def end(self) -> None:
        self._timer.cancel()

    def step_back_if_wanted(self) -> bool:
        """Go behind others for good, if there are some and too few processors."""
        if not self._is_wanted() or not self._is_short_of_processors():
            return False
        self._process.yield_processor(IN_CROWD)
        return True

    def _again(self) -> None:
        used_s = self._loop.time() - self._began
        if used_s >= LOOK_S and self.step_back_if_wanted():
            return
        if used_s < LOOK_S and self._is_wanted() and self._is_short_of_processors():
            self._process.let_others_interrupt()
        if used_s >= _LONG_S:
            self._process.yield_processor()
        self._timer = self._loop.call_later(LOOK_S, self._again)


def is_oversubscribed() -> bool:
    """Tell whether more wants to run than there are processors; yes where nobody says."""
    try:
        running = Path("/proc/loadavg").read_text("ascii").split()[3].partition("/")[0]
        return int(running) > len(processors())
    except (OSError, ValueError, IndexError, AttributeError):
        return True


__all__ = [
    "Ending",
    "Jail",
    "JailBroken",
    "JailExit",
    "JailLimits",
    "JailOutcome",
    "JailedProcess",
    "OutputTooLarge",
    "interpreter_paths",
    "is_oversubscribed",
    "library_paths",
]

# The priority first: what follows is work. A group, but no session: Linux gives each session a
# processor's share of its own ("autogroup"), and priorities count within a session only.
_BEHIND_THE_SERVER: Final = 5
"""A third of the server's share where both want the processor: documents and code of tenants must
not make streams wait."""
_START: Final = (
    "import os, sys; os.setpgid(0, 0); os.setpriority(os.PRIO_PROCESS, 0, int(sys.argv.pop(1)));"
    " import json, sys; sys.path[:0] = json.loads(sys.argv.pop(1));"
    " from infra.impl.sandbox.entry import main; main()"
)
# One thread each: the process may start none, and the pools' memory counts against its limit.
_ENVIRONMENT: Final = {
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
_INSTALLED: Final = frozenset({"site-packages", "dist-packages"})
_SYSTEM_PATHS: Final = ("/lib", "/lib64", "/usr/lib", "/usr/share/zoneinfo", "/etc/ld.so.cache")
# Read by modules of the standard library when they are imported, and fatal to them if refused.
_SYSTEM_FILES: Final = ("/etc/mime.types", "/dev/null", "/dev/urandom")
_NOBODY: Final = 65534
_PIPE_BYTES: Final = 256 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class JailOutcome:
    """A jailed process that ran to its end, and all that it wrote."""

    exit: JailExit
    output: bytes


class Jail:
    """Starts modules of this program locked in: for hostile documents and hostile code.

    A jailed process has an empty environment, its three pipes, limited memory and time, no
    network, no other file than those below ``readable``, and no way to start or signal another
    process. Landlock, seccomp, resource limits and dropped capabilities enforce this, with a user
    of its own when started as root, and namespaces where they are free. A lock that does not hold
    ends the process before the module runs (``Ending.NOT_LOCKED``).
    """

    def __init__(self, *, readable: Iterable[Path] | None = None, uid: int = _NOBODY) -> None:
        """Use ``library_paths()`` unless told otherwise; ``uid`` matters to root only."""
        self._paths = _import_paths()
        self._readable = tuple(
            str(path) for path in (library_paths() if readable is None else readable)
        )
        self._uid = uid

    async def spawn(
        self,
        module: str,
        args: Sequence[str] = (),
        *,
        limits: JailLimits,
        stdin: int | None = None,
        locks_itself: bool = False,
        is_spare: bool = False,
    ) -> JailedProcess:
        """Start ``python -m module args`` in the jail; enter the result as a context manager.

        ``stdin`` is a descriptor to read from, a pipe without it. A module that ``locks_itself``
        calls ``lockdown.lock`` with its last argument before it touches foreign data. Only such a
        one can be a spare, for which nobody waits: it is loaded behind others.
        """
        options = {
            "module": module,
            "args": list(args),
            "parent": os.getpid(),
            "locks_itself": locks_itself,
            "is_spare": is_spare and locks_itself,
            "lock": self._lock(limits, locks_itself=locks_itself).to_text(),
        }
        pipe = None
        if stdin is None:
            pipe = InputPipe()
            stdin = pipe.reader
        try:
            process = await ChildProcess.start(
                *(sys.executable, "-I", "-S", "-B", "-W", "ignore", "-X", "utf8", "-c", _START),
                *(str(_priority_at_first()), json.dumps(self._paths), json.dumps(options)),
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=_ENVIRONMENT,
                cwd="/",
                limit=_PIPE_BYTES,
                on_start=partial(set_slice, slice_ns=LONG_NS, nice=_priority_at_first()),
            )
        except BaseException:
            if pipe:
                pipe.close()
            raise
        finally:
            if pipe:
                pipe.close_reader()
        return JailedProcess(process, limits, input_pipe=pipe)

    async def run(
        self,
        module: str,
        args: Sequence[str] = (),
        *,
        limits: JailLimits,
        data: bytes = b"",
        stdin: int | None = None,
        locks_itself: bool = False,
    ) -> JailOutcome:
        """Feed ``data`` (or the descriptor ``stdin``), collect the output, wait for the end."""
        output = bytearray()
        async with await self.spawn(
            module, args, limits=limits, stdin=stdin, locks_itself=locks_itself
        ) as process:
            try:
                async with asyncio.TaskGroup() as group:
                    if stdin is None:
                        group.create_task(_feed(process, data))
                    async with aclosing(process.chunks()) as chunks:
                        async for chunk in chunks:
                            output += chunk
            except* OutputTooLarge:
                output.clear()
            return JailOutcome(exit=await process.wait(), output=bytes(output))

    def _lock(self, limits: JailLimits, *, locks_itself: bool) -> LockSettings:
        paths = self._readable if locks_itself else (*self._paths, *self._readable)
        can_change = os.geteuid() == 0 and all(_is_open_to_all(path) for path in paths)
        return LockSettings(
            readable=self._readable,
            cpu_s=limits.cpu_s,
            open_files=limits.open_files,
            address_space_bytes=None if locks_itself else limits.address_space_bytes,
            uid=self._uid if can_change else None,
        )


def library_paths() -> tuple[Path, ...]:
    """Where modules and what they load lie: for trusted code on hostile data."""
    return (*(Path(path) for path in _import_paths()), *interpreter_paths())


def interpreter_paths() -> tuple[Path, ...]:
    """The standard library, shared libraries and time zones, without anything installed."""
    standard = {Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")}
    entries = [
        e for folder in sorted(standard) for e in folder.iterdir() if e.name not in _INSTALLED
    ]
    return (*entries, *map(Path, _SYSTEM_PATHS), *map(Path, _SYSTEM_FILES))


def _import_paths() -> list[str]:
    """Where this program and its dependencies are imported from.

    An environment may take what it has not from others, as one with system packages does.
    """
    packages = [path for path in sys.path if Path(path).name in _INSTALLED]
    packages += [sysconfig.get_path(name) for name in ("purelib", "platlib")]
    program = str(Path(infra.__file__).resolve().parents[1])
    return list(dict.fromkeys([program, *packages]))


def _is_open_to_all(path: str) -> bool:
    """Whether a user who owns nothing can reach the path; missing ones do not matter."""
    try:
        target = Path(path).resolve(strict=True)
        return all(folder.stat().st_mode & stat.S_IXOTH for folder in target.parents)
    except OSError:
        return True


async def _feed(process: JailedProcess, data: bytes) -> None:
    try:
        await process.send(data)
        process.end_input()
    except JailBroken:
        return  # Its exit tells more than the broken pipe.
