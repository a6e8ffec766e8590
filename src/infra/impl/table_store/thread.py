"""A thread for one statement, which leaves the processor to others if it takes long."""

import asyncio
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

LONG_S: Final = 0.05
_LOWEST: Final = 19


async def in_own_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do blocking work that gives the interpreter's lock up while it computes.

    After a moment the event loop and the threads of short work go before it. There is no way back
    from that, hence a new thread each time. Where threads have no priority of their own nothing
    changes. Whoever is cancelled leaves the thread behind, and has to end the work by other means.
    """
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()

    def run() -> None:
        try:
            result = work(*args, **kwargs)
        except BaseException as exc:  # noqa: BLE001 - it is raised where the result is awaited
            future.set_exception(exc)
        else:
            future.set_result(result)

    # A daemon: work that nobody waits for must not keep the process alive.
    thread = threading.Thread(target=run, name="statement", daemon=True)
    thread.start()
    long_work = asyncio.get_running_loop().call_later(LONG_S, _step_back, thread)
    try:
        return await asyncio.wrap_future(future)
    finally:
        long_work.cancel()


def _step_back(thread: threading.Thread) -> None:
    if thread.is_alive() and thread.native_id is not None and hasattr(os, "setpriority"):
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, thread.native_id, _LOWEST)
