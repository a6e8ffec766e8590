"""What workspaces keep, counted in SQL over their own rows."""

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.file.entity import FileStatus
from domain.knowledge.value import DocumentStatus
from domain.shared.capacity.quota import Usage
from domain.shared.ids import SpaceId
from infra.impl.repository.sql.file.table import files
from infra.impl.repository.sql.knowledge.table import datasets, documents


class SqlUsageCounter:
    """Counts files and documents of a workspace, whichever context asks."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def of(self, space_id: SpaceId) -> Usage:
        of_files = sa.select(
            sa.func.count().filter(files.c.status == FileStatus.READY),
            sa.func.coalesce(sa.func.sum(files.c.size), 0),
        ).where(files.c.space_id == space_id)
        bases = sa.select(datasets.c.id).where(datasets.c.space_id == space_id)
        of_documents = sa.select(
            sa.func.count(), sa.func.coalesce(sa.func.sum(documents.c.size), 0)
        ).where(documents.c.dataset_id.in_(bases), documents.c.status != DocumentStatus.DELETED)
        file_count, file_bytes = (await self._connection.execute(of_files)).one()
        document_count, document_bytes = (await self._connection.execute(of_documents)).one()
        return Usage(
            bytes=int(file_bytes) + int(document_bytes),
            files=int(file_count),
            documents=int(document_count),
        )
