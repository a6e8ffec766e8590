"""PowerPoint presentations: one page per slide, in the order of the show."""

from collections.abc import Iterator
from typing import Final
from xml.etree import ElementTree as ET

from msgspec.structs import replace

from infra.contract.document.parser import (
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
from infra.impl.document_parser.office.ooxml import Package, Relationship, number_of, present
from infra.impl.document_parser.output import Output, picture_of

_TITLES: Final = ("title", "ctrTitle")
_FURNITURE: Final = ("dt", "ftr", "sldNum", "hdr")
_MAX_DEPTH: Final = 40


def is_pptx(data: bytes) -> bool:
    """Whether the content is a package with a presentation."""
    return b"ppt/presentation" in directory_of(data).lower()


def read_pptx(data: bytes, options: ParseOptions, output: Output) -> None:
    """Write title, texts, tables, images and notes of every slide."""
    package = Package(data, output)
    package.describe()
    main = package.main_part
    references = package.relationships(main)
    shown = [
        relationship.target
        for entry in package.tree(main).iter("sldId")
        if (relationship := references.get(entry.get("r:id", ""))) is not None
    ]
    output.metadata.pages = len(shown)
    for number, part in enumerate(shown, start=1):
        if number not in options.skip_pages:
            if number > 1:
                output.add(PageBreak(page=number))
            _Slide(package, part, number, options, output).write()
        output.advance(number, len(shown))


class _Slide:
    def __init__(
        self, package: Package, part: str, number: int, options: ParseOptions, output: Output
    ) -> None:
        self._package = package
        self._part = part
        self._number = number
        self._options = options
        self._output = output
        self._is_scan = False
        self._references: dict[str, Relationship] = package.relationships(part)

    def write(self) -> None:
        tree = self._package.tree(self._part).find(".//spTree")
        shapes = list(_shapes(tree)) if tree is not None else []
        # A picture on an empty slide is the slide, as scanners and exporters make them.
        self._is_scan = not any(text for shape in shapes for _, text in self._paragraphs(shape))
        # The title comes first, wherever it was added.
        for shape in sorted(shapes, key=lambda shape: _placeholder(shape) not in _TITLES):
            self._shape(shape)
        notes = self._package.related_tree(self._part, "notesSlide")
        if notes is not None:
            for shape in notes.iter("sp"):
                if _placeholder(shape) == "body":
                    text = "\n".join(text for _, text in self._paragraphs(shape))
                    self._output.add(Paragraph(text=text, style="note", page=self._number))

    def _shape(self, shape: ET.Element) -> None:
        if shape.tag == "pic":
            self._picture(shape)
        elif shape.tag == "graphicFrame":
            for table in shape.iter("tbl"):
                self._table(table)
        elif (kind := _placeholder(shape)) in _TITLES:
            text = collapse(" ".join(text for _, text in self._paragraphs(shape)))
            self._output.add(Heading(text=text, level=1, page=self._number))
        elif kind not in _FURNITURE:
            # Content placeholders are lists even when nothing in the slide says so.
            is_list = kind not in (None, "subTitle")
            for level, text in self._paragraphs(shape):
                if is_list or level > 1:
                    self._output.add(ListItem(text=text, level=level, page=self._number))
                else:
                    self._output.add(Paragraph(text=text, page=self._number))

    def _paragraphs(self, shape: ET.Element) -> Iterator[tuple[int, str]]:
        for paragraph in shape.iter("p"):
            properties = paragraph.find("pPr")
            level = number_of(properties.get("lvl"), default=0) if properties is not None else 0
            if text := collapse_lines(self._text(paragraph)):
                yield level + 1, text

    def _text(self, paragraph: ET.Element) -> str:
        text = ""
        for run in paragraph:
            if run.tag == "br":
                text += "\n"
            elif run.tag in ("r", "fld"):
                words = run.findtext("t") or ""
                link = run.find("rPr/hlinkClick")
                target = self._references.get(link.get("r:id", "")) if link is not None else None
                if target and target.is_external and words.strip() not in ("", target.target):
                    words = f"[{words.strip()}]({target.target})"
                text += words
        return text

    def _table(self, table: ET.Element) -> None:
        rows: list[Row] = []
        for line in table.findall("tr"):
            row: list[str | None] = []
            for at, cell in enumerate(line.findall("tc")):
                if cell.get("hMerge") in ("1", "true") and row:
                    row.append(row[-1])
                elif cell.get("vMerge") in ("1", "true") and rows and at < len(rows[-1]):
                    row.append(rows[-1][at])
                else:
                    row.append(collapse(" ".join(t for _, t in self._paragraphs(cell))) or None)
            rows.append(tuple(row[: self._output.limits.table_columns]))
        width = max(map(len, rows), default=0)
        filled = tuple(row + (None,) * (width - len(row)) for row in rows)
        if not self._options.extracts_tables:
            for cells in filled:
                text = " ".join(cell for cell in cells if cell)
                self._output.add(Paragraph(text=text, page=self._number))
            return
        properties = table.find("tblPr")
        has_names = properties is not None and properties.get("firstRow") == "1" and len(rows) > 1
        self._output.add(Table(rows=filled, header_rows=int(has_names), page=self._number))

    def _picture(self, shape: ET.Element) -> None:
        blip = shape.find(".//blip")
        if blip is None:
            return
        if self._is_scan and not self._options.reads_scans:
            self._output.metadata.warn("no_text_layer", f"page {self._number}")
        if not (self._options.extracts_images or (self._is_scan and self._options.keeps_scans)):
            return
        image = self._package.image(self._references.get(blip.get("r:embed", "")))
        if image is not None:
            properties = shape.find(".//cNvPr")
            alt = properties.get("descr", "") if properties is not None else ""
            self._output.add_image(replace(image, is_scan=self._is_scan))
            picture = picture_of(image, alt=alt)
            self._output.add(
                replace(picture, page=self._number, is_scan=True) if self._is_scan else picture
            )


def _shapes(tree: ET.Element, depth: int = 0) -> Iterator[ET.Element]:
    for child in present(tree):
        if child.tag in ("sp", "pic", "graphicFrame"):
            yield child
        elif child.tag == "grpSp" and depth < _MAX_DEPTH:
            yield from _shapes(child, depth + 1)


def _placeholder(shape: ET.Element) -> str | None:
    """Role of a shape in its layout; null for a shape without one."""
    found = shape.find("*/nvPr/ph")
    return found.get("type", "obj") if found is not None else None


FORMATS.register("pptx")(
    Format(
        read=read_pptx,
        extensions=frozenset({"pptx", "pptm"}),
        media_types=frozenset(
            {"application/vnd.openxmlformats-officedocument.presentationml.presentation"}
        ),
        purposes=frozenset({Purpose.TEXT}),
        matches=is_pptx,
    )
)
