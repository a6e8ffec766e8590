"""Where the processor time of a chat, a token, a workflow, a node and a start goes, by layer.

The server runs under ``bench.sampler``; a layer's time is its share of the samples, times the
measured processor time of the event loop's thread. What other threads use is the database's. A
token is what a long answer costs beyond a short one, a node what a chain costs beyond an empty
run; small differences between large figures, so layers of a token or node below a twentieth of the
whole are noise. ``BENCH_PROFILE=FILE`` also writes the places in the code, most frequent first.
"""

import os
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from rich.console import Console

from bench.cost import CHAIN, CHAT_TOKENS, STREAM_TOKENS, UNITS, Meter
from bench.sampler import LOOP
from bench.server import Product, product, spawned

ROUNDS: Final = 3
LAYERS: Final = (
    "HTTP in",
    "authentication",
    "preparation",
    "database",
    "model HTTP",
    "engine",
    "events",
    "rendering",
    "HTTP out",
    LOOP,
    "imports",
    "composition",
    "routes",
)
TOTAL: Final = "all"
_LISTED: Final = 60


@dataclass(slots=True)
class Spent:
    """Processor time of some work, in milliseconds for one of it."""

    layers: dict[str, float] = field(default_factory=dict)
    places: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, lines: Sequence[str], *, ms: float, others_ms: float = 0.0) -> "Spent":
        """Divide a time by samples; ``others_ms`` is that of other threads."""
        samples = Counter(line.split("\t")[1] for line in lines)
        layers = {name: number * ms / samples.total() for name, number in samples.items()}
        layers["database"] = layers.get("database", 0.0) + others_ms
        return cls(layers, Counter(line.split("\t")[2] for line in lines))

    def beyond(self, other: "Spent", *, each: int) -> "Spent":
        """What came on top of other work, for one of ``each`` pieces."""
        layers = {
            name: (self.layers.get(name, 0.0) - other.layers.get(name, 0.0)) / each
            for name in self.layers.keys() | other.layers.keys()
        }
        return Spent(layers, self.places)


class Watch:
    """Reads what a sampled server wrote, from the last reading on."""

    def __init__(self, server: Product, path: Path) -> None:
        self._process = server.process
        self._path = path
        self._read = path.stat().st_size
        self._before = self._threads()

    def spent(self, count: int) -> Spent:
        """Return what was used since the watch began, divided by ``count``."""
        main, others = (now - then for now, then in zip(self._threads(), self._before, strict=True))
        with self._path.open("rb") as file:
            file.seek(self._read)
            lines = file.read().decode().splitlines()
        return Spent.of(lines, ms=main * 1000 / count, others_ms=others * 1000 / count)

    def _threads(self) -> tuple[float, float]:
        """Seconds of the event loop's thread, and of all others."""
        times = self._process.cpu_times()
        main = sum(
            each.user_time + each.system_time
            for each in self._process.threads()
            if each.id == self._process.pid
        )
        return main, times.user + times.system - main


def profiled(console: Console) -> dict[str, Spent]:
    """Take each part apart."""
    found: dict[str, Spent] = {}
    with TemporaryDirectory() as folder, spawned("bench.upstream") as upstream:
        path = Path(folder) / "samples"
        command = [sys.executable, "-m", "bench.sampler", str(path)]
        with product(PYTHONDONTWRITEBYTECODE=""):  # stores the bytecode that is missing
            pass
        with product(command=command) as server:
            found["start"] = _start(server, path)
            meter = Meter(server, f"{upstream}/v1")
            for name, part in meter.parts().items():
                console.print(f"Taking apart: {name} …")
                found[name] = _part(server, path, part)
    found["token"] = found["token"].beyond(found["chat"], each=STREAM_TOKENS - CHAT_TOKENS)
    found["node"] = found["node"].beyond(found["workflow"], each=CHAIN)
    return {name: found[name] for name in UNITS}


def _start(server: Product, path: Path) -> Spent:
    return Spent.of(path.read_text().splitlines(), ms=server.processor_s * 1000)


def _part(server: Product, path: Path, part: Callable[[float], int]) -> Spent:
    watch = Watch(server, path)
    return watch.spent(sum(part(1.0) for _ in range(ROUNDS)))


def rows(found: Mapping[str, Spent]) -> list[dict[str, Any]]:
    """One row for each layer: microseconds, a start in milliseconds."""
    scale = {name: 1.0 if name == "start" else 1000.0 for name in found}
    made: list[dict[str, Any]] = []
    for layer in (*LAYERS, TOTAL):
        made.append({"layer": layer})
        for name, spent in found.items():
            ms = sum(spent.layers.values()) if layer == TOTAL else spent.layers.get(layer, 0.0)
            made[-1][f"{name}, {'ms' if name == 'start' else 'µs'}"] = ms * scale[name]
    return made


def run(console: Console) -> Sequence[dict[str, Any]]:
    """Return a row for each layer."""
    found = profiled(console)
    if path := os.environ.get("BENCH_PROFILE"):
        with Path(path).open("w") as file:
            for name, spent in found.items():
                file.writelines(
                    f"{name}\t{number}\t{place}\n"
                    for place, number in spent.places.most_common(_LISTED)
                )
    return rows(found)


if __name__ == "__main__":
    from bench.__main__ import main

    main(["profile"])
