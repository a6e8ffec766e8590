"""Knowledge bases, documents, slices and previews as the admin surface shows them."""

import msgspec

from api.coze.document_shape import WireColumn
from api.wire import seconds
from application.knowledge.copying import CopyView
from application.knowledge.dto import DatasetView, DocumentView, SliceView
from application.knowledge.preview import PreviewView
from application.knowledge.rebuild import RebuildView


class AdminRebuild(msgspec.Struct, frozen=True, kw_only=True):
    """The youngest rebuild of an index: ``building``, ``switched``, ``done`` or ``failed``.

    Searches use the new index from ``switched`` on.
    """

    state: str
    embedding_model: str
    index_version: int
    percent: int
    done: int
    total: int
    error: str

    @classmethod
    def of(cls, view: RebuildView) -> "AdminRebuild":
        """Spell a rebuild."""
        return cls(
            state=view.state.value,
            embedding_model=view.embedding_model,
            index_version=view.index_version,
            percent=view.percent,
            done=view.done,
            total=view.total,
            error=view.error,
        )


class ScoreScale(msgspec.Struct, frozen=True, kw_only=True):
    """The cosines that count as 0 and 1, learnt when the base had so many slices."""

    low: float
    high: float
    slices: int


class AdminDataset(msgspec.Struct, frozen=True, kw_only=True):
    """A knowledge base; ``embedding_model`` is empty until something was indexed."""

    id: str
    workspace_id: str
    creator_id: str
    name: str
    description: str
    enabled: bool
    format_type: int
    document_count: int
    failed_count: int
    processing_count: int
    slice_count: int
    hit_count: int
    size: int
    processing_document_ids: list[str]
    embedding_model: str
    embedding_dimensions: int
    score_scale: ScoreScale | None
    rebuild: AdminRebuild | None
    created_at: int
    updated_at: int

    @classmethod
    def of(cls, view: DatasetView, rebuild: RebuildView | None) -> "AdminDataset":
        """Spell a base."""
        return cls(
            id=str(view.id),
            workspace_id=str(view.space_id),
            creator_id=str(view.creator_id),
            name=view.name,
            description=view.description,
            enabled=view.is_enabled,
            format_type=view.format_type.value,
            document_count=view.doc_count,
            failed_count=view.failed_count,
            processing_count=view.processing_count,
            slice_count=view.slice_count,
            hit_count=view.hit_count,
            size=view.all_file_size,
            processing_document_ids=[str(number) for number in view.processing_file_ids],
            embedding_model=view.embedding_model,
            embedding_dimensions=view.embedding_dimensions,
            score_scale=None
            if view.scale is None
            else ScoreScale(
                low=round(view.scale.low, 4),
                high=round(view.scale.high, 4),
                slices=view.scale.slices,
            ),
            rebuild=None if rebuild is None else AdminRebuild.of(rebuild),
            created_at=seconds(view.created_at),
            updated_at=seconds(view.updated_at),
        )


class AdminDatasetList(msgspec.Struct, frozen=True, kw_only=True):
    """One page of knowledge bases."""

    items: list[AdminDataset]
    total: int
    next_cursor: str | None


class AdminDatasetReference(msgspec.Struct, frozen=True, kw_only=True):
    """An agent whose draft searches the base."""

    agent_id: str
    name: str


class AdminDatasetReferenceList(msgspec.Struct, frozen=True, kw_only=True):
    """All agents bound to a base."""

    items: list[AdminDatasetReference]
    total: int
    next_cursor: None = None


class AdminReconciliation(msgspec.Struct, frozen=True, kw_only=True):
    """What was found and repaired, by kind; ``skipped`` while the index is built anew."""

    skipped: bool
    findings: dict[str, int]


class AdminCopy(msgspec.Struct, frozen=True, kw_only=True):
    """A copy; ``status`` 1 done, 2 under way, 3 failed. Its documents are indexed after that."""

    dataset_id: str
    status: int
    error: str

    @classmethod
    def of(cls, view: CopyView) -> "AdminCopy":
        """Spell a copy."""
        return cls(dataset_id=str(view.dataset_id), status=view.status, error=view.error)


class AdminDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A document; ``status`` -1 waiting, 1 enabled, 2 disabled, 4 being indexed, 9 failed."""

    id: str
    dataset_id: str
    name: str
    type: str
    format_type: int
    source_type: int
    url: str
    size: int
    char_count: int
    slice_count: int
    hit_count: int
    status: int
    enabled: bool
    fail_code: int
    fail_reason: str
    update_type: int
    update_interval: int
    table_meta: list[WireColumn]
    created_at: int
    updated_at: int

    @classmethod
    def of(cls, view: DocumentView) -> "AdminDocument":
        """Spell a document."""
        return cls(
            id=str(view.id),
            dataset_id=str(view.dataset_id),
            name=view.name,
            type=view.extension,
            format_type=view.format_type.value,
            source_type=view.source_type.value,
            url=view.url,
            size=view.size,
            char_count=view.char_count,
            slice_count=view.slice_count,
            hit_count=view.hit_count,
            status=view.status.value,
            enabled=view.enabled,
            fail_code=view.fail_code,
            fail_reason=view.fail_reason,
            update_type=view.update_rule.type.value,
            update_interval=view.update_rule.interval_hours,
            table_meta=[WireColumn.of(column) for column in view.columns],
            created_at=seconds(view.created_at),
            updated_at=seconds(view.updated_at),
        )


class AdminDocumentList(msgspec.Struct, frozen=True, kw_only=True):
    """Documents of one request."""

    items: list[AdminDocument]
    total: int
    next_cursor: None = None


class AdminSlice(msgspec.Struct, frozen=True, kw_only=True):
    """A slice; ``status`` 0 pending, 1 indexed, 9 failed. ``sequence`` need not be whole."""

    id: str
    document_id: str
    dataset_id: str
    sequence: float
    content: str
    char_count: int
    hit_count: int
    status: int
    fail_reason: str
    heading_path: list[str]
    created_at: int
    updated_at: int

    @classmethod
    def of(cls, view: SliceView) -> "AdminSlice":
        """Spell a slice."""
        return cls(
            id=str(view.id),
            document_id=str(view.document_id),
            dataset_id=str(view.dataset_id),
            sequence=view.sequence,
            content=view.content,
            char_count=view.char_count,
            hit_count=view.hit_count,
            status=view.status.value,
            fail_reason=view.fail_reason,
            heading_path=list(view.heading_path),
            created_at=seconds(view.created_at),
            updated_at=seconds(view.updated_at),
        )


class AdminSliceList(msgspec.Struct, frozen=True, kw_only=True):
    """One page of slices, in order."""

    items: list[AdminSlice]
    total: int
    next_cursor: str | None


class AdminChunk(msgspec.Struct, frozen=True, kw_only=True):
    """A slice to be; ``type`` 0 text, 1 image, 2 table."""

    id: int
    text: str
    type: int
    heading_path: list[str]


class AdminPreview(msgspec.Struct, frozen=True, kw_only=True):
    """A preview; ``status`` 0 being read, 1 ready, 2 failed. ``chunks`` once it is ready."""

    id: str
    dataset_id: str
    name: str
    type: str
    size: int
    status: int
    fail_code: int
    fail_reason: str
    chunk_count: int
    chunks: list[AdminChunk]
    created_at: int
    expires_at: int

    @classmethod
    def of(cls, view: PreviewView) -> "AdminPreview":
        """Spell a preview."""
        return cls(
            id=str(view.id),
            dataset_id=str(view.dataset_id),
            name=view.name,
            type=view.extension,
            size=view.size,
            status=view.state,
            fail_code=view.fail_code,
            fail_reason=view.fail_reason,
            chunk_count=view.chunk_count,
            chunks=[
                AdminChunk(
                    id=chunk.id,
                    text=chunk.text,
                    type=chunk.kind,
                    heading_path=list(chunk.heading_path),
                )
                for chunk in view.chunks
            ],
            created_at=seconds(view.created_at),
            expires_at=seconds(view.expires_at),
        )


class AdminPreviewList(msgspec.Struct, frozen=True, kw_only=True):
    """Previews of one request, in its order."""

    items: list[AdminPreview]
    total: int
    next_cursor: None = None
