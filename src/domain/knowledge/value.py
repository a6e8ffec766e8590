"""Words of the knowledge context: ids, kinds, states and the rules a document is read by."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum, StrEnum
from typing import Final, NewType

import msgspec

from domain.knowledge.error import KnowledgeInvalid
from domain.knowledge.tables.column import Column
from domain.knowledge.text.chunking import ChunkStrategy
from domain.knowledge.text.cleaning import Cleaning

DatasetId = NewType("DatasetId", int)
DocumentId = NewType("DocumentId", int)
SliceId = NewType("SliceId", int)
JobId = NewType("JobId", int)

MAX_NAME_CHARS: Final = 100
MAX_DOCUMENT_NAME_CHARS: Final = 255
MAX_DESCRIPTION_CHARS: Final = 2000
MAX_SLICE_BYTES: Final = 65_535
"""The search stores hold no longer text."""
MAX_REASON_CHARS: Final = 500
MAX_TAGS: Final = 64
MAX_TAG_KEY_CHARS: Final = 64
MAX_TAG_CHARS: Final = 256
MAX_TAG_ITEMS: Final = 64
MIN_REFRESH_HOURS: Final = 24
MIN_CHUNK_TOKENS: Final = 100
MAX_CHUNK_TOKENS: Final = 2000
MAX_OVERLAP_PERCENT: Final = 90
MAX_HEADING_LEVEL: Final = 6
MAX_SEPARATOR_CHARS: Final = 256


class FormatType(IntEnum):
    """What a knowledge base holds; numbers of the Coze wire."""

    TEXT = 0
    TABLE = 1
    IMAGE = 2


class DatasetStatus(IntEnum):
    """State of a knowledge base; failures belong to documents."""

    READY = 1
    DELETED = 2
    DISABLED = 3


class DatasetState(StrEnum):
    """What people look for in a list of bases; all but the last may hold together."""

    FAILED = "failed"
    """A document could not be read."""
    IN_WORK = "in_work"
    """A document is being indexed."""
    OFF = "off"
    EMPTY = "empty"
    READY = "ready"
    """Searched, with documents, and none of the others."""


class DocumentStatus(IntEnum):
    """State of a document, finer than what clients see."""

    INIT = -1
    ENABLED = 1
    DISABLED = 2
    DELETED = 3
    CHUNKING = 4
    FAILED = 9


class SliceStatus(IntEnum):
    """Whether the search stores know the slice as it is."""

    PENDING = 0
    DONE = 1
    FAILED = 9


class SliceKind(StrEnum):
    """What the content of a slice is."""

    TEXT = "text"
    ROW = "row"
    IMAGE = "image"


class SourceType(IntEnum):
    """Where a document comes from; numbers of the Coze wire."""

    LOCAL_FILE = 0
    WEB_PAGE = 1
    CUSTOM_TEXT = 2
    THIRD_PARTY = 3
    FRONT_CRAWL = 4
    UPLOADED_FILE = 5
    NOTION = 101
    GOOGLE_DRIVE = 102
    FEISHU = 103
    LARK = 104


class ChunkType(IntEnum):
    """How a document is cut; numbers of the Coze wire."""

    AUTOMATIC = 0
    CUSTOM = 1
    LEVEL = 2


class CaptionType(IntEnum):
    """Who says what an image shows: a model that sees, or a person."""

    AUTOMATIC = 0
    MANUAL = 1


class OnDuplicate(StrEnum):
    """What happens to a document whose bytes and rule the base has already."""

    KEEP = "keep"
    """Both stay."""
    SKIP = "skip"
    """The one that is there stands for the new one."""
    REPLACE = "replace"
    """The new one takes the place of the one that is there."""


class ParsingType(IntEnum):
    """``FAST`` reads text only."""

    FAST = 0
    ACCURATE = 1


class UpdateType(IntEnum):
    """Whether a web page is fetched again by itself."""

    NONE = 0
    AUTOMATIC = 1


class ChunkRule(msgspec.Struct, frozen=True, kw_only=True):
    """How documents are cut, as clients say it; ``overlap`` in percent, sizes in tokens."""

    chunk_type: ChunkType = ChunkType.AUTOMATIC
    separator: str = "\n"
    max_tokens: int = 800
    overlap: int = 0
    remove_extra_spaces: bool = False
    remove_urls_emails: bool = False
    max_level: int = 3
    save_title: bool = False
    caption_type: CaptionType = CaptionType.AUTOMATIC

    def check(self) -> None:
        """Raise ``KnowledgeInvalid`` for what no document can be cut by."""
        if not MIN_CHUNK_TOKENS <= self.max_tokens <= MAX_CHUNK_TOKENS:
            raise KnowledgeInvalid(
                f"chunk_strategy.max_tokens: expected {MIN_CHUNK_TOKENS} to {MAX_CHUNK_TOKENS}."
            )
        if not 0 <= self.overlap <= MAX_OVERLAP_PERCENT:
            raise KnowledgeInvalid(
                f"chunk_strategy.overlap: expected 0 to {MAX_OVERLAP_PERCENT} percent."
            )
        if not 1 <= self.max_level <= MAX_HEADING_LEVEL:
            raise KnowledgeInvalid(f"chunk_strategy.max_level: expected 1 to {MAX_HEADING_LEVEL}.")
        if len(self.separator) > MAX_SEPARATOR_CHARS:
            raise KnowledgeInvalid(
                f"chunk_strategy.separator: expected up to {MAX_SEPARATOR_CHARS} characters."
            )

    def strategy(self) -> ChunkStrategy:
        """Return what the chunker does for this rule."""
        match self.chunk_type:
            case ChunkType.AUTOMATIC:
                return ChunkStrategy.automatic()
            case ChunkType.CUSTOM:
                return ChunkStrategy.custom(
                    separator=self.separator, size=self.max_tokens, overlap=self.overlap / 100
                )
            case ChunkType.LEVEL:
                return ChunkStrategy.structure(
                    max_level=self.max_level, saves_title=self.save_title
                )

    def cleaning(self) -> Cleaning:
        """Return what is removed before cutting."""
        return Cleaning(
            removes_addresses=self.remove_urls_emails, removes_extra_spaces=self.remove_extra_spaces
        )


DEFAULT_CHUNKING: Final = ChunkRule()


class TableSheet(msgspec.Struct, frozen=True, kw_only=True):
    """Where in a file the table stands; all count from 0, None is what files usually have."""

    sheet: int | None = None
    header_line: int = 0
    data_line: int | None = None

    def check(self) -> None:
        """Raise ``KnowledgeInvalid`` for lines that cannot be those of a table."""
        if min(self.sheet or 0, self.header_line, self.data_line or 0) < 0:
            raise KnowledgeInvalid("table_sheet: expected numbers from 0.", field="table_sheet")
        if self.data_line is not None and self.data_line <= self.header_line:
            raise KnowledgeInvalid(
                "table_sheet.start_line_idx: expected a line below the header.",
                field="table_sheet.start_line_idx",
            )


FIRST_SHEET: Final = TableSheet()


class ReadRule(msgspec.Struct, frozen=True, kw_only=True):
    """How a file is read; ``FAST`` switches the three flags off. Pages count from 1.

    Without a word about it, text in images is read where a page has no other (``image_ocr`` None).
    """

    parsing_type: ParsingType = ParsingType.ACCURATE
    image_extraction: bool = False
    table_extraction: bool = True
    image_ocr: bool | None = None
    skip_pages: tuple[int, ...] = ()
    sheet: TableSheet = FIRST_SHEET

    @property
    def hash(self) -> str:
        """Names the result of reading: equal bytes and an equal hash, equal blocks."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()[:16]


class ParseRule(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that decides which slices a file becomes.

    ``columns`` is the schema a table is to have, guessed from the file if there is none;
    ``caption`` what a person says an image shows.
    """

    reading: ReadRule = ReadRule()
    chunking: ChunkRule = ChunkRule()
    columns: tuple[Column, ...] = ()
    caption: str = ""
    rereads: bool = False
    """A table is to be made of its file once more, and not of the rows in use."""


DEFAULT_RULE: Final = ParseRule()


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """Where the bytes are; ``object_key`` once they are ours."""

    type: SourceType
    object_key: str = ""
    file_id: int = 0
    url: str = ""
    chunks_key: str = ""
    """Slices prepared by people; the next generation is made of them instead of the source."""


class Intake(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes that become slices: those a document was made of, or those appended to it."""

    source: Source
    extension: str
    size: int = 0
    content_hash: str = ""
    reading: ReadRule = ReadRule()

    @property
    def parsed_name(self) -> str:
        """Names what is read from them; empty as long as they were not fetched."""
        return f"{self.content_hash}-{self.reading.hash}" if self.content_hash else ""


class UpdateRule(msgspec.Struct, frozen=True, kw_only=True):
    """How often a web page is fetched again."""

    type: UpdateType = UpdateType.NONE
    interval_hours: int = 0

    def due_after(self, moment: datetime) -> datetime | None:
        """Return when a page that was read at ``moment`` is to be read again."""
        if self.type is UpdateType.NONE:
            return None
        return moment + timedelta(hours=self.interval_hours)

    def check(self) -> None:
        """Raise ``KnowledgeInvalid`` for an interval below a day."""
        if self.type is UpdateType.AUTOMATIC and self.interval_hours < MIN_REFRESH_HOURS:
            raise KnowledgeInvalid(
                f"update_rule.update_interval: expected {MIN_REFRESH_HOURS} hours or more."
            )


NO_REFRESH: Final = UpdateRule()

TagValue = str | bool | int | float | tuple[str, ...]
"""Moments are texts in ISO 8601."""
Tags = Mapping[str, TagValue]


def check_tags(tags: Tags) -> None:
    """Raise ``KnowledgeInvalid`` for too many tags or one that is too long."""
    if len(tags) > MAX_TAGS:
        raise KnowledgeInvalid(f"tags: a document has up to {MAX_TAGS} tags.")
    for key, value in tags.items():
        if not 0 < len(key) <= MAX_TAG_KEY_CHARS:
            raise KnowledgeInvalid(f"tags: a name has 1 to {MAX_TAG_KEY_CHARS} characters.")
        items = value if isinstance(value, tuple) else (value,)
        if len(items) > MAX_TAG_ITEMS:
            raise KnowledgeInvalid(f"tags.{key}: expected up to {MAX_TAG_ITEMS} items.")
        if any(isinstance(item, str) and len(item) > MAX_TAG_CHARS for item in items):
            raise KnowledgeInvalid(f"tags.{key}: expected up to {MAX_TAG_CHARS} characters.")


NAMES_SHOWN: Final = 100


class DocumentOrder(StrEnum):
    """What documents of a base are listed by."""

    CREATED = "created"
    CHANGED = "changed"
    NAME = "name"
    SIZE = "size"
    SLICES = "slices"
    CHARACTERS = "characters"
    HITS = "hits"


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentListing:
    """Which documents of a base are wanted, and in which order; nothing given means all.

    ``tag`` is the name of a tag that they bear, or ``name=value`` where the value is one text,
    number or flag.
    """

    keyword: str = ""
    statuses: frozenset[DocumentStatus] = frozenset()
    extension: str = ""
    source_types: frozenset[SourceType] = frozenset()
    tag: str = ""
    order: DocumentOrder = DocumentOrder.CREATED
    is_ascending: bool = False


EVERYTHING: Final = DocumentListing()
IN_WORK: Final = frozenset({DocumentStatus.INIT, DocumentStatus.CHUNKING})
HAS_FAILED: Final = frozenset({DocumentStatus.FAILED})
IS_READY: Final = frozenset({DocumentStatus.ENABLED, DocumentStatus.DISABLED})


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetTotals:
    """What a knowledge base holds, counted from its documents.

    Lists have the oldest ``NAMES_SHOWN`` of their kind, counts all of them.
    """

    documents: int = 0
    failed: int = 0
    processing: int = 0
    slices: int = 0
    bytes: int = 0
    hits: int = 0
    names: tuple[str, ...] = ()
    failed_names: tuple[str, ...] = ()
    processing_names: tuple[str, ...] = ()
    processing_ids: tuple[DocumentId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Which part of a list; ``number`` from 1."""

    number: int
    size: int

    @property
    def offset(self) -> int:
        return (self.number - 1) * self.size


class SliceFlaw(StrEnum):
    """What may be wrong with a slice."""

    EMPTY = "empty"
    DUPLICATE = "duplicate"
    NEVER_FOUND = "never_found"
    OVER_LONG = "over_long"


class Script(StrEnum):
    """Languages as far as their letters tell them apart."""

    CHINESE = "zh"
    JAPANESE = "ja"
    KOREAN = "ko"
    CYRILLIC = "cyrillic"
    ARABIC = "arabic"
    LATIN = "latin"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthBin:
    """How many slices have at least so many characters, and fewer than the next bin's."""

    at_least: int
    """Characters."""
    count: int
    """Slices."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlawCount:
    """How many slices have a flaw."""

    flaw: SliceFlaw
    """`empty`, `duplicate`, `never_found` or `over_long`."""
    count: int
    """Slices; of those that say the same, each counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptCount:
    """How many of the sampled slices are mostly in a script."""

    script: Script
    """`zh`, `ja`, `ko`, `cyrillic`, `arabic`, `latin` or `other`."""
    count: int
    """Slices of the sample."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExaminedSlice:
    """A slice to look at, with the beginning of what it says."""

    id: SliceId
    document_id: DocumentId
    document_name: str
    """Name of the document that it is of."""
    excerpt: str
    """The beginning of its content."""
    char_count: int
    """Characters of the whole content."""
    hit_count: int
    """How often searches found it."""
    copies: int
    """How many of the examined slices say the same, this one included."""
