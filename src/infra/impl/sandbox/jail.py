"""Starts processes that can compute, read libraries and speak over their pipes, nothing else."""

import asyncio
import json
import os
import stat
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import infra
from infra.impl.sandbox.lockdown import LockSettings
from infra.impl.sandbox.process import (
    Ending,
    InputPipe,
    JailBroken,
    JailedProcess,
    JailExit,
    JailLimits,
    OutputTooLarge,
)

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
    "library_paths",
]

_START: Final = (
    "import json, sys; sys.path[:0] = json.loads(sys.argv.pop(1));"
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
    ) -> JailedProcess:
        """Start ``python -m module args`` in the jail; enter the result as a context manager.

        ``stdin`` is a descriptor to read from, a pipe without it. A module that ``locks_itself``
        calls ``lockdown.lock`` with its last argument before it touches foreign data.
        """
        options = {
            "module": module,
            "args": list(args),
            "parent": os.getpid(),
            "locks_itself": locks_itself,
            "lock": self._lock(limits, locks_itself=locks_itself).to_text(),
        }
        pipe = InputPipe() if stdin is None else None
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-S", "-B", "-W", "ignore", "-X", "utf8", "-c", _START),
                *(json.dumps(self._paths), json.dumps(options)),
                stdin=pipe.reader if pipe else stdin,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=_ENVIRONMENT,
                cwd="/",
                start_new_session=True,
                limit=_PIPE_BYTES,
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
    installed = {"site-packages", "dist-packages"}
    standard = {Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")}
    entries = [
        e for folder in sorted(standard) for e in folder.iterdir() if e.name not in installed
    ]
    return (*entries, *map(Path, _SYSTEM_PATHS), *map(Path, _SYSTEM_FILES))


def _import_paths() -> list[str]:
    """Where this program and its dependencies are imported from."""
    packages = [sysconfig.get_path(name) for name in ("purelib", "platlib")]
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
