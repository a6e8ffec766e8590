"""CSV files, with the mark by which spreadsheets know that they are UTF-8."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from infra.contract.table.file import FORMULA_MARKS, PLAIN_MARK
from infra.contract.table.sql_guard import Scalar
from infra.impl.table_file import FILES

_NEEDS_QUOTES: Final = re.compile(r'[,;\t|"\r\n]|^\s|\s$')
"""Delimiters that readers guess are among them."""


class CsvFile:
    """Texts that a spreadsheet would run begin with an apostrophe, which imports take away."""

    media_type = "text/csv"
    extension = "csv"

    def __init__(self, columns: Sequence[str]) -> None:
        self._header = "\ufeff" + _line(columns)

    def add(self, rows: Sequence[Sequence[Scalar]]) -> bytes:
        text = "".join(map(_line, rows))
        return (self._taken() + text).encode("utf-8", "replace")

    def finish(self) -> Iterator[bytes]:
        yield self._taken().encode("utf-8", "replace")

    def discard(self) -> None:
        """Nothing is kept."""

    def _taken(self) -> str:
        header, self._header = self._header, ""
        return header


def _line(cells: Sequence[Scalar]) -> str:
    """Write a line as RFC 4180 has it."""
    return ",".join(map(_shown, cells)) + "\r\n"


def _shown(cell: Scalar) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if not isinstance(cell, str):
        return str(cell)
    text = PLAIN_MARK + cell if cell.lstrip(PLAIN_MARK).startswith(FORMULA_MARKS) else cell
    return '"' + text.replace('"', '""') + '"' if _NEEDS_QUOTES.search(text) else text


@FILES.register("csv")
def open_csv(_: str, columns: Sequence[str], __: Sequence[int]) -> CsvFile:
    """Begin a CSV file."""
    return CsvFile(columns)
