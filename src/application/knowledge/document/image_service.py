"""Use cases of image bases: list images, write captions, have a model propose one."""

import msgspec

from application.knowledge.document.image_caption import ImageCaptioner
from application.knowledge.dto import DocumentView
from application.knowledge.ingest.reading import DocumentReading
from application.knowledge.view import document_view, page_of
from application.shared.page import Listed
from domain.knowledge.document import Document
from domain.knowledge.error import DocumentNotFound, DocumentNotReady, FormatUnsupported
from domain.knowledge.image import ImageWords, check_caption, image_content, recaptioned
from domain.knowledge.image_link import ImageLinks
from domain.knowledge.job import IngestJob
from domain.knowledge.repository import KnowledgeStore, KnowledgeUnitOfWork
from domain.knowledge.slice import Slice
from domain.knowledge.value import DatasetId, DocumentId, FormatType, SliceId, SliceKind
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.call import CallContext
from domain.shared.id_generator import IdGenerator
from infra.contract.clock import Clock


class ImageQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Images of a base; ``keyword`` is a part of the name or caption."""

    dataset_id: int
    keyword: str = ""
    has_caption: bool | None = None
    page: int = 1
    size: int = 10


class ImageView(msgspec.Struct, frozen=True, kw_only=True):
    """An image with what it shows and what is written in it.

    ``url`` is signed and lasts about an hour.
    """

    document: DocumentView
    caption: str
    text: str
    url: str


class ImagePage(Listed[ImageView]):
    """One page and how many there are."""


class DatasetImageService:
    """An image is found by its caption; without one it is kept, and never found."""

    def __init__(
        self,
        *,
        store: KnowledgeStore,
        reading: DocumentReading,
        captioner: ImageCaptioner,
        links: ImageLinks,
        clock: Clock,
        ids: IdGenerator,
    ) -> None:
        self._store = store
        self._reading = reading
        self._captioner = captioner
        self._links = links
        self._clock = clock
        self._ids = ids

    async def page(self, principal: Principal, query: ImageQuery) -> ImagePage:
        """Return one page of the images of a base, the youngest first.

        Raises ``DatasetNotFound``, ``FormatUnsupported`` for a base of something else.
        """
        async with self._store.snapshot() as uow:
            dataset = await uow.datasets.get(principal.scope, DatasetId(query.dataset_id))
            principal.require(Permission.DATASET_READ, dataset.space_id)
            if dataset.format_type is not FormatType.IMAGE:
                raise FormatUnsupported("dataset_id: this knowledge base does not hold images.")
            found, total = await uow.images.page(
                principal.scope,
                dataset.id,
                keyword=query.keyword,
                has_caption=query.has_caption,
                page=page_of(query.page, query.size),
            )
        items = [self._view(document, words) for document, words in found]
        return ImagePage(items=tuple(items), total=total)

    async def get(self, principal: Principal, document_id: int) -> ImageView:
        """Show an image; raise ``DocumentNotFound``, ``FormatUnsupported`` for another document."""
        async with self._store.snapshot() as uow:
            document = await _image(
                uow, principal, DocumentId(document_id), permission=Permission.DATASET_READ
            )
            item = await uow.images.slice_of(principal.scope, document)
        words = ImageWords() if item is None else ImageWords.of(item.content, item.index_text)
        return self._view(document, words)

    async def set_caption(
        self, principal: Principal, dataset_id: int, document_id: int, caption: str
    ) -> None:
        """Write the caption of an image, which is then found by it; an empty one hides it.

        An image that was never complete, for want of a model that sees, becomes it.

        Raises:
            DocumentNotFound: no such document in the base.
            FormatUnsupported: it is no image.
            KnowledgeInvalid: the caption is too long.
        """
        caption = check_caption(caption)
        now, key = self._clock.now(), DocumentId(document_id)
        async with self._store.transaction() as uow:
            document = await _image(uow, principal, key, permission=Permission.DATASET_WRITE)
            if document.dataset_id != dataset_id:
                raise DocumentNotFound(f"No document {document_id}.", document_id=document_id)
            scope = principal.scope.within(document.space_id)
            if document.active_generation is None:
                await uow.jobs.supersede(scope, [key])
                document = await uow.documents.lock(scope, key)
                rule = msgspec.structs.replace(document.rule, caption=caption)
                generation = document.resegment(
                    rule, force=True, now=now, actor_id=principal.user_id
                )
                await uow.jobs.add(scope, self._job(document, generation))
            else:
                document = await uow.documents.lock(scope, key)
                document.describe(caption)
                await self._write(uow, scope, principal, document, caption)
            await uow.documents.save(scope, document)
            await uow.commit()

    async def extract_caption(self, principal: Principal, document_id: int) -> str:
        """Ask the model what an image shows, and save nothing.

        Raises:
            DocumentNotFound: no such document.
            FormatUnsupported: it is no image.
            CaptionUnsupported: no model here sees.
            DocumentNotReady: it has not been read, or cannot be.
        """
        async with self._store.snapshot() as uow:
            document = await _image(
                uow, principal, DocumentId(document_id), permission=Permission.DATASET_WRITE
            )
        picture = await self._reading.picture(document)
        if picture is None:
            raise DocumentNotReady(
                "The image has not been read yet; try again later.", document_id=document_id
            )
        data, media_type = picture
        context = CallContext(
            scope=principal.scope,
            space_id=document.space_id,
            connector_id=principal.connector_id,
        )
        return await self._captioner.describe(
            context, data, media_type=media_type, name=document.name
        )

    async def _write(
        self,
        uow: KnowledgeUnitOfWork,
        scope: TenantScope,
        principal: Principal,
        document: Document,
        caption: str,
    ) -> None:
        """Replace the one slice of an image, or add or remove it."""
        now, actor_id = self._clock.now(), principal.user_id
        before = await uow.images.slice_of(scope, document)
        if before is None:
            if caption:
                item = self._slice(document, caption)
                item.announce(now=now, actor_id=actor_id)
                await uow.slices.save(scope, item)
                document.recount(slices=1, chars=item.char_count, now=now)
            return
        content, index_text = recaptioned(before, document.source.object_key, caption)
        if index_text:
            grown = before.edit(content, index_text=index_text, now=now, actor_id=actor_id)
            await uow.slices.save(scope, before)
            document.recount(slices=0, chars=grown, now=now)
        else:
            uow.collect(before.deletion(now=now, actor_id=actor_id))
            await uow.slices.remove(scope, [before.id])
            document.recount(slices=-1, chars=-before.char_count, now=now)

    def _slice(self, document: Document, caption: str) -> Slice:
        now, slice_id = self._clock.now(), SliceId(self._ids.next_id())
        return Slice(
            id=slice_id,
            space_id=document.space_id,
            dataset_id=document.dataset_id,
            document_id=document.id,
            generation=document.require_active(),
            ordinal=slice_id,
            sequence=1.0,
            content=image_content(document.source.object_key, caption),
            kind=SliceKind.IMAGE,
            index_text=caption,
            created_at=now,
            updated_at=now,
        )

    def _job(self, document: Document, generation: int) -> IngestJob:
        return IngestJob.of(
            document,
            self._ids.next_id(),
            generation=generation,
            now=self._clock.now(),
        )

    def _view(self, document: Document, words: ImageWords) -> ImageView:
        key = document.source.object_key
        return ImageView(
            document=document_view(document),
            caption=words.caption,
            text=words.text,
            url=self._links.url(key, now=self._clock.now()) if key else "",
        )


async def _image(
    uow: KnowledgeUnitOfWork,
    principal: Principal,
    document_id: DocumentId,
    *,
    permission: Permission,
) -> Document:
    document = await uow.documents.get(principal.scope, document_id)
    principal.require(permission, document.space_id)
    if document.format_type is not FormatType.IMAGE:
        raise FormatUnsupported("document_id: this document is no image.")
    return document
