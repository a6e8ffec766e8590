"""Copies of bases in SQL."""

import sqlalchemy as sa

from domain.knowledge.copying import CopyLost, DatasetCopy
from domain.knowledge.error import DatasetNotFound
from domain.knowledge.value import DatasetId, DocumentId, DocumentStatus
from domain.shared.access import TenantScope
from domain.shared.error import StaleRevision
from infra.impl.repository.sql.engine.database import SqlUnitOfWork
from infra.impl.repository.sql.knowledge.table import documents
from infra.impl.repository.sql.knowledge.upkeep_table import COPIES, copies
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows


class SqlCopyRepository:
    """Copies, by the space of the new base."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow
        self._rows = TenantRows(uow, COPIES, missing=_not_found)

    async def find(self, scope: TenantScope, request_key: str) -> DatasetCopy | None:
        return await self._rows.find(scope, copies.c.request_key == request_key)

    async def save(self, scope: TenantScope, copy: DatasetCopy) -> None:
        try:
            await self._rows.save(scope, copy)
        except StaleRevision as exc:
            raise CopyLost("Another process copies this.", copy_id=copy.id) from exc

    async def forget(self, scope: TenantScope, dataset_id: DatasetId) -> None:
        await self._rows.delete(scope, copies.c.target_id == dataset_id)

    async def next_document(
        self, scope: TenantScope, dataset_id: DatasetId, *, after: DocumentId
    ) -> DocumentId | None:
        query = (
            sa.select(documents.c.id)
            .where(
                documents.c.dataset_id == dataset_id,
                documents.c.space_id.in_(scope.space_ids),
                documents.c.status != DocumentStatus.DELETED,
                documents.c.active_generation.is_not(None),
                documents.c.id > after,
            )
            .order_by(documents.c.id)
            .limit(1)
        )
        found = await self._uow.connection.scalar(query)
        return None if found is None else DocumentId(found)


def _not_found(_: int) -> DatasetNotFound:
    return DatasetNotFound("No such knowledge base.")
