"""Copies of bases: asked for here, made document by document in the background."""

from datetime import datetime
from typing import Final

import msgspec

from application.knowledge.table.storage import RowTables
from application.knowledge.work import WorkKind
from domain.knowledge.copying import MAX_KEY_CHARS, CopyId, DatasetCopy
from domain.knowledge.document import FIRST_GENERATION, Document
from domain.knowledge.error import DatasetNotFound, DocumentNotFound, KnowledgeInvalid
from domain.knowledge.job import IngestJob, JobStage
from domain.knowledge.repository import KnowledgeStore, KnowledgeUnitOfWork, WorkQueue
from domain.knowledge.text.analyzer import ANALYZER_VERSION
from domain.knowledge.value import (
    MAX_NAME_CHARS,
    DatasetId,
    DocumentId,
    FormatType,
    Page,
    SliceId,
)
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.capacity.quota import Quotas, Usage
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import Id, SpaceId
from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.storage.object_store import ObjectKey

SLICES_AT_ONCE: Final = 500
_OBJECTS: Final = 10_000
_SUFFIX: Final = " (copy)"


class CopyView(msgspec.Struct, frozen=True, kw_only=True):
    """A copy; ``status`` 1 done, 2 under way, 3 failed. Its documents have states of their own."""

    dataset_id: Id
    status: int
    error: str


class CopyService:
    """Takes wishes for copies; the same key again is the same copy."""

    def __init__(self, *, store: KnowledgeStore, clock: Clock, ids: IdGenerator) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids

    async def copy(
        self,
        principal: Principal,
        dataset_id: int,
        *,
        space_id: int | None = None,
        name: str = "",
        request_key: str = "",
    ) -> CopyView:
        """Copy a base with its searchable documents, into its own or another space.

        Raises:
            DatasetNotFound: no such base.
            DatasetNameTaken: the target space has a base of this name.
            KnowledgeInvalid: the name or the key is too long, or the key is another base's.
        """
        if len(request_key) > MAX_KEY_CHARS:
            raise KnowledgeInvalid(f"Idempotency-Key: at most {MAX_KEY_CHARS} characters.")
        now = self._clock.now()
        async with self._store.transaction() as uow:
            source = await uow.datasets.get(principal.scope, DatasetId(dataset_id))
            principal.require(Permission.DATASET_READ, source.space_id)
            target_space = source.space_id if space_id is None else SpaceId(space_id)
            principal.require(Permission.DATASET_WRITE, target_space)
            scope = principal.scope.within(target_space)
            key = request_key or f"{self._ids.next_id():d}"
            known = await uow.copies.find(scope, key)
            if known is not None:
                if known.source_id != source.id:
                    raise KnowledgeInvalid("Idempotency-Key: it was used for another base.")
                return _view(known)
            target = source.copied(
                DatasetId(self._ids.next_id()),
                target_space,
                creator_id=principal.user_id,
                name=name or source.name[: MAX_NAME_CHARS - len(_SUFFIX)] + _SUFFIX,
                analyzer_version=ANALYZER_VERSION,
                now=now,
            )
            copy = DatasetCopy.request(
                CopyId(self._ids.next_id()),
                space_id=target_space,
                source_space_id=source.space_id,
                source_id=source.id,
                target_id=target.id,
                creator_id=principal.user_id,
                request_key=key,
                now=now,
            )
            await uow.datasets.save(scope, target)
            await uow.copies.save(scope, copy)
            await uow.commit()
        return _view(copy)


class CopyKind(WorkKind[DatasetCopy]):
    """Copies documents with their slices; each is indexed by a job of its own."""

    name = "copy"

    def __init__(
        self,
        *,
        store: KnowledgeStore,
        rows: RowTables,
        clock: Clock,
        ids: IdGenerator,
        quotas: Quotas | None = None,
    ) -> None:
        self._quotas = quotas or Quotas(Limits())
        self._store = store
        self._rows = rows
        self._clock = clock
        self._ids = ids

    def queue(self, uow: KnowledgeUnitOfWork) -> WorkQueue[DatasetCopy]:
        return uow.upkeep.copies

    def scope(self, work: DatasetCopy) -> TenantScope:
        return TenantScope(work.creator_id, frozenset({work.source_space_id, work.space_id}))

    async def proceed(self, work: DatasetCopy, scope: TenantScope) -> None:
        while await self._copy_document(work, scope):
            pass

    def is_worth_a_retry(self, error: Exception) -> bool:
        """A full space may be made room in."""
        return True

    def reason(self, error: Exception) -> str:
        if isinstance(error, DatasetNotFound):
            return "The new knowledge base was deleted."
        return super().reason(error)

    async def _copy_document(self, copy: DatasetCopy, scope: TenantScope) -> bool:
        """Copy the next document with its slices, to be indexed; False if there is none."""
        now = self._clock.now()
        async with self._store.transaction() as uow:
            await self._quotas.require(uow, copy.space_id, Usage(documents=1, bytes=1))
            await uow.datasets.get(scope, copy.target_id)
            key = await uow.copies.next_document(scope, copy.source_id, after=copy.cursor)
            if key is None:
                copy.finish(now=now)
            else:
                try:
                    # Locked, so that its objects cannot go before they are noted as shared.
                    source = await uow.documents.lock(scope, key)
                except DocumentNotFound:  # deleted just now
                    pass
                else:
                    await self._add(uow, scope, copy, source, now=now)
                copy.advance(key)
            await uow.upkeep.copies.save(copy)
            await uow.commit()
        return key is not None

    async def _add(
        self,
        uow: KnowledgeUnitOfWork,
        scope: TenantScope,
        copy: DatasetCopy,
        source: Document,
        *,
        now: datetime,
    ) -> None:
        document = source.copied(
            DocumentId(self._ids.next_id()),
            space_id=copy.space_id,
            dataset_id=copy.target_id,
            creator_id=copy.creator_id,
            now=now,
        )
        if document.format_type is FormatType.TABLE:
            await self._rows.prepare(document, FIRST_GENERATION, source.schema)
        await uow.documents.save(scope, document)
        for key in await uow.objects.of(scope, [source.id], limit=_OBJECTS):
            if _is_shared(key, document):
                await uow.objects.note(scope, document, key)
        count = await self._add_slices(uow, scope, source, document, now=now)
        job = IngestJob.of(
            document,
            self._ids.next_id(),
            generation=FIRST_GENERATION,
            stage=JobStage.INDEX,
            now=now,
        )
        job.total_units = count
        await uow.jobs.add(scope, job)

    async def _add_slices(
        self,
        uow: KnowledgeUnitOfWork,
        scope: TenantScope,
        source: Document,
        document: Document,
        *,
        now: datetime,
    ) -> int:
        number, total = 0, 1
        while number * SLICES_AT_ONCE < total:
            number += 1
            found, total = await uow.slices.page(
                scope,
                source.id,
                source.require_active(),
                keyword="",
                status=None,
                page=Page(number=number, size=SLICES_AT_ONCE),
            )
            copies = [
                item.copied(
                    SliceId(self._ids.next_id()),
                    space_id=document.space_id,
                    dataset_id=document.dataset_id,
                    document_id=document.id,
                    generation=FIRST_GENERATION,
                    now=now,
                )
                for item in found
            ]
            await uow.batches.add_new(scope, copies)
        return total


def _is_shared(key: ObjectKey, document: Document) -> bool:
    """Tell whether a copy needs an object: its source and images, not what can be read again."""
    return key.value == document.source.object_key or "/images/" in key.value


def _view(copy: DatasetCopy) -> CopyView:
    return CopyView(dataset_id=copy.target_id, status=copy.state, error=copy.last_error)
