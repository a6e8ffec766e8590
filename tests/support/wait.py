"""Waiting for what must come: a condition is asked until it holds, with a deadline of a minute."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from domain.shared.error import Unavailable

WAIT_S = 60.0
START_S = 600.0
"""For servers to start: some take half a minute where nothing else runs."""
_Found = TypeVar("_Found")


def until(
    condition: Callable[[], _Found | None],
    what: object = "what was waited for",
    *,
    wait_s: float = WAIT_S,
    pause_s: float = 0.02,
    despite: tuple[type[Exception], ...] = (),
) -> _Found:
    """Return the first answer that is true; the errors ``despite`` count as none.

    ``what`` tells a reader of the failure what did not come; a function is asked then.
    """
    deadline = time.monotonic() + wait_s
    while True:
        try:
            found = condition()
        except despite:
            pass
        else:
            if found:
                return found
        late = time.monotonic() >= deadline
        assert not late, f"It did not happen in time: {what() if callable(what) else what}"
        time.sleep(pause_s)


async def until_so(
    condition: Callable[[], bool | Awaitable[bool]],
    what: str = "what was waited for",
    *,
    wait_s: float = WAIT_S,
    pause_s: float = 0.01,
) -> None:
    """Let the loop go on until it is so; a pause of 0 asks after each of its turns."""
    try:
        async with asyncio.timeout(wait_s):
            while True:
                met = condition()
                if met if isinstance(met, bool) else await met:
                    return
                await asyncio.sleep(pause_s)
    except TimeoutError as error:
        raise AssertionError(f"It did not happen in time: {what}") from error


async def when_free(
    work: Callable[[], Awaitable[_Found]], *, wait_s: float = WAIT_S, pause_s: float = 0.05
) -> _Found:
    """Do it as a right client does: what is too busy now is asked again.

    Only a refused turn says when to come back, and has done nothing; any other error, also of what
    may have been carried out, is raised.
    """
    deadline = time.monotonic() + wait_s
    while True:
        try:
            return await work()
        except Unavailable as busy:
            if busy.retry_after_s is None or time.monotonic() >= deadline:
                raise
        await asyncio.sleep(pause_s)
