"""Images of a page that carry information, and pages that are nothing but an image."""

from collections.abc import Iterator
from typing import Final

from PIL import Image

from infra.contract.document_parser import DocumentNotParsed, ExtractedImage
from infra.impl.document_parser.output import Output
from infra.impl.document_parser.pdf.engine import Box, EmbeddedImage, Page, PageText
from infra.impl.document_parser.picture import encode_png

_MIN_PIXELS: Final = 32
_BACKGROUND_SHARE: Final = 0.8
_SCAN_SHARE: Final = 0.5
_SCAN_MAX_CHARS: Final = 10
_SCAN_SIDE: Final = 2000
"""Pixels of the longest side of a scanned page: about 180 dots per inch."""
_MAX_PER_PAGE: Final = 200


def is_scan(page: Page, text: PageText) -> bool:
    """Whether an image stands for the text of the page."""
    if sum(1 for char in text.chars if not char.text.isspace()) >= _SCAN_MAX_CHARS:
        return False
    whole = Box(0.0, 0.0, page.width, page.height)
    covered = sum(box.overlap(whole) for box, _ in page.images())
    return covered >= whole.area * _SCAN_SHARE


def draw(page: Page, output: Output) -> ExtractedImage:
    """Draw the whole page, for pages that are scanned."""
    return encode_png(page.render(longest_side=_SCAN_SIDE), limits=output.limits)


def pictures(page: Page, output: Output) -> Iterator[tuple[Box, ExtractedImage]]:
    """Yield images that are neither decoration nor the background of the text."""
    whole = Box(0.0, 0.0, page.width, page.height)
    for number, (box, entry) in enumerate(page.images()):
        if number >= _MAX_PER_PAGE:
            output.metadata.warn("truncated", "too many images on one page")
            return
        if box.overlap(whole) > whole.area * _BACKGROUND_SHARE:
            continue
        if min(entry.width, entry.height) < _MIN_PIXELS:
            continue
        image = _decode(entry, output)
        if image is not None:
            yield box, image


def _decode(entry: EmbeddedImage, output: Output) -> ExtractedImage | None:
    limits = output.limits
    is_readable = (
        max(entry.width, entry.height) <= limits.image_side
        and entry.width * entry.height <= limits.image_pixels
    )
    try:
        pixels = entry.pixels() if is_readable else None
        if pixels is not None:
            return None if _is_blank(pixels) else encode_png(pixels, limits=limits)
    except (ValueError, OSError, DocumentNotParsed):
        pixels = None
    output.metadata.warn("image_unreadable", f"{entry.width} x {entry.height} pixels")
    return None


def _is_blank(pixels: Image.Image) -> bool:
    """Masks and fills have one colour."""
    extrema = pixels.convert("L").getextrema()
    return extrema[0] == extrema[1]
