"""Work of a process that starts, behind whatever others wait for."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Final, TypeVar

T = TypeVar("T")

_BY: Final = 5
"""Steps of priority, each a fifth less: a third of what the process itself would have."""
_LOWEST: Final = 19


def stepped_back(work: Callable[[], T]) -> T:
    """Do the work in a thread of lower priority; return, or raise, when that thread is gone.

    Without privileges nobody takes a lower priority back, but that of a thread ends with it. Locks
    hold for single threads, so none may be left that was there before they fell.
    """
    results: list[T] = []
    errors: list[BaseException] = []
    thread = Thread(target=_do, args=(work, results, errors))
    thread.start()
    thread.join()
    itself = Path(f"/proc/self/task/{thread.native_id}")
    while itself.exists():  # Python knows of the end a little before the system
        time.sleep(0)
    if errors:
        raise errors[0]
    return results[0]


def _do(work: Callable[[], T], results: list[T], errors: list[BaseException]) -> None:
    priority = os.getpriority(os.PRIO_PROCESS, 0)
    os.setpriority(os.PRIO_PROCESS, 0, min(_LOWEST, priority + _BY))
    try:
        results.append(work())
    except BaseException as exc:  # noqa: BLE001 - raised where it is waited for
        errors.append(exc)
