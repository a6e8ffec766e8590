"""Queries built once: with SQLite near, building and unpacking one costs more than running it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar, cast

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from infra.impl.repository.sql.fastpath.kept_connection import driver_of, execute_on
from infra.impl.repository.sql.fastpath.sqlite_connection import Result, SqliteConnection

Rows = Sequence[Sequence[Any]]
_Process = Callable[[Any], Any]
T = TypeVar("T")

_STEP: Final = 32


def padded(values: Sequence[T]) -> list[T]:
    """Fill a list up to a multiple: each length of one makes a text of its own."""
    return [*values, *list(values[-1:]) * (-len(values) % _STEP)]


class Prepared:
    """A statement whose values are given by name, each time; lists among them are expanded.

    On SQLite it goes to the connection as it is, past SQLAlchemy's execution; what waits there is
    done before, and faults are those that SQLAlchemy would raise. Elsewhere SQLAlchemy executes it.
    Every value that has a name must be given: none is left over from whoever asked first.
    """

    def __init__(self, statement: sa.Executable) -> None:
        self._statement: Any = statement
        parts = sa.sql.visitors.iterate(cast("Any", statement))
        binds = (part for part in parts if isinstance(part, sa.BindParameter))
        self._needed = frozenset(bind.key for bind in binds if not bind.unique)
        self._texts: dict[tuple[int, ...], _Text] = {}

    async def rows(self, connection: AsyncConnection, values: Mapping[str, Any]) -> Rows:
        """Execute it and return all rows."""
        found, read = await self.stored(connection, values)
        return [read(row) for row in found]

    async def stored(
        self, connection: AsyncConnection, values: Mapping[str, Any]
    ) -> tuple[Rows, Callable[[Sequence[Any]], Sequence[Any]]]:
        """Execute it and return all rows, as they may be stored, and what reads one.

        Reading costs more than finding; this is for who reads few of many.
        """
        driver = self._driver(connection, values)
        if driver is None:
            return (await connection.execute(self._statement, dict(values))).all(), _as_it_is
        text, found = await self._executed(connection, driver, values)
        return found.rows, text.read

    async def run(self, connection: AsyncConnection, values: Mapping[str, Any]) -> int:
        """Execute it for what it does, and return how many rows it changed."""
        driver = self._driver(connection, values)
        if driver is None:
            return (await connection.execute(self._statement, dict(values))).rowcount
        return (await self._executed(connection, driver, values))[1].rowcount

    async def row(self, connection: AsyncConnection, values: Mapping[str, Any]) -> Any | None:
        """Execute it and return the first row, if there is one."""
        return next(iter(await self.rows(connection, values)), None)

    def _driver(
        self, connection: AsyncConnection, values: Mapping[str, Any]
    ) -> SqliteConnection | None:
        if missing := self._needed - values.keys():
            raise TypeError(f"Values are not given: {', '.join(sorted(missing))}.")
        return driver_of(connection)

    async def _executed(
        self, connection: AsyncConnection, driver: SqliteConnection, values: Mapping[str, Any]
    ) -> "tuple[_Text, Result]":
        text = self._text(values, connection.dialect)
        parameters = [parameter.of(values) for parameter in text.parameters]
        return text, await execute_on(connection, driver, text.sql, parameters)

    def _text(self, values: Mapping[str, Any], dialect: sa.Dialect) -> "_Text":
        lengths = tuple(len(each) for each in values.values() if isinstance(each, list))
        known = self._texts.get(lengths)
        if known is None:
            known = self._texts[lengths] = _compiled(self._statement, values, dialect)
        return known


def _as_it_is(row: Sequence[Any]) -> Sequence[Any]:
    return row


@dataclass(frozen=True, slots=True, eq=False)
class _Parameter:
    """Where the value of a place comes from: what was given, or the statement itself."""

    name: str
    at: int | None
    """Which of a list."""
    is_given: bool
    fixed: Any
    process: _Process | None

    def of(self, values: Mapping[str, Any]) -> Any:
        if not self.is_given:
            return self.fixed
        value = values[self.name]
        if self.at is not None:
            value = value[self.at]
        return value if self.process is None else self.process(value)


@dataclass(frozen=True, slots=True, eq=False)
class _Text:
    """A statement as SQLite takes it, and how to read its rows."""

    sql: str
    parameters: tuple[_Parameter, ...]
    readers: tuple[tuple[int, _Process], ...]

    def read(self, row: Sequence[Any]) -> list[Any]:
        values = list(row)
        for at, process in self.readers:
            values[at] = process(values[at])
        return values


def _compiled(statement: Any, values: Mapping[str, Any], dialect: sa.Dialect) -> _Text:
    compiled: Any = statement.compile(dialect=dialect)
    expanded = compiled.construct_expanded_state(dict(values))
    lists = {
        name: (source, at)
        for source, names in expanded.parameter_expansion.items()
        for at, name in enumerate(names)
    }

    def parameter(name: str) -> _Parameter:
        source, at = lists.get(name, (name, None))
        process = compiled.binds[source].type.dialect_impl(dialect).bind_processor(dialect)
        is_given, fixed = source in values, expanded.parameters[name]
        if not is_given and process is not None:
            fixed = process(fixed)
        return _Parameter(source, at, is_given, fixed, process)

    readers = []
    for at, column in enumerate(statement.exported_columns):
        process = column.type.dialect_impl(dialect).result_processor(dialect, None)
        if process is not None:
            readers.append((at, process))
    return _Text(expanded.statement, tuple(map(parameter, expanded.positiontup)), tuple(readers))
