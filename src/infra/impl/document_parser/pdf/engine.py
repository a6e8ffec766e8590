"""PDFium behind types of our own: documents, pages, characters and images.

PDFium reads the characters because it takes a tenth of the time of parsers in Python, mends
damaged files, and keeps nothing of a page that was closed.
"""

import ctypes
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image

from infra.contract.document.parser import DocumentNotParsed, ParseFailure

_LOCKED: Final = (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY)
_BOLD_WEIGHT: Final = 600
_BOLD_NAME: Final = re.compile(rb"bold|black|heavy", re.IGNORECASE)
_FONT_NAME_BYTES: Final = 128
_LINE_HEIGHT: Final = 0.85
"""Size of a font relative to its box from ascent to descent, as a typical share."""
_UPRIGHT: Final = 0.1
"""Radians up to which a character counts as not turned."""
_FULL_TURN: Final = 6.283185307179586
_QUARTER_TURN: Final = _FULL_TURN / 4
_MAX_OBJECTS: Final = 20_000
_MAX_FORM_DEPTH: Final = 8
_MAX_TOC_LEVELS: Final = 4
_MAX_TOC_ENTRIES: Final = 5000
_REPLACEMENT: Final = 0xFFFE  # what PDFium gives for glyphs it cannot name
_LINE_END_HYPHEN: Final = 2  # what PDFium makes of a hyphen that breaks a word
_SURROGATES: Final = range(0xD800, 0xE000)


class Box(NamedTuple):
    """A rectangle in points, from the upper left corner of the page as it is shown."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def area(self) -> float:
        return max(0.0, self.width) * max(0.0, self.height)

    def overlap(self, other: "Box") -> float:
        """Area that both cover."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0.0, width) * max(0.0, height)

    def holds(self, x: float, y: float) -> bool:
        return self.left <= x <= self.right and self.top <= y <= self.bottom


class Char(NamedTuple):
    """One character as it is shown."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    size: float
    is_bold: bool


@dataclass(slots=True)
class PageText:
    """The characters of a page in the order of its content."""

    width: float
    height: float
    chars: list[Char] = field(default_factory=list)
    turned: str = ""
    """Text that runs in another direction, for instance along the margin."""


class Page:
    """One open page."""

    def __init__(self, page: pypdfium2.PdfPage) -> None:
        self._page = page
        self.width, self.height = (float(side) for side in page.get_size())
        self._is_bold: bool | None = None
        self._turns = int(page.get_rotation()) // 90 % 4
        left, bottom, right, top = page.get_cropbox()
        media = page.get_mediabox()
        self._area = (
            max(left, media[0]),
            max(bottom, media[1]),
            min(right, media[2]),
            min(top, media[3]),
        )

    def text(self, *, max_chars: int) -> PageText:
        """Read all characters. Raises ``DocumentNotParsed`` if there are too many."""
        found = PageText(self.width, self.height)
        textpage = self._page.get_textpage()
        try:
            count = pdfium.FPDFText_CountChars(textpage)
            if count > max_chars:
                raise DocumentNotParsed(ParseFailure.TOO_LARGE, "A page has too many characters.")
            turned: list[str] = []
            rect = pdfium.FS_RECTF()
            for index in range(count):
                self._read_char(textpage, index, rect, found, turned)
            found.turned = "".join(turned)
        finally:
            textpage.close()
        return found

    def _read_char(
        self,
        textpage: pypdfium2.PdfTextPage,
        index: int,
        rect: ctypes.Structure,
        found: PageText,
        turned: list[str],
    ) -> None:
        if pdfium.FPDFText_IsGenerated(textpage, index) == 1:
            if turned and not turned[-1].isspace():
                turned.append(" ")
            self._is_bold = None
            return
        point = pdfium.FPDFText_GetUnicode(textpage, index)
        if point in (0, _REPLACEMENT) or point in _SURROGATES:
            return
        if point == _LINE_END_HYPHEN:
            point = ord("-")
        angle = pdfium.FPDFText_GetCharAngle(textpage, index) + self._turns * _QUARTER_TURN
        if _UPRIGHT < angle % _FULL_TURN < _FULL_TURN - _UPRIGHT:
            turned.append(chr(point))
            return
        pdfium.FPDFText_GetLooseCharBox(textpage, index, rect)
        box = self._shown(rect.left, rect.bottom, rect.right, rect.top)
        if box.height <= 0:
            return
        # Fonts hardly ever change inside a word, and asking for them costs more than the rest.
        if self._is_bold is None:
            self._is_bold = _is_bold(textpage, index)
        text, size = chr(point), box.height * _LINE_HEIGHT
        found.chars.append(Char(text, *box, size, self._is_bold))
        if text.isspace():
            self._is_bold = None

    def images(self) -> Iterator[tuple[Box, "EmbeddedImage"]]:
        """Yield images with their place."""
        kinds = [pdfium.FPDF_PAGEOBJ_IMAGE]
        for number, entry in enumerate(
            self._page.get_objects(filter=kinds, max_depth=_MAX_FORM_DEPTH)
        ):
            if number >= _MAX_OBJECTS:
                return
            try:
                box = self._shown(*entry.get_bounds())
                width, height = entry.get_px_size()
            except pypdfium2.PdfiumError:
                continue
            yield box, EmbeddedImage(entry, int(width), int(height))

    def count_paths(self, *, at_most: int) -> int:
        """Count lines and areas, which tables are drawn with."""
        kinds = [pdfium.FPDF_PAGEOBJ_PATH]
        count = 0
        for _ in self._page.get_objects(filter=kinds, max_depth=_MAX_FORM_DEPTH):
            count += 1
            if count >= at_most:
                break
        return count

    def render(self, *, longest_side: int) -> Image.Image:
        """Draw the page so that its longest side has so many pixels."""
        scale = longest_side / max(self.width, self.height, 1.0)
        bitmap = self._page.render(scale=scale)
        try:
            image: Image.Image = bitmap.to_pil().convert("RGB")
            return image
        finally:
            bitmap.close()

    def _shown(self, left: float, bottom: float, right: float, top: float) -> Box:
        """Turn coordinates of the file (origin below) into what is shown."""
        west, south, east, north = self._area
        match self._turns:
            case 0:
                return Box(left - west, north - top, right - west, north - bottom)
            case 1:
                return Box(bottom - south, left - west, top - south, right - west)
            case 2:
                return Box(east - right, bottom - south, east - left, top - south)
            case _:
                return Box(north - top, east - right, north - bottom, east - left)


def _is_bold(textpage: pypdfium2.PdfTextPage, index: int) -> bool:
    """Ask for the weight of a character's font; fonts that are not embedded tell by name only."""
    if pdfium.FPDFText_GetFontWeight(textpage, index) >= _BOLD_WEIGHT:
        return True
    name = ctypes.create_string_buffer(_FONT_NAME_BYTES)
    flags = ctypes.c_int()
    pdfium.FPDFText_GetFontInfo(textpage, index, name, _FONT_NAME_BYTES, flags)
    return _BOLD_NAME.search(name.value) is not None


@dataclass(frozen=True, slots=True)
class EmbeddedImage:
    """An image object; its pixels are decoded when asked for."""

    _entry: pypdfium2.PdfImage
    width: int
    height: int

    def pixels(self) -> Image.Image:
        """Decode without masks; raise ``ValueError`` if that fails."""
        try:
            # The copy owns its pixels; those of the bitmap go with the page.
            image: Image.Image = self._entry.get_bitmap().to_pil().copy()
        except pypdfium2.PdfiumError as exc:
            raise ValueError("The image cannot be decoded.") from exc
        return image


class Document:
    """An open PDF file."""

    def __init__(self, data: bytes) -> None:
        """Open with the empty password. Raises ``DocumentNotParsed``."""
        try:
            self._document = pypdfium2.PdfDocument(data)
            self.page_count = len(self._document)
        except pypdfium2.PdfiumError as exc:
            if exc.err_code in _LOCKED:
                raise DocumentNotParsed(
                    ParseFailure.ENCRYPTED, "The file is protected by a password."
                ) from exc
            raise DocumentNotParsed(ParseFailure.CORRUPT, "The file is no readable PDF.") from exc

    def close(self) -> None:
        self._document.close()

    def property(self, name: str) -> str:
        """Read one entry of the information dictionary."""
        return str(self._document.get_metadata_value(name) or "")

    def page_size(self, number: int) -> tuple[float, float]:
        """Return the sides of page ``number``, from 1, without opening it."""
        try:
            width, height = self._document.get_page_size(number - 1)
        except pypdfium2.PdfiumError as exc:
            raise ValueError("The page cannot be measured.") from exc
        return float(width), float(height)

    @contextmanager
    def page(self, number: int) -> Iterator[Page]:
        """Open page ``number``, from 1; raise ``ValueError`` if it is damaged."""
        try:
            page = self._document[number - 1]
        except pypdfium2.PdfiumError as exc:
            raise ValueError("The page cannot be read.") from exc
        try:
            yield Page(page)
        finally:
            page.close()

    def outline(self) -> dict[int, dict[str, int]]:
        """Titles of the table of contents with their level from 1, by page."""
        titles: dict[int, dict[str, int]] = {}
        try:
            for number, entry in enumerate(self._document.get_toc(max_depth=_MAX_TOC_LEVELS)):
                if number >= _MAX_TOC_ENTRIES:
                    break
                target = entry.get_dest()
                page = target.get_index() if target is not None else None
                if page is not None:
                    key = "".join(entry.get_title().split()).casefold()
                    titles.setdefault(page + 1, {})[key] = entry.level + 1
        except pypdfium2.PdfiumError:
            return titles
        return titles
