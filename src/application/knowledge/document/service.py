"""Use cases of documents: take in, list, change, index anew, delete."""

import logging
from collections.abc import Sequence
from contextlib import aclosing
from datetime import datetime
from typing import Final

import msgspec

from application.knowledge.document.intake_rule import (
    MAX_AT_ONCE,
    MAX_SOURCE_BYTES,
    AcceptedFormats,
    existing_document,
    rule_of,
)
from application.knowledge.document.repeat import document_request, kept_since
from application.knowledge.dto import (
    CreateDocuments,
    DocumentPage,
    DocumentQuery,
    DocumentView,
    EditDocument,
    NewDocument,
    ProgressView,
)
from application.knowledge.ingest.quota import require_room, wait_turn
from application.knowledge.ingest.source import NamedSources, UploadedFiles
from application.knowledge.view import document_view, format_of, keyword_of, page_of
from domain.knowledge.dataset import Dataset
from domain.knowledge.document import FIRST_GENERATION, Document
from domain.knowledge.error import ContentTooLarge, FormatUnsupported, KnowledgeInvalid
from domain.knowledge.job import LIVE, IngestJob
from domain.knowledge.repository import KnowledgeStore, KnowledgeUnitOfWork
from domain.knowledge.value import (
    IN_WORK,
    DatasetId,
    DocumentId,
    DocumentListing,
    DocumentStatus,
    FormatType,
    Intake,
    OnDuplicate,
    ParseRule,
    Source,
    SourceType,
)
from domain.shared.access import Permission, Principal, ResourceKind, TenantScope
from domain.shared.capacity.quota import Quotas, Usage
from domain.shared.error import AppError
from domain.shared.id_generator import IdGenerator
from domain.shared.limits import Limits
from domain.shared.repository import RequestKey
from infra.contract.clock import Clock
from infra.contract.storage.object_store import ObjectKey, ObjectStore

MAX_DOCUMENTS: Final = MAX_AT_ONCE[FormatType.TEXT]
MAX_DELETED: Final = 100
MAX_BYTES: Final = MAX_SOURCE_BYTES[FormatType.TEXT]
_WITH_BYTES: Final = frozenset(
    {SourceType.LOCAL_FILE, SourceType.CUSTOM_TEXT, SourceType.UPLOADED_FILE}
)

_logger: Final = logging.getLogger(__name__)


class DocumentService:
    """Takes documents in and looks after them; workers do the indexing."""

    def __init__(
        self,
        *,
        store: KnowledgeStore,
        objects: ObjectStore,
        clock: Clock,
        ids: IdGenerator,
        accepted: AcceptedFormats,
        uploads: UploadedFiles | None = None,
        quotas: Quotas | None = None,
    ) -> None:
        """Without ``uploads``, documents cannot be made of uploaded files."""
        self._store = store
        self._quotas = quotas or Quotas(Limits())
        self._objects = objects
        self._clock = clock
        self._ids = ids
        self._accepted = accepted
        self._sources = NamedSources(store=store, objects=objects, uploads=uploads)

    async def create(
        self, principal: Principal, command: CreateDocuments
    ) -> tuple[DocumentView, ...]:
        """Take documents in, all or none; they are indexed later.

        Raises:
            DatasetNotFound: no such base.
            KnowledgeInvalid: too many, none, another format than the base, or a source that is
                incomplete.
            FormatUnsupported: nothing here reads such documents.
            ContentTooLarge: a document is too large.
            FileNotFound, DocumentNotFound: no such upload, or no document to make one of.
            RequestKeyReused: the idempotency key belongs to another request.
            IngestQueueFull: the space has too many documents waiting.
        """
        request = await document_request(command)
        principal = _toward(principal, command.dataset_id, Permission.DATASET_WRITE)
        async with self._store.snapshot() as uow:
            dataset = await uow.datasets.get(principal.scope, DatasetId(command.dataset_id))
            principal.require(Permission.DATASET_WRITE, dataset.space_id)
            scope = principal.scope.within(dataset.space_id)
            if request is not None:
                since = kept_since(self._clock.now())
                made = await uow.request_keys.find(scope, request, since=since)
                if made is not None:
                    return await documents_made(uow, scope, made)
            await require_room(uow, scope, len(command.documents))
        _check_format(dataset, command)
        news = [await self._sources.resolve(principal, new) for new in command.documents]
        rule = command.rule
        if command.keeps_chunking:
            rule = msgspec.structs.replace(rule, chunking=dataset.chunk_rule)
        documents = [self._accept(principal, dataset, new, rule) for new in news]
        stored: list[ObjectKey] = []
        try:
            for document, new in zip(documents, news, strict=True):
                if document.source.object_key:
                    key = ObjectKey(document.source.object_key)
                    stored.append(key)
                    content = self._sources.read(principal.scope, new)
                    async with aclosing(content):
                        limit = MAX_SOURCE_BYTES[dataset.format_type]
                        kept = await self._objects.put(key, content, limit_bytes=limit)
                    document.content_hash, document.size = kept.sha256, kept.size
            views, used = await self._register(scope, documents, command, request)
        except Exception:
            await self._discard(stored)
            raise
        await self._discard([key for key in stored if key.value not in used])
        return views

    async def get(self, principal: Principal, document_id: int) -> DocumentView:
        """Describe a document; raise ``DocumentNotFound``."""
        async with self._store.snapshot() as uow:
            document = await uow.documents.get(principal.scope, DocumentId(document_id))
        principal.require(Permission.DATASET_READ, document.space_id)
        return document_view(document)

    async def page(self, principal: Principal, query: DocumentQuery) -> DocumentPage:
        """Return one page of the documents of a base, by default the youngest first."""
        principal = _toward(principal, query.dataset_id, Permission.DATASET_READ)
        async with self._store.snapshot() as uow:
            dataset = await uow.datasets.get(principal.scope, DatasetId(query.dataset_id))
            principal.require(Permission.DATASET_READ, dataset.space_id)
            if query.document_ids:
                return await documents_chosen(uow, principal.scope, query)
            found, total = await uow.documents.page(
                principal.scope,
                dataset.id,
                page=page_of(query.page, query.size),
                listing=listing_of(query),
            )
        return DocumentPage(items=tuple(map(document_view, found)), total=total)

    async def progress(
        self, principal: Principal, dataset_id: int, document_ids: Sequence[int]
    ) -> tuple[ProgressView, ...]:
        """Tell how far documents of a base are; unknown ones are left out."""
        wanted = [DocumentId(number) for number in document_ids]
        async with self._store.snapshot() as uow:
            dataset = await uow.datasets.get(principal.scope, DatasetId(dataset_id))
            principal.require(Permission.DATASET_READ, dataset.space_id)
            found = await uow.documents.get_many(principal.scope, wanted)
            jobs = await uow.jobs.latest(principal.scope, list(found))
        return tuple(
            self._progress(found[key], jobs.get(key))
            for key in dict.fromkeys(wanted)
            if key in found and found[key].dataset_id == dataset.id
        )

    async def in_work(
        self, principal: Principal, dataset_id: int, *, limit: int
    ) -> tuple[tuple[ProgressView, ...], int]:
        """Tell how far the documents of a base are that are being indexed, and how many these are.

        Those that were taken in first come first.
        """
        working = DocumentListing(statuses=IN_WORK, is_ascending=True)
        async with self._store.snapshot() as uow:
            dataset = await uow.datasets.get(principal.scope, DatasetId(dataset_id))
            principal.require(Permission.DATASET_READ, dataset.space_id)
            found, total = await uow.documents.page(
                principal.scope, dataset.id, page=page_of(1, limit), listing=working
            )
            jobs = await uow.jobs.latest(principal.scope, [document.id for document in found])
        return tuple(self._progress(each, jobs.get(each.id)) for each in found), total

    async def edit(
        self, principal: Principal, document_id: int, command: EditDocument
    ) -> DocumentView:
        """Rename, switch, tag, or change how often a page is fetched; indexes nothing anew."""
        now, actor_id = self._clock.now(), principal.user_id
        async with self._store.transaction() as uow:
            document = await uow.documents.lock(principal.scope, DocumentId(document_id))
            principal.require(Permission.DATASET_WRITE, document.space_id)
            if command.name is not None:
                document.rename(command.name, now=now, actor_id=actor_id)
            if command.update_rule is not None:
                document.refresh_by(command.update_rule, now=now)
            if command.is_enabled is not None:
                document.switch(is_enabled=command.is_enabled, now=now, actor_id=actor_id)
            if command.tags is not None:
                document.tag(command.tags, now=now, actor_id=actor_id)
            await uow.documents.save(principal.scope, document)
            await uow.commit()
        return document_view(document)

    async def resegment(
        self, principal: Principal, document_id: int, rule: ParseRule, *, force: bool = False
    ) -> DocumentView:
        """Index by another rule; what is active stays searchable meanwhile.

        ``force`` gives up what is being indexed; without it that is ``ResegmentRefused``.
        """
        now, key = self._clock.now(), DocumentId(document_id)
        async with self._store.transaction() as uow:
            document = await uow.documents.get(principal.scope, key)
            principal.require(Permission.DATASET_WRITE, document.space_id)
            scope = principal.scope.within(document.space_id)
            await uow.jobs.supersede(scope, [key])
            document = await uow.documents.lock(scope, key)
            generation = document.resegment(rule, force=force, now=now, actor_id=principal.user_id)
            await uow.documents.save(scope, document)
            await uow.jobs.add(scope, self._job(document, generation))
            await uow.commit()
        return document_view(document)

    async def delete(self, principal: Principal, document_ids: Sequence[int]) -> None:
        """Make documents invisible at once; unknown ids are ignored."""
        if len(document_ids) > MAX_DELETED:
            raise KnowledgeInvalid(f"document_ids: expected up to {MAX_DELETED} ids.")
        now, keys = self._clock.now(), sorted({DocumentId(number) for number in document_ids})
        async with self._store.transaction() as uow:
            found = await uow.documents.get_many(principal.scope, keys)
            for document in found.values():
                principal.require(Permission.DATASET_WRITE, document.space_id)
            await uow.jobs.supersede(principal.scope, list(found))
            for key in sorted(found):
                document = await uow.documents.lock(principal.scope, key)
                document.delete(now=now, actor_id=principal.user_id)
                await uow.documents.save(principal.scope, document)
            await uow.commit()

    def _accept(
        self, principal: Principal, dataset: Dataset, new: NewDocument, rule: ParseRule
    ) -> Document:
        document_id = DocumentId(self._ids.next_id())
        extension, source = source_of(dataset, document_id, new, accepted=self._accepted)
        return Document.accept(
            document_id,
            space_id=dataset.space_id,
            dataset_id=dataset.id,
            creator_id=principal.user_id,
            name=new.name,
            extension=extension,
            format_type=dataset.format_type,
            source=source,
            rule=rule_of(new, rule, dataset.format_type, ids=self._ids),
            update_rule=new.update_rule,
            now=self._clock.now(),
        )

    async def _register(
        self,
        scope: TenantScope,
        documents: Sequence[Document],
        command: CreateDocuments,
        request: RequestKey | None,
    ) -> tuple[tuple[DocumentView, ...], set[str]]:
        """Store documents with their jobs; return what stands for each of them, and the objects."""
        now = self._clock.now()
        async with self._store.transaction() as uow:
            await wait_turn(uow, documents[0].space_id)
            adding = Usage(
                documents=len(documents), bytes=sum(document.size for document in documents)
            )
            await self._quotas.require(uow, documents[0].space_id, adding)
            # Locked, because it may be deleted meanwhile; its documents would stay for ever.
            dataset = await uow.datasets.lock(scope, documents[0].dataset_id)
            if not command.keeps_chunking and dataset.cut_by(command.rule.chunking, now=now):
                await uow.datasets.save(scope, dataset)
            kept = await settle_duplicates(uow, scope, documents, command.on_duplicate)
            target = None
            if kept[0] is documents[0]:
                target = await existing_document(
                    uow, scope, dataset, documents, is_append=command.is_append
                )
            new, kept = kept, [target] if target is not None else kept
            if request is not None:
                ids = [document.id for document in kept]
                made = await uow.request_keys.claim(
                    scope, request, ids, now=now, since=kept_since(now)
                )
                if made != tuple(ids):  # the same request came first
                    return await documents_made(uow, scope, made), set()
            if target is not None:
                await self._append(uow, scope, target, new[0].intake, now=now)
                await uow.commit()
                return (document_view(target),), {new[0].source.object_key}
            chosen = {document.id for document in kept}
            await require_room(uow, scope, len(chosen & {document.id for document in documents}))
            for document in documents:
                if document.id not in chosen:
                    continue
                await uow.documents.save(scope, document)
                if document.source.object_key:
                    await uow.objects.note(scope, document, ObjectKey(document.source.object_key))
                await uow.jobs.add(scope, self._job(document, FIRST_GENERATION))
            await uow.commit()
        used = {document.source.object_key for document in kept}
        return tuple(document_view(document) for document in kept), used

    async def _append(
        self,
        uow: KnowledgeUnitOfWork,
        scope: TenantScope,
        target: Document,
        intake: Intake,
        *,
        now: datetime,
    ) -> None:
        """Have rows or text added: a job of its own, which shows all of it or nothing."""
        await uow.jobs.supersede(scope, [target.id])
        generation = target.append(now=now, actor_id=scope.principal_id)
        await uow.documents.save(scope, target)
        await uow.objects.note(scope, target, ObjectKey(intake.source.object_key))
        await uow.jobs.add(scope, self._job(target, generation, intake=intake))

    async def _discard(self, keys: Sequence[ObjectKey]) -> None:
        for key in keys:
            try:
                await self._objects.delete(key)
            except AppError:
                _logger.warning("An object without a document stays behind.", exc_info=True)

    def _job(
        self, document: Document, generation: int, *, intake: Intake | None = None
    ) -> IngestJob:
        return IngestJob.of(
            document,
            self._ids.next_id(),
            generation=generation,
            intake=intake,
            now=self._clock.now(),
        )

    def _progress(self, document: Document, job: IngestJob | None) -> ProgressView:
        if job is not None and job.state in LIVE and document.is_busy:
            percent, remaining_s = job.percent, job.remaining_s(now=self._clock.now())
        else:
            is_done = document.status in {DocumentStatus.ENABLED, DocumentStatus.DISABLED}
            percent, remaining_s = 100 if is_done else 0, 0
        return ProgressView(
            document=document_view(document), percent=percent, remaining_s=remaining_s
        )


def _check_format(dataset: Dataset, command: CreateDocuments) -> None:
    wanted, most = command.format_type, MAX_AT_ONCE[dataset.format_type]
    if wanted is not None and format_of(wanted) is not dataset.format_type:
        raise KnowledgeInvalid("format_type: the knowledge base has another one.")
    if not 1 <= len(command.documents) <= most:
        raise KnowledgeInvalid(f"document_bases: expected 1 to {most} documents.")


def source_of(
    dataset: Dataset, document_id: DocumentId, new: NewDocument, *, accepted: AcceptedFormats
) -> tuple[str, Source]:
    """Return extension and source of a document; raise for one that cannot be read."""
    if new.source_type is SourceType.WEB_PAGE and dataset.format_type is FormatType.TEXT:
        if not new.url.startswith(("http://", "https://")):
            raise KnowledgeInvalid("web_url: expected an http or https address.", field="web_url")
        return "html", Source(type=new.source_type, url=new.url)
    if new.source_type not in _WITH_BYTES:
        raise FormatUnsupported(f"document_source {new.source_type:d} is not supported here.")
    if not new.content and new.file_id is None and new.document_id is None:
        raise KnowledgeInvalid("source_info: the document is empty.", field="source_info")
    limit = MAX_SOURCE_BYTES[dataset.format_type]
    if len(new.content) > limit:
        raise ContentTooLarge(f"source_info: a document has up to {limit} bytes.")
    is_custom_table = (
        dataset.format_type is FormatType.TABLE and new.source_type is SourceType.CUSTOM_TEXT
    )
    extension = "json" if is_custom_table else (new.extension or "txt").lower().removeprefix(".")
    accepted.require(extension, dataset.format_type)
    key = f"kb/{dataset.id:d}/{document_id:d}/source"
    return extension, Source(type=new.source_type, object_key=key, file_id=new.file_id or 0)


def listing_of(query: DocumentQuery) -> DocumentListing:
    """Read which documents are wanted; raise ``KnowledgeInvalid`` for more than a few words."""
    return DocumentListing(
        keyword=keyword_of(query.keyword),
        statuses=query.statuses,
        extension=keyword_of(query.extension, field="type").lower().removeprefix("."),
        source_types=query.source_types,
        tag=keyword_of(query.tag, field="tag"),
        order=query.order,
        is_ascending=query.is_ascending,
    )


async def documents_chosen(
    uow: KnowledgeUnitOfWork, scope: TenantScope, query: DocumentQuery
) -> DocumentPage:
    """Return one page of those documents that are of the base."""
    page = page_of(query.page, query.size)
    wanted = [DocumentId(number) for number in query.document_ids]
    found = sorted(
        (
            document
            for document in (await uow.documents.get_many(scope, wanted)).values()
            if document.dataset_id == query.dataset_id
            and (not query.statuses or document.status in query.statuses)
            and query.keyword.lower() in document.name.lower()
        ),
        key=lambda document: document.id,
        reverse=True,
    )
    shown = found[page.offset : page.offset + page.size]
    return DocumentPage(items=tuple(map(document_view, shown)), total=len(found))


async def documents_made(
    uow: KnowledgeUnitOfWork, scope: TenantScope, ids: Sequence[int]
) -> tuple[DocumentView, ...]:
    """Show documents of an earlier request; those deleted since are left out."""
    wanted = [DocumentId(number) for number in ids]
    found = await uow.documents.get_many(scope, wanted)
    return tuple(document_view(found[key]) for key in wanted if key in found)


async def settle_duplicates(
    uow: KnowledgeUnitOfWork,
    scope: TenantScope,
    documents: Sequence[Document],
    policy: OnDuplicate,
) -> list[Document]:
    """Return what stands for each new document: itself, or the one that is there.

    What is replaced can be found until its successor can. Two equal ones of one request count as
    one. Web pages are never equal: their bytes are not known yet. The base must be locked, or two
    requests at the same time do not see each other.
    """
    if policy is OnDuplicate.KEEP:
        return list(documents)
    hashes = {document.content_hash for document in documents if document.content_hash}
    stored = await uow.documents.with_content(scope, documents[0].dataset_id, sorted(hashes))
    leaving = {replaced for document in stored for replaced in document.replaces}
    known = [document for document in stored if document.id not in leaving]
    if policy is OnDuplicate.REPLACE:
        known = []
    result: list[Document] = []
    for document in documents:
        twin = next((each for each in [*known, *result] if _is_twin(each, document)), document)
        result.append(twin)
    if policy is OnDuplicate.REPLACE:
        for new in result:
            new.replaces = tuple(old.id for old in stored if _is_twin(old, new))
    return result


def _is_twin(one: Document, other: Document) -> bool:
    return bool(one.content_hash) and _traits(one) == _traits(other)


def _traits(document: Document) -> tuple[object, ...]:
    """The columns of a table do not count: a new one may not know them yet."""
    rule = document.rule
    return document.content_hash, rule.reading, rule.chunking, rule.caption


def _toward(principal: Principal, dataset_id: int, permission: Permission) -> Principal:
    """Return the caller with what a grant on the base adds."""
    return principal.toward(ResourceKind.DATASET, dataset_id, permissions=frozenset({permission}))
