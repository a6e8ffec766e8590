"""Work beside the event loop, if it is long enough for that."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


async def aside(size: int, work: Callable[[], T], *, most: int) -> T:
    """Do work on so much: in a thread if it is more than ``most``, else at once.

    Having a thread do it costs about 0.1 ms, and everybody else waits for what is done at once.
    """
    return await asyncio.to_thread(work) if size > most else work()
