"""Use cases of slices: list, add, edit and delete pieces of a searchable document."""

import logging
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import msgspec

from application.knowledge.dto import SlicePage, SliceQuery, SliceView
from application.knowledge.table.storage import RowTables
from application.knowledge.view import keyword_of, page_of
from domain.knowledge.document import Document
from domain.knowledge.error import FormatUnsupported, KnowledgeInvalid, ResegmentRefused
from domain.knowledge.image_link import ImageLinks, without_addresses
from domain.knowledge.repository import KnowledgeStore, KnowledgeUnitOfWork
from domain.knowledge.service import SliceDraft
from domain.knowledge.slice import Slice, check_position, sequence_between
from domain.knowledge.tables.error import TableSliceUnfit
from domain.knowledge.tables.row import read_row
from domain.knowledge.value import DocumentId, FormatType, SliceId, SliceKind
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.error import AppError
from domain.shared.id_generator import IdGenerator
from infra.contract.clock import Clock

MAX_DELETED: Final = 100
_MOST_IMAGES: Final = 10_000
_logger: Final = logging.getLogger(__name__)


class SliceService:
    """Edits the active generation; every edit is indexed by itself.

    A row of a table is given as JSON. SQL sees its change right after the commit; the event repeats
    what a crash in between prevents.
    """

    def __init__(
        self,
        *,
        store: KnowledgeStore,
        rows: RowTables,
        links: ImageLinks,
        clock: Clock,
        ids: IdGenerator,
    ) -> None:
        self._links = links
        self._store = store
        self._rows = rows
        self._clock = clock
        self._ids = ids

    async def page(self, principal: Principal, query: SliceQuery) -> SlicePage:
        """Return one page of a document's slices, in order; none before it is indexed."""
        async with self._store.snapshot() as uow:
            document = await uow.documents.get(principal.scope, DocumentId(query.document_id))
            principal.require(Permission.DATASET_READ, document.space_id)
            if document.active_generation is None:
                return SlicePage(items=(), total=0)
            found, total = await uow.slices.page(
                principal.scope,
                document.id,
                document.active_generation,
                keyword=keyword_of(query.keyword),
                status=query.status,
                page=page_of(query.page, query.size),
            )
            own = await self._images(uow, principal.scope, found)
        return SlicePage(items=tuple(self._view(item, own) for item in found), total=total)

    async def get(self, principal: Principal, slice_id: int) -> SliceView:
        """Show a slice; raise ``SliceNotFound``."""
        async with self._store.snapshot() as uow:
            item = await uow.slices.get(principal.scope, SliceId(slice_id))
            principal.require(Permission.DATASET_READ, item.space_id)
            own = await self._images(uow, principal.scope, [item])
        return self._view(item, own)

    async def create(
        self, principal: Principal, document_id: int, content: str, *, position: int | None = None
    ) -> SliceView:
        """Add a slice at ``position`` from 1, by default behind the last.

        Raises:
            DocumentNotFound: no such document.
            DocumentNotReady: it has nothing searchable to add to.
            SlicePositionUnfit: there is no such position.
            KnowledgeInvalid, ContentTooLarge, TableSliceUnfit: the content cannot be a slice.
        """
        now = self._clock.now()
        async with self._store.transaction() as uow:
            document = await writable(uow, principal, DocumentId(document_id))
            generation = document.require_active()
            scope = principal.scope.within(document.space_id)
            slice_id = SliceId(self._ids.next_id())
            made = _made_of(document, content)
            item = Slice(
                id=slice_id,
                space_id=document.space_id,
                dataset_id=document.dataset_id,
                document_id=document.id,
                generation=generation,
                ordinal=slice_id,  # behind all that were cut from the source
                sequence=await sequence_of(uow, scope, document, position),
                content=made.content,
                kind=made.kind,
                index_text=made.index_text,
                created_at=now,
                updated_at=now,
            )
            item.announce(now=now, actor_id=principal.user_id)
            await uow.slices.save(scope, item)
            document.recount(slices=1, chars=item.char_count, now=now)
            await uow.documents.save(scope, document)
            await uow.commit()
        await self._write_row(document, item)
        return SliceView.of(item)

    async def edit(
        self,
        principal: Principal,
        slice_id: int,
        content: str | None = None,
        *,
        is_enabled: bool | None = None,
        position: int | None = None,
    ) -> SliceView:
        """Replace the content, of a row the cells that are given; switch it; move it.

        What is None stays. It then stands at ``position`` from 1.

        Raises:
            SliceNotFound: no such slice.
            KnowledgeInvalid, TableSliceUnfit: the content cannot be a slice.
            SlicePositionUnfit: there is no such position.
            FormatUnsupported: it is no text, and is to be moved or switched.
        """
        now = self._clock.now()
        async with self._store.transaction() as uow:
            owner = (await uow.slices.get(principal.scope, SliceId(slice_id))).document_id
            document = await writable(uow, principal, owner)
            item = await uow.slices.get(principal.scope, SliceId(slice_id))
            grown = 0
            if position is not None:
                await _move(uow, principal.scope, document, item, position)
            if is_enabled is not None:
                item.switch(is_enabled=is_enabled)
            if content is not None:
                made = _made_of(document, content, before=item)
                grown = item.edit(
                    made.content, index_text=made.index_text, now=now, actor_id=principal.user_id
                )
            await uow.slices.save(principal.scope, item)
            document.recount(slices=0, chars=grown, now=now)
            await uow.documents.save(principal.scope, document)
            await uow.commit()
        await self._write_row(document, item)
        return SliceView.of(item)

    async def delete(self, principal: Principal, slice_ids: Sequence[int]) -> None:
        """Remove slices; unknown ids are ignored."""
        if len(slice_ids) > MAX_DELETED:
            raise KnowledgeInvalid(f"slice_ids: expected up to {MAX_DELETED} ids.")
        now, keys = self._clock.now(), [SliceId(number) for number in slice_ids]
        async with self._store.transaction() as uow:
            owners = {item.document_id for item in await uow.slices.get_many(principal.scope, keys)}
            documents = {key: await writable(uow, principal, key) for key in sorted(owners)}
            found = await uow.slices.get_many(principal.scope, keys)
            for item in found:
                if (document := documents.get(item.document_id)) is not None:
                    document.recount(slices=-1, chars=-item.char_count, now=now)
                    uow.collect(item.deletion(now=now, actor_id=principal.user_id))
            await uow.slices.remove(principal.scope, [item.id for item in found])
            for document in documents.values():
                await uow.documents.save(principal.scope, document)
            await uow.commit()
        for document in documents.values():
            if document.format_type is FormatType.TABLE:
                gone = [item.id for item in found if item.document_id == document.id]
                with _left_to_the_event():
                    await self._rows.remove(document, gone)

    async def _images(
        self, uow: KnowledgeUnitOfWork, scope: TenantScope, items: Sequence[Slice]
    ) -> frozenset[str]:
        """Return the objects that the slices may show: those of their documents."""
        owners = {item.document_id for item in items if "<img" in item.content}
        if not owners:
            return frozenset()
        known = await uow.objects.of(scope, sorted(owners), limit=_MOST_IMAGES)
        return frozenset(key.value for key in known)

    def _view(self, item: Slice, own: Collection[str]) -> SliceView:
        view = SliceView.of(item)
        if not own:
            return view
        shown = self._links.shown(item.content, own, now=self._clock.now())
        return msgspec.structs.replace(view, content=shown)

    async def _write_row(self, document: Document, item: Slice) -> None:
        if item.kind is SliceKind.ROW:
            with _left_to_the_event():
                await self._rows.write(document, item.generation, document.schema, [item])


@contextmanager
def _left_to_the_event() -> Iterator[None]:
    """What fails after the commit must not look like a refusal: the event does it again."""
    try:
        yield
    except AppError:
        _logger.warning("A row of a table is written later, with its event.", exc_info=True)


def _made_of(document: Document, content: str, *, before: Slice | None = None) -> SliceDraft:
    if document.format_type is FormatType.TEXT:
        return SliceDraft(content=without_addresses(content))
    schema = document.schema
    current = None if before is None else schema.cells(before.content)
    row = schema.slice(read_row(content, schema, current=current))
    return SliceDraft(content=row.content, kind=SliceKind.ROW, index_text=row.index_text)


async def writable(
    uow: KnowledgeUnitOfWork, principal: Principal, document_id: DocumentId
) -> Document:
    """Return a document whose slices may be changed, locked; raise for one whose may not."""
    document = await uow.documents.lock(principal.scope, document_id)
    principal.require(Permission.DATASET_WRITE, document.space_id)
    if document.format_type is FormatType.IMAGE:
        raise FormatUnsupported("The slice of an image is its caption; change that instead.")
    if document.format_type is FormatType.TABLE and document.is_busy:
        raise ResegmentRefused(
            "The table is being indexed; wait until that is done.", document_id=document.id
        )
    return document


async def _move(
    uow: KnowledgeUnitOfWork, scope: TenantScope, document: Document, item: Slice, position: int
) -> None:
    if document.format_type is not FormatType.TEXT:
        raise FormatUnsupported("Only slices of texts are moved.")
    generation = document.require_active()
    count = (await uow.slices.totals(scope, document.id, generation)).count
    check_position(position, count=count - 1)
    before = await uow.slices.position(scope, document.id, generation, item)
    if position != before:
        # Behind where it stands, its own place is one too many.
        wanted = position + 1 if position > before else position
        item.sequence = await sequence_of(uow, scope, document, wanted)


async def sequence_of(
    uow: KnowledgeUnitOfWork, scope: TenantScope, document: Document, position: int | None
) -> float:
    """Return the sequence of a new slice at ``position`` from 1; behind the last without one."""
    generation = document.require_active()
    count = (await uow.slices.totals(scope, document.id, generation)).count
    wanted = count + 1 if position is None else position
    if document.format_type is FormatType.TABLE and wanted != count + 1:
        raise TableSliceUnfit("sequence: new rows go to the end of a table.", field="sequence")
    check_position(wanted, count=count)
    around = await uow.slices.around(scope, document.id, generation, position=wanted)
    sequence = sequence_between(*around)
    if sequence is None:
        await uow.slices.renumber(scope, document.id, generation)
        return wanted - 0.5
    return sequence
