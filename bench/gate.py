"""Processor time of this state against the last release: fails above five percent beyond the noise.

The release is the newest tag, before the first one the commit that ``bench/gate.base`` names;
``BENCH_BASE`` names another. Servers of both states and a second one of this state stand beside
each other and work in turn, round by round, so that whatever the machine does meets all of them.
The second one says what the noise is: by how much a state differs from itself.
``BENCH_ROUNDS`` is the number of rounds, ``BENCH_SHARE`` the part of a full load in each,
``BENCH_ONLY`` names what to measure, with commas between.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

from rich.console import Console
from rich.progress import track

from bench.cost import UNITS, Meter, started
from bench.server import product, spawned

ROOT: Final = Path(__file__).parents[1]
ROUNDS: Final = int(os.environ.get("BENCH_ROUNDS", "7"))
SHARE: Final = float(os.environ.get("BENCH_SHARE", "0.3"))
ONLY: Final = tuple(filter(None, os.environ.get("BENCH_ONLY", "").split(","))) or UNITS
ALLOWED: Final = 0.05
BASE, NOW, AGAIN = "base", "now", "now, again"
_RUN: Final = "from bootstrap.cli import main; main()"


@dataclass(frozen=True)
class Row:
    """One kind of work; milliseconds of processor, medians over the rounds."""

    work: str
    base_ms: float
    now_ms: float
    ratio: float
    """Of this state to the base, the median of the rounds."""
    itself: float
    """Of this state to itself, likewise: what it differs from 1 is noise."""
    errors: int
    """1 if it costs more than it may."""


def git(*arguments: str) -> str:
    """Return what git says."""
    return subprocess.run(
        ["git", *arguments],  # noqa: S607 - the one on the path
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()


def base() -> str:
    """Name the commit to compare with."""
    named = os.environ.get("BENCH_BASE", "")
    tags = git("tag", "--list", "v*", "--sort=-version:refname").split()
    return named or next(iter(tags), "") or (ROOT / "bench" / "gate.base").read_text().strip()


@contextmanager
def checkout(commit: str) -> Generator[Path, None, None]:
    """Check a commit out beside this one."""
    with TemporaryDirectory() as folder:
        place = Path(folder) / "base"
        git("worktree", "add", "--detach", str(place), commit)
        try:
            yield place
        finally:
            git("worktree", "remove", "--force", str(place))


def needs(place: Path) -> list[str]:
    """Return the packages that the product of a checkout needs."""
    listed: list[str] = tomllib.loads((place / "pyproject.toml").read_text())["project"][
        "dependencies"
    ]
    return sorted(listed)


def command(place: Path) -> Sequence[str]:
    """Return what starts the product of a checkout; with packages of its own if it needs others."""
    interpreter = sys.executable
    if needs(place) != needs(ROOT):
        uv = shutil.which("uv") or os.environ.get("UV", "uv")
        subprocess.run([uv, "sync", "--quiet", "--project", str(place)], check=True)
        interpreter = str(place / ".venv" / "bin" / "python")
    return [interpreter, "-c", f"import sys; sys.path.insert(0, {str(place / 'src')!r}); {_RUN}"]


def compared(console: Console, places: Mapping[str, Path]) -> list[dict[str, dict[str, float]]]:
    """Return milliseconds by state and work, for every round."""
    rounds: list[dict[str, dict[str, float]]] = []
    with ExitStack() as stack:
        upstream = stack.enter_context(spawned("bench.upstream"))
        servers: dict[str, dict[str, Any]] = {}
        meters = {}
        for name, place in places.items():
            environment = {"PYTHONPATH": str(place / "src"), "COTERIE_LOG__ACCESS": "false"}
            servers[name] = {"command": command(place), **environment}
            if ONLY != ("start",):
                server = stack.enter_context(product(**servers[name]))
                meters[name] = Meter(server, f"{upstream}/v1", only=ONLY)
        for number in track(range(ROUNDS), "gate", console=console):
            names = list(places)
            shift = number % len(names)
            spent: dict[str, dict[str, float]] = {name: {} for name in names}
            for work in ONLY:
                for name in names[shift:] + names[:shift]:
                    if work == "start":
                        spent[name][work] = started(**servers[name])
                    else:
                        spent[name].update(meters[name].measured(SHARE, work))
            rounds.append(spent)
    return rounds


def judged(rounds: Sequence[Mapping[str, Mapping[str, float]]]) -> list[Row]:
    """Compare within rounds."""
    rows = []
    for work in ONLY:
        ratio = median(each[NOW][work] / each[BASE][work] for each in rounds)
        itself = median(each[AGAIN][work] / each[NOW][work] for each in rounds)
        rows.append(
            Row(
                work=work,
                base_ms=median(each[BASE][work] for each in rounds),
                now_ms=median(each[NOW][work] for each in rounds),
                ratio=ratio,
                itself=itself,
                errors=int(ratio > 1 + ALLOWED + abs(itself - 1)),
            )
        )
    return rows


def run(console: Console) -> list[dict[str, Any]]:
    """Compare, and say which work costs too much."""
    commit = base()
    console.print(f"Against {commit} …")
    with checkout(commit) as place:
        rounds = compared(console, {BASE: place, NOW: ROOT, AGAIN: ROOT})
    return [asdict(row) for row in judged(rounds)]
