"""Images of image bases in SQL."""

import sqlalchemy as sa

from domain.knowledge.document import Document
from domain.knowledge.slice import Slice
from domain.knowledge.value import DatasetId, DocumentStatus, Page, SliceKind
from domain.shared.access import TenantScope
from infra.impl.repository.sql.engine.database import SqlUnitOfWork
from infra.impl.repository.sql.knowledge.table import DOCUMENTS, SLICES, documents, slices

_CAPTION = (
    (slices.c.document_id == documents.c.id)
    & (slices.c.generation == documents.c.active_generation)
    & (slices.c.kind == SliceKind.IMAGE)
)

_IS_CAPTIONED = slices.c.id.is_not(None) & slices.c.content.not_like("%\n")
"""Captions never end with a line break, but the line of an image without one does."""


class SqlImageRepository:
    """Documents that are images, with the content of their one slice."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow

    async def page(
        self,
        scope: TenantScope,
        dataset_id: DatasetId,
        *,
        keyword: str,
        has_caption: bool | None,
        page: Page,
    ) -> tuple[list[tuple[Document, str]], int]:
        source = documents.outerjoin(slices, _CAPTION)
        wanted = (
            documents.c.space_id.in_(scope.space_ids)
            & (documents.c.dataset_id == dataset_id)
            & (documents.c.status != DocumentStatus.DELETED)
        )
        if keyword:
            wanted &= documents.c.name.icontains(
                keyword, autoescape=True
            ) | slices.c.index_text.icontains(keyword, autoescape=True)
        if has_caption is not None:
            wanted &= _IS_CAPTIONED if has_caption else sa.not_(_IS_CAPTIONED)
        total = await self._uow.connection.scalar(
            sa.select(sa.func.count()).select_from(source).where(wanted)
        )
        query = (
            sa.select(documents, slices.c.content.label("slice_content"))
            .select_from(source)
            .where(wanted)
            .order_by(documents.c.created_at.desc(), documents.c.id.desc())
            .limit(page.size)
            .offset(page.offset)
        )
        rows = await self._uow.connection.execute(query)
        return [(DOCUMENTS.read(row), row.slice_content or "") for row in rows], total or 0

    async def slice_of(self, scope: TenantScope, document: Document) -> Slice | None:
        query = (
            sa.select(slices)
            .where(
                slices.c.document_id == document.id,
                slices.c.generation == document.active_generation,
                slices.c.space_id.in_(scope.space_ids),
            )
            .order_by(slices.c.id)
            .limit(1)
        )
        return await SLICES.one(self._uow.connection, query)
