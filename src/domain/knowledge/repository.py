"""Where knowledge is kept."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeVar

from domain.knowledge.copying import DatasetCopy
from domain.knowledge.dataset import Dataset
from domain.knowledge.document import Document
from domain.knowledge.health import SliceChoice, SliceTally
from domain.knowledge.image import ImageWords
from domain.knowledge.job import IngestJob, JobState
from domain.knowledge.preview import Preview, PreviewId
from domain.knowledge.ranking.filter import DocumentFacts
from domain.knowledge.ranking.score import LearntScale
from domain.knowledge.rebuild import Rebuild
from domain.knowledge.slice import FoundSlice, Slice
from domain.knowledge.value import (
    EVERYTHING,
    DatasetId,
    DatasetState,
    DatasetTotals,
    DocumentId,
    DocumentListing,
    ExaminedSlice,
    FormatType,
    Page,
    SliceId,
    SliceStatus,
)
from domain.knowledge.work import LongWork
from domain.shared.access import TenantScope
from domain.shared.aggregate import DomainEvent
from domain.shared.capacity.quota import UsageCounter
from domain.shared.ids import SpaceId, UserId
from domain.shared.repository import RequestKeys
from infra.contract.storage.object_store import ObjectKey

WorkT = TypeVar("WorkT", bound=LongWork)


class WorkQueue(Protocol[WorkT]):
    """One kind of long work, of all spaces."""

    async def due(self, *, now: datetime, limit: int) -> list[WorkT]:
        """Return what may be claimed, what waits longest first."""
        ...

    async def find(self, work_id: int) -> WorkT | None: ...

    async def save(self, work: WorkT) -> None:
        """Update under the revision; raise ``WorkLost`` if it is not this process's any more."""
        ...

    async def renew(self, work_id: int, owner: str, *, until: datetime) -> bool:
        """Extend a lease without moving the revision; False if it is lost."""
        ...


class RebuildRepository(Protocol):
    """Rebuilds as the owners of bases see them."""

    async def add(self, scope: TenantScope, rebuild: Rebuild) -> None: ...

    async def latest(
        self, scope: TenantScope, dataset_ids: Sequence[DatasetId]
    ) -> dict[DatasetId, Rebuild]:
        """Return the youngest rebuild of each base that had one."""
        ...

    async def slices(
        self, scope: TenantScope, dataset_id: DatasetId, *, after: SliceId, limit: int
    ) -> list[Slice]:
        """Return slices of active and pending generations with a greater id, by id."""
        ...

    async def reread(
        self, scope: TenantScope, dataset_id: DatasetId, slice_ids: Sequence[SliceId]
    ) -> list[Slice]:
        """Return those of these slices that are still of an active or pending generation."""
        ...

    async def sample(self, scope: TenantScope, dataset_id: DatasetId, *, limit: int) -> list[Slice]:
        """Return slices of active and pending generations from all over the base."""
        ...

    async def count(self, scope: TenantScope, dataset_id: DatasetId) -> int:
        """Count the slices of active and pending generations."""
        ...

    async def forget(self, scope: TenantScope, dataset_id: DatasetId) -> None:
        """Remove what is known of the rebuilds of a base."""
        ...


class CopyRepository(Protocol):
    """Copies of bases, by the space of the new base."""

    async def find(self, scope: TenantScope, request_key: str) -> DatasetCopy | None:
        """Return the copy that was asked for under a key, by anybody of the space."""
        ...

    async def save(self, scope: TenantScope, copy: DatasetCopy) -> None:
        """Insert or update; raise ``StaleRevision``."""
        ...

    async def forget(self, scope: TenantScope, dataset_id: DatasetId) -> None:
        """Remove what is known of how a base was made."""
        ...

    async def next_document(
        self, scope: TenantScope, dataset_id: DatasetId, *, after: DocumentId
    ) -> DocumentId | None:
        """Return the next document of a base that has an active generation, by id."""
        ...


class PreviewRepository(Protocol):
    """Previews; one of another space is not found."""

    async def get(self, scope: TenantScope, preview_id: PreviewId) -> Preview:
        """Return a preview; raise ``PreviewNotFound``."""
        ...

    async def save(self, scope: TenantScope, preview: Preview) -> None:
        """Insert or update; raise ``StaleRevision``."""
        ...

    async def forget(self, scope: TenantScope, preview_id: PreviewId) -> None: ...

    async def waiting(self, scope: TenantScope) -> int:
        """Count those that wait to be read."""
        ...


class EmbeddingRepository(Protocol):
    """Vectors by space, model and hash of the text; packed as 32-bit floats."""

    async def get(
        self,
        scope: TenantScope,
        space_id: SpaceId,
        model: str,
        hashes: Sequence[str],
        *,
        since: datetime,
    ) -> dict[str, bytes]: ...

    async def put(
        self,
        scope: TenantScope,
        space_id: SpaceId,
        model: str,
        vectors: Mapping[str, bytes],
        *,
        now: datetime,
    ) -> None: ...


class ReconcileRepository(Protocol):
    """What should be true of a base, page by page."""

    async def existing(
        self, scope: TenantScope, dataset_id: DatasetId, slice_ids: Sequence[SliceId]
    ) -> set[SliceId]:
        """Return those that are slices of living documents, whatever their generation."""
        ...

    async def known(
        self, scope: TenantScope, document_ids: Sequence[DocumentId]
    ) -> set[DocumentId]:
        """Return documents that have a row, deleted ones included."""
        ...

    async def done(
        self, scope: TenantScope, dataset_id: DatasetId, *, after: SliceId, limit: int
    ) -> list[SliceId]:
        """Return indexed slices of active generations with a greater id, by id."""
        ...

    async def waiting(
        self, scope: TenantScope, dataset_id: DatasetId, *, before: datetime, limit: int
    ) -> list[SliceId]:
        """Return slices of active generations that were edited long ago and never indexed."""
        ...

    async def jobless(
        self, scope: TenantScope, dataset_id: DatasetId, *, limit: int
    ) -> list[DocumentId]:
        """Return documents with a pending generation that no unfinished job makes."""
        ...

    async def drop_orphan_jobs(self, scope: TenantScope, dataset_id: DatasetId) -> int:
        """Remove jobs whose document is gone; return how many."""
        ...

    async def littered(
        self, scope: TenantScope, dataset_id: DatasetId, *, limit: int
    ) -> list[DocumentId]:
        """Return documents with slices of old generations that no unfinished job collects."""
        ...

    async def unpurged(
        self, scope: TenantScope, dataset_id: DatasetId, *, before: datetime, limit: int
    ) -> list[DocumentId]:
        """Return documents deleted before a moment whose rows are still there."""
        ...

    async def lost_objects(self, scope: TenantScope, *, limit: int) -> list[ObjectKey]:
        """Return objects of documents and previews that are gone."""
        ...

    async def forget_lost_objects(self, scope: TenantScope, keys: Sequence[ObjectKey]) -> None: ...


class UpkeepQueue(Protocol):
    """Work of all spaces, for the parts that run in the background."""

    @property
    def rebuilds(self) -> WorkQueue[Rebuild]: ...

    @property
    def copies(self) -> WorkQueue[DatasetCopy]: ...

    @property
    def previews(self) -> WorkQueue[Preview]: ...

    async def expired_previews(self, *, now: datetime, limit: int) -> list[Preview]: ...

    async def due_refreshes(self, *, now: datetime, limit: int) -> list[Document]:
        """Return web pages that are to be fetched again and are not being indexed."""
        ...

    async def datasets(self, *, after: DatasetId, limit: int) -> list[Dataset]:
        """Return living bases by id."""
        ...

    async def known_datasets(self, dataset_ids: Sequence[DatasetId]) -> set[DatasetId]:
        """Return those that have a row, deleted ones included."""
        ...

    async def unpurged_datasets(self, *, before: datetime, limit: int) -> list[Dataset]:
        """Return bases deleted before a moment whose rows are still there."""
        ...

    async def prune_embeddings(self, *, before: datetime, kept: int) -> None:
        """Forget cached vectors made before a moment, and the oldest beyond ``kept``."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceTotals:
    """What one generation of a document consists of."""

    count: int = 0
    chars: int = 0
    done: int = 0
    failed: int = 0
    cut: int = 0
    """Rows too long to be found by all of their text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobQuota:
    """How much of the work may be of one base or space at a time."""

    per_dataset: int
    per_space: int


class DatasetRepository(Protocol):
    """Knowledge bases; a deleted one, or one of another space, is not found."""

    async def get(self, scope: TenantScope, dataset_id: DatasetId) -> Dataset:
        """Return a base; raise ``DatasetNotFound``."""
        ...

    async def lock(self, scope: TenantScope, dataset_id: DatasetId) -> Dataset:
        """Return it so that nobody else locks or changes it before this transaction ends."""
        ...

    async def get_many(
        self, scope: TenantScope, dataset_ids: Sequence[DatasetId]
    ) -> dict[DatasetId, Dataset]:
        """Return those that exist."""
        ...

    async def page(
        self,
        scope: TenantScope,
        *,
        name: str,
        format_type: FormatType | None,
        state: DatasetState | None = None,
        page: Page,
    ) -> tuple[list[Dataset], int]:
        """Return bases whose name contains ``name``, the youngest first, and how many there are."""
        ...

    async def totals(
        self, scope: TenantScope, dataset_ids: Sequence[DatasetId]
    ) -> dict[DatasetId, DatasetTotals]:
        """Count what bases hold; of the names, the first hundred."""
        ...

    async def save(self, scope: TenantScope, dataset: Dataset) -> None:
        """Insert or update; raise ``DatasetNameTaken``, ``StaleRevision``."""
        ...

    async def keep_scale(
        self, scope: TenantScope, dataset_id: DatasetId, version: int, scale: LearntScale | None
    ) -> None:
        """Store what was learnt of an index, unless the base has another one by now."""
        ...

    async def forget(self, scope: TenantScope, dataset_id: DatasetId) -> None:
        """Remove the row of a deleted base."""
        ...


class DocumentRepository(Protocol):
    """Documents; a deleted one, or one of another space, is not found."""

    async def get(self, scope: TenantScope, document_id: DocumentId) -> Document:
        """Return a document; raise ``DocumentNotFound``."""
        ...

    async def lock(self, scope: TenantScope, document_id: DocumentId) -> Document:
        """Return it so that nobody else changes it before this transaction ends."""
        ...

    async def get_many(
        self, scope: TenantScope, document_ids: Sequence[DocumentId]
    ) -> dict[DocumentId, Document]:
        """Return those that exist."""
        ...

    async def page(
        self,
        scope: TenantScope,
        dataset_id: DatasetId,
        *,
        page: Page,
        listing: DocumentListing = EVERYTHING,
    ) -> tuple[list[Document], int]:
        """Return one page of the documents that are wanted, and how many there are."""
        ...

    async def with_content(
        self, scope: TenantScope, dataset_id: DatasetId, hashes: Sequence[str]
    ) -> list[Document]:
        """Return documents of a base made of these bytes that did not fail, the oldest first."""
        ...

    async def save(self, scope: TenantScope, document: Document) -> None:
        """Insert or update all but the hits; raise ``StaleRevision``."""
        ...

    async def delete_all(self, scope: TenantScope, dataset_id: DatasetId, *, now: datetime) -> None:
        """Mark all documents of a base deleted; the event of the base speaks for them."""
        ...

    async def deleted(
        self, scope: TenantScope, dataset_id: DatasetId, *, limit: int
    ) -> list[DocumentId]:
        """Return documents of a base that are marked deleted."""
        ...

    async def forget(self, scope: TenantScope, document_ids: Sequence[DocumentId]) -> None:
        """Remove the rows of deleted documents, and their jobs and objects' names."""
        ...


class SliceRepository(Protocol):
    """Slices, of documents that are live or not: callers load the document first."""

    async def get(self, scope: TenantScope, slice_id: SliceId) -> Slice:
        """Return a slice of an active generation; raise ``SliceNotFound``."""
        ...

    async def get_many(self, scope: TenantScope, slice_ids: Sequence[SliceId]) -> list[Slice]:
        """Return slices of active generations."""
        ...

    async def page(
        self,
        scope: TenantScope,
        document_id: DocumentId,
        generation: int,
        *,
        keyword: str,
        status: SliceStatus | None,
        page: Page,
    ) -> tuple[list[Slice], int]:
        """Return slices whose content contains ``keyword``, in order, and how many there are."""
        ...

    async def around(
        self, scope: TenantScope, document_id: DocumentId, generation: int, *, position: int
    ) -> tuple[float | None, float | None]:
        """Return the sequences of the slices before and at ``position``, from 1."""
        ...

    async def position(
        self, scope: TenantScope, document_id: DocumentId, generation: int, item: Slice
    ) -> int:
        """Return which slice of a generation one is, from 1."""
        ...

    async def renumber(self, scope: TenantScope, document_id: DocumentId, generation: int) -> None:
        """Give the slices the sequences 1 to n."""
        ...

    async def totals(
        self, scope: TenantScope, document_id: DocumentId, generation: int
    ) -> SliceTotals: ...

    async def save(self, scope: TenantScope, item: Slice) -> None:
        """Insert or update all but the hits; raise ``StaleRevision``."""
        ...

    async def remove(self, scope: TenantScope, slice_ids: Sequence[SliceId]) -> None: ...


class BatchRepository(Protocol):
    """Slices by the hundred, for those who index and clean up."""

    async def add_new(self, scope: TenantScope, slices: Sequence[Slice]) -> None:
        """Insert those whose ordinal the generation does not have yet."""
        ...

    async def pending(
        self,
        scope: TenantScope,
        document_id: DocumentId,
        generation: int,
        *,
        after: int = 0,
        limit: int,
    ) -> list[Slice]:
        """Return slices behind an ordinal that wait for the search stores, by ordinal."""
        ...

    async def settle(self, scope: TenantScope, slices: Sequence[Slice]) -> None:
        """Store status and reason of slices that only one worker can change."""
        ...

    async def adopt(
        self, scope: TenantScope, document_id: DocumentId, generation: int, *, into: int
    ) -> None:
        """Move all slices of a generation behind those of another one."""
        ...

    async def outdated(
        self, scope: TenantScope, document_id: DocumentId, *, limit: int
    ) -> list[SliceId]:
        """Return slices of generations that are neither active nor pending."""
        ...

    async def of_documents(
        self, scope: TenantScope, document_ids: Sequence[DocumentId], *, limit: int
    ) -> list[SliceId]: ...


class RetrievalRepository(Protocol):
    """What searches need."""

    async def hydrate(self, scope: TenantScope, slice_ids: Sequence[SliceId]) -> list[FoundSlice]:
        """Return what a search may show: base enabled, document enabled, generation active."""
        ...

    async def add_hits(self, scope: TenantScope, hits: dict[SliceId, int]) -> None:
        """Count what was returned, by slice and document; never touches what people edit."""
        ...

    async def hidden(
        self, scope: TenantScope, dataset_ids: Sequence[DatasetId], *, limit: int
    ) -> list[DocumentId]:
        """Return up to ``limit`` documents of these bases that their owners disabled."""
        ...

    async def facts(
        self,
        scope: TenantScope,
        dataset_ids: Sequence[DatasetId],
        *,
        document_ids: Sequence[DocumentId] = (),
        creator_id: UserId | None = None,
        after: int = 0,
        limit: int,
    ) -> list[DocumentFacts]:
        """Describe documents that searches may show, by id from ``after``, for filters.

        Without ``document_ids`` all of the bases, without ``creator_id`` those of everybody.
        """
        ...

    async def column_names(
        self, scope: TenantScope, dataset_ids: Sequence[DatasetId], *, limit: int
    ) -> dict[DatasetId, list[str]]:
        """Return the columns of the newest ``limit`` tables that searches may show, by base."""
        ...

    async def family(
        self, scope: TenantScope, items: Sequence[Slice], *, limit: int
    ) -> list[Slice]:
        """Return up to ``limit`` slices of the same parents that searches may show, in order."""
        ...

    async def neighbours(self, scope: TenantScope, item: Slice, *, count: int) -> list[Slice]:
        """Return a slice with up to ``count`` slices on either side, in order."""
        ...


class ImageRepository(Protocol):
    """Documents that are images, with the words of their one slice."""

    async def page(
        self,
        scope: TenantScope,
        dataset_id: DatasetId,
        *,
        keyword: str,
        has_caption: bool | None,
        page: Page,
    ) -> tuple[list[tuple[Document, ImageWords]], int]:
        """Return images whose name or words contain ``keyword``, the youngest first.

        Also tells how many there are.
        """
        ...

    async def slice_of(self, scope: TenantScope, document: Document) -> Slice | None:
        """Return the slice of the active generation."""
        ...


class ObjectNameRepository(Protocol):
    """Names of the objects that belong to documents, noted before they are written."""

    async def note(self, scope: TenantScope, document: Document, key: ObjectKey) -> None:
        """Remember a key; the same one again is no error."""
        ...

    async def of(
        self, scope: TenantScope, document_ids: Sequence[DocumentId], *, limit: int
    ) -> list[ObjectKey]: ...

    async def shared(
        self,
        scope: TenantScope,
        keys: Sequence[ObjectKey],
        *,
        besides: Sequence[DocumentId],
    ) -> set[ObjectKey]:
        """Return those that documents other than ``besides`` need too."""
        ...

    async def forget(
        self, scope: TenantScope, keys: Sequence[ObjectKey], document_ids: Sequence[DocumentId]
    ) -> None:
        """Remove the names that these documents noted."""
        ...


class JobRepository(Protocol):
    """Jobs as the owners of documents see them."""

    async def add(self, scope: TenantScope, job: IngestJob) -> None: ...

    async def latest(
        self, scope: TenantScope, document_ids: Sequence[DocumentId]
    ) -> dict[DocumentId, IngestJob]:
        """Return the job of the highest generation of each document."""
        ...

    async def waiting(self, scope: TenantScope) -> int:
        """Count the jobs that are not finished."""
        ...

    async def supersede(self, scope: TenantScope, document_ids: Sequence[DocumentId]) -> None:
        """End unfinished jobs; their workers can write nothing any more.

        Comes before a change of the documents, so that locks are always taken in this order.
        """
        ...

    async def supersede_all(self, scope: TenantScope, dataset_id: DatasetId) -> None:
        """End all unfinished jobs of a base."""
        ...


class JobQueue(WorkQueue[IngestJob], Protocol):
    """Jobs of all spaces, for the workers."""

    async def charge(self, job: IngestJob) -> None:
        """Store the calls of models that the job occasioned since the last time."""
        ...

    async def shared(self, *, now: datetime, quota: JobQuota, limit: int) -> list[IngestJob]:
        """Return jobs to claim, spaces with the least work in progress first."""
        ...

    async def page(
        self,
        space_ids: Collection[SpaceId] | None,
        *,
        states: Collection[JobState],
        limit: int,
        offset: int,
    ) -> tuple[list[IngestJob], int]:
        """Return jobs of these spaces, or of all, and their number.

        Those under way come first, the longest there first; then the newest of the others.
        """
        ...

    async def names(self, document_ids: Collection[DocumentId]) -> Mapping[DocumentId, str]:
        """Return the names of documents of any space."""
        ...

    async def next_due_at(self) -> datetime | None:
        """Return when the next job will be due."""
        ...

    async def prune(self, space_id: SpaceId, *, done: int, failed: int) -> None:
        """Keep only the last finished jobs of a space."""
        ...


class HealthRepository(Protocol):
    """The slices that a base has now, at most the ``MOST_EXAMINED`` youngest of them."""

    async def tally(self, scope: TenantScope, dataset_id: DatasetId) -> SliceTally:
        """Count them by length and by flaw."""
        ...

    async def page(
        self, scope: TenantScope, dataset_id: DatasetId, choice: SliceChoice, page: Page
    ) -> tuple[list[ExaminedSlice], int]:
        """Return those that were chosen, the worst first, copies beside each other."""
        ...

    async def sample(
        self, scope: TenantScope, dataset_id: DatasetId, *, limit: int
    ) -> list[tuple[SliceId, str]]:
        """Return how at most so many begin, spread evenly over all; always the same ones."""
        ...


class KnowledgeUnitOfWork(Protocol):
    """One transaction on knowledge."""

    @property
    def datasets(self) -> DatasetRepository: ...

    @property
    def documents(self) -> DocumentRepository: ...

    @property
    def slices(self) -> SliceRepository: ...

    @property
    def health(self) -> HealthRepository: ...

    @property
    def batches(self) -> BatchRepository: ...

    @property
    def retrieval(self) -> RetrievalRepository: ...

    @property
    def images(self) -> ImageRepository: ...

    @property
    def objects(self) -> ObjectNameRepository: ...

    @property
    def request_keys(self) -> RequestKeys: ...

    @property
    def usage(self) -> UsageCounter: ...

    @property
    def jobs(self) -> JobRepository: ...

    @property
    def queue(self) -> JobQueue: ...

    @property
    def rebuilds(self) -> RebuildRepository: ...

    @property
    def copies(self) -> CopyRepository: ...

    @property
    def previews(self) -> PreviewRepository: ...

    @property
    def embeddings(self) -> EmbeddingRepository: ...

    @property
    def reconciling(self) -> ReconcileRepository: ...

    @property
    def upkeep(self) -> UpkeepQueue: ...

    async def serialise(self, what: str) -> None:
        """Go on alone among the transactions that name the same, until this one ends."""
        ...

    def collect(self, *events: DomainEvent) -> None:
        """Take events that no aggregate recorded."""
        ...

    async def commit(self) -> None: ...


class KnowledgeStore(Protocol):
    """Opens transactions."""

    def transaction(self) -> AbstractAsyncContextManager[KnowledgeUnitOfWork]:
        """A transaction for writing; leaving without commit changes nothing."""
        ...

    def snapshot(self) -> AbstractAsyncContextManager[KnowledgeUnitOfWork]:
        """A transaction for reading only."""
        ...
