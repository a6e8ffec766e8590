"""Writes of what a mapper maps, prepared once: for rows of many columns that many runs leave."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Generic, TypeVar

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from infra.impl.repository.sql.engine.unit_of_work import write_later
from infra.impl.repository.sql.fastpath.combined import plain_by_place
from infra.impl.repository.sql.fastpath.kept_connection import driver_of
from infra.impl.repository.sql.mapping.row_mapper import RowMapper

T = TypeVar("T")


class MappedWrite(Generic[T]):
    """One statement for the rows of a mapper; ``build`` makes it for a dialect.

    On SQLite no dictionary stands between an item and its parameters: making one of forty names,
    and looking each of them up again, took longer than everything else.
    """

    def __init__(self, mapper: RowMapper[T], build: Callable[[str], sa.Insert]) -> None:
        self._mapper = mapper
        self._build = cache(build)
        self._plain: tuple[str, Callable[[tuple[Any, ...]], list[Any]]] | None = None

    async def later(self, connection: AsyncConnection, items: Sequence[T]) -> None:
        """Write items with the commit at the latest, as ``write_later`` does."""
        if not items:
            return
        dialect, values = connection.dialect, self._mapper.values
        driver = driver_of(connection)
        if driver is None:
            rows = [self._mapper.row(item) for item in items]
            await write_later(connection, self._build(dialect.name), rows)
            return
        if self._plain is None:
            self._plain = plain_by_place(self._build(dialect.name), self._mapper.columns, dialect)
        text, parameters = self._plain
        driver.begin()
        driver.defer(text, [parameters(values(item)) for item in items])
