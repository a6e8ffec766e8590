"""The stages of a job; each ends in a transaction that the job's revision guards."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from weakref import WeakKeyDictionary

from application.knowledge.ingest.indexing import REMOVED_AT_ONCE, SliceIndexer
from application.knowledge.ingest.reading import DocumentReading
from application.knowledge.retrieval.calibration import ScaleLearner
from application.knowledge.table.ingest import TableIngest, is_reshape, schema_of
from domain.knowledge.document import FIRST_GENERATION, Document
from domain.knowledge.error import (
    CaptionUnsupported,
    DocumentNotFound,
    NothingParsed,
    TooFewIndexed,
)
from domain.knowledge.image import image_slice, picture_of, text_in
from domain.knowledge.job import IngestJob, JobStage
from domain.knowledge.reading_note import NO_TEXT, notes_on
from domain.knowledge.repository import KnowledgeStore, KnowledgeUnitOfWork, SliceTotals
from domain.knowledge.service import SliceDraft
from domain.knowledge.slice import Slice, section_id
from domain.knowledge.tables.column import Column
from domain.knowledge.text.row import LONGEST_INDEX_TEXT
from domain.knowledge.value import CaptionType, FormatType, Intake, SliceId, SliceStatus
from domain.shared.access import TenantScope
from domain.shared.chat import ModelCall, Usage
from domain.shared.crashpoint import crashpoint
from domain.shared.error import AppError
from domain.shared.id_generator import IdGenerator
from infra.contract.clock import Clock
from infra.contract.document.parser import ParsedDocument, ParseProgress

CHUNKED_AT_ONCE: Final = 500
INDEXED_AT_ONCE: Final = 100
ENOUGH_INDEXED: Final = 0.95
"""Share of the slices; with fewer the document fails."""

_TOLD_EVERY: Final = timedelta(seconds=1)
_CHARGE_S: Final = 10.0
_log: Final = logging.getLogger(__name__)


@dataclass(slots=True)
class _Known:
    """What a short stage has read or made, and the next one would read again.

    It holds for one try, in which the job's revision tells of whatever was changed meanwhile.
    """

    document: Document | None = None
    is_noted: bool = False
    """The blocks of a new document are noted, but not stored yet."""
    parsed: ParsedDocument | None = None
    slices: Sequence[Slice] = ()
    """All slices, stored and not indexed yet."""


Stage = Callable[[IngestJob, TenantScope], Awaitable[None]]
Change = Callable[[KnowledgeUnitOfWork], Awaitable[None]]


class IngestPipeline:
    """Does the stages of a job. What a call of ``step`` changes, one transaction commits."""

    def __init__(
        self,
        *,
        store: KnowledgeStore,
        reading: DocumentReading,
        indexer: SliceIndexer,
        tables: TableIngest,
        scales: ScaleLearner,
        clock: Clock,
        ids: IdGenerator,
    ) -> None:
        self._store = store
        self._reading = reading
        self._indexer = indexer
        self._tables = tables
        self._scales = scales
        self._clock = clock
        self._ids = ids
        self._known: WeakKeyDictionary[IngestJob, _Known] = WeakKeyDictionary()
        self._stages: Mapping[JobStage, Stage] = {
            JobStage.FETCH: self._fetch,
            JobStage.PARSE: self._parse,
            JobStage.CHUNK: self._chunk,
            JobStage.INDEX: self._index,
            JobStage.ACTIVATE: self._activate,
            JobStage.COLLECT: self._collect,
        }

    async def step(self, job: IngestJob, scope: TenantScope) -> None:
        """Do the next part of a claimed job.

        Raises:
            WorkLost: another worker has the job, or nobody needs it any more.
            AppError: whatever went wrong; the job is as it was before.
        """
        try:
            await self._stages[job.stage](job, scope)
        except BaseException:
            self._known.pop(job, None)
            raise
        finally:
            if job.calls:  # the step is repeated, or nobody needs it; its calls were made
                await self._charge(job)

    async def _fetch(self, job: IngestJob, scope: TenantScope) -> None:
        document = await self._load(job, scope)
        intake = await self._reading.fetch(job, document, scope)
        crashpoint("ingest.fetched")
        known = _Known()

        def move() -> None:
            job.enter(JobStage.PARSE)
            if job.is_append:
                job.intake = intake

        async def commit(uow: KnowledgeUnitOfWork) -> None:
            # Read again under its lock: people may have renamed it, or changed its rule, during the
            # fetch.
            fresh = await uow.documents.lock(scope, job.document_id)
            fresh.begin(job.generation, now=self._clock.now())
            if not job.is_append:
                fresh.locate(
                    job.generation,
                    source=intake.source,
                    size=intake.size,
                    content_hash=intake.content_hash,
                )
            await uow.documents.save(scope, fresh)
            if not _needs_no_file(job, fresh):
                await self._reading.note_parsed(uow, scope, fresh, intake)
                known.is_noted = job.generation == FIRST_GENERATION
            known.document = fresh

        await self._commit(job, move, commit)
        self._known[job] = known

    async def _parse(self, job: IngestJob, scope: TenantScope) -> None:
        began = told_at = self._clock.now()
        document = await self._load(job, scope)
        if _needs_no_file(job, document):
            await self._pass_on(job, JobStage.CHUNK, since=began)
            return

        async def tell(progress: ParseProgress) -> None:
            nonlocal told_at
            now = self._clock.now()
            if now - told_at < _TOLD_EVERY:
                return
            told_at = now
            await self._commit(job, lambda: job.report(done=progress.done, total=progress.total))

        known = self._known.get(job)
        parsed, pages = await self._reading.parse(
            job,
            document,
            scope,
            on_progress=tell,
            is_new=known is not None and known.is_noted,
        )
        if pages:
            job.calls.append(recognition(pages, now=self._clock.now()))
        await self._pass_on(
            job, JobStage.CHUNK, since=began, known=_Known(document=document, parsed=parsed)
        )

    async def _chunk(self, job: IngestJob, scope: TenantScope) -> None:
        began = self._clock.now()
        document = await self._load(job, scope)
        parsed: ParsedDocument | None = None
        if not _needs_no_file(job, document):
            known = self._known.get(job)
            parsed = known.parsed if known is not None else None
            parsed = parsed or await self._reading.parsed(job, document)
            if parsed is None:  # the object is gone: read the document again
                await self._commit(job, lambda: job.enter(JobStage.PARSE))
                return
            if document.format_type is FormatType.TABLE and schema_of(job, document) is None:
                await self._define(
                    job, scope, await self._tables.guess(parsed, known=document.columns)
                )
                return
        drafts = await self._drafts(job, scope, document, parsed)
        crashpoint("ingest.chunk.cut")
        is_whole = not job.cursor and len(drafts) < INDEXED_AT_ONCE
        slices: Sequence[Slice] = ()
        for start in range(job.cursor, len(drafts), CHUNKED_AT_ONCE):
            job.total_units = len(drafts)
            # The job's cursor moves with each part, so a crash goes on behind what is stored.
            slices = await self._add(
                job, scope, drafts[start : start + CHUNKED_AT_ONCE], after=start
            )
        await self._pass_on(
            job,
            JobStage.INDEX,
            since=began,
            total=len(drafts),
            known=_Known(document=document, parsed=parsed, slices=slices) if is_whole else None,
        )

    async def _drafts(
        self,
        job: IngestJob,
        scope: TenantScope,
        document: Document,
        parsed: ParsedDocument | None,
    ) -> list[SliceDraft]:
        if _is_prepared(job, document):
            return await self._reading.prepared(document)
        if document.format_type is FormatType.TABLE:
            return await self._tables.drafts(job, scope, document, parsed)
        if parsed is None:
            raise NothingParsed("The document has not been read.")
        if document.format_type is FormatType.IMAGE:
            return await self._captioned(job, document, scope, parsed)
        return await self._reading.cut(document, parsed, intake=job.intake or document.intake)

    async def _define(
        self, job: IngestJob, scope: TenantScope, columns: tuple[Column, ...]
    ) -> None:
        """Keep the columns that were guessed: a second attempt must not name them anew."""

        async def commit(uow: KnowledgeUnitOfWork) -> None:
            document = await uow.documents.lock(scope, job.document_id)
            document.define(job.generation, columns)
            await uow.documents.save(scope, document)

        await self._commit(job, lambda: job.advance(cursor=0, done=0), commit)

    async def _captioned(
        self, job: IngestJob, document: Document, scope: TenantScope, parsed: ParsedDocument
    ) -> list[SliceDraft]:
        """Return the slice of an image; none as long as a person is to write the caption."""
        blocks = list(parsed.blocks())
        picture, caption = picture_of(blocks), document.rule.caption
        if picture is None:
            raise NothingParsed("The file is no image.")
        if not caption and document.rule.chunking.caption_type is CaptionType.AUTOMATIC:
            try:
                caption = await self._reading.caption(
                    document, scope, picture, record=job.calls.append
                )
            except CaptionUnsupported:
                if not text_in(blocks):
                    raise
        draft = image_slice(document.source.object_key, caption, text=text_in(blocks))
        return [] if draft is None else [draft]

    async def _add(
        self, job: IngestJob, scope: TenantScope, drafts: list[SliceDraft], *, after: int
    ) -> Sequence[Slice]:
        slices = [self._slice(job, draft, ordinal=n) for n, draft in enumerate(drafts, after + 1)]
        end = after + len(drafts)
        await self._commit(
            job,
            lambda: job.advance(cursor=end, done=end),
            lambda uow: uow.batches.add_new(scope, slices),
        )
        return slices

    async def _index(self, job: IngestJob, scope: TenantScope) -> None:
        """Index one batch; a text that was cut just now is found as soon as its only one is."""
        began = self._clock.now()
        known = self._known.get(job, _Known())
        batch = list(known.slices)
        async with self._store.snapshot() as uow:
            dataset = await uow.datasets.get(scope, job.dataset_id)
            batch = batch or await uow.batches.pending(
                scope, job.document_id, job.generation, after=job.cursor, limit=INDEXED_AT_ONCE
            )
        if not batch:
            await self._pass_on(job, JobStage.ACTIVATE, since=began)
            return
        if dataset.format_type is FormatType.TABLE:
            await self._tables.write(job, await self._load(job, scope), batch)
            crashpoint("ingest.table.written")
        was_fixed = bool(dataset.embedding_dimensions)
        await self._indexer.write(scope, dataset, batch, record=job.calls.append)

        async def commit(uow: KnowledgeUnitOfWork) -> None:
            await uow.batches.settle(scope, batch)
            if was_fixed or not dataset.embedding_dimensions:
                return
            # As it is now: other documents of a new base get here at the same time.
            fresh = await uow.datasets.get(scope, job.dataset_id)
            if not fresh.embedding_dimensions:
                fresh.fix_embedding(
                    model=dataset.embedding_model, dimensions=dataset.embedding_dimensions
                )
                await uow.datasets.save(scope, fresh)

        def move() -> None:
            job.advance(cursor=batch[-1].ordinal, done=job.done_units + len(batch))
            if len(batch) < INDEXED_AT_ONCE:
                job.enter(JobStage.ACTIVATE)

        is_short = self._clock.now() - began < _TOLD_EVERY
        is_text = dataset.format_type is FormatType.TEXT
        if known.slices and is_text and is_short and _are_indexed(batch):
            move()
            await self._activate(job, scope, indexed=batch, settle=commit)
            return
        await self._commit(job, move, commit)

    async def _activate(
        self,
        job: IngestJob,
        scope: TenantScope,
        *,
        indexed: Sequence[Slice] = (),
        settle: Change | None = None,
    ) -> None:
        """Have searches find it; all that was ``indexed`` just now is settled with that."""
        document = await self._load(job, scope)
        totals = await self._totals(job, scope, indexed)
        if document.format_type is not FormatType.IMAGE or totals.count:
            _require_enough(totals)
        whole: Intake | None = None
        if job.is_append and document.format_type is FormatType.TABLE:
            await self._tables.absorb(job, document)
            crashpoint("ingest.table.absorbed")
        elif job.intake is not None:
            whole = await self._reading.joined(document, job.intake, scope)
            crashpoint("ingest.append.joined")
        notes = [*_warnings(totals), *await self._unread(job, document)]

        async def commit(uow: KnowledgeUnitOfWork) -> None:
            now = self._clock.now()
            if settle is not None:
                await settle(uow)
            await self._remove_replaced(uow, scope, document, now=now)
            fresh = await uow.documents.lock(scope, job.document_id)
            if whole is not None:
                fresh.locate(
                    job.generation,
                    source=whole.source,
                    size=whole.size,
                    content_hash=whole.content_hash,
                )
            if job.intake is not None:
                active = fresh.absorb(
                    job.generation,
                    slices=totals.count,
                    chars=totals.chars,
                    size=0 if whole is not None else job.intake.size,
                    now=now,
                )
                await uow.batches.adopt(scope, fresh.id, job.generation, into=active)
            else:
                fresh.activate(job.generation, slices=totals.count, chars=totals.chars, now=now)
            if notes:
                fresh.warn("\n".join(notes))
            await uow.documents.save(scope, fresh)

        # Of the first generation there is nothing older to remove.
        is_all = job.generation == FIRST_GENERATION and document.format_type is not FormatType.TABLE

        def move() -> None:
            job.enter(JobStage.COLLECT)
            if is_all:
                job.finish(now=self._clock.now())

        await self._commit(job, move, commit)
        if is_all:
            await self._scales.document_indexed(scope, job.dataset_id)

    async def _totals(
        self, job: IngestJob, scope: TenantScope, indexed: Sequence[Slice]
    ) -> SliceTotals:
        """Count the slices; those that were ``indexed`` just now are all there are."""
        if indexed:
            chars = sum(item.char_count for item in indexed)
            return SliceTotals(count=len(indexed), chars=chars, done=len(indexed))
        async with self._store.snapshot() as uow:
            return await uow.slices.totals(scope, job.document_id, job.generation)

    async def _unread(self, job: IngestJob, document: Document) -> list[str]:
        """Say what of the document was not read."""
        known = self._known.pop(job, None)
        if known is not None and known.parsed is not None and job.intake is None:
            return notes_on(known.parsed.metadata, document.intake.reading)
        return await self._reading.notes(document, document.intake)

    async def _remove_replaced(
        self, uow: KnowledgeUnitOfWork, scope: TenantScope, document: Document, *, now: datetime
    ) -> None:
        """Delete what a document takes the place of; it is younger, and ids are locked in order."""
        if not document.replaces:
            return
        await uow.jobs.supersede(scope, document.replaces)
        found = await uow.documents.get_many(scope, document.replaces)
        for key in sorted(found):
            try:
                old = await uow.documents.lock(scope, key)
            except DocumentNotFound:  # somebody deleted it since
                continue
            old.delete(now=now, actor_id=document.creator_id)
            await uow.documents.save(scope, old)

    async def _collect(self, job: IngestJob, scope: TenantScope) -> None:
        """Remove one batch of older generations."""
        async with self._store.snapshot() as uow:
            old = await uow.batches.outdated(scope, job.document_id, limit=REMOVED_AT_ONCE)
            found = await uow.documents.get_many(scope, [job.document_id])
        if not old:
            for document in found.values():
                if document.format_type is FormatType.TABLE:
                    await self._tables.collect(document)
            await self._commit(job, lambda: job.finish(now=self._clock.now()))
            await self._scales.document_indexed(scope, job.dataset_id)
            return
        # The index before the rows: a crash in between leaves rows that name what is to be removed.
        await self._indexer.remove(job.dataset_id, slice_ids=old)
        crashpoint("ingest.collect.removed")
        done = job.cursor + len(old)
        await self._commit(
            job,
            lambda: job.advance(cursor=done, done=done),
            lambda uow: uow.slices.remove(scope, old),
        )

    async def _pass_on(
        self,
        job: IngestJob,
        stage: JobStage,
        *,
        since: datetime,
        total: int = 0,
        known: _Known | None = None,
    ) -> None:
        """Enter the next stage. After a short one that is stored with what the next changes.

        The next stage need not read what is ``known``, unless so much time went by.
        """

        def move() -> None:
            job.enter(stage, total=total)

        self._known.pop(job, None)
        now = self._clock.now()
        if job.calls or now - since >= _TOLD_EVERY:
            await self._commit(job, move)
        else:
            move()
            job.measure(now=now)
            if known is not None:
                self._known[job] = known

    async def _commit(
        self, job: IngestJob, move: Callable[[], None], change: Change | None = None
    ) -> None:
        """Move the job, together with ``change``. The job first: everybody locks in this order."""
        self._known.pop(job, None)  # what is changed is read again
        async with self._store.transaction() as uow:
            move()
            job.measure(now=self._clock.now())
            await uow.queue.save(job)
            # With the step: calls that were made for it are in the ledger once, however often it is
            # repeated.
            await uow.queue.charge(job)
            if change is not None:
                await change(uow)
            crashpoint("ingest.step.before_commit")
            await uow.commit()
        job.calls.clear()
        crashpoint("ingest.step.committed")

    async def _charge(self, job: IngestJob) -> None:
        """Store the calls of a step that failed; the failure is told, whatever becomes of this."""
        try:
            async with asyncio.timeout(_CHARGE_S), self._store.transaction() as uow:
                await uow.queue.charge(job)
                await uow.commit()
        except (AppError, TimeoutError):
            _log.exception("%d calls of models are not in the ledger.", len(job.calls))
        job.calls.clear()

    async def _load(self, job: IngestJob, scope: TenantScope) -> Document:
        known = self._known.get(job)
        if known is not None and known.document is not None:
            return known.document
        async with self._store.snapshot() as uow:
            document = await uow.documents.get(scope, job.document_id)
        document.require_pending(job.generation)
        return document

    def _slice(self, job: IngestJob, draft: SliceDraft, *, ordinal: int) -> Slice:
        now = self._clock.now()
        return Slice(
            id=SliceId(self._ids.next_id()),
            space_id=job.space_id,
            dataset_id=job.dataset_id,
            document_id=job.document_id,
            generation=job.generation,
            ordinal=ordinal,
            sequence=float(ordinal),
            content=draft.content,
            kind=draft.kind,
            index_text=draft.index_text,
            parent_id=(
                None
                if draft.section is None
                else section_id(job.document_id, job.generation, draft.section)
            ),
            heading_path=draft.heading_path,
            place=draft.place,
            created_at=now,
            updated_at=now,
        )


def recognition(pages: int, *, now: datetime) -> ModelCall:
    """Return the ledger entry of pages that were recognised here."""
    return ModelCall(
        model="ocr",
        provider="builtin",
        attempt=1,
        purpose="ocr",
        usage=Usage(),
        outcome="ok",
        pages=pages,
        ended_at=now,
    )


def _needs_no_file(job: IngestJob, document: Document) -> bool:
    return _is_prepared(job, document) or _is_reshape(job, document)


def _is_prepared(job: IngestJob, document: Document) -> bool:
    return bool(document.source.chunks_key) and not job.is_append


def _is_reshape(job: IngestJob, document: Document) -> bool:
    return document.format_type is FormatType.TABLE and is_reshape(job, document)


def _are_indexed(slices: Sequence[Slice]) -> bool:
    return all(item.status is SliceStatus.DONE for item in slices)


def _warnings(totals: SliceTotals) -> list[str]:
    found = []
    if totals.failed:
        found.append(f"{totals.failed} of {totals.count} slices could not be indexed.")
    if totals.cut:
        found.append(
            f"{totals.cut} rows are found by their first {LONGEST_INDEX_TEXT} characters only."
        )
    return found


def _require_enough(totals: SliceTotals) -> None:
    if not totals.count:
        raise NothingParsed(NO_TEXT)
    if totals.done < totals.count * ENOUGH_INDEXED:
        raise TooFewIndexed(
            f"{totals.count - totals.done} of {totals.count} slices could not be indexed."
        )
