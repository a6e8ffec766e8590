"""First code of a jailed process: lock, then become the given module."""

import importlib
import json
import os
import resource
import runpy
import sys
from contextlib import suppress
from functools import partial
from typing import Final

from infra.impl.sandbox import kernel
from infra.impl.sandbox.lockdown import LOCK_FAILED, OUT_OF_MEMORY, LockSettings, lock
from infra.impl.sandbox.step_back import stepped_back

_BEFORE_THE_SERVER: Final = "500"
"""When memory runs out the kernel ends this process, not the server or the database."""


def main() -> None:
    """Run the module that the parent names in the command line, as ``__main__``.

    A module that locks itself, after loading what the lock would hide, finds the settings as its
    last argument. What that of a spare process imports is imported behind others.
    """
    options = json.loads(sys.argv[1])
    sys.argv = [options["module"], *options["args"]]
    try:
        with suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:  # noqa: PTH123
            score.write(_BEFORE_THE_SERVER)
        # A descriptor that some library of the server left inheritable must not reach hostile code.
        os.closerange(3, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
        kernel.die_with_parent(options["parent"])
        # A full pipe must not block a process whose diagnostics nobody reads yet.
        os.set_blocking(2, False)
        if options["locks_itself"]:
            sys.argv.append(options["lock"])
        else:
            lock(LockSettings.from_text(options["lock"]))
    except (kernel.LockFailed, OSError, ValueError) as exc:
        leave_unlocked(exc)
    try:
        if options["is_spare"]:
            stepped_back(partial(importlib.import_module, options["module"]))
        runpy.run_module(options["module"], run_name="__main__", alter_sys=True)
    except MemoryError:
        os._exit(OUT_OF_MEMORY)


def leave_unlocked(cause: Exception) -> None:
    """Say which lock failed and end the process."""
    sys.stderr.write(f"{cause}\n")
    sys.stderr.flush()
    os._exit(LOCK_FAILED)
