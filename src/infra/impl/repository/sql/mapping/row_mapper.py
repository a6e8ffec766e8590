"""Mapper between the fields of a dataclass and the columns of its table, which it declares."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from enum import IntEnum, StrEnum
from operator import attrgetter
from types import MappingProxyType, NoneType, UnionType
from typing import (
    Any,
    Final,
    Generic,
    NewType,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.shared.aggregate import Aggregate
from infra.impl.repository.sql.mapping.column import Instant, IntMember, Json, StrMember, metadata

T = TypeVar("T")
ColumnType = sa.types.TypeEngine[Any] | type[sa.types.TypeEngine[Any]]

REVISION: Final = "revision"
_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
_TYPES: Final[Mapping[Any, ColumnType]] = {
    bool: sa.Boolean,
    bytes: sa.LargeBinary,
    datetime: Instant,
    float: sa.Float(53),
    int: sa.Integer,
    str: sa.Text,
}


@dataclass(frozen=True, slots=True)
class _Part:
    """A dataclass that is rebuilt from columns: its fields and where each comes from."""

    kind: Callable[..., Any]
    sources: tuple[tuple[str, "int | _Part"], ...]

    def read(self, row: Sequence[Any]) -> Any:
        return self.kind(
            **{
                name: row[source] if isinstance(source, int) else source.read(row)
                for name, source in self.sources
            }
        )


class RowMapper(Generic[T]):
    """Declares the table of a dataclass (or struct) and turns rows into instances and back.

    A column has the name of its field, and the type and nullability that follow from the field's
    annotation: enums by value, instants as microseconds, everything composed as JSON. The mapped
    columns come first in the table, so that a row may go on with columns of other tables. A name
    that is neither a field nor a column is refused when the module is imported.

    - ``columns`` says what does not follow: lengths, wide integers, defaults, uniqueness.
    - ``key`` names the primary key.
    - ``flat`` names fields whose own fields are columns, with the prefix of those.
    - ``names`` gives columns for paths of fields (``"content.version"``) under another name; two
      paths may share a column.
    - ``omitted`` fields have no column; ``read`` is given those that have no default.
    - ``read_only`` columns are written by others.
    - ``extra`` columns belong to no field; ``derived`` computes some of them for ``row``.
    """

    def __init__(
        self,
        kind: type[T],
        name: str,
        *indexes: sa.Index,
        columns: Mapping[str, "ColumnType | sa.Column[Any]"] = _NOTHING,
        key: Sequence[str] = ("id",),
        flat: Mapping[str, str] = _NOTHING,
        names: Mapping[str, str] = _NOTHING,
        omitted: Collection[str] = (),
        read_only: Collection[str] = (),
        extra: Sequence["sa.Column[Any]"] = (),
        derived: Mapping[str, Callable[[T], object]] = _NOTHING,
    ) -> None:
        self._kind = kind
        self._derived = derived
        self.omitted = frozenset(omitted)
        layout = _Layout(name, columns=columns, flat=flat, names=names, omitted=omitted)
        self._part = layout.part_of(kind)
        self._fields: tuple[str, ...] | None = None
        if all(source == at for at, (_, source) in enumerate(self._part.sources)):
            self._fields = tuple(field for field, _ in self._part.sources)
        layout.require_used()
        self.table: sa.Table = sa.Table(
            name, metadata, *layout.columns, *extra, sa.PrimaryKeyConstraint(*key), *indexes
        )
        _require(name, {*read_only, *derived}, self.table.c.keys())
        self.key: tuple[sa.Column[Any], ...] = tuple(self.table.c[each] for each in key)
        unwritten = {*read_only, *derived}
        if issubclass(kind, Aggregate):
            unwritten.add(REVISION)  # which is the unit of work's
        written = {column: path for column, path in layout.paths.items() if column not in unwritten}
        self.columns: tuple[str, ...] = (*written, *derived)
        """Those that are written, in the order of ``values``."""
        self._values: Callable[[Any], tuple[Any, ...]] = attrgetter(*written.values())
        if issubclass(kind, msgspec.Struct) and kind.__struct_fields__ == tuple(written.values()):
            self._values = msgspec.structs.astuple  # looks nothing up by name

    def read(self, row: Sequence[Any], **omitted: object) -> T:
        """Build an instance from a row that begins with the columns of the table."""
        if not omitted.keys() <= self.omitted:
            raise TypeError(f"{self.table.name}: these fields come from the row: {omitted.keys()}")
        if self._fields is not None:
            return self._kind(**dict(zip(self._fields, row, strict=False)), **omitted)
        values = {
            name: row[source] if isinstance(source, int) else source.read(row)
            for name, source in self._part.sources
        }
        return self._kind(**values, **omitted)

    async def all(self, connection: AsyncConnection, query: sa.Executable) -> list[T]:
        """Build the instances of all rows of a query."""
        return [self.read(row) for row in await connection.execute(query)]

    async def one(self, connection: AsyncConnection, query: sa.Executable) -> T | None:
        """Build the instance of the only row of a query, if there is one."""
        row = (await connection.execute(query)).one_or_none()
        return None if row is None else self.read(row)

    def row(self, item: T) -> dict[str, Any]:
        """Return what is stored, but for the revision of aggregates."""
        return dict(zip(self.columns, self.values(item), strict=True))

    def values(self, item: T) -> tuple[Any, ...]:
        """Return the same without the names of the ``columns``."""
        if not self._derived:
            return self._values(item)
        return (*self._values(item), *(derive(item) for derive in self._derived.values()))


class _Layout:
    """Columns of one table in the making."""

    def __init__(
        self,
        table: str,
        *,
        columns: Mapping[str, "ColumnType | sa.Column[Any]"],
        flat: Mapping[str, str],
        names: Mapping[str, str],
        omitted: Collection[str],
    ) -> None:
        self._table = table
        self._given = columns
        self._flat = flat
        self._names = names
        self._omitted = omitted
        self._seen: set[str] = set()
        self.columns: list[sa.Column[Any]] = []
        self.paths: dict[str, str] = {}
        """By column, how to get its value from an instance."""

    def part_of(self, kind: type[Any], *, path: str = "", prefix: str = "") -> _Part:
        """Lay out the fields of a dataclass."""
        hints = get_type_hints(kind)
        sources: list[tuple[str, int | _Part]] = []
        for name in _fields_of(kind):
            here = f"{path}{name}"
            self._seen.add(here)
            if here in self._omitted:
                continue
            if here in self._flat:
                inner = self.part_of(hints[name], path=f"{here}.", prefix=prefix + self._flat[here])
                sources.append((name, inner))
                continue
            column = self._names.get(here, prefix + name)
            sources.append((name, self._place(column, here, hints[name])))
        return _Part(kind, tuple(sources))

    def require_used(self) -> None:
        """Raise ``TypeError`` for names of fields and columns that are none."""
        _require(self._table, {*self._flat, *self._names, *self._omitted}, self._seen)
        _require(self._table, self._given, self.paths)

    def _place(self, name: str, path: str, hint: Any) -> int:
        if name in self.paths:
            return list(self.paths).index(name)
        self.paths[name] = path
        inner, is_optional = _without_none(hint)
        given = self._given.get(name)
        column = given if isinstance(given, sa.Column) else sa.Column(given or _type_of(inner))
        column.name = column.key = name
        column.type = _with_members(inner, column.type)
        empties = isinstance(column.type, Json) and column.type.empty is not None
        column.nullable = is_optional or empties
        column.autoincrement = False
        self.columns.append(column)
        return len(self.columns) - 1


def _fields_of(kind: type[Any]) -> list[str]:
    if issubclass(kind, msgspec.Struct):
        return [field.name for field in msgspec.structs.fields(kind)]
    return [field.name for field in fields(kind) if field.init]


def _require(table: str, named: Collection[str], known: Collection[str]) -> None:
    if unknown := sorted(set(named).difference(known)):
        raise TypeError(f"{table}: no such fields or columns: {', '.join(unknown)}")


def _without_none(hint: Any) -> tuple[Any, bool]:
    if get_origin(hint) not in {Union, UnionType} or NoneType not in get_args(hint):
        return hint, False
    rest = tuple(each for each in get_args(hint) if each is not NoneType)
    return (rest[0] if len(rest) == 1 else Union[rest]), True  # noqa: UP007 - made from a tuple


def _type_of(hint: Any) -> ColumnType:
    if isinstance(hint, NewType) and hint.__supertype__ is int:
        return sa.BigInteger
    if isinstance(hint, type) and issubclass(hint, IntEnum):
        return sa.SmallInteger
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return sa.String(16)
    return _TYPES.get(hint) or Json(hint)


def _with_members(hint: Any, stored: "sa.types.TypeEngine[Any]") -> "sa.types.TypeEngine[Any]":
    """Have enums read as their members."""
    if not isinstance(hint, type):
        return stored
    if issubclass(hint, StrEnum) and isinstance(stored, sa.String):
        return StrMember(hint, stored.length)
    if issubclass(hint, IntEnum) and isinstance(stored, sa.SmallInteger):
        return IntMember(hint)
    return stored
