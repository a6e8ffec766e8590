"""Relay benchmark in a closed loop: clients that ask again as soon as they were answered.

``bench.relay`` starts all streams at one moment and lets each run once, so it shows starts and long
streams. Here every client begins a new chat when its last one has ended, each on a connection of
its own, for as long as a row lasts; the chats of the first seconds do not count. Every chat of the
product makes a conversation and stores question, answer, run and events. ``BENCH_SECONDS`` says how
long a row is measured; the default takes about a quarter of an hour for all rows.
"""

import asyncio
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from typing import Any, Final

import psutil
from rich.console import Console
from rich.progress import track

from bench.load import LoadResult, StreamResult, run_load
from bench.relay import Target, targets
from bench.server import product, spawned

CLIENTS: Final = (1, 16, 64, 200)
TOKENS: Final = (20, 200)
INTERVALS_MS: Final = (0, 10)
SECONDS: Final = float(os.environ.get("BENCH_SECONDS", "8"))
WARM_S: Final = SECONDS / 4
_BASELINES: Final = {
    "baseline": ("bench.baseline_relay",),
    "fastapi": ("bench.baseline_stored", "fastapi"),
    "langgraph": ("bench.baseline_stored", "langgraph"),
}
_LOADS: Final = os.environ.get("BENCH_LOADS", "")
"""Which loads, as ``clients-tokens-pause`` with commas between; all of them if empty."""


@dataclass(frozen=True, slots=True)
class Row:
    """One load against one end, over the chats that ended while it was measured."""

    target: str
    clients: int
    tokens: int
    interval_ms: int
    chats: int
    errors: int
    chats_per_s: float
    tokens_per_s: float
    first_token_p50_ms: float
    first_token_p95_ms: float
    age_p50_ms: float
    age_p95_ms: float
    """Of tokens on arrival, since the upstream made them."""
    processor_ms: float
    """Of the end itself, for one chat; the load generator and the upstream come on top."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """One surface of the product, divided by the minimal relay under the same load."""

    surface: str
    clients: int
    tokens: int
    interval_ms: int
    throughput: float
    first_token_p50: float
    first_token_p95: float
    processor: float


async def loop(
    target: Target, body: dict[str, object], clients: int, processor_s: Callable[[], float]
) -> tuple[LoadResult, float]:
    """Keep so many clients busy; return the chats of the measured time, and processor seconds."""
    ended: list[StreamResult] = []
    is_over = False

    async def client() -> None:
        while not is_over:
            ended.extend(
                (await run_load(target.url, body, streams=1, headers=target.headers)).streams
            )

    async with asyncio.TaskGroup() as group:
        for _ in range(clients):
            group.create_task(client())
        await asyncio.sleep(WARM_S)
        ended.clear()
        began, spent = time.monotonic(), processor_s()
        await asyncio.sleep(SECONDS)
        counted = LoadResult(list(ended), time.monotonic() - began)
        spent = processor_s() - spent
        is_over = True
    return counted, spent


def measure(
    target: Target,
    clients: int,
    tokens: int,
    interval: int,
    *,
    body: dict[str, object],
    processor_s: Callable[[], float],
) -> Row:
    """Run one load against one end."""
    load, spent = asyncio.run(loop(target, body, clients, processor_s))
    chats = len(load.streams)
    return Row(
        target=target.name,
        clients=clients,
        tokens=tokens,
        interval_ms=interval,
        chats=chats,
        errors=load.errors,
        chats_per_s=chats / load.wall_s,
        tokens_per_s=load.tokens / load.wall_s,
        first_token_p50_ms=load.first_token_ms(0.5),
        first_token_p95_ms=load.first_token_ms(0.95),
        age_p50_ms=load.age_ms(0.5),
        age_p95_ms=load.age_ms(0.95),
        processor_ms=1000 * spent / max(1, chats),
    )


def ratios(rows: Sequence[Row]) -> Iterator[Ratio]:
    """Relate each row of the product to the minimal relay under the same load."""
    by_load = {(row.target, row.clients, row.tokens, row.interval_ms): row for row in rows}
    for row in rows:
        if row.target in _BASELINES:
            continue
        relay = by_load["baseline", row.clients, row.tokens, row.interval_ms]
        yield Ratio(
            surface=row.target,
            clients=row.clients,
            tokens=row.tokens,
            interval_ms=row.interval_ms,
            throughput=_share(row.tokens_per_s, relay.tokens_per_s),
            first_token_p50=_share(row.first_token_p50_ms, relay.first_token_p50_ms),
            first_token_p95=_share(row.first_token_p95_ms, relay.first_token_p95_ms),
            processor=_share(row.processor_ms, relay.processor_ms),
        )


def _share(part: float, whole: float) -> float:
    return part / whole if whole else float("nan")


def _processor_of(arguments: Sequence[str]) -> Callable[[], float]:
    """Processor time of a process that this one started as ``python -m …``."""
    [process] = [
        each for each in psutil.Process().children() if set(arguments) <= set(each.cmdline())
    ]

    def spent() -> float:
        times = process.cpu_times()
        return float(times.user + times.system)

    return spent


def loads() -> list[tuple[int, int, int]]:
    """Clients, tokens of an answer, and milliseconds between them."""
    if _LOADS:
        return [tuple(map(int, each.split("-"))) for each in _LOADS.split(",")]  # type: ignore[misc]
    return [(n, count, pause) for pause in INTERVALS_MS for count in TOKENS for n in CLIENTS]


def run(console: Console) -> list[dict[str, Any]]:
    """Run every load against every end, one after the other; return the rows, then the ratios."""
    models = sorted({f"tokens-{count}-{pause}" for _, count, pause in loads()})
    rows = []
    with ExitStack() as stack:
        upstream = stack.enter_context(spawned("bench.upstream"))
        base = f"{upstream}/v1"
        ends, processor = [], {}
        for name, arguments in _BASELINES.items():
            url = stack.enter_context(spawned(*arguments, base))
            ends.append(Target(name, f"{url}/v1/chat/completions", {}))
            processor[name] = _processor_of(arguments)
        server = stack.enter_context(product())
        agents = {model: server.agent_on(model, base) for model in models}
        ends += [each for each in targets(server, upstream, "") if each.name in {"openai", "coze"}]
        jobs = [(target, load) for load in loads() for target in ends]
        for target, (clients, count, pause) in track(jobs, "relay_loop", console=console):
            rows.append(
                measure(
                    target,
                    clients,
                    count,
                    pause,
                    body=target.body(f"tokens-{count}-{pause}", agents),
                    processor_s=processor.get(target.name, lambda: server.processor_s),
                )
            )
    return [*map(asdict, rows), *map(asdict, ratios(rows))]
