"""Long work of all spaces in SQL."""

from collections.abc import Callable
from datetime import datetime
from typing import Generic, TypeVar

import sqlalchemy as sa

from domain.knowledge.error import WorkLost
from domain.knowledge.work import LongWork
from domain.shared.error import StaleRevision
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.mapping.lease import Lease
from infra.impl.repository.sql.mapping.row_mapper import RowMapper

WorkT = TypeVar("WorkT", bound=LongWork)


def waits(table: sa.Table, now: datetime) -> sa.ColumnElement[bool]:
    """Return the condition of open work whose time has come and that nobody has."""
    return (table.c.next_run_at <= now) & Lease(table).is_free(now)


class SqlWorkQueue(Generic[WorkT]):
    """Rows of one kind of work; ``is_open`` says of which of them there is something to do."""

    def __init__(
        self,
        uow: SqlUnitOfWork,
        mapper: RowMapper[WorkT],
        is_open: Callable[[datetime], sa.ColumnElement[bool]],
    ) -> None:
        self._uow = uow
        self._mapper = mapper
        self._table = mapper.table
        self._lease = Lease(mapper.table)
        self._is_open = is_open

    def is_due(self, now: datetime) -> sa.ColumnElement[bool]:
        """Its time has come, and nobody has it."""
        return self._is_open(now) & waits(self._table, now)

    async def due(self, *, now: datetime, limit: int) -> list[WorkT]:
        query = (
            sa.select(self._table)
            .where(self.is_due(now))
            .order_by(self._table.c.next_run_at, self._table.c.id)
            .limit(limit)
        )
        return await self._mapper.all(self._uow.connection, query)

    async def find(self, work_id: int) -> WorkT | None:
        query = sa.select(self._table).where(self._table.c.id == work_id)
        return await self._mapper.one(self._uow.connection, query)

    async def save(self, work: WorkT) -> None:
        try:
            await self._uow.save(self._table, work, self._mapper.row(work))
        except StaleRevision as exc:
            raise WorkLost("Another process has this work, or it ended.", work_id=work.id) from exc

    async def renew(self, work_id: int, owner: str, *, until: datetime) -> bool:
        connection, row = self._uow.connection, self._table.c.id == work_id
        return bool(await self._lease.renew(connection, owner, row, until=until))
