"""Knowledge bases, documents, slices and previews as the admin surface shows them."""

from typing import Annotated

import msgspec

from api.coze.knowledge.document_shape import (
    Tag,
    WireColumn,
    spelled_strategy,
    spelled_tags,
)
from api.coze.knowledge.shape import WireChunkStrategy
from api.shape import Shape
from application.knowledge.copying import CopyView
from application.knowledge.dataset.rebuild import RebuildView
from application.knowledge.document.image_service import ImageView
from application.knowledge.document.preview import ChunkView, PreviewView
from application.knowledge.dto import DatasetView, DocumentView, ProgressView, SliceView
from application.shared.page import Paged
from application.shared.projection import After, At, By
from domain.knowledge.value import ReadRule


class AdminRebuild(Shape, of=RebuildView):
    """The youngest rebuild of an index: ``building``, ``switched``, ``done`` or ``failed``.

    Searches use the new index from ``switched`` on.
    """

    state: str


def _rounded(cosine: float) -> float:
    return round(cosine, 4)


class ScoreScale(Shape):
    """The cosines that count as 0 and 1, learnt when the base had so many slices."""

    low: Annotated[float, By(_rounded)]
    high: Annotated[float, By(_rounded)]
    slices: int


class AdminDataset(
    Shape,
    of=DatasetView,
    only=(
        "id",
        "space_id",
        "creator_id",
        "name",
        "description",
        "is_enabled",
        "format_type",
        "doc_count",
        "failed_count",
        "processing_count",
        "slice_count",
        "hit_count",
        "all_file_size",
        "processing_file_ids",
        "agent_count",
        "embedding_model",
        "embedding_dimensions",
        "scale",
        "created_at",
        "updated_at",
    ),
    rename={
        "is_enabled": "enabled",
        "doc_count": "document_count",
        "all_file_size": "size",
        "processing_file_ids": "processing_document_ids",
        "scale": "score_scale",
    },
):
    """A knowledge base; ``embedding_model`` is empty until something was indexed."""

    scale: ScoreScale | None
    rebuild: Annotated[AdminRebuild | None, After("scale")]


class AdminDatasetList(Paged[AdminDataset]):
    """One page of knowledge bases."""


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


class AdminCopy(Shape, of=CopyView):
    """A copy; ``status`` 1 done, 2 under way, 3 failed. Its documents are indexed after that."""


class ParsingStrategy(
    Shape,
    of=ReadRule,
    only=("parsing_type", "image_extraction", "table_extraction", "image_ocr"),
):
    """How a file is read: 0 fast (text only), 1 accurate."""


class AdminDocument(
    Shape,
    of=DocumentView,
    without=("space_id", "creator_id", "wire_status", "chunk_rule", "update_rule"),
    rename={"extension": "type", "columns": "table_meta", "reading": "parsing_strategy"},
):
    """A document; ``status`` -1 waiting, 1 enabled, 2 disabled, 4 being indexed, 9 failed."""

    update_type: Annotated[int, At("update_rule.type"), After("fail_reason")]
    update_interval: Annotated[int, At("update_rule.interval_hours"), After("update_type")]
    chunk_strategy: Annotated[
        WireChunkStrategy, At(""), By(spelled_strategy), After("update_interval")
    ]
    reading: ParsingStrategy
    tags: Annotated[dict[str, Tag], By(spelled_tags)]
    columns: list[WireColumn]


class AdminDocumentList(msgspec.Struct, frozen=True, kw_only=True):
    """Documents of one request."""

    items: list[AdminDocument]
    total: int
    next_cursor: None = None


class AdminDocumentPage(Paged[AdminDocument]):
    """One page of documents."""


class AdminProgress(Shape, of=ProgressView, only=("percent", "remaining_s")):
    """How far the indexing of a document is; ``status`` as of a document."""

    document_id: Annotated[str, At("document.id")]
    status: Annotated[int, At("document.status")]
    slice_count: Annotated[int, At("document.slice_count")]
    fail_code: Annotated[int, At("document.fail_code")]
    fail_reason: Annotated[str, At("document.fail_reason")]


class AdminProgressList(msgspec.Struct, frozen=True, kw_only=True):
    """Progress of documents; ``total`` counts all that are in work."""

    items: list[AdminProgress]
    total: int
    next_cursor: None = None


class AdminImage(Shape, of=ImageView, only=("caption", "text", "url")):
    """An image with what it shows; its address is signed and lasts about an hour."""

    document: AdminDocument


class AdminImagePage(Paged[AdminImage]):
    """One page of images."""


class AdminSlice(Shape, of=SliceView, without=("place",)):
    """A slice; ``status`` 0 pending, 1 indexed, 9 failed. ``sequence`` need not be whole."""

    page: Annotated[int | None, At("place.page_from"), After("heading_path")]
    sheet: Annotated[str, At("place.sheet"), After("page")]
    row: Annotated[int | None, At("place.row"), After("sheet")]
    boxes: Annotated[list[list[float]], After("row")]
    """Where it stands: page, left, top, right and bottom as parts of the page, 0 to 1."""


class AdminSliceList(Paged[AdminSlice]):
    """One page of slices, in order."""


class AdminChunk(Shape, of=ChunkView, rename={"kind": "type"}):
    """A slice to be; ``type`` 0 text, 1 image, 2 table."""

    boxes: list[list[float]]
    """Where it stands: page, left, top, right and bottom as parts of the page, 0 to 1."""


class AdminPreview(
    Shape, of=PreviewView, without=("chunks",), rename={"extension": "type", "state": "status"}
):
    """A preview; ``status`` 0 being read, 1 ready, 2 failed. ``chunks`` once it is ready."""

    chunks: Annotated[list[AdminChunk], After("chunk_count")]


class AdminPreviewList(msgspec.Struct, frozen=True, kw_only=True):
    """Previews of one request, in its order."""

    items: list[AdminPreview]
    total: int
    next_cursor: None = None
