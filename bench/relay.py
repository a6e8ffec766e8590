"""Relay benchmark: what the product adds to a model's stream.

Each row runs the same load against the upstream itself, the minimal relay, and the product's
Coze and OpenAI surfaces, one after the other in one run.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any, Final

from rich.console import Console
from rich.progress import track

from bench.load import LoadResult, run_load
from bench.server import Product, product, spawned

STREAMS: Final = (1, 16, 64, 200)
INTERVALS_MS: Final = (0, 10)
TOKENS: Final = {1: 8000, 16: 2000, 64: 1000, 200: 500}
"""Per unpaced stream: long answers for few, ordinary ones for many."""
PACED_TOKENS: Final = 300
FEW_PACED_TOKENS: Final = 30
"""Of a single stream, which is repeated for a steady first-token time."""
REPEATS_OF_ONE: Final = 10
ON_TIME_MS: Final = 100.0


@dataclass(frozen=True, slots=True)
class Target:
    """Where a load goes."""

    name: str
    url: str
    headers: dict[str, str]

    def body(self, model: str, agents: dict[str, str]) -> dict[str, object]:
        messages = [{"role": "user", "content": "go"}]
        match self.name:
            case "coze":
                coze_messages = [{"role": "user", "content": "go", "content_type": "text"}]
                return {
                    "bot_id": agents[model],
                    "user_id": "bench",
                    "stream": True,
                    "additional_messages": coze_messages,
                }
            case "openai":
                return {"model": agents[model], "stream": True, "messages": messages}
            case _:
                return {"model": model, "stream": True, "messages": messages}


@dataclass(frozen=True, slots=True)
class Row:
    """One load against one target."""

    target: str
    streams: int
    interval_ms: int
    tokens: int
    errors: int
    tokens_per_s: float
    first_token_ms: float
    age_p50_ms: float
    age_p99_ms: float
    on_time: float
    """Share of tokens younger than 100 ms on arrival."""


def targets(product: Product, upstream: str, baseline: str) -> list[Target]:
    """The four ends of the comparison."""
    return [
        Target("upstream", f"{upstream}/v1/chat/completions", {}),
        Target("baseline", f"{baseline}/v1/chat/completions", {}),
        Target("openai", f"{product.url}/v1/chat/completions", product.headers),
        Target("coze", f"{product.url}/v3/chat", product.headers),
    ]


def models() -> Iterator[tuple[int, int, str]]:
    """Every load: streams, interval, and the model name that asks the upstream for it."""
    for interval in INTERVALS_MS:
        for streams in STREAMS:
            paced = FEW_PACED_TOKENS if streams == 1 else PACED_TOKENS
            count = paced if interval else TOKENS[streams]
            yield streams, interval, f"tokens-{count}-{interval}"


def measure(target: Target, streams: int, interval: int, body: dict[str, object]) -> Row:
    """Run one load, after a short one that opens connections and warms caches."""

    async def run() -> tuple[LoadResult, float]:
        await run_load(target.url, body, streams=1, headers=target.headers)
        repeats = REPEATS_OF_ONE if streams == 1 else 1
        loads = [
            await run_load(target.url, body, streams=streams, headers=target.headers)
            for _ in range(repeats)
        ]
        return loads[-1], median(load.first_token_ms(0.5) for load in loads)

    load, first_token_ms = asyncio.run(run())
    ages = [age for stream in load.streams for age in stream.ages_s]
    return Row(
        target=target.name,
        streams=streams,
        interval_ms=interval,
        tokens=load.tokens,
        errors=load.errors,
        tokens_per_s=load.tokens / load.wall_s,
        first_token_ms=first_token_ms,
        age_p50_ms=load.age_ms(0.5),
        age_p99_ms=load.age_ms(0.99),
        on_time=sum(age * 1000 < ON_TIME_MS for age in ages) / max(1, len(ages)),
    )


@dataclass(frozen=True, slots=True)
class Ratio:
    """One surface of the product against the baselines, under one load."""

    surface: str
    streams: int
    interval_ms: int
    throughput: float
    """Tokens per second, divided by those of the minimal relay."""
    added_first_token_ms: float
    """Beyond the first token of the upstream itself."""
    added_age_p50_ms: float
    on_time: float


def ratios(rows: Sequence[Row]) -> Iterator[Ratio]:
    """Relate each row of the product to the other ends of the same load."""
    by_load = {(row.target, row.streams, row.interval_ms): row for row in rows}
    for row in rows:
        if row.target in {"openai", "coze"}:
            upstream = by_load["upstream", row.streams, row.interval_ms]
            baseline = by_load["baseline", row.streams, row.interval_ms]
            yield Ratio(
                surface=row.target,
                streams=row.streams,
                interval_ms=row.interval_ms,
                throughput=row.tokens_per_s / baseline.tokens_per_s,
                added_first_token_ms=row.first_token_ms - upstream.first_token_ms,
                added_age_p50_ms=row.age_p50_ms - upstream.age_p50_ms,
                on_time=row.on_time,
            )


def run(console: Console) -> list[dict[str, Any]]:
    """Run every load against every target; return the rows, then the ratios."""
    rows = []
    with spawned("bench.upstream") as upstream:
        base = f"{upstream}/v1"
        with spawned("bench.baseline_relay", base) as baseline, product() as server:
            loads = list(models())
            agents = {model: server.agent_on(model, base) for model in {load[2] for load in loads}}
            ends = targets(server, upstream, baseline)
            jobs = [(target, load) for load in loads for target in ends]
            for target, (streams, interval, model) in track(jobs, "relay", console=console):
                rows.append(measure(target, streams, interval, target.body(model, agents)))
    return [*map(asdict, rows), *map(asdict, ratios(rows))]
