"""Where rebuilds, previews and cached vectors are kept, and what a reconciler asks."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from domain.knowledge.copying import DatasetCopy
from domain.knowledge.dataset import Dataset
from domain.knowledge.document import Document
from domain.knowledge.preview import Preview, PreviewId
from domain.knowledge.rebuild import Rebuild
from domain.knowledge.slice import Slice
from domain.knowledge.value import DatasetId, DocumentId, SliceId
from domain.shared.access import TenantScope
from domain.shared.ids import SpaceId
from infra.contract.object_store import ObjectKey


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
        """Insert or update; raise ``CopyLost``."""
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

    async def due_rebuilds(self, *, now: datetime, limit: int) -> list[Rebuild]: ...

    async def save_rebuild(self, rebuild: Rebuild) -> None:
        """Update under the revision; raise ``RebuildLost``."""
        ...

    async def renew_rebuild(self, rebuild: Rebuild, *, until: datetime) -> None:
        """Extend the claim of who has it, without moving the revision."""
        ...

    async def renew_preview(self, preview: Preview, *, until: datetime) -> None:
        """Extend the claim of who reads it, without moving the revision."""
        ...

    async def due_copies(self, *, now: datetime, limit: int) -> list[DatasetCopy]: ...

    async def due_previews(self, *, now: datetime, limit: int) -> list[Preview]: ...

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
