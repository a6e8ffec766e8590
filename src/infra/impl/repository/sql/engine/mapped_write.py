"""Writes of rows of many columns that many runs leave, prepared once."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Generic, TypeVar

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from infra.impl.repository.sql.engine.unit_of_work import write_later
from infra.impl.repository.sql.fastpath.combined import plain_by_place
from infra.impl.repository.sql.fastpath.kept_connection import driver_of

T = TypeVar("T")


class MappedWrite(Generic[T]):
    """One statement for rows: ``values`` makes them in the order of ``columns``.

    ``build`` makes the statement for a dialect.

    On SQLite no dictionary stands between an item and its parameters: making one of forty names,
    and looking each of them up again, took longer than everything else.
    """

    def __init__(
        self,
        columns: Sequence[str],
        values: Callable[[T], tuple[Any, ...]],
        build: Callable[[str], sa.Insert],
    ) -> None:
        self._columns = columns
        self._values = values
        self._build = cache(build)
        self._plain: tuple[str, Callable[[tuple[Any, ...]], list[Any]]] | None = None

    async def later(self, connection: AsyncConnection, items: Sequence[T]) -> None:
        """Write items with the commit at the latest, as ``write_later`` does."""
        if not items:
            return
        values = self._values
        driver = driver_of(connection)
        if driver is None:
            rows = [dict(zip(self._columns, values(item), strict=True)) for item in items]
            await write_later(connection, self._build(connection.dialect.name), rows)
            return
        if self._plain is None:
            dialect = connection.dialect
            self._plain = plain_by_place(self._build(dialect.name), self._columns, dialect)
        text, parameters = self._plain
        driver.begin()
        driver.defer(text, [parameters(values(item)) for item in items])
