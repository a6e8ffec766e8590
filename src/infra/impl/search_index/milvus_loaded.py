"""Which collections this process keeps in the memory of Milvus, and since when nobody uses them.

A released collection is loaded again by the next call that reads it: one load, whoever asks
meanwhile waits for it. Other processes may release a collection too; then a call finds it not
loaded and loads it, as after a restart of the server.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

Load = Callable[[str], Awaitable["asyncio.Future[None]"]]
"""Begins to load a collection; the result is done when it is searchable."""

Release = Callable[[str], Awaitable[None]]


@dataclass(slots=True)
class _Use:
    """What is known of one collection."""

    callers: int = 0
    last_at: float = 0.0
    is_loaded: bool = False
    loads: int = 0
    loading: "asyncio.Future[None] | None" = None
    changing: asyncio.Lock = field(default_factory=asyncio.Lock)


class LoadedCollections:
    """Counts callers, loads once for all of them, and releases what is idle."""

    def __init__(
        self,
        *,
        load: Load,
        release: Release,
        idle_s: float,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Release after ``idle_s`` without a call; 0 never does."""
        self._load = load
        self._release = release
        self._idle_s = idle_s
        self._monotonic = monotonic
        self._uses: dict[str, _Use] = {}

    @contextmanager
    def use(self, name: str) -> Generator[int, None, None]:
        """Keep a collection loaded inside the block; gives the number of loads so far."""
        use = self._uses.setdefault(name, _Use())
        use.callers += 1
        use.is_loaded = True
        try:
            yield use.loads
        finally:
            use.callers -= 1
            use.last_at = self._monotonic()

    async def load(self, name: str, *, seen: int) -> None:
        """Have a collection loaded that was not, after ``seen`` loads; call inside ``use``.

        The load goes on if its callers give up, and the next ones find it under way.
        """
        use = self._uses[name]
        async with use.changing:
            if use.loads != seen:
                return
            if use.loading is None:
                use.loading = await self._load(name)
                use.loading.add_done_callback(lambda done: _settle(use, done))
            loading = use.loading
        await asyncio.shield(loading)

    def forget(self, name: str) -> None:
        """Take note that a collection is gone."""
        use = self._uses.get(name)
        if use is not None and not use.callers:
            del self._uses[name]

    async def release_idle(self) -> list[str]:
        """Release what nobody has used for long, and return what that was."""
        if not self._idle_s:
            return []
        released = []
        for name, use in list(self._uses.items()):
            async with use.changing:
                if not self._is_idle(use):
                    continue
                use.is_loaded = False  # before the call: who comes meanwhile says otherwise
                try:
                    await self._release(name)
                except BaseException:
                    use.is_loaded = True
                    raise
                released.append(name)
        return released

    def _is_idle(self, use: _Use) -> bool:
        is_free = not use.callers and use.loading is None
        return use.is_loaded and is_free and self._monotonic() - use.last_at >= self._idle_s


def _settle(use: _Use, done: "asyncio.Future[None]") -> None:
    use.loading = None
    if not done.cancelled() and done.exception() is None:
        use.loads += 1
