"""Cutting many documents of a base anew."""

from collections.abc import Sequence
from typing import Final

import msgspec

from application.knowledge.dto import DocumentView
from application.knowledge.ingest.quota import require_room, wait_turn
from application.knowledge.view import document_view
from domain.knowledge.document import Document
from domain.knowledge.error import DocumentNotFound, KnowledgeInvalid
from domain.knowledge.job import IngestJob
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.value import (
    ChunkRule,
    DatasetId,
    DocumentId,
    FormatType,
    ParseRule,
    ReadRule,
    TableSheet,
)
from domain.shared.access import Permission, Principal
from domain.shared.id_generator import IdGenerator
from infra.contract.clock import Clock

MAX_RESEGMENTED: Final = 100


class ResegmentService:
    """Documents of one request are begun all or none; what is active stays searchable."""

    def __init__(self, *, store: KnowledgeStore, clock: Clock, ids: IdGenerator) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids

    async def resegment(
        self,
        principal: Principal,
        dataset_id: int,
        document_ids: Sequence[int],
        *,
        chunking: ChunkRule | None = None,
        reading: ReadRule | None = None,
        skip_pages: tuple[int, ...] | None = None,
        sheet: TableSheet | None = None,
        is_forced: bool = False,
    ) -> tuple[DocumentView, ...]:
        """Index documents by another rule; None keeps that part of each document's own.

        If only the cutting changes, the file is not read again. ``sheet`` makes tables of their
        files once more; rows that were added or edited since are gone then.

        Raises:
            DatasetNotFound, DocumentNotFound: no such base, or the document is of another one.
            ResegmentRefused: a document is being indexed, and ``is_forced`` does not give it up.
            KnowledgeInvalid: no documents, too many, or a rule that is none.
            IngestQueueFull: the space has too many documents waiting.
        """
        keys = sorted({DocumentId(number) for number in document_ids})
        if not 1 <= len(keys) <= MAX_RESEGMENTED:
            raise KnowledgeInvalid(f"document_ids: expected 1 to {MAX_RESEGMENTED} ids.")
        if sheet is not None:
            sheet.check()
        now = self._clock.now()
        begun: list[Document] = []
        async with self._store.transaction() as uow:
            dataset = await uow.datasets.get(principal.scope, DatasetId(dataset_id))
            principal.require(Permission.DATASET_WRITE, dataset.space_id)
            scope = principal.scope.within(dataset.space_id)
            await wait_turn(uow, dataset.space_id)
            await uow.jobs.supersede(scope, keys)
            await require_room(uow, scope, len(keys))
            for key in keys:
                document = await uow.documents.lock(scope, key)
                if document.dataset_id != dataset.id:
                    raise DocumentNotFound(f"No document {key}.", document_id=key)
                if sheet is not None and document.format_type is not FormatType.TABLE:
                    raise KnowledgeInvalid(
                        "table_sheet: only tables are made of sheets.", field="table_sheet"
                    )
                generation = document.resegment(
                    _changed(document.rule, chunking, reading, skip_pages, sheet),
                    force=is_forced,
                    now=now,
                    actor_id=principal.user_id,
                )
                await uow.documents.save(scope, document)
                await uow.jobs.add(
                    scope,
                    IngestJob.of(document, self._ids.next_id(), generation=generation, now=now),
                )
                begun.append(document)
            await uow.commit()
        return tuple(map(document_view, begun))


def _changed(
    rule: ParseRule,
    chunking: ChunkRule | None,
    reading: ReadRule | None,
    skip_pages: tuple[int, ...] | None,
    sheet: TableSheet | None,
) -> ParseRule:
    new = rule.reading
    if sheet is not None:
        new = msgspec.structs.replace(new, sheet=sheet)
        rule = msgspec.structs.replace(rule, columns=(), rereads=True)
    if reading is not None:
        new = msgspec.structs.replace(
            new,
            parsing_type=reading.parsing_type,
            image_extraction=reading.image_extraction,
            table_extraction=reading.table_extraction,
            image_ocr=reading.image_ocr,
        )
    if skip_pages is not None:
        new = msgspec.structs.replace(new, skip_pages=skip_pages)
    return msgspec.structs.replace(rule, chunking=chunking or rule.chunking, reading=new)
