"""CSV files, with the mark by which spreadsheets know that they are UTF-8."""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Final

from infra.contract.sql_guard import Scalar
from infra.impl.table_file import FILES

_FORMULA_MARKS: Final = ("=", "+", "-", "@", "\t", "\r")
"""What makes a text a formula or a command (OWASP, "CSV Injection")."""
_PLAIN_MARK: Final = "'"


class CsvFile:
    """Texts that a spreadsheet would run begin with an apostrophe."""

    media_type = "text/csv; charset=utf-8"
    extension = "csv"

    def __init__(self, columns: Sequence[str]) -> None:
        self._text = io.StringIO()
        self._writer = csv.writer(self._text)
        self._text.write("\ufeff")
        self._writer.writerow(map(_plain, columns))

    def add(self, rows: Sequence[Sequence[Scalar]]) -> bytes:
        self._writer.writerows([_plain(cell) for cell in row] for row in rows)
        return self._taken()

    def finish(self) -> Iterator[bytes]:
        yield self._taken()

    def discard(self) -> None:
        self._text.close()

    def _taken(self) -> bytes:
        data = self._text.getvalue().encode("utf-8", "replace")
        self._text.seek(0)
        self._text.truncate()
        return data


def _plain(cell: Scalar) -> Scalar:
    if isinstance(cell, str) and cell.startswith(_FORMULA_MARKS):
        return _PLAIN_MARK + cell
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return cell


@FILES.register("csv")
def open_csv(_: str, columns: Sequence[str]) -> CsvFile:
    """Begin a CSV file."""
    return CsvFile(columns)
