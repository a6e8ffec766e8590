"""The processors that the threads of this process run on, and how often they wait."""

import os
import resource
import threading
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

_THREADS: Final = Path("/proc/self/task")
_CALLER: Final = Path("/proc/thread-self/stat")
_PROCESSOR: Final = 36
"""Among the fields after the name of the thread."""


class RoamingThread(threading.Thread):
    """Runs on any processor of the process, wherever the thread that starts it is kept.

    For what computes without the interpreter, and for what starts processes, which inherit that.
    """

    def run(self) -> None:
        _move([threading.get_native_id()], processors())
        super().run()


@cache
def processors() -> frozenset[int]:
    """Return those that the process may use; none where the system does not tell."""
    if not hasattr(os, "sched_getaffinity"):
        return frozenset()
    return frozenset(os.sched_getaffinity(0))


def keep_together(is_together: bool) -> None:
    """Have the threads of Python run where the caller does now, or all threads anywhere."""
    anywhere = processors()  # asked before any thread is kept on one of them
    if is_together and len(anywhere) > 1:
        here = anywhere & {_processor_of_caller()}
        _move(_interpreted(), here)
    else:
        _move(_all(), anywhere)


def waits() -> int:
    """Return how often threads of this process have given a processor up to wait."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw


def _interpreted() -> list[int]:
    return [
        thread.native_id
        for thread in threading.enumerate()
        if thread.native_id is not None and not isinstance(thread, RoamingThread)
    ]


def _all() -> list[int]:
    """Return libraries' own threads as well: those that were started meanwhile are kept, too."""
    with suppress(OSError):
        return [int(each.name) for each in _THREADS.iterdir()]
    return []


def _processor_of_caller() -> int:
    fields = _CALLER.read_text("ascii", "replace").rpartition(")")[2].split()
    return int(fields[_PROCESSOR])


def _move(threads: Iterable[int], where: frozenset[int]) -> None:
    for thread in threads if where else ():
        with suppress(OSError):  # it has ended, or nobody may choose here
            os.sched_setaffinity(thread, where)
