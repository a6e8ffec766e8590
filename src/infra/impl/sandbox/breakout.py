"""Tries to break out of the jail it runs in, and tells what worked; harmless where it does."""

import ctypes
import functools
import json
import os
import struct
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from infra.impl.sandbox.entry import leave_unlocked
from infra.impl.sandbox.kernel import LockFailed
from infra.impl.sandbox.lockdown import LockSettings, lock

_AF_UNIX: Final = 1
_AF_INET: Final = 2
_SOCK_STREAM: Final = 1
_SOCK_DGRAM: Final = 2


def find_breaches(*, planted: Path, port: int, memory_bytes: int | None) -> list[str]:
    """Names of the ways out that are open; without a size, memory is not tried."""
    parent = os.getppid()
    ways: dict[str, Callable[[], object]] = {
        "read_file": planted.read_bytes,
        "read_accounts": Path("/etc/passwd").read_bytes,
        "read_parent_environment": Path(f"/proc/{parent}/environ").read_bytes,
        "read_own_environment": Path("/proc/self/environ").read_bytes,
        "list_processes": lambda: next(Path("/proc").iterdir()),
        "inherit_environment": _read_environment,
        "write_file": lambda: planted.with_suffix(".written").write_bytes(b"x"),
        "connect": lambda: _connect(port),
        "datagram": lambda: _expect(_socket(_AF_INET, _SOCK_DGRAM) >= 0),
        "local_socket": lambda: _expect(_socket(_AF_UNIX, _SOCK_STREAM) >= 0),
        "fork": _fork,
        "execute": _execute,
        "signal_parent": lambda: os.kill(parent, 0),
    }
    if memory_bytes is not None:
        ways["allocate"] = functools.partial(bytearray, 2 * memory_bytes)
    return [name for name, attempt in ways.items() if _succeeds(attempt)]


def _succeeds(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except (OSError, MemoryError, _Refused):
        return False
    return True


class _Refused(Exception):
    """The kernel answered with an error."""


def _expect(worked: bool) -> None:
    if not worked:
        raise _Refused


def _read_environment() -> None:
    """Ask the C library, whatever Python's own copy says; every process of ours has a PATH."""
    getenv = ctypes.CDLL(None).getenv
    getenv.restype = ctypes.c_char_p
    _expect(getenv(b"PATH") is not None)


def _socket(family: int, kind: int) -> int:
    # Asked of the C library: this checks the kernel's answer, not that of a Python module.
    return int(ctypes.CDLL(None).socket(family, kind, 0))


def _connect(port: int) -> None:
    descriptor = _socket(_AF_INET, _SOCK_STREAM)
    address = struct.pack("=H", _AF_INET) + struct.pack("!H4s8x", port, bytes((127, 0, 0, 1)))
    _expect(descriptor >= 0 and ctypes.CDLL(None).connect(descriptor, address, len(address)) == 0)


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def _execute() -> None:
    # Success replaces this process, whose report then is missing: a breach as well.
    os.execv("/bin/true", ["/bin/true"])  # noqa: S606  (a fixed program, and it must fail)


if __name__ == "__main__":
    memory = int(sys.argv[3])
    try:
        lock(replace(LockSettings.from_text(sys.argv[-1]), address_space_bytes=memory))
    except (LockFailed, OSError, ValueError) as exc:
        leave_unlocked(exc)
    found = find_breaches(planted=Path(sys.argv[1]), port=int(sys.argv[2]), memory_bytes=memory)
    sys.stdout.write(json.dumps(found))
