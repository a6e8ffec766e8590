"""Copies of bases in SQL."""

from typing import Any

import sqlalchemy as sa

from domain.knowledge.copying import CopyId, CopyLost, CopyStatus, DatasetCopy
from domain.knowledge.error import DatasetNotFound
from domain.knowledge.value import DatasetId, DocumentId, DocumentStatus
from domain.shared.access import TenantScope
from domain.shared.error import StaleRevision
from domain.shared.ids import SpaceId, UserId
from infra.impl.repository.sql.database import SqlUnitOfWork
from infra.impl.repository.sql.knowledge_table import documents
from infra.impl.repository.sql.knowledge_upkeep_table import copies


class SqlCopyRepository:
    """Copies, by the space of the new base."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow

    async def find(self, scope: TenantScope, request_key: str) -> DatasetCopy | None:
        query = sa.select(copies).where(
            copies.c.space_id.in_(scope.space_ids), copies.c.request_key == request_key
        )
        row = (await self._uow.connection.execute(query)).mappings().first()
        return None if row is None else to_copy(row)

    async def save(self, scope: TenantScope, copy: DatasetCopy) -> None:
        if copy.space_id not in scope.space_ids:
            raise DatasetNotFound(f"No workspace {copy.space_id}.")
        try:
            await self._uow.save(copies, copy, _to_row(copy))
        except StaleRevision as exc:
            raise CopyLost("Another process copies this.", copy_id=copy.id) from exc

    async def forget(self, scope: TenantScope, dataset_id: DatasetId) -> None:
        await self._uow.connection.execute(
            sa.delete(copies).where(
                copies.c.target_id == dataset_id, copies.c.space_id.in_(scope.space_ids)
            )
        )

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


def _to_row(copy: DatasetCopy) -> dict[str, Any]:
    return {
        "id": copy.id,
        "space_id": copy.space_id,
        "source_space_id": copy.source_space_id,
        "source_id": copy.source_id,
        "target_id": copy.target_id,
        "creator_id": copy.creator_id,
        "request_key": copy.request_key,
        "cursor": copy.cursor,
        "status": copy.status,
        "attempt": copy.attempt,
        "next_run_at": copy.next_run_at,
        "last_error": copy.last_error,
        "created_at": copy.created_at,
        "finished_at": copy.finished_at,
    }


def to_copy(row: sa.RowMapping) -> DatasetCopy:
    """Read a copy back."""
    return DatasetCopy(
        id=CopyId(row["id"]),
        space_id=SpaceId(row["space_id"]),
        source_space_id=SpaceId(row["source_space_id"]),
        source_id=DatasetId(row["source_id"]),
        target_id=DatasetId(row["target_id"]),
        creator_id=UserId(row["creator_id"]),
        request_key=row["request_key"],
        cursor=DocumentId(row["cursor"]),
        status=CopyStatus(row["status"]),
        attempt=row["attempt"],
        next_run_at=row["next_run_at"],
        last_error=row["last_error"],
        created_at=row["created_at"],
        finished_at=row["finished_at"],
        revision=row["revision"],
    )
