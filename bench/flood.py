"""Flood benchmark: ten workspaces, one of which floods each bounded resource in turn.

The other nine do the same in both parts of a round: in one the tenth does as much as each of them,
in the other it does that and floods besides. ``BENCH_FLOOD_S`` is the length of a part.
"""

import asyncio
import os
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import Any, Final

import aiohttp
from rich.console import Console

from bench import tenant as acts
from bench.load import quantile
from bench.server import Product, product, spawned
from bench.tenant import Act, Refused, Tenant, open_tenant

TENANTS: Final = 10
FLOOD: Final = 32
"""Clients of the workspace that floods, without a pause between their requests."""
ROUNDS: Final = 2
LARGEST_RISE: Final = 1.25
_PART_S: Final = float(os.environ.get("BENCH_FLOOD_S", "12"))
_WARM_UP_S: Final = 2.0
_AGAIN_S: Final = 0.1
"""Between a refusal and the next try: nobody who floods waits as long as he is told."""
_SETTLE_S: Final = 600.0
_SOON_S: Final = 3.0
_SLOW_MS: Final = 500
_MODEL: Final = "tokens-20-10"
_PLACES: Final = "20"


@dataclass(frozen=True, slots=True)
class Kind:
    """A resource: what people do with it, how often, and how it is flooded."""

    name: str
    act: Act
    flood: Act
    pause_s: float


KINDS: Final = (
    Kind("places at a model", acts.chat, acts.chat, 1.0),
    Kind("sandboxes", acts.quick_code, acts.endless_code, 1.0),
    Kind("statements", acts.quick_sql, acts.endless_sql, 0.5),
    Kind("searches", acts.search, acts.search, 1.0),
    Kind("calls of servers", acts.slow_http, acts.slow_http, 1.0),
    Kind("documents", acts.small_document, acts.large_document, 3.0),
)


@dataclass(slots=True)
class Times:
    """What one kind of clients met."""

    seconds: list[float] = field(default_factory=list)
    refused: int = 0
    errors: int = 0

    def ms(self, share: float) -> float:
        """Quantile in milliseconds."""
        return quantile(self.seconds, share) * 1000


@dataclass(frozen=True, slots=True)
class Row:
    """The nine workspaces that do not flood; ``ratio_p95`` should not exceed 1.25."""

    resource: str
    requests: int
    fair_p50_ms: float
    fair_p95_ms: float
    flood_p50_ms: float
    flood_p95_ms: float
    ratio_p95: float
    errors: int
    flooded: int
    """Requests of the flood that were served."""
    refused: int
    """And that were not."""


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


async def part(
    session: aiohttp.ClientSession, tenants: Sequence[Tenant], kind: Kind, *, is_flooded: bool
) -> tuple[Times, Times]:
    """Let all work for a while; return what the nine and the flood met."""
    warming, measured, flood, own = Times(), Times(), Times(), Times()
    flooder, *others = tenants
    spread = kind.pause_s / len(tenants)
    tasks: list[asyncio.Task[None]] = []

    def start(tenant: Tenant, act: Act, times: Times, pause_s: float) -> None:
        work = repeat(session, tenant, act, times, pause_s=pause_s)
        tasks.append(asyncio.ensure_future(work))

    start(flooder, kind.act, own, kind.pause_s)
    if is_flooded:
        for _ in range(FLOOD):
            start(flooder, kind.flood, flood, 0.0)
    warm = len(tasks)
    for each in others:
        start(each, kind.act, warming, kind.pause_s)
        await asyncio.sleep(spread)
    await asyncio.sleep(_WARM_UP_S)
    for task in tasks[warm:]:
        task.cancel()
    del tasks[warm:]
    for each in others:
        start(each, kind.act, measured, kind.pause_s)
        await asyncio.sleep(spread)
    await asyncio.sleep(_PART_S)
    for task in tasks:
        task.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.gather(*tasks, return_exceptions=True)
    return measured, flood


async def settle(session: aiohttp.ClientSession, tenants: Sequence[Tenant], kind: Kind) -> None:
    """Wait until the server is prepared for this, and what a flood left behind is done."""
    deadline = time.monotonic() + _SETTLE_S
    for each in tenants:
        while not await _goes_well(session, each, kind):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{kind.name}: the server does not come to rest.")
            await asyncio.sleep(0.5)


async def _goes_well(session: aiohttp.ClientSession, tenant: Tenant, kind: Kind) -> bool:
    started = time.perf_counter()
    try:
        await kind.act(session, tenant)
    except (Refused, RuntimeError, TimeoutError, aiohttp.ClientError):
        return False
    return time.perf_counter() - started < _SOON_S


async def measure(server: Product, tenants: Sequence[Tenant], kind: Kind) -> Row:
    """Both parts, in turn, as often as there are rounds."""
    fair, flooded, flood = Times(), Times(), Times()
    async with clients(server.url) as session:
        await settle(session, tenants, kind)
        for _ in range(ROUNDS):
            for into, is_flooded in ((fair, False), (flooded, True)):
                times, theirs = await part(session, tenants, kind, is_flooded=is_flooded)
                for total, one in ((into, times), (flood, theirs)):
                    total.seconds += one.seconds
                    total.refused += one.refused
                    total.errors += one.errors
            await settle(session, tenants, kind)
    return Row(
        resource=kind.name,
        requests=len(fair.seconds) + len(flooded.seconds),
        fair_p50_ms=fair.ms(0.5),
        fair_p95_ms=fair.ms(0.95),
        flood_p50_ms=flooded.ms(0.5),
        flood_p95_ms=flooded.ms(0.95),
        ratio_p95=flooded.ms(0.95) / fair.ms(0.95),
        errors=fair.errors + flooded.errors + fair.refused + flooded.refused,
        flooded=len(flood.seconds),
        refused=flood.refused + flood.errors,
    )


def environment(upstream: str) -> dict[str, str]:
    """Settings of a server whose tenants may call the scripted server, and few at once a model."""
    address = upstream.removeprefix("http://")
    return {
        "COTERIE_EGRESS__ALLOW_PRIVATE": address,
        "COTERIE_LIMITS__MODEL_CONCURRENCY": _PLACES,
        "COTERIE_LIMITS__EGRESS_CONNECTIONS": _PLACES,
    }


def open_tenants(server: Product, upstream: str, count: int, *, model: str) -> list[Tenant]:
    """Register the model and make the workspaces."""
    server.agent_on(model, f"{upstream}/v1")
    return [
        open_tenant(server, number, model=model, slow_url=f"{upstream}/slow-{_SLOW_MS}")
        for number in range(count)
    ]


def run(console: Console) -> list[dict[str, Any]]:
    """Flood one resource after the other."""
    rows = []
    wanted = os.environ.get("BENCH_FLOOD_ONLY", "")
    with (
        spawned("bench.upstream") as upstream,
        product(None, **environment(upstream)) as server,
    ):
        tenants = open_tenants(server, upstream, TENANTS, model=_MODEL)
        for kind in KINDS:
            if wanted and wanted != kind.name:
                continue
            with console.status(f"flood of {kind.name}"):
                rows.append(asdict(asyncio.run(measure(server, tenants, kind))))
    return rows
