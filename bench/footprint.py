"""Footprint benchmark: start-up time, idle memory, and memory per open stream."""

import asyncio
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

from rich.console import Console

from bench.load import run_load
from bench.server import Product, product, spawned

STARTS: Final = 5
SLOW_STREAMS: Final = 1000
SLOW_TOKENS: Final = 20
SLOW_MODEL: Final = f"tokens-{SLOW_TOKENS}-1000"
SETTLE_S: Final = 1.0
SAMPLE_S: Final = 0.5
KIB: Final = 1024


@dataclass(frozen=True, slots=True)
class StartUp:
    """What starting costs: seconds from process start to the first healthy reply."""

    first_s: float
    """On an empty data directory, with migration and first agent; median."""
    again_s: float
    """On a directory that exists; median."""
    idle_mib: float


@dataclass(frozen=True, slots=True)
class SlowStreams:
    """What holding many slow streams costs; memory is resident set size."""

    streams: int
    errors: int
    tokens: int
    expected_tokens: int
    kib_per_stream: float
    """Peak memory beyond idle, divided by the streams."""
    age_p50_ms: float
    age_p99_ms: float


def measure_starts() -> StartUp:
    """Start on an empty directory and once more on the same, several times."""
    first, again, idle = [], [], 0.0
    for _ in range(STARTS):
        with TemporaryDirectory() as name:
            with product(Path(name)) as server:
                first.append(server.started_in_s)
            with product(Path(name)) as server:
                again.append(server.started_in_s)
                time.sleep(SETTLE_S)
                idle = server.rss_bytes / KIB / KIB
    return StartUp(median(first), median(again), idle)


def measure_slow_streams(server: Product, agent_id: str, *, streams: int) -> SlowStreams:
    """Hold slow streams open, all at once, and watch the process."""
    idle = peak = server.rss_bytes
    over = threading.Event()

    def watch() -> None:
        nonlocal peak
        while not over.wait(SAMPLE_S):
            peak = max(peak, server.rss_bytes)

    watcher = threading.Thread(target=watch)
    watcher.start()
    body: dict[str, object] = {
        "bot_id": agent_id,
        "user_id": "bench",
        "stream": True,
        "additional_messages": [{"role": "user", "content": "go", "content_type": "text"}],
    }
    url = f"{server.url}/v3/chat"
    try:
        load = asyncio.run(run_load(url, body, streams=streams, headers=server.headers))
    finally:
        over.set()
        watcher.join()
    return SlowStreams(
        streams=streams,
        errors=load.errors,
        tokens=load.tokens,
        expected_tokens=streams * SLOW_TOKENS,
        kib_per_stream=(peak - idle) / streams / KIB,
        age_p50_ms=load.age_ms(0.5),
        age_p99_ms=load.age_ms(0.99),
    )


def run(console: Console) -> list[dict[str, Any]]:
    """Start-up and idle memory, then slow streams."""
    with console.status("start-up"):
        start = measure_starts()
    with console.status("slow streams"), spawned("bench.upstream") as upstream, product() as server:
        agent_id = server.agent_on(SLOW_MODEL, f"{upstream}/v1")
        slow = measure_slow_streams(server, agent_id, streams=SLOW_STREAMS)
    return [asdict(start), asdict(slow)]
