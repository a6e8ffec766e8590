"""Flood benchmark: ten workspaces, one of which floods each bounded resource in turn.

The other nine do the same in both parts of a round: in one the tenth does as much as each of them,
in the other it does that and floods besides. Each part begins when nothing is left of the one
before, by the server's own figures, and every other round begins with the flood: whatever else the
machine does meets both. ``BENCH_FLOOD_S`` is the length of a part, ``BENCH_FLOOD_ROUNDS`` how often
there are both, ``BENCH_FLOOD_ONLY`` names resources.
"""

import asyncio
import os
import re
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack, suppress
from dataclasses import asdict, dataclass
from typing import Any, Final

import aiohttp
from rich.console import Console

from bench import tenant as acts
from bench.crowd import Times, clients, flooding, processors, repeat
from bench.load import ratio_of
from bench.server import Product, product, spawned
from bench.tenant import Act, Refused, Tenant, open_tenant

TENANTS: Final = 10
FLOOD: Final = 32
"""Clients of the workspace that floods, without a pause between their requests."""
LARGEST_RISE: Final = 1.25
_PART_S: Final = float(os.environ.get("BENCH_FLOOD_S", "10"))
_ROUNDS: Final = int(os.environ.get("BENCH_FLOOD_ROUNDS", "5"))
_WARM_UP_S: Final = 1.0
_SETTLE_S: Final = 600.0
_DRAIN_S: Final = 120.0
_LOOK_S: Final = 0.2
_QUIET: Final = 3
"""Looks in a row without any work, before there is none: one may fall between two steps."""
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
    Kind("documents", acts.small_document, acts.large_document, 10.0),
)

_ACTIVE: Final = re.compile(
    rb"(?m)^coterie_(?:run_active|workflow_run_active|ingest_active|share_waiting\{[^}]*\}) (\S+)"
)
"""Figures of work that goes on or waits in a process."""


@dataclass(frozen=True, slots=True)
class Row:
    """The nine workspaces that do not flood; times are those of all rounds together."""

    resource: str
    requests: int
    fair_p50_ms: float
    fair_p95_ms: float
    flood_p50_ms: float
    flood_p95_ms: float
    ratio_p95: float
    """The median of the rounds."""
    noise: float
    holds: bool
    errors: int
    flooded: int
    """Requests of the flood that were served."""
    refused: int
    """And that were not."""


async def part(
    server: Product, tenants: Sequence[Tenant], kind: Kind, *, is_flooded: bool
) -> tuple[Times, Times]:
    """Let all work for a while; return what the nine and the flood met."""
    warming, measured, own, flood = Times(), Times(), Times(), Times()
    flooder, *others = tenants
    async with AsyncExitStack() as stack:
        session = await stack.enter_async_context(clients(server.url))
        if is_flooded:
            flood = await stack.enter_async_context(
                flooding(server.url, flooder, kind.flood, FLOOD)
            )
        tenth = _begin(session, flooder, kind, own)
        for times, seconds in ((warming, _WARM_UP_S), (measured, _PART_S)):
            tasks = []
            for each in others:
                tasks.append(_begin(session, each, kind, times))
                await asyncio.sleep(kind.pause_s / len(tenants))
            await asyncio.sleep(seconds)
            await _end(*tasks)
        await _end(tenth)
    return measured, flood


def _begin(
    session: aiohttp.ClientSession, tenant: Tenant, kind: Kind, times: Times
) -> asyncio.Task[None]:
    return asyncio.ensure_future(repeat(session, tenant, kind.act, times, pause_s=kind.pause_s))


async def _end(*tasks: asyncio.Task[None]) -> None:
    for task in tasks:
        task.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.gather(*tasks, return_exceptions=True)


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


async def drained(session: aiohttp.ClientSession, server: Product, flooder: Tenant) -> None:
    """Wait until nothing goes on or waits, after what a flood left behind is given up."""
    quiet = 0
    async with asyncio.timeout(_DRAIN_S):
        await acts.give_up(session, flooder)
        while quiet < _QUIET:
            async with session.get("/metrics", headers=server.headers) as response:
                going_on = working(await response.read())
            async with session.get(
                "/admin/v1/operations/queues", headers=server.headers
            ) as response:
                queues = await response.json()
            going_on += sum(each["waiting"] + each["in_work"] for each in queues["items"])
            quiet = 0 if going_on else quiet + 1
            await asyncio.sleep(_LOOK_S)


async def _get(session: aiohttp.ClientSession, server: Product, path: str) -> bytes:
    async with session.get(path, headers=server.headers) as response:
        return await response.read()


def working(figures: bytes) -> float:
    """Sum up what the figures of a server say of work that goes on or waits."""
    found = _ACTIVE.findall(figures)
    if not found:
        raise ValueError("The server tells no figures; leave its metrics on.")
    return sum(map(float, found))


async def measure(server: Product, tenants: Sequence[Tenant], kind: Kind) -> Row:
    """Both parts, as often as there are rounds."""
    rounds: list[dict[bool, Times]] = []
    flood = Times()
    async with clients(server.url) as session:
        await settle(session, tenants, kind)
        for number in range(_ROUNDS):
            rounds.append({})
            for is_flooded in (False, True) if number % 2 == 0 else (True, False):
                await drained(session, server, tenants[0])
                times, theirs = await part(server, tenants, kind, is_flooded=is_flooded)
                rounds[-1][is_flooded] = times
                flood.add(theirs)
        await drained(session, server, tenants[0])
    fair, flooded = Times(), Times()
    for each in rounds:
        fair.add(each[False])
        flooded.add(each[True])
    ratio, noise = ratio_of(
        [each[True].ms(0.95) for each in rounds], [each[False].ms(0.95) for each in rounds]
    )
    return Row(
        resource=kind.name,
        requests=len(fair.seconds) + len(flooded.seconds),
        fair_p50_ms=fair.ms(0.5),
        fair_p95_ms=fair.ms(0.95),
        flood_p50_ms=flooded.ms(0.5),
        flood_p95_ms=flooded.ms(0.95),
        ratio_p95=ratio,
        noise=noise,
        holds=ratio <= LARGEST_RISE,
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
    with processors(of_server=False), spawned("bench.upstream") as upstream, ExitStack() as stack:
        with processors(of_server=True):
            server = stack.enter_context(product(None, **environment(upstream)))
        tenants = open_tenants(server, upstream, TENANTS, model=_MODEL)
        for kind in KINDS:
            if wanted and kind.name not in wanted.split(","):
                continue
            with console.status(f"flood of {kind.name}"):
                rows.append(asdict(asyncio.run(measure(server, tenants, kind))))
    return rows
