"""One change of many documents of a base at a time."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Final, assert_never

import msgspec

from application.knowledge.dto import DocumentView
from application.knowledge.ingest.quota import require_room, wait_turn
from application.knowledge.view import document_view
from domain.knowledge.document import Document
from domain.knowledge.error import DocumentNotFound, KnowledgeInvalid
from domain.knowledge.job import IngestJob
from domain.knowledge.repository import KnowledgeStore, KnowledgeUnitOfWork
from domain.knowledge.value import DatasetId, DocumentId, SourceType, TagValue
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import SpaceId, UserId
from infra.contract.clock import Clock

MAX_CHANGED: Final = 100


class BatchAction(StrEnum):
    """What is done with each of the documents."""

    ENABLE = "enable"
    DISABLE = "disable"
    TAG = "tag"
    REFETCH = "refetch"
    RESEGMENT = "resegment"
    DELETE = "delete"


class ChangeDocuments(msgspec.Struct, frozen=True, kw_only=True):
    """Documents of a base, and what is done with all of them or none.

    ``tags`` are added to those that each document has; None takes a tag away.
    """

    dataset_id: int
    document_ids: tuple[int, ...]
    action: BatchAction
    tags: Mapping[str, TagValue | None] = {}


class DocumentBatches:
    """Changes documents together; what is searchable stays so while it is indexed anew."""

    def __init__(self, *, store: KnowledgeStore, clock: Clock, ids: IdGenerator) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids

    async def change(
        self, principal: Principal, command: ChangeDocuments
    ) -> tuple[DocumentView, ...]:
        """Change all of them and return them as they are then, or none.

        Of those to delete, unknown ones are ignored.

        Raises:
            DatasetNotFound, DocumentNotFound: no such base, or the document is of another one.
            KnowledgeInvalid: no documents, too many, no tags, or one to fetch that is no web page.
            ResegmentRefused: one to index anew is being indexed.
            IngestQueueFull: the space has too many documents waiting.
        """
        keys = sorted({DocumentId(number) for number in command.document_ids})
        if not 1 <= len(keys) <= MAX_CHANGED:
            raise KnowledgeInvalid(f"ids: expected 1 to {MAX_CHANGED} ids.", field="ids")
        if command.action is BatchAction.TAG and not command.tags:
            raise KnowledgeInvalid("tags: name at least one.", field="tags")
        now = self._clock.now()
        async with self._store.transaction() as uow:
            dataset = await uow.datasets.get(principal.scope, DatasetId(command.dataset_id))
            principal.require(Permission.DATASET_WRITE, dataset.space_id)
            scope = principal.scope.within(dataset.space_id)
            await _prepare(uow, scope, dataset.space_id, command.action, keys)
            if command.action is BatchAction.DELETE:
                keys = sorted(await uow.documents.get_many(scope, keys))
            changed: list[Document] = []
            for key in keys:
                document = await uow.documents.lock(scope, key)
                if document.dataset_id != dataset.id:
                    raise DocumentNotFound(f"No document {key}.", document_id=key)
                generation = _apply(document, command, now=now, actor_id=principal.user_id)
                await uow.documents.save(scope, document)
                if generation is not None:
                    job = IngestJob.of(
                        document, self._ids.next_id(), generation=generation, now=now
                    )
                    await uow.jobs.add(scope, job)
                changed.append(document)
            await uow.commit()
        if command.action is BatchAction.DELETE:
            return ()
        return tuple(map(document_view, changed))


async def _prepare(
    uow: KnowledgeUnitOfWork,
    scope: TenantScope,
    space_id: SpaceId,
    action: BatchAction,
    keys: Sequence[DocumentId],
) -> None:
    if action in {BatchAction.REFETCH, BatchAction.RESEGMENT}:
        await wait_turn(uow, space_id)
        await uow.jobs.supersede(scope, keys)
        await require_room(uow, scope, len(keys))
    elif action is BatchAction.DELETE:
        await uow.jobs.supersede(scope, keys)


def _apply(
    document: Document, command: ChangeDocuments, *, now: datetime, actor_id: UserId
) -> int | None:
    """Change one document; return the generation that it begins, if it does."""
    match command.action:
        case BatchAction.ENABLE | BatchAction.DISABLE:
            is_enabled = command.action is BatchAction.ENABLE
            document.switch(is_enabled=is_enabled, now=now, actor_id=actor_id)
        case BatchAction.TAG:
            merged = {**document.tags, **command.tags}
            tags = {name: value for name, value in merged.items() if value is not None}
            document.tag(tags, now=now, actor_id=actor_id)
        case BatchAction.DELETE:
            document.delete(now=now, actor_id=actor_id)
        case BatchAction.RESEGMENT:
            return document.resegment(document.rule, force=False, now=now, actor_id=actor_id)
        case BatchAction.REFETCH:
            if document.source.type is not SourceType.WEB_PAGE:
                raise KnowledgeInvalid(
                    "ids: only web pages are fetched again.", field="ids", document_id=document.id
                )
            return document.refetch(now=now)
        case _:
            assert_never(command.action)
    return None
