"""What a workspace says of one matter: at most one row, whose id is the workspace's."""

from collections.abc import Callable
from typing import Generic, TypeVar

import sqlalchemy as sa

from domain.shared.access import TenantScope
from domain.shared.aggregate import Aggregate
from domain.shared.error import NotFound
from domain.shared.ids import SpaceId
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.mapping.row_mapper import RowMapper

AggregateT = TypeVar("AggregateT", bound=Aggregate)


class SpaceRules(Generic[AggregateT]):
    """Reads and writes such rows; ``unsaid`` makes what holds where a workspace says nothing."""

    def __init__(
        self,
        uow: SqlUnitOfWork,
        mapper: RowMapper[AggregateT],
        *,
        unsaid: Callable[[SpaceId], AggregateT],
    ) -> None:
        self._uow = uow
        self._mapper = mapper
        self._unsaid = unsaid

    async def get(self, scope: TenantScope, space_id: SpaceId) -> AggregateT:
        table = self._mapper.table
        mine = table.c.id.in_(scope.space_ids)
        query = sa.select(table).where(table.c.id == space_id, mine)
        return await self._mapper.one(self._uow.connection, query) or self._unsaid(space_id)

    async def save(self, scope: TenantScope, said: AggregateT) -> None:
        if said.id not in scope.space_ids:
            raise NotFound(f"No workspace {said.id}.", space_id=said.id)
        await self._uow.save(self._mapper.table, said, self._mapper.row(said))
