"""XLSX workbooks read by openpyxl, behind our own limits: no declared size is believed.

openpyxl gets a package of our making: lists of sheets and formats rewritten from what counts, and
the parts with cells as streams that are counted and checked while they are inflated. So a workbook
whose drawings, themes or properties are broken is read all the same, and what openpyxl would refuse
(other spellings of names, the strict dialect of the format) does not reach it.
"""

import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import partial
from io import BytesIO
from typing import Final, Protocol
from xml.etree import ElementTree as ET

from openpyxl.cell.read_only import EMPTY_CELL
from openpyxl.reader.excel import ExcelReader
from openpyxl.styles.numbers import is_datetime

from infra.contract.document.parser import Cell, DocumentNotParsed, ParseFailure, ParseOptions
from infra.impl.document_parser.office.cell_value import render_moment, rendered
from infra.impl.document_parser.office.ooxml import Package, number_of
from infra.impl.document_parser.office.sheet_writer import AddLine, SheetSource, write_sheets
from infra.impl.document_parser.office.xml_tree import CheckedXml
from infra.impl.document_parser.output import Output

_MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
_TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_STRICT: Final = b"http://purl.oclc.org/ooxml/spreadsheetml/main"
_STRINGS: Final = "xl/sharedStrings.xml"
_STYLES: Final = "xl/styles.xml"
_UNREAD_SHEET: Final = f'<worksheet xmlns="{_MAIN}"><dimension ref="A1"/></worksheet>'.encode()
_HIDDEN: Final = ("hidden", "veryHidden")
_FIRST_DAY_1904: Final = date(1904, 1, 1)
_MAX_EMPTY_LINES: Final = 1000
_MAX_MERGES: Final = 50_000
_WINDOW_BYTES: Final = 400
"""The longest mark that is looked for in a sheet."""
_MERGE: Final = re.compile(
    rb"<(?:\w+:)?mergeCell\s[^>]{0,200}?ref=[\"']\$?([A-Z]{1,3})\$?(\d{1,7}):\$?([A-Z]{1,3})\$?(\d{1,7})"
)
_NO_VALUE: Final = re.compile(
    rb"(?:</(?:\w+:)?f>|<(?:\w+:)?f(?:\s[^>]{0,200})?/>)\s{0,9}"
    rb"(?:<(?:\w+:)?v\s?/>|<(?:\w+:)?v></(?:\w+:)?v>)?\s{0,9}</(?:\w+:)?c>"
)


class _CellOfSheet(Protocol):
    """A cell as openpyxl gives it in its read-only mode."""

    @property
    def value(self) -> object: ...

    @property
    def data_type(self) -> str: ...

    @property
    def number_format(self) -> str: ...


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A worksheet of the list."""

    name: str
    part: str
    is_hidden: bool


@dataclass(frozen=True, slots=True)
class _Merge:
    first_line: int
    last_line: int
    first_column: int
    last_column: int


def read_xlsx(data: bytes, options: ParseOptions, output: Output) -> None:
    """Read values as last calculated; formulas themselves are not evaluated."""
    book = _Workbook(Package(data, output), output)
    write_sheets(book.sources(), options, output)


class _Workbook:
    """The parts of a package that say what its sheets are, and openpyxl over them."""

    def __init__(self, package: Package, output: Output) -> None:
        package.describe()
        self._package = package
        self._output = output
        main = package.main_part
        tree = package.tree(main)
        references = package.relationships(main)
        self._sheets = [
            _Sheet(sheet.get("name", ""), found.target, sheet.get("state") in _HIDDEN)
            for sheet in tree.iter("sheet")
            if (found := references.get(sheet.get("r:id", ""))) is not None
            and found.kind == "worksheet"
            and found.target in package
        ]
        properties = tree.find("workbookPr")
        switch = properties.get("date1904") if properties is not None else None
        self._is_1904 = switch in ("1", "true")
        parts = {found.kind: found.target for found in references.values() if not found.is_external}
        texts = parts.get("sharedStrings", "")
        self._archive = _Archive(
            package,
            output,
            sheets=[sheet.part for sheet in self._sheets],
            strings=texts if texts in package else "",
            styles=_formats(package.optional_tree(parts.get("styles", ""))),
            is_1904=self._is_1904,
        )
        self._book = _opened(self._archive)

    def sources(self) -> list[SheetSource]:
        return [
            SheetSource(sheet.name, sheet.is_hidden, partial(self._read, at))
            for at, sheet in enumerate(self._sheets)
        ]

    def _read(self, at: int, add: AddLine) -> None:
        """Call ``add`` for every line that has a cell, merged ranges filled."""
        sheet = self._sheets[at]
        merges = self._look_through(sheet)
        lines = _Lines(self._output, merges, add, is_1904=self._is_1904)
        try:
            for line, row in enumerate(self._rows(at)):
                if not lines.take(line, row):
                    self._output.metadata.warn(
                        "truncated", f"sheet {sheet.name}: too many empty lines"
                    )
                    break
        except DocumentNotParsed:
            raise
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, SyntaxError) as exc:
            # openpyxl raises whatever its helpers raise; ``ParseError`` is a ``SyntaxError``.
            raise DocumentNotParsed(
                ParseFailure.CORRUPT, f"The sheet {sheet.name} cannot be read."
            ) from exc
        lines.finish()

    def _rows(self, at: int) -> Iterator[Sequence[_CellOfSheet]]:
        sheet = self._book.wb.worksheets[at]
        sheet.reset_dimensions()  # a few bytes may claim 17 billion cells
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield from sheet.iter_rows()

    def _look_through(self, sheet: _Sheet) -> list[_Merge]:
        """Find merged ranges, which the read-only mode hides, and formulas without a value."""
        merges: list[_Merge] = []
        rest = b""
        with self._archive.stream(sheet.part) as stream:
            while chunk := stream.read(_CHUNK_BYTES):
                window = rest + chunk
                end = 0
                for found in _MERGE.finditer(window):
                    end = found.end()
                    _add(merges, found)
                for found in _NO_VALUE.finditer(window):
                    end = max(end, found.end())
                    self._output.metadata.warn("formula_without_value")
                rest = window[max(end, len(window) - _WINDOW_BYTES) :]
        return merges


_CHUNK_BYTES: Final = 256 * 1024


class _Reader(ExcelReader):
    """openpyxl's reader in its read-only mode, over an archive that is open and checked."""

    def __init__(self, archive: "_Archive") -> None:
        # It has all of a ZIP file that is asked for.
        self.archive = archive  # type: ignore[assignment]
        self.valid_files = archive.namelist()
        self.read_only = self.data_only = True
        self.keep_vba = self.keep_links = self.rich_text = False
        self.shared_strings: list[str] = []


def _opened(archive: "_Archive") -> _Reader:
    reader = _Reader(archive)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            reader.read()
        archive.is_opening = False
    except (ValueError, TypeError, KeyError, AttributeError, SyntaxError) as exc:
        raise DocumentNotParsed(ParseFailure.CORRUPT, "The workbook cannot be read.") from exc
    return reader


class _Archive:
    """What openpyxl asks of a ZIP file: names, small parts, and streams of large ones."""

    filename = "the workbook"
    is_opening = True
    """Sheets are looked into for their declared size, which nobody believes: there is none."""

    def __init__(
        self,
        package: Package,
        output: Output,
        *,
        sheets: list[str],
        strings: str,
        styles: bytes,
        is_1904: bool,
    ) -> None:
        self._package = package
        self._output = output
        self._parts = {f"xl/worksheets/sheet{at}.xml": part for at, part in enumerate(sheets)}
        names = list(self._parts)
        self._made = {
            "[Content_Types].xml": _content_types(has_strings=bool(strings)),
            "xl/workbook.xml": _workbook(len(sheets), is_1904=is_1904),
            "xl/_rels/workbook.xml.rels": _relationships(names),
            _STYLES: styles,
        }
        if strings:
            self._parts[_STRINGS] = strings

    def namelist(self) -> list[str]:
        return [*self._made, *self._parts]

    def read(self, name: str) -> bytes:
        """Return a part that was made here; raise ``KeyError`` for others, as ZIP files do."""
        return self._made[name]

    def open(self, name: str, mode: str = "r") -> "_Stream | BytesIO":
        if name in self._made:
            return BytesIO(self._made[name])
        if self.is_opening and name != _STRINGS:
            return BytesIO(_UNREAD_SHEET)
        return self.stream(self._parts[name])

    def stream(self, part: str) -> "_Stream":
        return _Stream(self._package.stream(part), on_chunk=self._show_life)

    def _show_life(self) -> None:
        # A long table of texts is no endless loop: its bytes are counted.
        self._output.show_life()


class _Stream:
    """Bytes of one XML part, refused as soon as they declare a document type."""

    def __init__(self, chunks: Iterator[bytes], *, on_chunk: Callable[[], None]) -> None:
        self._chunks = chunks
        self._on_chunk = on_chunk
        self._check = CheckedXml()
        self._left = b""
        self._is_first = True

    def __enter__(self) -> "_Stream":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Forget the rest."""
        self._chunks = iter(())
        self._left = b""

    def read(self, size: int = -1) -> bytes:
        """Return up to ``size`` bytes, at the end none; raise ``DocumentNotParsed``."""
        if size < 0:
            return b"".join([self._left, *self._checked()])
        if not self._left:
            self._left = next(self._checked(), b"")
        taken, self._left = self._left[:size], self._left[size:]
        return taken

    def _checked(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            if self._is_first:
                # The strict dialect says the same under other names, in its first lines.
                chunk = chunk.replace(_STRICT, _MAIN.encode())  # noqa: PLW2901
                self._is_first = False
            self._check.feed(chunk)
            self._on_chunk()
            yield chunk


class _Lines:
    """Lines on their way to the output: cells as text, merged ranges filled."""

    def __init__(
        self, output: Output, merges: list[_Merge], add: AddLine, *, is_1904: bool
    ) -> None:
        self._is_1904 = is_1904
        self._output = output
        self._most = output.limits.table_columns
        self._waiting = sorted(merges, key=lambda merge: -merge.first_line)
        self._active: list[tuple[_Merge, Cell]] = []
        self._add = add
        self._last = -1
        self._empty = 0

    def take(self, line: int, row: Sequence[_CellOfSheet]) -> bool:
        """Write a line; False once so many are empty that nothing more is to be expected."""
        self._last = line
        if len(row) > self._most:
            row = self._narrowed(row)
        cells = [None if cell is EMPTY_CELL else self._text(cell) for cell in row]
        # A merged range may reach over a million lines that hold nothing of their own.
        self._empty = 0 if any(cell is not None for cell in cells) else self._empty + 1
        self._fill(line, cells)
        if cells:
            self._add(line, cells)
        return self._empty <= _MAX_EMPTY_LINES

    def finish(self) -> None:
        """Write lines that only a merged range reaches."""
        last = max((merge.last_line for merge, _ in self._active), default=self._last)
        most = self._last + max(_MAX_EMPTY_LINES - self._empty, 0)
        for line in range(self._last + 1, min(last, most) + 1):
            cells: list[Cell] = []
            self._fill(line, cells)
            self._add(line, cells)

    def _narrowed(self, row: Sequence[_CellOfSheet]) -> Sequence[_CellOfSheet]:
        """Cut cells that have no value: some programs give whole lines a colour."""
        beyond = [cell for cell in row[self._most :] if cell is not EMPTY_CELL]
        if any(cell.value is not None for cell in beyond):
            raise DocumentNotParsed(
                ParseFailure.TOO_LARGE, f"A sheet has more than {self._most} columns."
            )
        return row[: self._most]

    def _fill(self, line: int, cells: list[Cell]) -> None:
        if not self._waiting and not self._active:
            return
        self._active = [held for held in self._active if held[0].last_line >= line]
        while self._waiting and self._waiting[-1].first_line <= line:
            merge = self._waiting.pop()
            if merge.first_line == line and merge.first_column < len(cells):
                self._active.append((merge, cells[merge.first_column]))
        for merge, value in self._active:
            last = min(merge.last_column + 1, self._most)
            cells += [None] * (last - len(cells))
            cells[merge.first_column : last] = [value] * (last - merge.first_column)

    def _text(self, cell: _CellOfSheet) -> Cell:
        value = cell.value
        if value is None:
            return None
        if cell.data_type == "e":
            self._output.metadata.warn("error_cell", str(value))
            return None
        if self._is_1904 and isinstance(value, time) and is_datetime(cell.number_format) != "time":
            # openpyxl takes the first day of this calendar for a time without a day.
            return render_moment(datetime.combine(_FIRST_DAY_1904, value))
        return (_unescape(value) if isinstance(value, str) else rendered(value)) or None


def _add(merges: list[_Merge], found: re.Match[bytes]) -> None:
    left, top, right, bottom = (part.decode("ascii") for part in found.groups())
    merge = _Merge(int(top) - 1, int(bottom) - 1, _column(left), _column(right))
    if merge.first_line <= merge.last_line and merge.first_column <= merge.last_column:
        merges.append(merge)
    if len(merges) > _MAX_MERGES:
        raise DocumentNotParsed(ParseFailure.TOO_LARGE, "A sheet has too many merged cells.")


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _unescape(text: str) -> str:
    """Resolve ``_x000D_`` and the like (ECMA-376 part 1, 22.9.2.19)."""
    if "_x" not in text:
        return text

    def char(match: re.Match[str]) -> str:
        point = int(match[1], 16)
        is_text = point >= ord(" ") or point in (9, 10, 13)
        return chr(point) if is_text and not 0xD800 <= point < 0xE000 else ""  # noqa: PLR2004 (surrogates)

    return re.sub(r"_x([0-9A-Fa-f]{4})_", char, text)


def _formats(tree: ET.Element | None) -> bytes:
    """Write a sheet of styles with nothing but the formats of numbers: dates are told by them."""
    made = ET.Element("styleSheet", xmlns=_MAIN)
    formats = ET.SubElement(made, "numFmts")
    ET.SubElement(ET.SubElement(made, "fonts"), "font")
    ET.SubElement(ET.SubElement(ET.SubElement(made, "fills"), "fill"), "patternFill")
    ET.SubElement(ET.SubElement(made, "borders"), "border")
    ET.SubElement(ET.SubElement(made, "cellStyleXfs"), "xf")
    styles = ET.SubElement(made, "cellXfs")
    for entry in tree.iterfind("numFmts/numFmt") if tree is not None else ():
        number = str(number_of(entry.get("numFmtId"), default=0))
        ET.SubElement(formats, "numFmt", numFmtId=number, formatCode=entry.get("formatCode", ""))
    for entry in tree.iterfind("cellXfs/xf") if tree is not None else ():
        ET.SubElement(styles, "xf", numFmtId=str(number_of(entry.get("numFmtId"), default=0)))
    if not len(styles):
        ET.SubElement(styles, "xf")
    return ET.tostring(made)


def _content_types(*, has_strings: bool) -> bytes:
    made = ET.Element("Types", xmlns=f"{_PACKAGE}/content-types")
    ET.SubElement(
        made, "Override", PartName="/xl/workbook.xml", ContentType=f"{_TYPE}.sheet.main+xml"
    )
    if has_strings:
        ET.SubElement(
            made, "Override", PartName=f"/{_STRINGS}", ContentType=f"{_TYPE}.sharedStrings+xml"
        )
    return ET.tostring(made)


def _workbook(count: int, *, is_1904: bool) -> bytes:
    made = ET.Element("workbook", {"xmlns": _MAIN, "xmlns:r": _OFFICE})
    ET.SubElement(made, "workbookPr", date1904=str(int(is_1904)))
    sheets = ET.SubElement(made, "sheets")
    for at in range(count):
        # Names of our own: theirs may be repeated or too long, and are kept beside.
        ET.SubElement(sheets, "sheet", {"name": f"s{at}", "sheetId": str(at + 1), "r:id": f"r{at}"})
    return ET.tostring(made)


def _relationships(parts: list[str]) -> bytes:
    made = ET.Element("Relationships", xmlns=f"{_PACKAGE}/relationships")
    for at, part in enumerate(parts):
        ET.SubElement(
            made, "Relationship", Id=f"r{at}", Type=f"{_OFFICE}/worksheet", Target=f"/{part}"
        )
    return ET.tostring(made)
