"""Clients that do one thing again and again, and the processors that they and the server have.

Who is measured and who floods are processes of their own, or the flood would make the clock late.
"""

import asyncio
import multiprocessing
import os
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Final

import aiohttp

from bench.load import quantile
from bench.tenant import Act, Refused, Tenant

_AGAIN_S: Final = 0.1
"""Between a refusal and the next try: nobody who floods waits as long as he is told."""
_STOP_S: Final = 30.0
_ALL: Final = sorted(os.sched_getaffinity(0))
_OF_SERVER: Final = int(os.environ.get("BENCH_CORES", "1"))
_SERVER: Final = set(_ALL[:_OF_SERVER])
_REST: Final = set(_ALL[_OF_SERVER:]) or set(_ALL)


@dataclass(slots=True)
class Times:
    """What one kind of clients met."""

    seconds: list[float] = field(default_factory=list)
    refused: int = 0
    errors: int = 0

    def ms(self, share: float) -> float:
        """Quantile in milliseconds."""
        return quantile(self.seconds, share) * 1000

    def add(self, other: "Times") -> None:
        """Count what others met too."""
        self.seconds += other.seconds
        self.refused += other.refused
        self.errors += other.errors


@contextmanager
def processors(*, of_server: bool) -> Generator[None, None, None]:
    """Have whatever is started inside run on the server's processors, or on the others.

    One (``BENCH_CORES``) for the server with all its children, as sandboxes and parsers are, so
    that the clients and the scripted model take nothing from it, and their own times hold no
    waiting for a processor. Where the server has all of them, the clients have them too.
    """
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, _SERVER if of_server else _REST)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


async def repeat(
    session: aiohttp.ClientSession, tenant: Tenant, act: Act, times: Times, *, pause_s: float
) -> None:
    """Do it again and again."""
    while True:
        started = time.perf_counter()
        try:
            await act(session, tenant)
        except Refused:
            times.refused += 1
            await asyncio.sleep(_AGAIN_S)
            continue
        except (RuntimeError, aiohttp.ClientError, TimeoutError, KeyError):
            times.errors += 1
            await asyncio.sleep(_AGAIN_S)
            continue
        times.seconds.append(time.perf_counter() - started)
        await asyncio.sleep(pause_s)


@asynccontextmanager
async def clients(url: str) -> AsyncGenerator[aiohttp.ClientSession, None]:
    """Connections of their own for everybody."""
    connector = aiohttp.TCPConnector(limit=0)
    timeout = aiohttp.ClientTimeout(total=120)
    async with aiohttp.ClientSession(url, connector=connector, timeout=timeout) as session:
        yield session


@asynccontextmanager
async def flooding(
    url: str, tenant: Tenant, act: Act, connections: int
) -> AsyncGenerator[Times, None]:
    """Have so many clients without a pause in another process; their times are there at the end."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=_flood, args=(theirs, url, tenant, act, connections))
    process.start()
    times = Times()
    try:
        await asyncio.to_thread(ours.recv)  # they have begun
        yield times
        ours.send(None)
        times.add(await asyncio.to_thread(ours.recv))
    finally:
        process.join(_STOP_S)
        process.kill()


def _flood(pipe: Connection, url: str, tenant: Tenant, act: Act, connections: int) -> None:
    pipe.send(asyncio.run(_flooded(pipe, url, tenant, act, connections)))


async def _flooded(pipe: Connection, url: str, tenant: Tenant, act: Act, connections: int) -> Times:
    times = Times()
    async with clients(url) as session:
        works = [repeat(session, tenant, act, times, pause_s=0.0) for _ in range(connections)]
        tasks = [asyncio.ensure_future(work) for work in works]
        pipe.send(None)
        await asyncio.to_thread(pipe.recv)
        for task in tasks:
            task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*tasks, return_exceptions=True)
    return times
