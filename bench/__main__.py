"""``python -m bench relay|footprint``: run a benchmark, show a table, write JSON if asked."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench import footprint, relay
from bench.server import product, spawned

console = Console(stderr=True)


def run_relay() -> list[dict[str, Any]]:
    """All loads against all targets."""
    rows = []
    with spawned("bench.upstream") as upstream:
        base = f"{upstream}/v1"
        with spawned("bench.baseline_relay", base) as baseline, product() as server:
            loads = list(relay.models())
            agents = {model: server.agent_on(model, base) for model in {load[2] for load in loads}}
            jobs = [
                (target, load)
                for load in loads
                for target in relay.targets(server, upstream, baseline)
            ]
            for target, (streams, interval, model) in track(jobs, "relay", console=console):
                body = target.body(model, agents)
                rows.append(asdict(relay.measure(target, streams, interval, body)))
    return rows


def run_footprint() -> list[dict[str, Any]]:
    """Start-up, idle memory, slow streams."""
    with console.status("start-up"):
        start = footprint.measure_starts()
    with (
        console.status("slow streams"),
        spawned("bench.upstream") as upstream,
        product() as server,
    ):
        agent_id = server.agent_on(footprint.SLOW_MODEL, f"{upstream}/v1")
        slow = footprint.measure_slow_streams(server, agent_id, streams=footprint.SLOW_STREAMS)
    return [asdict(start), asdict(slow)]


def show(rows: Sequence[dict[str, Any]]) -> None:
    """Print rows of equal shape as one table each."""
    table: Table | None = None
    names: list[str] = []
    for row in rows:
        if list(row) != names:
            if table is not None:
                console.print(table)
            names = list(row)
            table = Table(*names)
        if table is not None:
            table.add_row(*(f"{v:.2f}" if isinstance(v, float) else str(v) for v in row.values()))
    if table is not None:
        console.print(table)


def main() -> None:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("name", choices=["relay", "footprint"])
    parser.add_argument("--json", type=Path, help="also write the rows to this file")
    arguments = parser.parse_args()
    rows = {"relay": run_relay, "footprint": run_footprint}[arguments.name]()
    show(rows)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1))
    if any(row.get("errors") for row in rows):
        sys.exit("Some streams failed; the figures are void.")


if __name__ == "__main__":
    main()
