"""Port: files of any format in, blocks of text, tables and images out.

A parser knows nothing of chunks, captions or tables of a database; it says what stands in the file
and where.
"""

import json
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from enum import StrEnum
from typing import Final, Protocol, Self

import msgspec

from domain.shared.error import AppError, ErrorKind

Cell = str | None
"""A value of a table as text; null if the cell is empty."""
Row = tuple[Cell, ...]
DocumentSource = Callable[[], AsyncGenerator[bytes, None]]
"""Opens the bytes of a document from the start; may be called again for a second attempt."""


OCR: Final = "ocr"
"""Style of paragraphs that were read from an image."""


class ParseFailure(StrEnum):
    """Why a document cannot be used. None of them goes away by trying again."""

    UNSUPPORTED = "unsupported"
    ENCRYPTED = "encrypted"
    CORRUPT = "corrupt"
    EMPTY = "empty"
    TOO_LARGE = "too_large"
    BOMB = "bomb"
    NOT_A_ROW_ARRAY = "not_a_row_array"
    NO_SUCH_SHEET = "no_such_sheet"
    HEADER_MISSING = "header_missing"
    BAD_ROWS = "bad_rows"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "oom"
    PARSER_CRASHED = "parser_crashed"


class DocumentNotParsed(AppError):
    """The file is at fault; the message tells its owner why, ``failure`` the program."""

    code, kind = 105000030, ErrorKind.INVALID

    def __init__(self, failure: ParseFailure, message: str) -> None:
        super().__init__(message, failure=failure.value)
        self.failure = failure


class Purpose(StrEnum):
    """What the document becomes: it decides how the same bytes are read."""

    TEXT = "text"
    TABLE = "table"
    IMAGE = "image"


class DocumentFormat(msgspec.Struct, frozen=True, kw_only=True):
    """A format that is read, by every name it goes by; extensions are lower case without a dot."""

    name: str
    extensions: tuple[str, ...]
    media_types: tuple[str, ...]
    purposes: tuple[Purpose, ...]
    has_signature: bool
    """The content alone tells it from others."""


class ParseMode(StrEnum):
    """``FAST`` reads text only; ``ACCURATE`` also what the flags of the options ask for."""

    FAST = "fast"
    ACCURATE = "accurate"


class TableRange(msgspec.Struct, frozen=True, kw_only=True):
    """Which part of a sheet is the table; lines count from 0."""

    sheet: int | None = None
    """Index over all sheets, hidden ones included; null for the first visible one."""
    header_line: int = 0
    data_line: int | None = None
    """Null for the line after the header."""
    rows_count: int | None = None


class PageWanted(msgspec.Struct, frozen=True, kw_only=True):
    """One page as it is shown, instead of what the document says.

    Number 0 measures all pages; ``width`` in pixels draws one, and 0 lists its words.
    """

    number: int = 0
    width: int = 0


class PageSize(msgspec.Struct, frozen=True, kw_only=True):
    """Sides of a page in points; 0 where it is damaged."""

    width: float
    height: float


class ParseOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How to read. ``extension`` is lower case without a dot and only a hint."""

    extension: str = ""
    charset: str = ""
    """From the HTTP header of a web page."""
    purpose: Purpose = Purpose.TEXT
    mode: ParseMode = ParseMode.ACCURATE
    image_extraction: bool = True
    table_extraction: bool = True
    image_ocr: bool = False
    """Read the text in all images, if an engine is there."""
    scan_ocr: bool = False
    """Read the text of pages that have none of their own, if an engine is there."""
    skip_pages: tuple[int, ...] = ()
    """Pages to leave out, counted from 1."""
    table: TableRange = TableRange()
    page: PageWanted | None = None
    """Only formats that have pages of their own show one."""

    @property
    def extracts_tables(self) -> bool:
        return self.mode is ParseMode.ACCURATE and self.table_extraction

    @property
    def extracts_images(self) -> bool:
        return self.mode is ParseMode.ACCURATE and self.image_extraction

    @property
    def keeps_scans(self) -> bool:
        """Whether the image of a page without text is kept, read or not."""
        return self.mode is ParseMode.ACCURATE

    @property
    def reads_images(self) -> bool:
        return self.mode is ParseMode.ACCURATE and self.image_ocr

    @property
    def reads_scans(self) -> bool:
        return self.mode is ParseMode.ACCURATE and (self.image_ocr or self.scan_ocr)


class Placed(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", omit_defaults=True):
    """Where a block stands.

    ``page`` counts from 1; ``bbox`` is (left, top, right, bottom) in points from the upper left
    corner of the page; ``row`` counts from 1 in a ``sheet``.
    """

    page: int | None = None
    bbox: tuple[float, float, float, float] | None = None
    sheet: str | None = None
    row: int | None = None


class Heading(Placed, frozen=True, kw_only=True, tag="heading"):
    """A title; ``level`` 0 is the title of the document, then 1 to 6."""

    text: str
    level: int


class Paragraph(Placed, frozen=True, kw_only=True, tag="paragraph"):
    """Running text with its lines joined."""

    text: str
    style: str = ""
    """What else it is: ``quote``, ``footnote``, ``note``, ``caption``, ``ocr``, ``link_list``."""


class ListItem(Placed, frozen=True, kw_only=True, tag="list_item"):
    """One item of a list; ``level`` counts from 1, ``marker`` is ``-`` or for instance ``2.``."""

    text: str
    marker: str = "-"
    level: int = 1


class Code(Placed, frozen=True, kw_only=True, tag="code"):
    """Verbatim text without its fence."""

    text: str
    language: str = ""


class Table(Placed, frozen=True, kw_only=True, tag="table"):
    """Rows of one width, the first ``header_rows`` of them names.

    A table document comes as several of these, without header rows: the names are in the metadata.
    """

    rows: tuple[Row, ...]
    header_rows: int = 0
    caption: str = ""


class Picture(Placed, frozen=True, kw_only=True, tag="image"):
    """An image at its place; its bytes went to the sink under the same hash."""

    sha256: str
    mime: str
    width: int
    height: int
    alt: str = ""
    caption: str = ""
    """What a model says that it shows."""
    ocr_text: str = ""
    is_scan: bool = False
    """Stands for a page without text of its own; text read from it follows as paragraphs."""
    small_sha256: str = ""
    """A copy small enough for models; empty if it is so itself."""
    small_mime: str = ""


class Formula(Placed, frozen=True, kw_only=True, tag="formula"):
    """Mathematics as LaTeX or plain text."""

    text: str


class PageBreak(Placed, frozen=True, kw_only=True, tag="page_break"):
    """A new page, slide or chapter begins."""


Block = Heading | Paragraph | ListItem | Code | Table | Picture | Formula | PageBreak


class ParseWarning(msgspec.Struct, frozen=True, kw_only=True):
    """Something the owner should know; it fails nothing.

    Codes: ``no_text_layer`` (a page is an image that was not read), ``ocr_missing`` (because
    nothing here reads images), ``image_not_fetched``, ``image_unreadable``, ``truncated``,
    ``encoding_guessed``, ``cells_coerced``, ``formula_without_value``, ``error_cell``,
    ``mislabelled``, ``bad_row``, ``page_unreadable``.
    """

    code: str
    detail: str = ""
    count: int = 1


class SheetInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A sheet of a workbook; ``rows`` counts all that hold a value, the header included."""

    index: int
    name: str
    rows: int
    is_hidden: bool = False


class DocumentMetadata(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the file says about itself and what was noticed on the way."""

    format: str
    """What the content is, whatever its name says: ``pdf``, ``docx``, ``csv`` and so on."""
    title: str = ""
    author: str = ""
    language: str = ""
    encoding: str = ""
    pages: int | None = None
    text_chars: int = 0
    sheets: tuple[SheetInfo, ...] = ()
    sheet: int | None = None
    columns: tuple[str, ...] = ()
    """Names of the columns of a table document."""
    rows: int = 0
    """Rows of data of a table document."""
    page_sizes: tuple[PageSize, ...] = ()
    """Of all pages, where they were asked for."""
    warnings: tuple[ParseWarning, ...] = ()


class ExtractedImage(msgspec.Struct, frozen=True, kw_only=True):
    """An image found in a document: PNG or JPEG, as it was or converted."""

    sha256: str
    mime: str
    width: int
    height: int
    data: bytes
    is_copy: bool = False
    """The same picture as another one, but smaller."""
    is_scan: bool = False
    """A page without text of its own."""


class ParseProgress(msgspec.Struct, frozen=True, kw_only=True):
    """Units (pages, sheets, chapters) read so far."""

    done: int
    total: int


class ParsedDocument:
    """The blocks in reading order, kept encoded so that a large document stays small."""

    def __init__(self, *, metadata: DocumentMetadata, batches: Iterable[bytes]) -> None:
        """``batches`` are what ``encode_blocks`` returns."""
        self.metadata = metadata
        self._batches = tuple(batches)

    @classmethod
    def of(cls, blocks: Iterable[Block], *, metadata: DocumentMetadata) -> Self:
        """Build from blocks in memory."""
        return cls(metadata=metadata, batches=[encode_blocks(tuple(blocks))])

    @property
    def size_bytes(self) -> int:
        """What the blocks take, encoded."""
        return sum(map(len, self._batches))

    def blocks(self) -> Iterator[Block]:
        """Decode block by block, batch by batch; can be called again."""
        for batch in self._batches:
            yield from decode_blocks(batch)

    def to_bytes(self) -> bytes:
        """Write for storage; JSON, so that other programs can read it."""
        blocks = tuple(self.blocks())
        return msgspec.json.encode(_Stored(metadata=self.metadata, blocks=blocks))

    @staticmethod
    def metadata_in(head: str) -> DocumentMetadata | None:
        """Read the metadata from the beginning of what ``to_bytes`` wrote; None if it goes on."""
        if not head.startswith(_HEAD):
            return None
        try:
            value, _ = _DECODER.raw_decode(head, len(_HEAD))
        except ValueError:
            return None
        return msgspec.convert(value, DocumentMetadata)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read back what ``to_bytes`` wrote; raise ``ValueError`` for anything else."""
        stored = msgspec.json.decode(data, type=_Stored)
        return cls.of(stored.blocks, metadata=stored.metadata)


class ParseSink(Protocol):
    """Takes what a parser finds before it is done; calls come one at a time."""

    async def add_image(self, image: ExtractedImage) -> None:
        """Store the image under its hash; a second attempt may bring it again."""
        ...

    async def report(self, progress: ParseProgress) -> None: ...


class DocumentParser(Protocol):
    """Reads documents of every format the deployment knows."""

    async def parse(
        self, source: DocumentSource, options: ParseOptions, sink: ParseSink, *, owner: int
    ) -> ParsedDocument:
        """Read a whole document; the content decides its type before the extension does.

        ``owner`` is the space: documents of two owners never meet in one process.

        Raises:
            DocumentNotParsed: the document cannot be used, now or later.
            Unavailable: no parser is free, or none can be started safely.
        """
        ...


_HEAD: Final = '{"metadata":'
_DECODER: Final = json.JSONDecoder()


class _Stored(msgspec.Struct, frozen=True):
    """The metadata comes first, so that it can be read alone."""

    metadata: DocumentMetadata
    blocks: tuple[Block, ...]


def encode_blocks(blocks: tuple[Block, ...]) -> bytes:
    """Pack blocks for ``ParsedDocument``."""
    return msgspec.msgpack.encode(blocks)


def decode_blocks(data: bytes | msgspec.Raw) -> tuple[Block, ...]:
    """Unpack; raise ``msgspec.ValidationError`` for anything that is not a list of blocks."""
    return msgspec.msgpack.decode(data, type=tuple[Block, ...])
