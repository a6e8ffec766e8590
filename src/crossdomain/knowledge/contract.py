"""What other contexts may ask of knowledge bases, in plain types only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal, Protocol

import msgspec

from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.chat import ChatMessage, Usage

SearchType = Literal["semantic", "hybrid", "full_text"]
Threshold = Literal["absolute", "fastgpt"]

DEFAULT_TOKENS: Final = 3000


class RetrievalStrategy(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How knowledge is searched: one set of fields for search tests, agents and workflow nodes.

    Each of them writes the fields with the names of its own surface; what a surface has no word
    for keeps its default.
    """

    search_type: SearchType = "hybrid"
    top_k: int = 3
    min_score: float = 0.5
    threshold: Threshold = "absolute"
    """``fastgpt`` ignores the minimum in full-text and mixed mode without a reranking model."""
    max_tokens: int | None = None
    """Tokens of all results together; None is what the caller has room for."""
    embedding_weight: float | None = None
    """What vectors count beside words; None depends on the embedding model."""
    rewrites: bool = False
    """The question is made self-contained by the history."""
    expansion: int = 0
    """Further wordings that are searched, too; a rewrite is not needed then."""
    expansion_model: str = ""
    """Writes questions anew; empty for the default model."""
    expansion_background: str = ""
    """What the model should know of the subject before it writes."""
    reranks: bool = False
    rerank_model: str = ""
    rerank_weight: float = 1.0
    """What the order of the reranking model counts beside the one before."""
    uses_sql: bool = False
    is_personal_only: bool = False
    """Only documents of the calling end user."""
    neighbours: int | None = None
    """Slices joined to what was found; None shows sections whole that were cut into parts."""
    filter: Mapping[str, Any] | None = None
    """A metadata filter as JSON, tags included."""


BOUNDS: Final[Mapping[str, tuple[float, float]]] = {
    "top_k": (1, 100),
    "min_score": (0, 1),
    "max_tokens": (1, 1_000_000),
    "embedding_weight": (0, 1),
    "expansion": (0, 5),
    "rerank_weight": (0, 1),
    "neighbours": (0, 2),
}
"""Least and largest values of the numbers of a ``RetrievalStrategy``."""
MAX_BACKGROUND_CHARS: Final = 8000


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRequest:
    """A question to knowledge bases.

    ``history`` is oldest first and only used to write the question anew.
    """

    query: str
    dataset_ids: tuple[int, ...]
    document_ids: tuple[int, ...] = ()
    history: tuple[ChatMessage, ...] = ()
    strategy: RetrievalStrategy = field(default_factory=RetrievalStrategy)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecalledSlice:
    """A piece of a document, or rows found by SQL (then ``slice_id`` may be 0).

    ``content`` has its images as signed URLs. ``score`` is in 0 to 1; ``scores`` holds those of
    the channels: ``embedding``, ``full_text``, ``rerank``, ``rrf``. ``page`` counts from 1, 0 for
    unknown. ``url`` leads to the source where it has one. ``updated_at`` is when the piece, or the
    document of rows, was last changed.
    """

    slice_id: int
    document_id: int
    dataset_id: int
    document_name: str
    dataset_name: str
    format_type: int
    source_type: int
    content: str
    score: float
    scores: Mapping[str, float] = field(default_factory=dict)
    source: Literal["embedding", "full_text", "both", "nl2sql"] = "full_text"
    page: int = 0
    sheet: str = ""
    row: int = 0
    position: float = 0.0
    tags: Mapping[str, object] = field(default_factory=dict)
    url: str = ""
    also_in: tuple[int, ...] = ()
    updated_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallStage:
    """One step of a search: how long it took, what came of it, and why it gave less."""

    name: str
    duration_ms: float
    count: int = 0
    degraded: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """Slices in final order; ``queries`` as searched; ``skipped`` bases are gone or disabled."""

    items: tuple[RecalledSlice, ...] = ()
    queries: tuple[str, ...] = ()
    skipped: tuple[int, ...] = ()
    stages: tuple[RecallStage, ...] = ()
    usage: Usage = field(default_factory=Usage)

    @property
    def degraded(self) -> tuple[str, ...]:
        """Reasons why less was searched than asked for."""
        return tuple(stage.degraded for stage in self.stages if stage.degraded)


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetDescription:
    """A knowledge base as agents see it; ``format_type``: 0 text, 1 table, 2 image."""

    id: int
    name: str
    description: str
    format_type: int
    is_enabled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentToStore:
    """A file for a knowledge base; ``parse_rule`` as stored canvases write it."""

    dataset_id: int
    name: str
    url: str
    parse_rule: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredDocument:
    """A document that was accepted; indexing follows."""

    id: int
    name: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentProgress:
    """How far indexing is; ``failure`` says why there is nothing to be found."""

    is_over: bool
    failure: str = ""


class Knowledge(Protocol):
    """Search and upkeep of knowledge bases, with the rights of the context's space."""

    async def retrieve(self, context: CallContext, request: RecallRequest) -> Recall:
        """Search; counts hits.

        Raises:
            InvalidRequest: the request itself is wrong, for instance its filter.
            RetrievalFailed: every channel failed.
        """
        ...

    def check_filter(self, value: Mapping[str, Any]) -> None:
        """Raise ``InvalidRequest`` unless it is a metadata filter."""
        ...

    async def describe(
        self, scope: TenantScope, dataset_ids: Sequence[int]
    ) -> tuple[DatasetDescription, ...]:
        """Describe those that exist, in the order of the ids."""
        ...

    async def store_document(
        self, context: CallContext, document: DocumentToStore, *, key: str
    ) -> StoredDocument:
        """Take a document in; equal ``key``, same document."""
        ...

    async def progress(self, scope: TenantScope, document_id: int) -> DocumentProgress:
        """Tell how far a document is; raise ``NotFound``."""
        ...

    async def delete_document(
        self, context: CallContext, dataset_ids: Sequence[int], document_id: int
    ) -> bool:
        """Delete a document of these bases; tell whether there was one."""
        ...


class QueryWordings(Protocol):
    """Questions in other words, without a search."""

    async def wordings(
        self,
        context: CallContext,
        question: str,
        *,
        model: str,
        background: str,
        history: Sequence[ChatMessage],
        count: int,
    ) -> Sequence[str]:
        """Return up to ``count`` other wordings of a question; none without a language model.

        Raises as models do.
        """
        ...


class DocumentTexts(Protocol):
    """Documents that belong to no base."""

    async def read(self, context: CallContext, url: str, *, name: str, max_bytes: int) -> str:
        """Return the text of a document as Markdown, without storing it.

        Raises:
            DocumentNotParsed: it cannot be read.
            FileNotFound, RequestTooLarge, InvalidRequest, EgressDenied, EgressFailed: as files.
            Unavailable: no parser or store is there.
        """
        ...
