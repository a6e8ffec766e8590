"""Facts about knowledge; ``aggregate_id`` is the base, so that its events keep their order."""

from enum import StrEnum

from domain.shared.aggregate import DomainEvent


class ChangeKind(StrEnum):
    """What happened to a base or document."""

    CREATED = "created"
    UPDATED = "updated"
    DELETED = "deleted"


class KnowledgeChanged(DomainEvent, frozen=True, kw_only=True, tag="knowledge.changed"):
    """A base, or one document of it, is not what it was; ``document_id`` 0 means the base."""

    change: ChangeKind
    document_id: int = 0


class IndexingRequested(DomainEvent, frozen=True, kw_only=True, tag="knowledge.index_document"):
    """A job for the document waits; the job row says what is to be done."""

    document_id: int
    generation: int


class SliceChanged(DomainEvent, frozen=True, kw_only=True, tag="knowledge.index_slice"):
    """A slice of a searchable document was added or edited."""

    document_id: int
    slice_id: int


class DataDeleted(DomainEvent, frozen=True, kw_only=True, tag="knowledge.delete_data"):
    """Rows marked deleted wait for their removal everywhere.

    Without ids the whole base goes.
    """

    document_ids: tuple[int, ...] = ()
    slice_ids: tuple[int, ...] = ()


class GenerationDropped(DomainEvent, frozen=True, kw_only=True, tag="knowledge.drop_generation"):
    """A generation of a document will never be searchable; its slices may go."""

    document_id: int


class RebuildRequested(DomainEvent, frozen=True, kw_only=True, tag="knowledge.rebuild"):
    """The index of a base waits to be built anew; the row of the rebuild says how."""


class CopyRequested(DomainEvent, frozen=True, kw_only=True, tag="knowledge.copy"):
    """A base waits to be copied; the row of the copy says where to."""


class PreviewRequested(DomainEvent, frozen=True, kw_only=True, tag="knowledge.document_review"):
    """A preview waits to be read; its row says what."""
