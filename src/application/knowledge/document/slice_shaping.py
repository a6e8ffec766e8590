"""Slices split, joined with the next one, and set back to what was read."""

from application.knowledge.document.slice_service import sequence_of, writable
from application.knowledge.ingest.reading import DocumentReading
from domain.knowledge.document import Document
from domain.knowledge.error import (
    DocumentNotReady,
    FormatUnsupported,
    KnowledgeInvalid,
    SlicePositionUnfit,
)
from domain.knowledge.repository import KnowledgeStore, KnowledgeUnitOfWork
from domain.knowledge.service import SliceDraft, without_images
from domain.knowledge.slice import Slice
from domain.knowledge.value import FormatType, Page, SliceId
from domain.shared.access import Principal, TenantScope
from domain.shared.id_generator import IdGenerator
from infra.contract.clock import Clock


class SliceShaping:
    """Changes where slices of texts begin and end; each one is indexed by itself."""

    def __init__(
        self, *, store: KnowledgeStore, reading: DocumentReading, clock: Clock, ids: IdGenerator
    ) -> None:
        self._store = store
        self._reading = reading
        self._clock = clock
        self._ids = ids

    async def split(self, principal: Principal, slice_id: int, *, at: int) -> int:
        """Have a slice end before character ``at`` and another one begin there; return its id.

        Raises:
            SliceNotFound, DocumentNotFound: no such slice.
            FormatUnsupported: it is no text.
            KnowledgeInvalid: one of both would be empty.
        """
        now, actor_id = self._clock.now(), principal.user_id
        async with self._store.transaction() as uow:
            document, item, scope = await self._text(uow, principal, slice_id)
            before, after = item.content[:at].rstrip(), item.content[at:].lstrip()
            if not 0 < at < len(item.content) or not before or not after:
                raise KnowledgeInvalid(
                    "at: both parts need some text; choose a place inside.", field="at"
                )
            position = await self._position(uow, scope, document, item)
            new_id = SliceId(self._ids.next_id())
            made = Slice(
                id=new_id,
                space_id=item.space_id,
                dataset_id=item.dataset_id,
                document_id=item.document_id,
                generation=item.generation,
                ordinal=new_id,
                sequence=await sequence_of(uow, scope, document, position + 1),
                content=after,
                index_text=without_images(after),
                heading_path=item.heading_path,
                place=item.place,
                is_disabled=item.is_disabled,
                created_at=now,
                updated_at=now,
            )
            # The order may have been numbered anew for it.
            item = await uow.slices.get(scope, item.id)
            grown = item.edit(before, index_text=without_images(before), now=now, actor_id=actor_id)
            made.announce(now=now, actor_id=actor_id)
            await uow.slices.save(scope, item)
            await uow.slices.save(scope, made)
            document.recount(slices=1, chars=grown + made.char_count, now=now)
            await uow.documents.save(scope, document)
            await uow.commit()
        return new_id

    async def merge(self, principal: Principal, slice_id: int) -> None:
        """Add the next slice to one, and remove it.

        Raises:
            SliceNotFound, DocumentNotFound: no such slice.
            SlicePositionUnfit: it is the last one.
            ContentTooLarge: both together are too long.
        """
        now, actor_id = self._clock.now(), principal.user_id
        async with self._store.transaction() as uow:
            document, item, scope = await self._text(uow, principal, slice_id)
            position = await self._position(uow, scope, document, item)
            following, _ = await uow.slices.page(
                scope,
                document.id,
                document.require_active(),
                keyword="",
                status=None,
                page=Page(number=position + 1, size=1),
            )
            if not following:
                raise SlicePositionUnfit("This slice is the last one.", field="slice_id")
            (other,) = following
            whole = f"{item.content.rstrip()}\n\n{other.content.lstrip()}"
            grown = item.edit(whole, index_text=without_images(whole), now=now, actor_id=actor_id)
            item.place = item.place.joined(other.place)
            uow.collect(other.deletion(now=now, actor_id=actor_id))
            await uow.slices.save(scope, item)
            await uow.slices.remove(scope, [other.id])
            document.recount(slices=-1, chars=grown - other.char_count, now=now)
            await uow.documents.save(scope, document)
            await uow.commit()

    async def reset(self, principal: Principal, slice_id: int) -> None:
        """Let a slice say again what was read where it was cut.

        Raises:
            SliceNotFound, DocumentNotFound: no such slice.
            FormatUnsupported: it was not cut from the document, but added.
            DocumentNotReady: what was read is not kept any more; cut the document again.
        """
        now, actor_id = self._clock.now(), principal.user_id
        async with self._store.snapshot() as uow:
            item = await uow.slices.get(principal.scope, SliceId(slice_id))
            document = await uow.documents.get(principal.scope, item.document_id)
        draft = await self._draft(document, item)
        async with self._store.transaction() as uow:
            document, item, scope = await self._text(uow, principal, slice_id)
            grown = item.edit(
                draft.content, index_text=draft.index_text, now=now, actor_id=actor_id
            )
            item.place, item.updated_at = draft.place, item.created_at
            await uow.slices.save(scope, item)
            document.recount(slices=0, chars=grown, now=now)
            await uow.documents.save(scope, document)
            await uow.commit()

    async def _draft(self, document: Document, item: Slice) -> SliceDraft:
        if item.ordinal == item.id:
            raise FormatUnsupported("This slice was added by somebody; there is nothing before it.")
        drafts = await self._reading.drafts(document)
        if drafts is None or not 0 < item.ordinal <= len(drafts):
            raise DocumentNotReady(
                "What was read is not kept any more; cut the document again.",
                document_id=document.id,
            )
        return drafts[item.ordinal - 1]

    async def _text(
        self, uow: KnowledgeUnitOfWork, principal: Principal, slice_id: int
    ) -> tuple[Document, Slice, TenantScope]:
        owner = (await uow.slices.get(principal.scope, SliceId(slice_id))).document_id
        document = await writable(uow, principal, owner)
        if document.format_type is not FormatType.TEXT:
            raise FormatUnsupported("Only slices of texts are split, joined and set back.")
        item = await uow.slices.get(principal.scope, SliceId(slice_id))
        return document, item, principal.scope.within(document.space_id)

    async def _position(
        self, uow: KnowledgeUnitOfWork, scope: TenantScope, document: Document, item: Slice
    ) -> int:
        return await uow.slices.position(scope, document.id, document.require_active(), item)
