"""Where a parser writes: counts, bounds and hands on what it finds, batch by batch."""

import hashlib
from collections.abc import Callable
from typing import Final

import msgspec

from infra.contract.document.parser import (
    Block,
    Cell,
    Code,
    DocumentMetadata,
    DocumentNotParsed,
    ExtractedImage,
    Formula,
    Heading,
    ListItem,
    PageBreak,
    PageSize,
    Paragraph,
    ParseFailure,
    ParseWarning,
    Picture,
    SheetInfo,
    Table,
    encode_blocks,
)
from infra.impl.document_parser.protocol import Advance, Batch, Frame, ImageFound, ParseLimits

_BATCH_CHARS: Final = 64 * 1024
_BATCH_BLOCKS: Final = 500
_MAX_WARNINGS: Final = 20
"""Of one code; later ones are only counted."""
_DETAIL_CHARS: Final = 200


class Output:
    """Takes blocks in reading order; raises ``DocumentNotParsed`` when there is too much."""

    def __init__(
        self,
        *,
        emit: Callable[[Frame], None],
        limits: ParseLimits,
        on_unit: Callable[[], None] = lambda: None,
    ) -> None:
        """``on_unit`` is called whenever a page or similar is done."""
        self.limits = limits
        self.metadata = Description()
        self._emit = emit
        self._on_unit = on_unit
        self._pending: list[Block] = []
        self._pending_chars = 0
        self._bytes = 0
        self._images: set[str] = set()
        self._has_content = False

    def add(self, block: Block) -> None:
        """Append one block; blocks without any text are dropped."""
        chars, size = _measure(block)
        if not chars and not isinstance(block, Picture | PageBreak):
            return
        self._bytes += size
        if self._bytes > self.limits.text_bytes:
            raise DocumentNotParsed(
                ParseFailure.TOO_LARGE,
                f"The document holds more than {self.limits.text_bytes} bytes of text.",
            )
        self._has_content = self._has_content or not isinstance(block, PageBreak)
        self.metadata.text_chars += chars
        self._pending.append(block)
        self._pending_chars += chars
        if self._pending_chars >= _BATCH_CHARS or len(self._pending) >= _BATCH_BLOCKS:
            self._flush()

    def add_image(self, image: ExtractedImage) -> None:
        """Hand over the bytes of an image, once; its ``Picture`` is added separately."""
        if image.sha256 not in self._images:
            self._images.add(image.sha256)
            self._emit(ImageFound(image=image))

    def advance(self, done: int, total: int) -> None:
        """Tell that ``done`` of ``total`` units are read, and pass on what they held."""
        self._flush()
        self._emit(Advance(done=done, total=total))
        self._on_unit()

    def show_life(self) -> None:
        """Tell that the reading goes on, for instance through a part that holds no blocks."""
        self._on_unit()

    def finish(self, *, format_name: str) -> DocumentMetadata:
        """Pass on the rest; raise ``DocumentNotParsed`` if there was nothing at all."""
        self._flush()
        metadata = self.metadata.build(format_name)
        # Scanned pages are no empty document: their warning says more.
        is_scan = any(warning.code == "no_text_layer" for warning in metadata.warnings)
        is_measured = bool(metadata.page_sizes)
        if not (self._has_content or metadata.columns or is_scan or is_measured):
            raise DocumentNotParsed(ParseFailure.EMPTY, "The document has no content.")
        return metadata

    def _flush(self) -> None:
        if self._pending:
            self._emit(Batch(blocks=msgspec.Raw(encode_blocks(tuple(self._pending)))))
            self._pending.clear()
            self._pending_chars = 0


class Description:
    """The metadata of a document while it is read."""

    def __init__(self) -> None:
        self.title = ""
        self.author = ""
        self.language = ""
        self.encoding = ""
        self.pages: int | None = None
        self.text_chars = 0
        self.sheets: tuple[SheetInfo, ...] = ()
        self.sheet: int | None = None
        self.columns: tuple[str, ...] = ()
        self.rows = 0
        self.page_sizes: tuple[PageSize, ...] = ()
        self._warnings: dict[tuple[str, str], int] = {}

    def warn(self, code: str, detail: str = "") -> None:
        """Note something; equal ones are counted, and details are kept for the first few."""
        key = (code, detail[:_DETAIL_CHARS])
        if key not in self._warnings:
            known = sum(1 for known_code, _ in self._warnings if known_code == code)
            if known >= _MAX_WARNINGS:
                key = (code, "")
        self._warnings[key] = self._warnings.get(key, 0) + 1

    def build(self, format_name: str) -> DocumentMetadata:
        """Freeze it."""
        return DocumentMetadata(
            format=format_name,
            title=self.title.strip(),
            author=self.author.strip(),
            language=self.language,
            encoding=self.encoding,
            pages=self.pages,
            text_chars=self.text_chars,
            sheets=self.sheets,
            sheet=self.sheet,
            columns=self.columns,
            rows=self.rows,
            page_sizes=self.page_sizes,
            warnings=tuple(
                ParseWarning(code=code, detail=detail, count=count)
                for (code, detail), count in self._warnings.items()
            ),
        )


def image_of(data: bytes, *, mime: str, width: int, height: int) -> ExtractedImage:
    """Name an image by its hash."""
    digest = hashlib.sha256(data).hexdigest()
    return ExtractedImage(sha256=digest, mime=mime, width=width, height=height, data=data)


def picture_of(image: ExtractedImage, *, alt: str = "") -> Picture:
    """Refer to an image at the place where it stands."""
    return Picture(
        sha256=image.sha256, mime=image.mime, width=image.width, height=image.height, alt=alt
    )


def _measure(block: Block) -> tuple[int, int]:
    """Characters that count as content, and bytes that the block takes."""
    texts = _texts(block)
    chars = sum(len(text) for text in texts if text)
    # Cells cost even when they are empty: a sheet of nothing must not grow without bound.
    return chars, sum(len(text.encode("utf-8", "replace")) for text in texts if text) + len(texts)


def _texts(block: Block) -> list[Cell]:
    match block:
        case Heading() | Paragraph() | ListItem() | Code() | Formula():
            return [block.text]
        case Table():
            return [cell for row in block.rows for cell in row]
        case Picture() | PageBreak():
            return []
