"""Columns: their types, and the metadata that all tables share."""

from collections.abc import Callable, Hashable, Iterable
from datetime import UTC, datetime, timedelta
from enum import IntEnum, StrEnum
from typing import Any, Final

import msgspec
import sqlalchemy as sa

metadata: Final = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

ONLY_WHERE: Final = "only_where"
"""Where an index keeps its condition for ``complete_metadata``."""
_EPOCH: Final = datetime.fromtimestamp(0, UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def to_micros(moment: datetime) -> int:
    """Microseconds since the epoch; for comparisons in queries use the ``Instant`` column."""
    return (moment - _EPOCH) // _MICROSECOND


def _stored_micros(moment: datetime | None) -> int | None:
    return None if moment is None else (moment - _EPOCH) // _MICROSECOND


class Instant(sa.TypeDecorator[datetime]):
    """A UTC instant as integer microseconds: SQLite has no time zones, and integers sort."""

    impl = sa.BigInteger
    cache_ok = True

    def bind_processor(self, dialect: sa.Dialect) -> Callable[[datetime | None], int | None]:
        return _stored_micros  # as it is: this runs often

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> int | None:
        return _stored_micros(value)

    def process_result_value(self, value: int | None, dialect: sa.Dialect) -> datetime | None:
        return None if value is None else _EPOCH + value * _MICROSECOND


class Json(sa.TypeDecorator[Any]):
    """A typed document as JSON text: ``Json(Persona)`` decodes into that msgspec-readable type."""

    impl = sa.Text
    cache_ok = True

    def __init__(self, of: Any = Any, *, empty: Hashable = None) -> None:
        """Keep ``empty`` as NULL, as in columns that were added to a table that had rows."""
        super().__init__()
        self.of = of
        self.empty = empty
        self._decode: Callable[[str], Any] = msgspec.json.Decoder(of).decode

    def process_bind_param(self, value: Any, dialect: sa.Dialect) -> str | None:
        is_nothing = value is None or (self.empty is not None and value == self.empty)
        return None if is_nothing else msgspec.json.encode(value).decode()

    def process_result_value(self, value: str | None, dialect: sa.Dialect) -> Any:
        return self.empty if value is None else self._decode(value)


class _Members(dict[Any, Any]):
    """Members by what is stored of them; a value that stands for none is an error."""

    def __init__(self, of: type[StrEnum] | type[IntEnum]) -> None:
        super().__init__({member.value: member for member in of})
        self[None] = None
        self._of = of

    def __missing__(self, stored: Any) -> Any:
        raise ValueError(f"{stored!r} is no {self._of.__name__}")


class StrMember(sa.TypeDecorator[StrEnum]):
    """A member of an enum as its text."""

    impl = sa.String
    cache_ok = True

    def __init__(self, of: type[StrEnum], length: int | None = None) -> None:
        super().__init__(length)
        self.of = of
        self.length = length

    def result_processor(self, dialect: sa.Dialect, coltype: object) -> Callable[[Any], Any]:
        return _Members(self.of).__getitem__  # runs often, and is the fastest there is


class IntMember(sa.TypeDecorator[IntEnum]):
    """A member of an enum as its number."""

    impl = sa.SmallInteger
    cache_ok = True

    def __init__(self, of: type[IntEnum]) -> None:
        super().__init__()
        self.of = of

    def result_processor(self, dialect: sa.Dialect, coltype: object) -> Callable[[Any], Any]:
        return _Members(self.of).__getitem__


_MARK: Final = "|"


class Names(sa.TypeDecorator[tuple[str, ...]]):
    """Names between marks, so that one is found as ``|name|`` and lists are joined as texts."""

    impl = sa.Text
    cache_ok = True

    def bind_processor(self, dialect: sa.Dialect) -> Callable[[Iterable[str] | None], str]:
        return _marked_names  # as it is: this runs often

    def process_bind_param(self, value: Iterable[str] | None, dialect: sa.Dialect) -> str:
        return _marked_names(value)

    def process_result_value(self, value: str | None, dialect: sa.Dialect) -> tuple[str, ...]:
        return tuple(dict.fromkeys(filter(None, (value or "").split(_MARK))))


def _marked_names(names: Iterable[str] | None) -> str:
    if not names:
        return ""
    return "".join([f"{_MARK}{name.replace(_MARK, ' ')}{_MARK}" for name in names])


def marked_name(name: str) -> str:
    """Return what stands in the column for a name."""
    return f"{_MARK}{name}{_MARK}"


def only_where(condition: sa.ColumnElement[bool] | sa.TextClause) -> dict[str, Any]:
    """Arguments of an index that has some of the rows only; see ``complete_metadata``.

    Naming PostgreSQL here would load its dialect into processes that have SQLite.
    """
    return {"sqlite_where": condition, "info": {ONLY_WHERE: condition}}


def id_column(name: str = "id", **options: Any) -> sa.Column[int]:
    """A 63-bit id; the primary key unless said otherwise."""
    options.setdefault("primary_key", name == "id")
    return sa.Column(name, sa.BigInteger, autoincrement=False, **options)
