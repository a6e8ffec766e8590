"""A worker process: loads modules, locks itself, serves one run; ``worker <packages> <lock>``."""

import os
import pkgutil
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from infra.impl.code_runner.frames import Channel, cost_since
from infra.impl.code_runner.guest import loop, program
from infra.impl.sandbox import kernel
from infra.impl.sandbox.breakout import find_breaches
from infra.impl.sandbox.entry import leave_unlocked
from infra.impl.sandbox.lockdown import LockSettings, lock


def main(packages: Sequence[str], settings: LockSettings) -> None:
    """Serve one run and exit."""
    for name in packages:
        pkgutil.resolve_name(name)
    loop.install()
    mapped = kernel.mapped_bytes()
    lock(settings)
    if breaches := find_breaches(planted=Path(__file__), port=9, memory_bytes=None):
        raise kernel.LockFailed(f"open: {', '.join(breaches)}")
    channel = _private_channel()
    channel.send(b"")
    asked = channel.receive_values()
    request = channel.receive().decode("ascii")
    cpu_s = int(time.process_time() + asked["timeout_ms"] / 1000) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 1))
    kernel.limit_address_space(mapped + asked["memory_bytes"])
    started = time.process_time()
    reply = program.run(request).encode("utf-8", "replace")
    channel.send_values(stopped="", **cost_since(started))
    channel.send(reply)
    # Without farewells: threads, exit handlers and destructors are the user's.
    os._exit(0)


def _private_channel() -> Channel:
    """Move the pipes to the host away from the numbers that code writes to by habit."""
    channel = Channel(source=os.dup(0), target=os.dup(1))
    ended, writer = os.pipe()
    os.close(writer)
    os.dup2(ended, 0)
    os.dup2(2, 1)
    return channel


if __name__ == "__main__":
    try:
        main(sys.argv[1:-1], LockSettings.from_text(sys.argv[-1]))
    except (kernel.LockFailed, OSError, ValueError, ImportError) as exc:
        leave_unlocked(exc)
