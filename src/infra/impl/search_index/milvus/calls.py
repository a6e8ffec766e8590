"""One connection to Milvus, used from threads: its client for event loops is incomplete.

A call that was started is brought to its end, also when nobody waits for it any more; so writes
happen wholly or not at all.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import grpc
from pymilvus import MilvusClient, MilvusException

from domain.shared.error import Unavailable
from infra.contract.storage.search_index import CollectionNotFound

LOCAL_SUFFIX: Final = ".db"
"""What an address without server ends with: milvus-lite keeps it in a folder of that name."""
_THREADS: Final = 16
_NOT_FOUND: Final = frozenset({100})
_NOT_LOADED: Final = frozenset({101, 103, 106})
"""Never loaded, partly loaded, or not yet again after a restart."""
_SLOW_S: Final = 60.0
"""Enough to load a large collection."""

_LEAST_SWEEP_S: Final = 1.0
_SWEEPS_PER_IDLE: Final = 10

_log: Final = logging.getLogger(__name__)

T = TypeVar("T")


class _NotLoaded(Unavailable):
    """A collection is not in the server's memory."""


class MilvusCalls:
    """Runs functions that talk to one server, a bounded number at a time.

    As many as there are threads; whose turn it is was decided before, by the fair shares of
    searches and of workers. This line only keeps the pool's own, which nobody can leave, empty.
    """

    def __init__(
        self,
        uri: str,
        *,
        token: str,
        database: str,
        ca_certs: str,
        timeout_s: float,
        idle_s: float = 0.0,
        title: str,
    ) -> None:
        """Collections nobody reads for ``idle_s`` leave the server's memory; 0 keeps them."""
        self.timeout_s = timeout_s
        self._title = title
        self._uri = uri
        self._options: dict[str, Any] = {"token": token, "db_name": database, "dedicated": True}
        if ca_certs:
            self._options["server_pem_path"] = ca_certs
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="milvus")
        self._free = asyncio.Semaphore(_THREADS)
        self._opening = threading.Lock()
        self._writing = threading.Lock()
        self._client: MilvusClient | None = None
        self._idle_s = idle_s
        self._loaded = LoadedCollections(
            load=self._begin_load, release=self._release, idle_s=idle_s
        )
        self._stack = AsyncExitStack()
        self._sweeper: asyncio.Task[None] | None = None
        # Failures reach the caller; the client would print each with its traceback as well.
        logging.getLogger("pymilvus").setLevel(logging.CRITICAL)

    @property
    def is_local(self) -> bool:
        """Whether milvus-lite serves from a folder here."""
        return self._uri.endswith(LOCAL_SUFFIX)

    async def start(self) -> None:
        """Prepare the folder of a local index; a server is connected when it is first used."""
        if self.is_local:
            await asyncio.to_thread(_prepare, Path(self._uri))
        if self._idle_s:
            group = await self._stack.enter_async_context(asyncio.TaskGroup())
            self._sweeper = group.create_task(self._sweep(), name="idle collections")

    async def aclose(self) -> None:
        """Let started calls end and close the connection."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        await self._stack.aclose()
        await asyncio.to_thread(self._close)

    async def run(self, function: Callable[[MilvusClient], T]) -> T:
        """Run a function in a thread. Raises ``CollectionNotFound`` and ``Unavailable``."""
        return await (await self._begin(function))

    async def on(self, name: str, function: Callable[[MilvusClient], T]) -> T:
        """Run a function that reads a collection, which is loaded if it is not."""
        try:
            with self._loaded.use(name) as loads:
                try:
                    return await self.run(function)
                except _NotLoaded:
                    await self._loaded.load(name, seen=loads)
                return await self.run(function)
        except CollectionNotFound:
            self.forget(name)
            raise

    async def write(self, name: str, function: Callable[[MilvusClient], T]) -> T:
        """Run a function that writes into a collection.

        With milvus-lite one after the other: the first writes of a collection, made at the same
        time, truncate each other's log, and a crash would lose what was acknowledged.
        """
        return await self.on(name, partial(self._alone, function) if self.is_local else function)

    def _alone(self, function: Callable[[MilvusClient], T], client: MilvusClient) -> T:
        with self._writing:
            return function(client)

    def forget(self, name: str) -> None:
        """Take note that a collection was dropped."""
        self._loaded.forget(name)

    async def release_idle(self) -> list[str]:
        """Take what nobody has read for long out of the server's memory; return the names."""
        return await self._loaded.release_idle()

    async def _begin(self, function: Callable[[MilvusClient], T]) -> "asyncio.Future[T]":
        """Start a function in a thread, which brings it to its end whatever becomes of us."""
        try:
            async with asyncio.timeout(self.timeout_s):
                await self._free.acquire()
        except TimeoutError as exc:
            raise self._unavailable() from exc
        loop = asyncio.get_running_loop()

        def released(_: "Future[T]") -> None:
            # A thread may outlive the loop that asked it.
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._free.release)

        future = self._pool.submit(self._call, function)
        future.add_done_callback(released)
        return asyncio.wrap_future(future)

    async def _begin_load(self, name: str) -> "asyncio.Future[None]":
        return await self._begin(partial(load, name=name))

    async def _release(self, name: str) -> None:
        def release(client: MilvusClient) -> None:
            client.release_collection(name, timeout=self.timeout_s)

        try:
            await self.run(release)
        except CollectionNotFound:
            return

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(max(_LEAST_SWEEP_S, self._idle_s / _SWEEPS_PER_IDLE))
            try:
                released = await self.release_idle()
            except Unavailable:
                continue  # readiness tells of it
            if released:
                _log.info("%d idle collections left the %s's memory", len(released), self._title)

    def _call(self, function: Callable[[MilvusClient], T]) -> T:
        try:
            return function(self._connected())
        except MilvusException as exc:
            if is_not_found(exc):
                raise CollectionNotFound("There is no such collection.") from exc
            if exc.code in _NOT_LOADED:
                raise _NotLoaded(self._unavailable().message) from exc
            raise self._unavailable() from exc
        except (grpc.RpcError, grpc.FutureTimeoutError) as exc:
            raise self._unavailable() from exc

    def _unavailable(self) -> Unavailable:
        return Unavailable(f"The {self._title} does not answer; try again later.")

    def _connected(self) -> MilvusClient:
        with self._opening:
            if self._client is None:
                self._client = MilvusClient(self._uri, timeout=self.timeout_s, **self._options)
            return self._client

    def _close(self) -> None:
        self._pool.shutdown(cancel_futures=True)
        if self._client is not None:
            self._client.close()
            self._client = None
        if self.is_local:
            from milvus_lite.server_manager import (  # noqa: PLC0415 - an extra of its own
                server_manager_instance,
            )

            server_manager_instance.release_server(self._uri)


def is_not_found(exc: MilvusException) -> bool:
    """Tell whether a collection is missing."""
    return exc.code in _NOT_FOUND


def load(client: MilvusClient, name: str) -> None:
    """Have a collection searchable when this returns; a loaded one stays as it is."""
    client.load_collection(name, timeout=_SLOW_S)


def _prepare(path: Path) -> None:
    import milvus_lite  # noqa: F401, PLC0415 - says at the start that the extra is missing

    path.parent.mkdir(parents=True, exist_ok=True)


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
