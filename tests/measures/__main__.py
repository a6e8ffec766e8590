"""The measures of the house, beside what they were and what they shall be.

``python -m tests.measures`` reads the source tree; ``--chat`` adds what a chat passes, and so needs
the environment of the tests. It reports and never fails.

*review* are the figures of the review that set the targets, *start* those of this program for the
commit at which the work on them began.
"""

import argparse
import gc
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from tests.measures.source import House

START: Final = "defdb7d"
_SIZE: Final = 138_000
"""Lines that counts of files and Protocols are allowed for; a larger house may have more."""


@dataclass(frozen=True)
class Measure:
    """One line of the table; ``sign`` says on which side of the target it shall be."""

    name: str
    review: str
    start: str
    sign: str
    target: float | None
    unit: str = ""
    grows: bool = False

    def row(self, value: float | None, remark: str = "", size: float = 1.0) -> Sequence[str]:
        """What is printed of it; ``size`` is that of the house, if the target grows with it."""
        bound = self._bound(size)
        target = "-" if bound is None else f"{self.sign} {_text(bound)}{self.unit}"
        now = "-" if value is None else f"{_text(value)}{self.unit}"
        remark = remark or self.allowance
        return self.name, self.review, self.start, now, target, self._verdict(value, bound), remark

    @property
    def allowance(self) -> str:
        """How the target grows with the house; empty if it does not."""
        if self.target is None or not self.grows:
            return ""
        return f"{_text(self.target)} per {_SIZE:,} lines"

    def _bound(self, size: float) -> float | None:
        """The target for a house of this size; of things that are counted only whole ones."""
        if self.target is None or not self.grows:
            return self.target
        return int(self.target * max(1.0, size))

    def _verdict(self, value: float | None, bound: float | None) -> str:
        if value is None or bound is None:
            return ""
        return "holds" if (value <= bound if self.sign == "≤" else value >= bound) else "misses"


LINES: Final = Measure("lines in src", "153,100", "163,226", "≤", None)
FIELDS: Final = Measure("declaring and mapping of fields", "15.4 %", "15.4 %", "≤", 9, " %")
IMPORTS: Final = Measure("import lines", "8.5 %", "8.7 %", "≤", 6.5, " %")
SPLINTERS: Final = Measure("files that one neighbour imports", "152", "177", "≤", 40, grows=True)
PORTS: Final = Measure("Protocols implemented once", "36", "39", "≤", 8, grows=True)
UNTYPED: Final = Measure("Dependency[Any]", "130", "135", "≤", 0)
FOLDER: Final = Measure("files in the largest folder", "63", "65", "≤", 20)
TESTS: Final = Measure("test lines per line", "0.52", "0.55", "≥", 0.65)
COMMENTS: Final = Measure("lines of comment", "0.1 %", "0.15 %", "≥", None, " %")
FILES: Final = Measure("files that a chat passes", "148", "147", "≤", 100)
FUNCTIONS: Final = Measure("functions that a chat passes", "650", "585", "≤", 450)
FRAMES: Final = Measure("coroutine frames of a token", "17", "17", "≤", 11)
CALLS: Final = Measure("calls of ours per token", "75", "72", "≤", 40)
DELETED: Final = Measure("deleted of added lines", "5.4 %", "7.4 %", "≥", 25, " %")


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.measures", description=__doc__)
    parser.add_argument("--chat", action="store_true", help="run a chat and count what it passes")
    parser.add_argument("--list", action="store_true", help="name what is counted")
    parser.add_argument("--since", default=START, help="commit since which lines are compared")
    options = parser.parse_args()
    gc.disable()  # it would look through all nodes again and again, half of the time, and they stay
    house = House()
    rows = list(static(house, options.since))
    if options.chat:
        from tests.measures.chat import measured  # noqa: PLC0415 - needs the whole product

        passed = measured()
        rows += [
            FILES.row(passed["files"]),
            FUNCTIONS.row(passed["functions"]),
            FRAMES.row(passed["frames"]),
            CALLS.row(passed["calls"]),
        ]
    show(rows)
    if options.list:
        listed("files that one neighbour imports", house.splinters)
        listed("Protocols implemented once", house.single_implementations)


def static(house: House, since: str) -> Sequence[Sequence[str]]:
    size = house.lines / _SIZE
    files, folder = house.largest_folder()
    return [
        LINES.row(house.lines),
        FIELDS.row(house.field_share()),
        IMPORTS.row(house.import_share()),
        SPLINTERS.row(len(house.splinters()), size=size),
        PORTS.row(
            len(house.single_implementations()),
            f"{len(house.at_borders())} at borders of layers; {PORTS.allowance}",
            size=size,
        ),
        UNTYPED.row(house.untyped_dependencies()),
        FOLDER.row(files, folder),
        TESTS.row(house.test_lines_per_line()),
        COMMENTS.row(house.comment_share()),
        DELETED.row(house.deleted_share(since), f"since {since}"),
    ]


def show(rows: Sequence[Sequence[str]]) -> None:
    table = [("measure", "review", "start", "now", "target", "", ""), *rows]
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    for row in table:
        cells = [
            cell.ljust(width) if column in {0, 5, 6} else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        sys.stdout.write("  ".join(cells).rstrip() + "\n")


def listed(title: str, find: Callable[[], Sequence[str]]) -> None:
    sys.stdout.write(f"\n{title}:\n" + "".join(f"  {each}\n" for each in find()))


def _text(value: float) -> str:
    if value >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.2f}" if value < 1 else f"{value:.1f}"


if __name__ == "__main__":
    main()
