"""Reading and writing of one table's rows, each statement within the spaces of a scope."""

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from typing import Any, Final, Generic, TypeVar

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.shared.access import TenantScope
from domain.shared.aggregate import Aggregate
from domain.shared.error import AppError
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.fastpath.prepared import Prepared
from infra.impl.repository.sql.mapping.row_mapper import RowMapper
from infra.impl.repository.sql.mapping.upsert import upsert

T = TypeVar("T")
AggregateT = TypeVar("AggregateT", bound=Aggregate)
Condition = sa.ColumnElement[bool]
Order = Sequence[sa.ColumnElement[Any]]

_ID: Final = sa.BigInteger()
"""Type of ids in statements that are kept; that of the first value may be too narrow."""


class InSpaces:
    """The condition of rows of a scope's spaces that are ``alive``, whatever that is in a table."""

    def __init__(self, table: sa.Table, *alive: Condition) -> None:
        self._table = table
        self._alive = alive

    def __call__(self, scope: TenantScope) -> Condition:
        return sa.and_(self._table.c.space_id.in_(scope.space_ids), *self._alive)

    @cached_property
    def by_ids(self) -> Prepared:
        """The rows of some ``ids`` within some ``spaces``, which is what is asked for most."""
        return Prepared(self._by_ids())

    @cached_property
    def locked(self) -> Prepared:
        """As ``by_ids``, and others who want them so wait until this transaction ends."""
        return Prepared(self._by_ids().with_for_update())

    def _by_ids(self) -> sa.Select[Any]:
        table = self._table.c
        return sa.select(self._table).where(
            table.id.in_(sa.bindparam("ids", type_=_ID, expanding=True)),
            table.space_id.in_(sa.bindparam("spaces", type_=_ID, expanding=True)),
            *self._alive,
        )


@cache
def in_spaces(table: sa.Table) -> InSpaces:
    """Return the condition of rows of a scope's spaces; rows that know deletion are not deleted."""
    deleted = [table.c.deleted_at.is_(None)] if "deleted_at" in table.c else []
    return InSpaces(table, *deleted)


def listed(table: sa.Table, scope: TenantScope) -> list[Condition]:
    """Return the condition of a list that shows only what was granted one by one, if it is one."""
    return [] if scope.only is None else [table.c.id.in_(scope.only)]


def owned(table: sa.Table, scope: TenantScope) -> Condition:
    """Return the condition of rows that the caller made; its values are ``values_of`` the scope."""
    spaces = sa.bindparam("spaces", list(scope.space_ids), type_=_ID, expanding=True)
    mine = [
        table.c.creator_id == sa.bindparam("principal", scope.principal_id, type_=_ID),
        table.c.space_id.in_(spaces),
    ]
    if scope.end_user_id:
        mine.append(table.c.end_user_id == sa.bindparam("end_user", scope.end_user_id))
    return sa.and_(*mine)


def values_of(scope: TenantScope) -> dict[str, Any]:
    """Return the values by which ``owned`` and agents of a token are told in prepared queries."""
    return {
        "principal": scope.principal_id,
        "spaces": list(scope.space_ids),
        "end_user": scope.end_user_id,
        "agents": list(scope.agent_ids or ()),
    }


def agents_of(scope: TenantScope) -> sa.BindParameter[Any]:
    """Return the agents of a token as the list of a condition; for those that are limited."""
    return sa.bindparam("agents", list(scope.agent_ids or ()), type_=_ID, expanding=True)


class PreparedByScope:
    """A query whose conditions depend on what a scope is limited by; one text for each kind."""

    def __init__(self, build: Callable[[TenantScope], sa.Executable]) -> None:
        self._build = build
        self._known: dict[tuple[bool, bool], Prepared] = {}

    def of(self, scope: TenantScope) -> Prepared:
        kind = bool(scope.end_user_id), scope.agent_ids is not None
        known = self._known.get(kind)
        if known is None:
            known = self._known[kind] = Prepared(self._build(scope))
        return known

    async def rows(
        self, connection: AsyncConnection, scope: TenantScope, **values: object
    ) -> Sequence[Sequence[Any]]:
        """Execute it for a scope and return all rows."""
        return await self.of(scope).rows(connection, {**values_of(scope), **values})


class TenantRows(Generic[T]):
    """The rows of a table that belong to the spaces of a scope.

    ``visible`` is part of each WHERE clause; without it, that of ``in_spaces``. ``parent`` is a
    table to join for it, and how. ``missing`` makes the error for an id that is not there, or is
    another tenant's, which nobody can tell apart. ``read`` replaces the mapper's where it needs to
    be told what is not in the row.
    """

    def __init__(
        self,
        uow: SqlUnitOfWork,
        mapper: RowMapper[T],
        *,
        missing: Callable[[int], AppError],
        visible: Callable[[TenantScope], Condition] | None = None,
        parent: tuple[sa.Table, Condition] | None = None,
        read: Callable[[sa.Row[Any]], T] | None = None,
    ) -> None:
        self._uow = uow
        self._connection = uow.connection
        self._mapper = mapper
        self._table = mapper.table
        self._missing = missing
        self._visible = visible or in_spaces(mapper.table)
        self._source = self._table if parent is None else self._table.join(*parent)
        self._read = read or mapper.read
        plain = self._visible if read is None and parent is None else None
        self._plain = plain if isinstance(plain, InSpaces) else None

    async def get(self, scope: TenantScope, id_: int) -> T:
        """Return the row of an id; raise the error of ``missing``."""
        found = await self.by_ids(scope, [id_])
        if not found:
            raise self._missing(id_)
        return found[0]

    async def by_ids(self, scope: TenantScope, ids: Sequence[int]) -> list[T]:
        """Return the rows of some ids, in any order; those that are not there are left out."""
        if self._plain is None:
            return await self.all(scope, self._table.c.id.in_(ids))
        if not ids:
            return []
        most = 1 << (len(ids) - 1).bit_length()  # there is one text for each length
        wanted = [*ids, *[ids[-1]] * (most - len(ids))]
        values = {"ids": wanted, "spaces": list(scope.space_ids)}
        return list(map(self._mapper.read, await self._plain.by_ids.rows(self._connection, values)))

    async def require(self, scope: TenantScope, id_: int) -> None:
        """Raise the error of ``missing`` unless there is a row of this id."""
        if not await self.count(scope, self._table.c.id == id_):
            raise self._missing(id_)

    async def lock(self, scope: TenantScope, id_: int) -> T:
        """As ``get``; others who lock it wait until this transaction ends.

        SQLite has one writer anyway and no clause for this; it is left out there.
        """
        if self._plain is not None:
            values = {"ids": [id_], "spaces": list(scope.space_ids)}
            row = await self._plain.locked.row(self._connection, values)
            if row is None:
                raise self._missing(id_)
            return self._mapper.read(row)
        query = self._select(scope, [self._table.c.id == id_]).with_for_update()
        found = (await self._connection.execute(query)).one_or_none()
        if found is None:
            raise self._missing(id_)
        return self._read(found)

    async def find(self, scope: TenantScope, *wanted: Condition) -> T | None:
        """Return the only row that is wanted, if there is one."""
        row = (await self._connection.execute(self._select(scope, wanted))).one_or_none()
        return None if row is None else self._read(row)

    async def all(
        self,
        scope: TenantScope,
        *wanted: Condition,
        order: Order = (),
        limit: int | None = None,
        offset: int | None = None,
    ) -> list[T]:
        """Return the rows that are wanted."""
        query = self._select(scope, wanted).order_by(*order)
        if limit is not None:
            query = query.limit(limit)
        if offset:
            query = query.offset(offset)
        return [self._read(row) for row in await self._connection.execute(query)]

    async def page(
        self,
        scope: TenantScope,
        *wanted: Condition,
        order: Order,
        limit: int,
        offset: int = 0,
        beyond: Condition | None = None,
    ) -> tuple[list[T], int]:
        """Return some of the rows that are wanted, and how many there are in all.

        ``beyond`` leaves out what earlier pages had; it is not part of the count.
        """
        total = await self.count(scope, *wanted)
        rest = wanted if beyond is None else (*wanted, beyond)
        return await self.all(scope, *rest, order=order, limit=limit, offset=offset), total

    async def count(self, scope: TenantScope, *wanted: Condition) -> int:
        """Return how many rows are wanted."""
        query = sa.select(sa.func.count()).select_from(self._source)
        return await self._connection.scalar(query.where(self._visible(scope), *wanted)) or 0

    async def save(
        self: "TenantRows[AggregateT]", scope: TenantScope, item: AggregateT, **more: object
    ) -> None:
        """Insert or update under the revision; ``more`` are columns beside those of the fields."""
        await self._uow.save(self._table, item, self.row_of(scope, item, **more))

    async def add(self, scope: TenantScope, *items: T, **more: object) -> None:
        """Insert rows that have no revision."""
        rows = [self.row_of(scope, item, **more) for item in items]
        if rows:
            await self._connection.execute(sa.insert(self._table), rows)

    async def put(self, scope: TenantScope, item: T, **more: object) -> None:
        """Insert a row, or replace the one of the same space that has the same primary key."""
        row = self.row_of(scope, item, **more)
        insert = upsert(self._connection.dialect.name, self._table).values(**row)
        key = {column.name for column in self._mapper.key}
        changed = {name: value for name, value in row.items() if name not in key}
        await self._connection.execute(
            insert.on_conflict_do_update(
                index_elements=self._mapper.key,
                set_=changed,
                where=self._table.c.space_id == row["space_id"],
            )
        )

    async def delete(self, scope: TenantScope, *wanted: Condition) -> int:
        """Delete the rows that are wanted and return how many those were."""
        deleted = sa.delete(self._table).where(self._visible(scope), *wanted)
        return (await self._connection.execute(deleted)).rowcount

    def row_of(self, scope: TenantScope, item: T, **more: object) -> dict[str, Any]:
        """Return the columns of the fields; raise the error of ``missing`` for foreign spaces."""
        row = self._mapper.row(item) | more
        if row["space_id"] not in scope.space_ids:
            raise self._missing(row.get("id", 0))
        return row

    def _select(self, scope: TenantScope, wanted: Sequence[Condition]) -> sa.Select[Any]:
        query = sa.select(self._table)
        if self._source is not self._table:
            query = query.select_from(self._source)
        return query.where(self._visible(scope), *wanted)
