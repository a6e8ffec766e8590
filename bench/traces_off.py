"""What traces cost where they are switched off: start and memory against a build without them.

Processes start in turns on a directory that exists, with ``COTERIE_TRACE__CAPTURE=off``: the
product, the product with the modules of traces replaced by empty ones, and the product once more,
which says what the machine itself makes of it. What counts is the processor time until the
application can serve, and the memory of the idle process (its share of all pages, PSS, and private
pages). ``BENCH_STARTS`` is how many rounds there are. What each is above the product without traces
is told in percent, the median of the rounds: the limit is one, which ratios of two digits would not
show. ``bench.traces`` has what is left in chats and runs.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

from rich.console import Console

ROUNDS: Final = int(os.environ.get("BENCH_STARTS", "30"))
STATES: Final = ("without", "off", "off again")
"""The first one is what the others are compared with."""
LIMIT: Final = 1.0
"""Percent that traces which are switched off may add."""


@dataclass(frozen=True, slots=True)
class Start:
    """Medians of the starts of one state, and of what they are above those without traces."""

    traces: str
    modules: int
    processor_ms: float
    processor_percent: float
    pss_kib: int
    pss_percent: float
    private_kib: int
    private_percent: float
    limit: float
    holds: bool


def run(console: Console) -> Sequence[Mapping[str, Any]]:
    """Start in turns, and compare."""
    found: dict[str, list[Mapping[str, float]]] = {state: [] for state in STATES}
    with TemporaryDirectory() as name, console.status("starts"):
        folder = Path(name)
        (folder / "coterie.toml").touch()
        for state in STATES:  # the first of each compiles, and makes the schema
            _started(folder, state)
        for number in range(ROUNDS):
            at = number % len(STATES)
            for state in STATES[at:] + STATES[:at]:
                found[state].append(_started(folder, state))
    base = found[STATES[0]]
    return [asdict(_row(state, starts, base)) for state, starts in found.items()]


def _started(folder: Path, state: str) -> Mapping[str, float]:
    command = [sys.executable, "-m", "bench.traceless", str(folder), state]
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    told: Mapping[str, float] = json.loads(done.stdout)
    return told


def _row(
    state: str, starts: Sequence[Mapping[str, float]], base: Sequence[Mapping[str, float]]
) -> Start:
    def middle(figure: str) -> float:
        return median(each[figure] for each in starts)

    def above(figure: str) -> float:
        pairs = zip(starts, base, strict=True)
        return round(100 * (median(mine[figure] / theirs[figure] for mine, theirs in pairs) - 1), 2)

    processor, pss, private = above("processor_s"), above("pss_kib"), above("private_kib")
    return Start(
        traces=state,
        modules=int(middle("modules")),
        processor_ms=round(middle("processor_s") * 1000, 1),
        processor_percent=processor,
        pss_kib=int(middle("pss_kib")),
        pss_percent=pss,
        private_kib=int(middle("private_kib")),
        private_percent=private,
        limit=LIMIT,
        holds=max(processor, pss, private) <= LIMIT,
    )
