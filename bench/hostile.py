"""Hostile neighbours: one client that keeps to its work, beside one of each kind that does not.

The normal one chats in a workspace of its own, first alone and then beside each hostile one, on a
server as it is shipped. ``BENCH_HOSTILE_S`` is how long each of them goes on.
"""

import asyncio
import os
import re
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import psutil
from rich.console import Console

from bench import tenant as acts
from bench.crowd import Times, clients, flooding, processors, repeat
from bench.flood import environment, open_tenants
from bench.ingest import MIB
from bench.server import Product, product, spawned
from bench.tenant import Act, Tenant, open_visits

COMPOSE: Final = Path(__file__).parents[1] / "deploy" / "compose.yaml"
_SECONDS: Final = float(os.environ.get("BENCH_HOSTILE_S", "60"))
_WARM_UP_S: Final = 3.0
_PAUSE_S: Final = 0.2
_SAMPLE_S: Final = 0.2
_MODEL: Final = "tokens-20-10"
_VISITORS: Final = 20
_UNITS: Final = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


@dataclass(frozen=True, slots=True)
class Hostile:
    """What somebody does on so many connections, without a pause."""

    name: str
    act: Act
    connections: int


HOSTILES: Final = (
    Hostile("deep bodies", acts.deep_body, 4),
    Hostile("unfinished bodies", acts.unfinished_body, 40),
    Hostile("tokens of browsers", acts.visit, _VISITORS),
    Hostile("endless code", acts.endless_code, 16),
    Hostile("endless statements", acts.endless_sql, 16),
    Hostile("documents", acts.large_document, 4),
)


@dataclass(frozen=True, slots=True)
class Row:
    """The normal client; memory of the server with all its children, shared pages counted once."""

    beside: str
    chats: int
    alone_p50_ms: float
    alone_p95_ms: float
    beside_p50_ms: float
    beside_p95_ms: float
    ratio_p95: float
    peak_mib: float
    limit_mib: float
    errors: int
    served: int
    """Requests of the hostile client."""
    refused: int


def memory_limit() -> int:
    """Bytes that the shipped compose file grants."""
    found = re.search(r"mem_limit: (\d+)([kmg])", COMPOSE.read_text())
    if found is None:
        raise ValueError("The compose file sets no limit of memory.")
    return int(found[1]) * _UNITS[found[2]]


class Peak:
    """Largest memory of a process with its children."""

    def __init__(self, process: psutil.Process) -> None:
        self._process = process
        self.bytes = 0

    async def watch(self) -> None:
        """Look again and again."""
        while True:
            self.bytes = max(self.bytes, await asyncio.to_thread(self._now))
            await asyncio.sleep(_SAMPLE_S)

    def _now(self) -> int:
        total = 0
        for each in (self._process, *self._process.children(recursive=True)):
            with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
                total += each.memory_full_info().pss
        return total


async def measure(server: Product, mine: Tenant, theirs: Tenant, hostile: Hostile) -> Row:
    """Chat alone for half the time, then beside the hostile one."""
    alone, beside, peak = Times(), Times(), Peak(server.process)
    async with clients(server.url) as session:
        await _for(_WARM_UP_S, repeat(session, mine, acts.chat, Times(), pause_s=_PAUSE_S))
        await _for(_SECONDS / 2, repeat(session, mine, acts.chat, alone, pause_s=_PAUSE_S))
        async with flooding(server.url, theirs, hostile.act, hostile.connections) as against:
            work = repeat(session, mine, acts.chat, beside, pause_s=_PAUSE_S)
            await _for(_SECONDS, work, peak.watch())
    return Row(
        beside=hostile.name,
        chats=len(alone.seconds) + len(beside.seconds),
        alone_p50_ms=alone.ms(0.5),
        alone_p95_ms=alone.ms(0.95),
        beside_p50_ms=beside.ms(0.5),
        beside_p95_ms=beside.ms(0.95),
        ratio_p95=beside.ms(0.95) / alone.ms(0.95),
        peak_mib=peak.bytes / MIB,
        limit_mib=memory_limit() / MIB,
        errors=alone.errors + alone.refused + beside.errors + beside.refused,
        served=len(against.seconds),
        refused=against.refused + against.errors,
    )


async def _for(seconds: float, *works: Any) -> None:
    tasks = [asyncio.ensure_future(work) for work in works]
    await asyncio.sleep(seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _one(upstream: str, hostile: Hostile) -> Row:
    """Measure on a fresh server, so that nobody pays for the one before."""
    settings = environment(upstream)
    kept = {"COTERIE_EGRESS__ALLOW_PRIVATE": settings["COTERIE_EGRESS__ALLOW_PRIVATE"]}
    with ExitStack() as stack:
        with processors(of_server=True):
            server = stack.enter_context(product(None, **kept))
        mine, theirs = open_tenants(server, upstream, 2, model=_MODEL)
        open_visits(server, theirs, _VISITORS)
        return asyncio.run(measure(server, mine, theirs, hostile))


def run(console: Console) -> Sequence[dict[str, Any]]:
    """Let each hostile client try."""
    rows = []
    wanted = os.environ.get("BENCH_HOSTILE_ONLY", "")
    with processors(of_server=False), spawned("bench.upstream") as upstream:
        for hostile in HOSTILES:
            if wanted and hostile.name not in wanted.split(","):
                continue
            with console.status(f"beside {hostile.name}"):
                rows.append(asdict(_one(upstream, hostile)))
    return rows
