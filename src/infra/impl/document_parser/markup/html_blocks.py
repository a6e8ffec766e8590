"""The elements of a page to blocks."""

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote_to_bytes
from xml.etree import ElementTree as ET

from infra.contract.document.parser import (
    Code,
    DocumentNotParsed,
    Formula,
    Heading,
    ListItem,
    Paragraph,
    Row,
    Table,
)
from infra.impl.document_parser.markup.prose import collapse, collapse_lines
from infra.impl.document_parser.output import Output, picture_of
from infra.impl.document_parser.picture import read_image

_INLINE: Final = frozenset(
    {
        *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "data", "del", "dfn", "em"),
        *("font", "i", "ins", "kbd", "label", "mark", "q", "ruby", "rb", "rt", "rp", "s", "samp"),
        *("small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr"),
        *("code", "img", "br", "nobr", "output", "picture", "source"),
    }
)
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_LANGUAGE: Final = re.compile(r"(?:language|lang|highlight-source)-([\w+#.-]+)")
_LINE_BREAK: Final = "\u2028"
"""Stands for ``<br>`` until white space is collapsed."""
_MAX_SPAN: Final = 100
_MAX_CELLS: Final = 200_000


class BlockWriter:
    """Walks a tree and writes its blocks; text outside of any block becomes a paragraph."""

    def __init__(self, output: Output, *, images: bool, page: int | None = None) -> None:
        self._output = output
        self._images = images
        self._page = page
        self._text: list[str] = []
        self._style = ""
        self._markers: list[str] = []

    def write(self, element: ET.Element) -> None:
        """Write everything inside the element."""
        self._children(element)
        self._flush()

    def _children(self, element: ET.Element) -> None:
        self._text.append(element.text or "")
        for child in element:
            self._visit(child)
            self._text.append(child.tail or "")

    def _visit(self, element: ET.Element) -> None:
        tag = element.tag
        if tag in _INLINE:
            self._inline(element)
            return
        self._flush()
        if tag in _HEADINGS:
            text = self._take(element)
            self._output.add(Heading(text=collapse(text), level=_HEADINGS[tag], page=self._page))
        elif tag == "pre":
            self._code(element)
        elif tag == "table":
            self._table(element)
        elif tag in ("ul", "ol", "menu", "dir"):
            self._list(element)
        elif tag == "math":
            annotation = element.findtext(".//annotation") or "".join(element.itertext())
            self._output.add(Formula(text=collapse(annotation), page=self._page))
        elif tag in ("blockquote", "figcaption", "caption"):
            outer, self._style = self._style, "quote" if tag == "blockquote" else "caption"
            self._children(element)
            self._flush()
            self._style = outer
        elif tag not in ("head", "title", "hr"):
            self._children(element)
            self._flush()

    def _inline(self, element: ET.Element) -> None:
        match element.tag:
            case "br":
                self._text.append(_LINE_BREAK)
            case "img":
                self._image(element)
            case "rt" | "rp":
                return
            case "a":
                begin = len(self._text)
                self._children(element)
                self._link(element.get("href", ""), begin)
            case "code" | "kbd" | "samp" if not list(element) and element.text:
                self._text.append(f"`{element.text}`" if element.tag == "code" else element.text)
            case _:
                self._children(element)

    def _link(self, target: str, begin: int) -> None:
        """Keep the target of a link to elsewhere if its text does not show it."""
        text = "".join(self._text[begin:])
        label = collapse(text)
        if target.startswith(("http://", "https://", "mailto:")) and label not in ("", target):
            lead, tail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
            self._text[begin:] = [f"{lead}[{label}]({target}){tail}"]

    def _image(self, element: ET.Element) -> None:
        source, alt = element.get("src", ""), collapse(element.get("alt", ""))
        if source.startswith("data:"):
            if self._images:
                self._embedded(source, alt)
        elif alt or source.startswith(("http://", "https://")):
            self._text.append(f"![{alt}]({source})")
            self._output.metadata.warn("image_not_fetched", source)

    def _embedded(self, source: str, alt: str) -> None:
        try:
            image = read_image(data_url_bytes(source), limits=self._output.limits)
        except (DocumentNotParsed, ValueError):
            self._output.metadata.warn("image_unreadable", alt)
            return
        self._flush()
        self._output.add_image(image)
        self._output.add(picture_of(image, alt=alt))

    def _code(self, element: ET.Element) -> None:
        classes = " ".join(
            value for part in element.iter() if (value := part.get("class")) is not None
        )
        found = _LANGUAGE.search(classes)
        text = "".join(_verbatim(element)).strip("\n")
        self._output.add(Code(text=text, language=found[1] if found else "", page=self._page))

    def _list(self, element: ET.Element) -> None:
        number = _integer(element.get("start", ""), default=1, limit=10**9)
        for child in element:
            if child.tag != "li":
                self._visit(child)
                continue
            self._markers.append(f"{number}." if element.tag == "ol" else "-")
            self._children(child)
            self._flush()
            self._markers.pop()
            number += 1

    def _table(self, element: ET.Element) -> None:
        rows, header_rows = table_rows(element, limit=self._output.limits.table_columns)
        caption = collapse("".join("".join(c.itertext()) for c in element.iter("caption")))
        width = max(map(len, rows), default=0)
        if width == 0:
            return
        if width == 1 or element.get("role") == "presentation":
            # A table for layout: its cells are text like any other.
            self._children(element)
            self._flush()
            return
        filled = tuple(row + (None,) * (width - len(row)) for row in rows)
        self._output.add(
            Table(rows=filled, header_rows=header_rows, caption=caption, page=self._page)
        )

    def _take(self, element: ET.Element) -> str:
        self._children(element)
        text = "".join(self._text).replace(_LINE_BREAK, " ")
        self._text.clear()
        return text

    def _flush(self) -> None:
        text = collapse_lines(
            "\n".join(collapse(line) for line in "".join(self._text).split(_LINE_BREAK))
        )
        self._text.clear()
        if not text:
            return
        if self._markers and self._markers[-1]:
            self._output.add(
                ListItem(
                    text=text,
                    marker=self._markers[-1],
                    level=len(self._markers),
                    page=self._page,
                )
            )
            # What follows in the same item is a paragraph of it, not another item.
            self._markers[-1] = ""
        else:
            self._output.add(Paragraph(text=text, style=self._style, page=self._page))


def table_rows(element: ET.Element, *, limit: int) -> tuple[list[Row], int]:
    """Expand spans: a merged cell repeats its text; return the rows and how many are names."""
    grid: list[list[str | None]] = []
    carried: dict[int, tuple[int, str]] = {}
    header_rows, in_header, cells = 0, True, 0
    for line in _own_rows(element):
        row: list[str | None] = []
        names = True
        for cell in (c for c in line if c.tag in ("td", "th")):
            names = names and cell.tag == "th"
            _carry(row, carried)
            text = collapse("".join(_cell_text(cell)))
            rows_down = _integer(cell.get("rowspan", ""), default=1, limit=_MAX_SPAN)
            for _ in range(_integer(cell.get("colspan", ""), default=1, limit=_MAX_SPAN)):
                if rows_down > 1:
                    carried[len(row)] = (rows_down - 1, text)
                row.append(text or None)
        _carry(row, carried)
        cells += len(row)
        if not row or cells > _MAX_CELLS:
            continue
        in_header = in_header and names
        header_rows += in_header
        grid.append(row[:limit])
    return [tuple(row) for row in grid], min(header_rows, max(len(grid) - 1, 0))


def data_url_bytes(url: str) -> bytes:
    """Decode a ``data:`` URL; raise ``ValueError`` if it is broken."""
    header, comma, body = url.partition(",")
    if not comma:
        raise ValueError("A data URL needs a comma.")
    if not header.endswith(";base64"):
        return unquote_to_bytes(body)
    try:
        return base64.b64decode(unquote_to_bytes(body), validate=False)
    except binascii.Error as exc:
        raise ValueError("The data URL is not valid Base64.") from exc


def _carry(row: list[str | None], carried: dict[int, tuple[int, str]]) -> None:
    while (held := carried.get(len(row))) is not None:
        left, text = held
        if left > 1:
            carried[len(row)] = (left - 1, text)
        else:
            del carried[len(row)]
        row.append(text or None)


def _own_rows(element: ET.Element) -> Iterator[ET.Element]:
    for child in element:
        if child.tag == "tr":
            yield child
        elif child.tag in ("thead", "tbody", "tfoot"):
            yield from (row for row in child if row.tag == "tr")


def _cell_text(cell: ET.Element) -> Iterator[str]:
    yield cell.text or ""
    for child in cell:
        if child.tag not in _INLINE or child.tag == "br":
            yield " "
        yield from _cell_text(child)
        if child.tag not in _INLINE:
            yield " "
        yield child.tail or ""


def _verbatim(element: ET.Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if child.tag == "br":
            yield "\n"
        yield from _verbatim(child)
        # Highlighters make every line an element of its own.
        if child.tag in ("div", "p", "li"):
            yield "\n"
        yield child.tail or ""


def _integer(text: str, *, default: int, limit: int) -> int:
    return min(int(text), limit) if text.isascii() and text.isdigit() and int(text) else default
