"""Run benchmarks: ``python -m bench [NAME …]``, all of them by default.

Every module of this package with a function ``run`` is one; it returns rows, which are shown as
tables (consecutive rows of one shape share one) and written as JSON if asked.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import bench

Row = Mapping[str, Any]
Bench = Callable[[Console], Sequence[Row]]


def names_of_benches() -> list[str]:
    """The names of all benchmarks; read, not imported: some need what only they are run with."""
    folder = Path(bench.__file__).parent
    return sorted(path.stem for path in folder.glob("*.py") if "\ndef run(" in path.read_text())


def loaded(name: str) -> Bench:
    """Return a benchmark."""
    run: Bench = import_module(f"bench.{name}").run
    return run


def show(console: Console, title: str, rows: Sequence[Row]) -> None:
    """Print consecutive rows of one shape as one table."""
    for names, group in groupby(rows, key=list):
        table = Table(*names, title=title)
        for row in group:
            table.add_row(*map(_shown, row.values()))
        console.print(table)


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def main(given: Sequence[str] | None = None) -> None:
    """Parse the command line and run."""
    known = names_of_benches()
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(known)}")
    parser.add_argument("--json", type=Path, help="also write the rows to this file")
    arguments = parser.parse_args(given)
    names = arguments.names or known
    if unknown := set(names) - set(known):
        parser.error(f"no benchmark is called {', '.join(sorted(unknown))}")
    console = Console(stderr=True, width=None if sys.stderr.isatty() else 160)
    results = {name: list(loaded(name)(console)) for name in names}
    for name, rows in results.items():
        show(console, name, rows)
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1))
    if any(row.get("errors") for rows in results.values() for row in rows):
        sys.exit("Something failed on the way; the figures are void.")


if __name__ == "__main__":
    main()
