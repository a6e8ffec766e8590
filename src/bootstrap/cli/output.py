"""What commands print: JSON for programs, tables and lines for people."""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

import click
import msgspec

from domain.shared.error import AppError

_COMMANDS: Final = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""What a terminal obeys, turns of the direction of writing included, and what it cannot show."""


class Output:
    """One command's way of printing; ``as_json`` prints exactly one document."""

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json

    def result(self, value: Mapping[str, object], *lines: str) -> None:
        """Print one thing: the document, or the lines."""
        if self.as_json:
            click.echo(msgspec.json.encode(value))
        else:
            for line in lines:
                click.echo(printable(line))

    def table(self, rows: Sequence[Mapping[str, object]], *, columns: Sequence[str]) -> None:
        """Print many things: a list of documents, or a table of some of their fields."""
        if self.as_json:
            click.echo(msgspec.json.encode(rows))
        elif not rows:
            click.echo("Nothing there.")
        else:
            cells = [[_cell(row.get(column)) for column in columns] for row in rows]
            for line in _lines([list(columns), *cells], aligned=sys.stdout.isatty()):
                click.echo(line)

    def failure(self, error: AppError) -> None:
        """Print what went wrong to standard error."""
        if self.as_json:
            body = {"error": {"code": error.code, "slug": error.slug, "message": error.message}}
            click.echo(msgspec.json.encode(body), err=True)
        else:
            click.secho(f"Error: {printable(error.message)}", err=True, fg="red")


def _lines(table: Sequence[Sequence[str]], *, aligned: bool) -> Iterator[str]:
    """Columns for people, tabs for other programs."""
    if not aligned:
        yield from ("\t".join(row) for row in table)
        return
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for number, row in enumerate(table):
        line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield click.style(line.rstrip(), bold=number == 0)


def _cell(value: object) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case datetime():
            return value.astimezone().strftime("%Y-%m-%d %H:%M")
        case list() | tuple() | frozenset() | set():
            return _in_one_line(", ".join(sorted(map(str, value)))) or "-"
        case _:
            return _in_one_line(str(value))


def printable(text: str) -> str:
    """Show what a terminal would obey: names, documents and errors are written by others."""
    return _COMMANDS.sub(_escaped, text)


def _in_one_line(text: str) -> str:
    return printable(text).replace("\n", "\\n").replace("\t", "\\t")


def _escaped(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode("ascii")
