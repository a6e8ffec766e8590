"""Footprint benchmark: start-up time, idle memory, and memory per open stream."""

import asyncio
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

from rich.console import Console

from bench.load import run_load
from bench.server import Product, product, spawned, uncompiled

STARTS: Final = 5
SLOW_STREAMS: Final = 1000
SLOW_TOKENS: Final = 20
SLOW_MODEL: Final = f"tokens-{SLOW_TOKENS}-1000"
SETTLE_S: Final = 1.0
SAMPLE_S: Final = 0.5
KIB: Final = 1024
MB: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class StartUp:
    """What starting costs: from process start to the first healthy reply; medians."""

    data: str
    """``empty`` directory, with schema and first agent, or one that ``exists``."""
    wall_s: float
    processor_s: float
    """What the start itself takes; on a busy machine the wall time says more about the machine."""
    idle_mb: float
    """Resident memory a moment later, in millions of bytes."""
    private_mb: float
    """Of that, what is not pages of files that other processes can share."""
    uncompiled: int
    """Modules without stored bytecode, compiled anew at each start: the figures are too high."""


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


def measure_starts() -> list[StartUp]:
    """Start on an empty directory and once more on the same, several times.

    The first start of an installation compiles what its installer did not; nobody has to count
    that twice, so one start goes before, with permission to store bytecode.
    """
    samples: dict[str, list[StartUp]] = {"empty": [], "exists": []}
    with product(PYTHONDONTWRITEBYTECODE=""):
        missing = uncompiled()
    for _ in range(STARTS):
        with TemporaryDirectory() as name:
            for data, measured in samples.items():
                measured.append(_started(data, Path(name), missing))
    return [_typical(measured) for measured in samples.values()]


def _started(data: str, directory: Path, missing: int) -> StartUp:
    with product(directory, PYTHONDONTWRITEBYTECODE="") as server:
        processor_s = server.processor_s
        time.sleep(SETTLE_S)
        return StartUp(
            data=data,
            wall_s=server.started_in_s,
            processor_s=processor_s,
            idle_mb=server.rss_bytes / MB,
            private_mb=server.private_bytes / MB,
            uncompiled=missing,
        )


def _typical(measured: Sequence[StartUp]) -> StartUp:
    return replace(
        measured[0],
        wall_s=median(each.wall_s for each in measured),
        processor_s=median(each.processor_s for each in measured),
        idle_mb=median(each.idle_mb for each in measured),
        private_mb=median(each.private_mb for each in measured),
    )


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
        starts = measure_starts()
    with console.status("slow streams"), spawned("bench.upstream") as upstream, product() as server:
        agent_id = server.agent_on(SLOW_MODEL, f"{upstream}/v1")
        slow = measure_slow_streams(server, agent_id, streams=SLOW_STREAMS)
    return [*map(asdict, starts), asdict(slow)]
