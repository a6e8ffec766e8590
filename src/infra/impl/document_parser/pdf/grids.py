"""Cells that ruling lines enclose, found by pdfplumber."""

from io import BytesIO
from typing import Final

import pdfplumber
from pdfminer.pdfexceptions import PDFException
from pdfplumber.pdf import PDF

from infra.impl.document_parser.pdf.engine import Box
from infra.impl.document_parser.pdf.tables import Grid

_REOPEN_PAGES: Final = 50
_MIN_ROWS: Final = 2
_MAX_EDGES: Final = 4000
_PAGE_SHARE: Final = 0.95
# pdfminer raises these and more on damaged content; a page without its tables is still a page.
_ERRORS: Final = (
    PDFException,
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    AssertionError,
    ZeroDivisionError,
    OverflowError,
    RecursionError,
    OSError,
)


class PdfplumberGrids:
    """A document in pdfplumber, opened anew now and then: it keeps every object it has seen."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._document: PDF | None = None
        self._uses = 0

    def close(self) -> None:
        if self._document is not None:
            self._document.close()
            self._document = None

    def find(self, number: int) -> list[Grid]:
        """Return the grids on page ``number``, from 1; none if the page is damaged."""
        try:
            return self._find(number)
        except _ERRORS:
            return []

    def _find(self, number: int) -> list[Grid]:
        if self._uses >= _REOPEN_PAGES:
            self.close()
        if self._document is None:
            self._document, self._uses = pdfplumber.open(BytesIO(self._data)), 0
        self._uses += 1
        page = self._document.pages[number - 1]
        try:
            if len(page.edges) > _MAX_EDGES:
                return []
            left, top = page.cropbox[0] - page.bbox[0], page.cropbox[1] - page.bbox[1]
            return [
                [
                    [
                        Box(cell[0] - left, cell[1] - top, cell[2] - left, cell[3] - top)
                        if cell
                        else None
                        for cell in row.cells
                    ]
                    for row in table.rows
                ]
                for table in page.find_tables()
                if not _is_frame(table.bbox, float(page.width), float(page.height), len(table.rows))
            ]
        finally:
            page.close()


def _is_frame(box: tuple[float, ...], width: float, height: float, rows: int) -> bool:
    """A rectangle around the whole page is decoration."""
    area = (box[2] - box[0]) * (box[3] - box[1])
    return rows < _MIN_ROWS or (rows == _MIN_ROWS and area > width * height * _PAGE_SHARE)
