"""XLSX workbooks read straight from their XML, line by line: no dimension is believed."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from infra.contract.document_parser import Cell, DocumentNotParsed, ParseFailure
from infra.impl.document_parser import xml_tree
from infra.impl.document_parser.cell_value import render_bool, render_number, render_serial
from infra.impl.document_parser.cell_value import temporal_kind as kind_of
from infra.impl.document_parser.ooxml import Package, number_of
from infra.impl.document_parser.output import Output

_MERGE: Final = re.compile(
    rb"<(?:\w+:)?mergeCell\s[^>]{0,200}?ref=[\"']\$?([A-Z]{1,3})\$?(\d{1,7}):\$?([A-Z]{1,3})\$?(\d{1,7})"
)
_REFERENCE: Final = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_MAX_EMPTY_LINES: Final = 1000
_MAX_MERGES: Final = 50_000
_MAX_STRINGS: Final = 4_000_000
_HIDDEN: Final = ("hidden", "veryHidden")

LineHandler = Callable[[int, list[Cell]], None]
"""Takes the number of a line, from 0, and its cells."""


@dataclass(frozen=True, slots=True)
class Sheet:
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


class Workbook:
    """Opens the parts that all sheets share."""

    def __init__(self, data: bytes, output: Output) -> None:
        self._package = Package(data, output)
        self._package.describe()
        self._output = output
        main = self._package.main_part
        tree = self._package.tree(main)
        references = self._package.relationships(main)
        self.sheets: list[Sheet] = []
        for sheet in tree.iter("sheet"):
            relationship = references.get(sheet.get("r:id", ""))
            if relationship is not None and relationship.kind == "worksheet":
                hidden = sheet.get("state") in _HIDDEN
                self.sheets.append(Sheet(sheet.get("name", ""), relationship.target, hidden))
        properties = tree.find("workbookPr")
        switch = properties.get("date1904") if properties is not None else None
        self.is_1904 = switch in ("1", "true")
        parts = {r.kind: r.target for r in references.values() if not r.is_external}
        self.strings = self._read_strings(parts.get("sharedStrings", ""))
        self.kinds = self._read_kinds(parts.get("styles", ""))

    def read(self, sheet: Sheet, on_line: LineHandler) -> None:
        """Call ``on_line`` for every line that has a cell, merged ranges filled."""
        data = self._package.read(sheet.part)
        reader = _SheetReader(self, self._output, _merges(data), on_line)
        try:
            xml_tree.scan(data, start=reader.start, end=reader.end, text=reader.text)
        except _EnoughRead:
            self._output.metadata.warn("truncated", f"sheet {sheet.name}: too many empty lines")
        reader.finish()

    def _read_strings(self, part: str) -> list[str]:
        tree = self._package.optional_tree(part) if part else None
        if tree is None:
            return []
        strings: list[str] = []
        for item in tree.findall("si"):
            # Phonetic guides repeat the text in another script.
            texts = [item.findtext("t") or "", *(run.findtext("t") or "" for run in item.iter("r"))]
            strings.append(_unescape("".join(texts)))
            if len(strings) > _MAX_STRINGS:
                raise DocumentNotParsed(ParseFailure.TOO_LARGE, "The workbook has too many texts.")
        return strings

    def _read_kinds(self, part: str) -> list[str]:
        tree = self._package.optional_tree(part) if part else None
        if tree is None:
            return []
        codes = {
            number_of(entry.get("numFmtId"), default=0): entry.get("formatCode", "")
            for entry in tree.iterfind("numFmts/numFmt")
        }
        formats = [
            number_of(entry.get("numFmtId"), default=0) for entry in tree.iterfind("cellXfs/xf")
        ]
        return [kind_of(number, codes.get(number)) for number in formats]


class _EnoughRead(Exception):
    """Nothing more is to be expected from the sheet."""


class _SheetReader:
    """Handlers of the XML of one sheet."""

    def __init__(
        self, book: Workbook, output: Output, merges: list[_Merge], on_line: LineHandler
    ) -> None:
        self._book = book
        self._output = output
        self._waiting = sorted(merges, key=lambda merge: -merge.first_line)
        self._active: list[tuple[_Merge, Cell]] = []
        self._on_line = on_line
        self._line = -1
        self._cells: list[Cell] = []
        self._column = -1
        self._type = "n"
        self._style = 0
        self._has_formula = False
        self._value: list[str] | None = None
        self._texts: list[str] = []
        self._phonetic = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        match name.rpartition("}")[2]:
            case "row":
                number = number_of(attributes.get("r"), default=self._line + 2) - 1
                self._begin_line(max(number, self._line + 1))
            case "c":
                self._begin_cell(attributes)
            case "v" | "t" if not self._phonetic:
                self._value = []
            case "f":
                self._has_formula = True
            case "rPh":
                self._phonetic = True
            case _:
                pass  # Widths, views and formats say nothing about values.

    def text(self, value: str) -> None:
        if self._value is not None:
            self._value.append(value)

    def end(self, name: str) -> None:
        match name.rpartition("}")[2]:
            case "v" | "t" if self._value is not None:
                self._texts.append("".join(self._value))
                self._value = None
            case "rPh":
                self._phonetic = False
            case "c":
                self._end_cell()
            case "row":
                self._end_line()
            case _:
                pass

    def finish(self) -> None:
        """Write lines that only a merged range reaches."""
        last = max((merge.last_line for merge, _ in self._active), default=self._line)
        for line in range(self._line + 1, min(last, self._line + _MAX_EMPTY_LINES) + 1):
            self._line, self._cells = line, []
            self._end_line()

    def _begin_line(self, line: int) -> None:
        if line - self._line > _MAX_EMPTY_LINES + 1:
            raise _EnoughRead
        for between in range(self._line + 1, line):
            if self._active:
                self._line, self._cells = between, []
                self._end_line()
        self._line, self._cells, self._column = line, [], -1

    def _begin_cell(self, attributes: dict[str, str]) -> None:
        found = _REFERENCE.fullmatch(attributes.get("r", ""))
        self._column = _column(found[1]) if found else self._column + 1
        self._type = attributes.get("t", "n")
        self._style = number_of(attributes.get("s"), default=0)
        self._has_formula = False
        self._texts = []

    def _end_cell(self) -> None:
        value = self._convert("".join(self._texts))
        if value is None:
            return
        if self._column >= self._output.limits.table_columns:
            raise DocumentNotParsed(
                ParseFailure.TOO_LARGE,
                f"A sheet has more than {self._output.limits.table_columns} columns.",
            )
        self._cells += [None] * (self._column + 1 - len(self._cells))
        self._cells[self._column] = value

    def _convert(self, text: str) -> Cell:
        if not text:
            if self._has_formula:
                self._output.metadata.warn("formula_without_value")
            return None
        match self._type:
            case "s":
                index = number_of(text, default=-1)
                known = self._book.strings
                value = known[index] if 0 <= index < len(known) else ""
            case "str" | "inlineStr" | "d":
                value = _unescape(text)
            case "b":
                value = render_bool(text.strip() in ("1", "true"))
            case "e":
                self._output.metadata.warn("error_cell", text)
                value = ""
            case _:
                value = self._number(text)
        return value or None

    def _number(self, text: str) -> str:
        try:
            number = float(text)
        except ValueError:
            return text
        kinds = self._book.kinds
        kind = kinds[self._style] if 0 <= self._style < len(kinds) else ""
        if kind:
            return render_serial(number, kind=kind, is_1904=self._book.is_1904)
        return render_number(number)

    def _end_line(self) -> None:
        self._active = [held for held in self._active if held[0].last_line >= self._line]
        while self._waiting and self._waiting[-1].first_line <= self._line:
            merge = self._waiting.pop()
            if merge.first_line == self._line and merge.first_column < len(self._cells):
                self._active.append((merge, self._cells[merge.first_column]))
        for merge, value in self._active:
            last = min(merge.last_column + 1, self._output.limits.table_columns)
            self._cells += [None] * (last - len(self._cells))
            self._cells[merge.first_column : last] = [value] * (last - merge.first_column)
        if self._cells:
            self._on_line(self._line, self._cells)


def _merges(data: bytes) -> list[_Merge]:
    merges: list[_Merge] = []
    for found in _MERGE.finditer(data):
        left, top, right, bottom = (part.decode("ascii") for part in found.groups())
        merge = _Merge(int(top) - 1, int(bottom) - 1, _column(left), _column(right))
        if merge.first_line <= merge.last_line and merge.first_column <= merge.last_column:
            merges.append(merge)
        if len(merges) > _MAX_MERGES:
            raise DocumentNotParsed(ParseFailure.TOO_LARGE, "A sheet has too many merged cells.")
    return merges


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
