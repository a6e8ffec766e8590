"""What other contexts may ask of knowledge bases, in plain types only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.chat import ChatMessage, Usage

SearchType = Literal["semantic", "hybrid", "full_text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRequest:
    """A question to knowledge bases.

    ``history`` is oldest first and only used to rewrite the question. ``filter`` is a metadata
    filter as JSON. ``is_personal_only`` restricts to documents of the calling end user.
    """

    query: str
    dataset_ids: tuple[int, ...]
    document_ids: tuple[int, ...] = ()
    history: tuple[ChatMessage, ...] = ()
    filter: Mapping[str, object] | None = None
    search_type: SearchType = "hybrid"
    top_k: int = 3
    min_score: float = 0.5
    max_tokens: int = 3000
    rewrites: bool = False
    expansion: int = 0
    reranks: bool = False
    rerank_weight: float = 1.0
    uses_sql: bool = False
    is_personal_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RecalledSlice:
    """A piece of a document, or rows found by SQL (then ``slice_id`` may be 0).

    ``content`` has its images as signed URLs. ``score`` is in 0 to 1; ``scores`` holds those of
    the channels: ``embedding``, ``full_text``, ``rerank``, ``rrf``. ``page`` counts from 1, 0 for
    unknown. ``url`` leads to the source where it has one.
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
