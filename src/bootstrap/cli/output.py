"""What commands print: JSON for programs, tables and lines for people."""

import sys
from collections.abc import Mapping, Sequence
from datetime import datetime

import click
import msgspec

from domain.shared.error import AppError


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
                click.echo(line)

    def table(self, rows: Sequence[Mapping[str, object]], *, columns: Sequence[str]) -> None:
        """Print many things: a list of documents, or a table of some of their fields."""
        if self.as_json:
            click.echo(msgspec.json.encode(rows))
        elif not rows:
            click.echo("Nothing there.")
        elif sys.stdout.isatty():
            _rich_table(rows, columns)
        else:
            click.echo("\t".join(columns))
            for row in rows:
                click.echo("\t".join(_cell(row.get(column)) for column in columns))

    def failure(self, error: AppError) -> None:
        """Print what went wrong to standard error."""
        if self.as_json:
            body = {"error": {"code": error.code, "slug": error.slug, "message": error.message}}
            click.echo(msgspec.json.encode(body), err=True)
        else:
            click.secho(f"Error: {error.message}", err=True, fg="red")


def _rich_table(rows: Sequence[Mapping[str, object]], columns: Sequence[str]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*columns, box=None, pad_edge=False, header_style="bold")
    for row in rows:
        table.add_row(*(Text(_cell(row.get(column))) for column in columns))
    Console().print(table)


def _cell(value: object) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case datetime():
            return value.astimezone().strftime("%Y-%m-%d %H:%M")
        case list() | tuple() | frozenset() | set():
            return ", ".join(sorted(map(str, value))) or "-"
        case _:
            text = str(value)
            return text if text.isprintable() else repr(text)
