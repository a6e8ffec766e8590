"""XLSX files, written by openpyxl row by row; it is imported with the first one."""

import io
import re
import tempfile
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from infra.contract.table.sql_guard import Scalar
from infra.impl.table_file import FILES

_CHUNK_BYTES: Final = 256 * 1024
_IN_MEMORY_BYTES: Final = 4 * 1024 * 1024
_TITLE_CHARS: Final = 31  # Excel opens no file with a longer title of a sheet
_CELL_CHARS: Final = 32_767  # nor with a longer cell
_EXACT: Final = 10**15
"""Spreadsheets keep fifteen digits; longer numbers, such as ids, are texts."""
_FIRST_DATE: Final = datetime(1900, 3, 1)  # noqa: DTZ001 - no zone in cells
"""Before it spreadsheets count a day that never was."""
_NOT_IN_TITLE: Final = re.compile(r"[\\/?*\[\]:'\x00-\x1f]")
_NOT_IN_XML: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ESCAPE: Final = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")


class XlsxFile:
    """Rows go to a temporary file as they come; texts are texts, whatever they begin with."""

    media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    extension = "xlsx"

    def __init__(self, title: str, columns: Sequence[str], dates: Sequence[int] = ()) -> None:
        # Costs 0.3 s and 26 MiB, and most processes write no workbook.
        from openpyxl import Workbook  # noqa: PLC0415
        from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415

        self._book = Workbook(write_only=True)
        self._sheet = self._book.create_sheet(_NOT_IN_TITLE.sub(" ", title)[:_TITLE_CHARS] or "1")
        self._cell = WriteOnlyCell
        self._dates: frozenset[int] = frozenset()
        self.add([columns])
        self._dates = frozenset(dates)

    def add(self, rows: Sequence[Sequence[Scalar]]) -> bytes:
        for row in rows:
            self._sheet.append(
                [
                    self._moment(cell) if at in self._dates else self._value(cell)
                    for at, cell in enumerate(row)
                ]
            )
        return b""

    def finish(self) -> Iterator[bytes]:
        with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES) as file:
            self._book.save(file)
            file.seek(0)
            while chunk := file.read(_CHUNK_BYTES):
                yield chunk

    def discard(self) -> None:
        # Only saving removes the temporary file of a sheet.
        self._book.save(io.BytesIO())

    def _moment(self, value: Scalar) -> object:
        """Return a date as one; what is none, or before the calendar of spreadsheets, as it is."""
        try:
            moment = datetime.fromisoformat(value) if isinstance(value, str) else None
        except ValueError:
            moment = None
        if moment is None or moment.tzinfo or moment < _FIRST_DATE:
            return self._value(value)
        return moment

    def _value(self, value: Scalar) -> object:
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= _EXACT:
            value = str(value)
        if isinstance(value, float) and float(f"{value:.16g}") != value:
            exact = self._cell(self._sheet, value=repr(value))
            exact.data_type = "n"  # the library writes numbers with one digit too few for some
            return exact
        if not isinstance(value, str):
            return value
        text = _NOT_IN_XML.sub("", _ESCAPE.sub("_x005F_", value))[:_CELL_CHARS]
        text = text.replace("\r", "_x000D_")  # XML would make it a line feed
        cell = self._cell(self._sheet, value=text)
        # A text with an equals sign would be taken for a formula, and "#N/A" for an error.
        cell.data_type = "s"
        return cell


@FILES.register("xlsx")
def open_xlsx(title: str, columns: Sequence[str], dates: Sequence[int]) -> XlsxFile:
    """Begin a workbook of one sheet."""
    return XlsxFile(title, columns, dates)
