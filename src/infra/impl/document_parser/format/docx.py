"""Word documents, walked in the order of their body."""

from collections.abc import Iterator
from typing import Final
from xml.etree import ElementTree as ET

from msgspec.structs import replace

from infra.contract.document.parser import (
    Formula,
    Heading,
    ListItem,
    PageBreak,
    Paragraph,
    ParseOptions,
    Purpose,
    Row,
    Table,
)
from infra.impl.document_parser.archive import directory_of
from infra.impl.document_parser.format import FORMATS, Format
from infra.impl.document_parser.markup.prose import collapse, collapse_lines
from infra.impl.document_parser.office.ooxml import Package, is_on, number_of, present, value_of
from infra.impl.document_parser.office.word_style import Numbering, Styles
from infra.impl.document_parser.office.word_text import ParagraphContent, ParagraphReader, Scans
from infra.impl.document_parser.output import Output, picture_of

_ADVANCE_PARTS: Final = 200
_MAX_DEPTH: Final = 40
_WRAPPERS: Final = frozenset({"sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"})


def is_docx(data: bytes) -> bool:
    """Whether the content is a package with a Word document."""
    return b"word/document" in directory_of(data).lower()


def read_docx(data: bytes, options: ParseOptions, output: Output) -> None:
    """Write headings, paragraphs, lists, tables, notes and images where they stand."""
    package = Package(data, output)
    package.describe()
    main = package.main_part
    body = package.tree(main).find("body")
    if body is None:
        return
    writer = _Writer(package, main, body, options, output)
    parts = list(present(body))
    for done, part in enumerate(parts, start=1):
        writer.write(part)
        if done % _ADVANCE_PARTS == 0:
            output.advance(done, len(parts))
    output.advance(len(parts), len(parts))


class _Writer:
    def __init__(
        self,
        package: Package,
        main: str,
        body: ET.Element,
        options: ParseOptions,
        output: Output,
    ) -> None:
        self._output = output
        self._tables = options.extracts_tables
        self._styles = Styles(package.related_tree(main, "styles"))
        self._numbering = Numbering(package.related_tree(main, "numbering"))
        self._notes = {
            (kind, note.get("id", "")): note
            for kind in ("footnote", "endnote")
            for note in _notes(package.related_tree(main, f"{kind}s"), kind)
        }
        self._reader = ParagraphReader(
            package,
            package.relationships(main),
            scans=Scans(body),
            options=options,
            warn=output.metadata.warn,
        )

    def write(self, element: ET.Element, depth: int = 0) -> None:
        if depth > _MAX_DEPTH:
            return
        if element.tag == "p":
            self._paragraph(element, depth)
        elif element.tag == "tbl":
            self._table(element, depth)
        elif element.tag in _WRAPPERS:
            for child in present(element):
                self.write(child, depth + 1)

    def _paragraph(self, element: ET.Element, depth: int) -> None:
        properties = element.find("pPr")
        if properties is not None and is_on(properties.find("rPr/del")):
            return
        content = self._reader.read(element)
        if content.breaks_page:
            self._output.add(PageBreak())
        self._text(properties, content)
        self._write_floating(content, depth)

    def _text(self, properties: ET.Element | None, content: ParagraphContent) -> None:
        text = collapse_lines(content.text)
        if not text:
            return
        level = self._styles.heading_level(properties)
        numbering = self._styles.numbering(properties)
        marker = self._numbering.marker(*numbering) if numbering else ""
        if level is not None:
            prefix = f"{marker} " if marker not in ("", "-") else ""
            self._output.add(Heading(text=prefix + collapse(text), level=level))
        elif content.is_formula:
            self._output.add(Formula(text=text.strip("$")))
        elif numbering and marker:
            self._output.add(ListItem(text=text, marker=marker, level=numbering[1] + 1))
        else:
            style = "quote" if self._styles.is_quote(properties) else ""
            self._output.add(Paragraph(text=text, style=style))

    def _write_floating(self, content: ParagraphContent, depth: int) -> None:
        """Write what belongs to a paragraph but does not stand in its text."""
        for image, alt in content.pictures:
            self._output.add_image(image)
            picture = picture_of(image, alt=alt)
            self._output.add(replace(picture, is_scan=True) if image.is_scan else picture)
        for box in content.boxes:
            for child in present(box):
                self.write(child, depth + 1)
        for kind, number in content.notes:
            note = self._notes.get((kind, number))
            if note is not None:
                text = collapse(" ".join(self._reader.read(p).text for p in note.iter("p")))
                self._output.add(Paragraph(text=f"[{number}] {text}", style="footnote"))

    def _table(self, element: ET.Element, depth: int) -> None:
        rows: list[Row] = []
        contents: list[ParagraphContent] = []
        above: dict[int, str | None] = {}
        lines = list(_own_rows(element))
        limit = self._output.limits.table_columns
        for line in lines:
            row: list[str | None] = [None] * min(
                number_of(value_of(line, "trPr/gridBefore"), default=0), limit
            )
            for cell in _cells(line):
                merge = cell.find("tcPr/vMerge")
                if merge is not None and merge.get("val", "continue") == "continue":
                    text = above.get(len(row))
                else:
                    text = self._cell(cell, contents)
                span = number_of(value_of(cell, "tcPr/gridSpan"), default=1)
                row += [text] * min(max(span, 1), limit - len(row))
            above = dict(enumerate(row))
            rows.append(tuple(row))
        width = max(map(len, rows), default=0)
        if len(rows) == 1 and width == 1:
            # A frame around text, not data.
            for cell in _cells(lines[0]):
                for child in present(cell):
                    self.write(child, depth + 1)
            return
        self._write_rows(element, lines, [row + (None,) * (width - len(row)) for row in rows])
        for content in contents:
            self._write_floating(content, depth + 1)

    def _write_rows(self, element: ET.Element, lines: list[ET.Element], rows: list[Row]) -> None:
        if not self._tables:
            for row in rows:
                self._output.add(Paragraph(text=" ".join(cell for cell in row if cell)))
            return
        names = 0
        while names < len(lines) - 1 and is_on(lines[names].find("trPr/tblHeader")):
            names += 1
        look = element.find("tblPr/tblLook")
        if names == 0 and len(rows) > 1 and look is not None:
            names = int(look.get("firstRow") == "1")
        self._output.add(Table(rows=tuple(rows), header_rows=names))

    def _cell(self, cell: ET.Element, contents: list[ParagraphContent]) -> str | None:
        texts: list[str] = []
        for paragraph in cell.iter("p"):
            content = self._reader.read(paragraph)
            texts.append(content.text)
            contents.append(content)
        return collapse(" ".join(texts)) or None


def _own_rows(element: ET.Element, depth: int = 0) -> Iterator[ET.Element]:
    for child in present(element):
        if child.tag == "tr":
            yield child
        elif child.tag in _WRAPPERS and depth < _MAX_DEPTH:
            yield from _own_rows(child, depth + 1)


def _cells(line: ET.Element, depth: int = 0) -> Iterator[ET.Element]:
    for child in present(line):
        if child.tag == "tc":
            yield child
        elif child.tag in _WRAPPERS and depth < _MAX_DEPTH:
            yield from _cells(child, depth + 1)


def _notes(tree: ET.Element | None, kind: str) -> list[ET.Element]:
    return tree.findall(kind) if tree is not None else []


FORMATS.register("docx")(
    Format(
        read=read_docx,
        extensions=frozenset({"docx", "docm"}),
        media_types=frozenset(
            {"application/vnd.openxmlformats-officedocument.wordprocessingml.document"}
        ),
        purposes=frozenset({Purpose.TEXT}),
        matches=is_docx,
    )
)
