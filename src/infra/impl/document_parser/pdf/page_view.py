"""Single pages of a PDF as they are shown: drawn, or as words with their places."""

from collections.abc import Iterator
from typing import Final

from infra.contract.document.parser import (
    DocumentNotParsed,
    PageSize,
    PageWanted,
    Paragraph,
    ParseFailure,
)
from infra.impl.document_parser.output import Output, picture_of
from infra.impl.document_parser.pdf.engine import Box, Char, Document, Page
from infra.impl.document_parser.picture import encode_png

_GAP: Final = 0.13
"""Of the height of a character; what stands further apart are two words."""


def show_page(data: bytes, wanted: PageWanted, output: Output) -> None:
    """Measure all pages (number 0), draw one, or list its words (width 0).

    Raises:
        DocumentNotParsed: there is no such page, or it is damaged.
    """
    document = Document(data)
    try:
        count = min(document.page_count, output.limits.pages)
        output.metadata.pages = count
        if wanted.number == 0:
            output.metadata.page_sizes = tuple(_size(document, n) for n in range(1, count + 1))
            return
        if wanted.number > count:
            raise DocumentNotParsed(ParseFailure.EMPTY, f"The file has {count} pages.")
        with document.page(wanted.number) as page:
            if wanted.width:
                _draw(page, wanted, output)
            else:
                _list_words(page, wanted.number, output)
    except ValueError as exc:
        raise DocumentNotParsed(ParseFailure.CORRUPT, "The page cannot be read.") from exc
    finally:
        document.close()


def _size(document: Document, number: int) -> PageSize:
    try:
        width, height = document.page_size(number)
    except ValueError:
        width, height = 0.0, 0.0
    return PageSize(width=width, height=height)


def _draw(page: Page, wanted: PageWanted, output: Output) -> None:
    width, height = max(page.width, 1.0), max(page.height, 1.0)
    side = min(round(wanted.width * max(1.0, height / width)), output.limits.image_side)
    image = encode_png(page.render(longest_side=side), limits=output.limits)
    output.add_image(image)
    output.add(picture_of(image))


def _list_words(page: Page, number: int, output: Output) -> None:
    text = page.text(max_chars=output.limits.page_glyphs)
    for word, box in _words(text.chars):
        output.add(Paragraph(text=word, page=number, bbox=box))


def _words(chars: list[Char]) -> Iterator[tuple[str, Box]]:
    word, box = "", Box(0.0, 0.0, 0.0, 0.0)
    for char in chars:
        here = Box(char.left, char.top, char.right, char.bottom)
        if word and (char.text.isspace() or not _goes_on(box, here)):
            yield word, box
            word = ""
        if char.text.isspace():
            continue
        box = here if not word else _around(box, here)
        word += char.text
    if word:
        yield word, box


def _goes_on(box: Box, here: Box) -> bool:
    """Whether a character stands on the line of a word, right behind it."""
    is_beside = -_GAP * here.height <= here.left - box.right <= _GAP * here.height
    return is_beside and box.top <= (here.top + here.bottom) / 2 <= box.bottom


def _around(one: Box, other: Box) -> Box:
    return Box(
        min(one.left, other.left),
        min(one.top, other.top),
        max(one.right, other.right),
        max(one.bottom, other.bottom),
    )
