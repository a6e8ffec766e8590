"""Commands and views of the knowledge use cases; ids are integers, times instants."""

from datetime import datetime
from operator import not_
from typing import Annotated

import msgspec

from application.shared.page import Listed
from application.shared.projection import At, By, Projection
from domain.knowledge.dataset import Dataset
from domain.knowledge.document import Document
from domain.knowledge.ranking.score import LearntScale
from domain.knowledge.slice import Place, Slice
from domain.knowledge.tables.column import Column, ColumnType
from domain.knowledge.value import (
    DEFAULT_CHUNKING,
    DEFAULT_RULE,
    FIRST_SHEET,
    NO_REFRESH,
    ChunkRule,
    DatasetState,
    DatasetStatus,
    DocumentOrder,
    DocumentStatus,
    FormatType,
    OnDuplicate,
    ParseRule,
    ReadRule,
    SliceStatus,
    SourceType,
    TableSheet,
    Tags,
    UpdateRule,
)
from domain.shared.ids import Id


class CreateDataset(msgspec.Struct, frozen=True, kw_only=True):
    """A knowledge base to be; the same ``idempotency_key`` returns the same base for a day."""

    space_id: Id
    name: str
    format_type: int
    description: str = ""
    icon_file_id: Id | None = None
    idempotency_key: str = ""


class EditDataset(msgspec.Struct, frozen=True, kw_only=True):
    """Replaces all of it; what is not given goes back to its default."""

    name: str
    description: str = ""
    icon_file_id: Id | None = None


class DatasetQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Knowledge bases of a space; ``name`` is a part of the name."""

    space_id: Id
    name: str = ""
    format_type: int | None = None
    state: DatasetState | None = None
    page: int = 1
    size: int = 10


class DatasetView(Projection, of=Dataset, only=()):
    """A knowledge base with what it holds."""

    id: Id
    space_id: Id
    creator_id: Id
    creator_name: str = ""
    name: str
    description: str
    icon_file_id: Id | None
    icon_url: str = ""
    agent_count: int = 0
    """Agents that search it."""
    status: DatasetStatus
    is_enabled: Annotated[bool, At("is_searchable")] = True
    embedding_model: str = ""
    """What the index was made with; empty until something was indexed."""
    embedding_dimensions: int = 0
    scale: LearntScale | None = None
    """What cosines mean in the index, where that was learnt."""
    format_type: FormatType
    chunk_rule: ChunkRule
    can_edit: bool
    doc_count: int
    failed_count: int
    processing_count: int
    slice_count: int
    hit_count: int
    all_file_size: int
    file_list: tuple[str, ...]
    failed_file_list: tuple[str, ...]
    processing_file_list: tuple[str, ...]
    processing_file_ids: tuple[Id, ...]
    created_at: datetime
    updated_at: datetime

    @property
    def chunking(self) -> tuple[ChunkRule, FormatType]:
        """How documents are cut, and of which format they are."""
        return self.chunk_rule, self.format_type


class DatasetPage(Listed[DatasetView]):
    """One page and how many there are."""


class ColumnSpec(msgspec.Struct, frozen=True, kw_only=True):
    """A column as a client defines it; an id keeps a column that the table has."""

    name: str
    type: int
    description: str = ""
    is_semantic: bool = False
    sequence: int = 0
    id: Id | None = None


class NewDocument(msgspec.Struct, frozen=True, kw_only=True):
    """One document to take in, from one source.

    That is ``content`` for bytes sent along, ``url`` for a web page, ``file_id`` for an uploaded
    file, ``object_key`` for an uploaded file by the key of its object, or ``document_id`` for what
    a document of any base was made of. ``extension`` is the type as the client says it; that of an
    uploaded file or a document is known.
    """

    name: str
    source_type: SourceType
    content: bytes | bytearray = b""
    extension: str = ""
    url: str = ""
    file_id: Id | None = None
    object_key: str = ""
    document_id: Id | None = None
    update_rule: UpdateRule = NO_REFRESH
    skip_pages: tuple[int, ...] = ()
    """From 1; in addition to those of the rule."""
    sheet: TableSheet = FIRST_SHEET
    columns: tuple[ColumnSpec, ...] = ()
    """Schema of a table; without one it is guessed from the file."""
    caption: str = ""
    """What an image shows."""


class CreateDocuments(msgspec.Struct, frozen=True, kw_only=True):
    """Documents of one request, all or none; without a format, that of the base.

    ``keeps_chunking`` cuts by the rule of the base instead of the one here.
    The same ``idempotency_key`` returns the same documents for a day. ``is_append`` adds
    rows to a table, and custom text to the one of the same name.
    """

    dataset_id: Id
    documents: tuple[NewDocument, ...]
    rule: ParseRule = DEFAULT_RULE
    keeps_chunking: bool = False
    format_type: int | None = None
    is_append: bool = False
    on_duplicate: OnDuplicate = OnDuplicate.KEEP
    idempotency_key: str = ""


class DocumentQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Documents of a base; ``keyword`` is a part of the name; no ids, no statuses mean all.

    Documents named by id come the youngest first, of any type and tag.
    """

    dataset_id: Id
    keyword: str = ""
    statuses: frozenset[DocumentStatus] = frozenset()
    extension: str = ""
    source_types: frozenset[SourceType] = frozenset()
    tag: str = ""
    order: DocumentOrder = DocumentOrder.CREATED
    is_ascending: bool = False
    document_ids: tuple[int, ...] = ()
    page: int = 1
    size: int = 10


class EditDocument(msgspec.Struct, frozen=True, kw_only=True):
    """What is None stays."""

    name: str | None = None
    update_rule: UpdateRule | None = None
    is_enabled: bool | None = None
    tags: Tags | None = None


class ColumnView(Projection, of=Column, only=()):
    """A column of a table; ``type`` is its number on the Coze wire."""

    id: Id
    name: str
    type: ColumnType
    description: str
    is_semantic: bool
    sequence: int


class DocumentView(Projection, of=Document, only=()):
    """A document; ``status`` in full range, ``wire_status`` as strict clients take it."""

    id: Id
    dataset_id: Id
    space_id: Id
    creator_id: Id
    name: str
    extension: str
    format_type: FormatType
    source_type: Annotated[SourceType, At("source.type")]
    url: Annotated[str, At("source.url")]
    size: int
    char_count: int
    slice_count: int
    hit_count: int
    status: DocumentStatus
    wire_status: int
    enabled: Annotated[bool, At("is_disabled"), By(not_)]
    fail_code: int
    fail_reason: str
    reading: Annotated[ReadRule, At("rule.reading")] = ReadRule()
    chunk_rule: Annotated[ChunkRule, At("rule.chunking")] = DEFAULT_CHUNKING
    update_rule: UpdateRule
    tags: Tags
    columns: tuple[ColumnView, ...] = ()
    """Schema of a table once it can be searched."""
    created_at: datetime
    updated_at: datetime


class DocumentPage(Listed[DocumentView]):
    """One page and how many there are."""


class ProgressView(msgspec.Struct, frozen=True, kw_only=True):
    """How far the indexing of a document is."""

    document: DocumentView
    percent: int
    remaining_s: int


class SliceQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Slices of a document; ``keyword`` is a part of the content."""

    document_id: Id
    keyword: str = ""
    status: SliceStatus | None = None
    page: int = 1
    size: int = 10


class SliceView(Projection, of=Slice, only=()):
    """A slice of the active generation."""

    id: Id
    document_id: Id
    dataset_id: Id
    sequence: float
    content: str
    char_count: int
    hit_count: int
    status: SliceStatus
    fail_reason: str
    enabled: Annotated[bool, At("is_disabled"), By(not_)]
    heading_path: tuple[str, ...]
    place: Place
    tokens: int
    is_edited: bool
    created_at: datetime
    updated_at: datetime


class SlicePage(Listed[SliceView]):
    """One page and how many there are."""
