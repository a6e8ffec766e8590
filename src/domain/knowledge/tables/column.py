"""Columns of table knowledge: their types, guessed from cells, and the cells converted to them."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from itertools import islice
from typing import Final

from infra.contract.table.sql_guard import CellKind, Scalar

SAMPLED_ROWS: Final = 1000
"""Rows that a guess looks at; more would not change it and the file may be long."""
_MAX_INTEGER: Final = 2**63 - 1
_INTEGER: Final = re.compile(r"0|-?[1-9][0-9]{0,17}", re.ASCII)
_FLOAT: Final = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+(?:[eE][-+]?[0-9]+)?", re.ASCII)
_ANY_INTEGER: Final = re.compile(r"[-+]?[0-9]{1,19}(?:\.0{1,20})?", re.ASCII)
_ANY_FLOAT: Final = re.compile(
    r"[-+]?(?:[0-9]{1,400}\.?[0-9]{0,400}|\.[0-9]{1,400})(?:[eE][-+]?[0-9]{1,5})?", re.ASCII
)
_DATE: Final = re.compile(
    r"(?:([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})"
    r"|([0-9]{4})/([0-9]{1,2})/([0-9]{1,2})"
    r"|([0-9]{4})年([0-9]{1,2})月([0-9]{1,2})日)"
    r"(?:[ T]*([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?)?",
    re.ASCII,
)
_TRUTHS: Final[Mapping[str, bool]] = {"true": True, "false": False, "1": True, "0": False}


class ColumnType(IntEnum):
    """Type of a column with its number on the Coze wire."""

    UNKNOWN = 0
    TEXT = 1
    NUMBER = 2
    DATE = 3
    FLOAT = 4
    BOOLEAN = 5
    IMAGE = 6


_KINDS: Final[Mapping[ColumnType, CellKind]] = {
    ColumnType.UNKNOWN: CellKind.TEXT,
    ColumnType.TEXT: CellKind.TEXT,
    ColumnType.NUMBER: CellKind.INTEGER,
    ColumnType.DATE: CellKind.DATE,
    ColumnType.FLOAT: CellKind.FLOAT,
    ColumnType.BOOLEAN: CellKind.BOOLEAN,
    ColumnType.IMAGE: CellKind.TEXT,
}


class CellUnfit(ValueError):
    """A value cannot be a cell of this type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column as its author defined it; ``is_semantic`` ones are what rows are found by."""

    id: int
    name: str
    type: ColumnType
    description: str = ""
    is_semantic: bool = False
    sequence: int = 0

    @property
    def physical_name(self) -> str:
        """Its name in the table store; ``name`` never gets there."""
        return f"c_{self.id}"

    @property
    def kind(self) -> CellKind:
        return _KINDS[self.type]


def infer_type(cells: Iterable[str | None]) -> ColumnType:
    """Return the type that all non-empty cells share, looking at the first thousand.

    Integers and floats make a float column, any other mixture and nothing at all a text column.
    """
    found = {type_of(cell) for cell in islice(cells, SAMPLED_ROWS) if not is_empty(cell)}
    if found == {ColumnType.NUMBER, ColumnType.FLOAT}:
        return ColumnType.FLOAT
    return found.pop() if len(found) == 1 else ColumnType.TEXT


def infer_types(rows: Sequence[Sequence[str | None]], width: int) -> list[ColumnType]:
    """Return the types of ``width`` columns; short rows count as empty there."""
    sample = rows[:SAMPLED_ROWS]
    return [
        infer_type(row[position] if position < len(row) else None for row in sample)
        for position in range(width)
    ]


def type_of(cell: str | None) -> ColumnType:
    """Return the narrowest type of one cell.

    What would not come back as it was written stays text: ``007``, ``+5``, numbers of more than 18
    digits, ``12E4``. A bare number is no date.
    """
    text = (cell or "").strip()
    if text.lower() in {"true", "false"}:
        return ColumnType.BOOLEAN
    if _INTEGER.fullmatch(text):
        return ColumnType.NUMBER
    if _FLOAT.fullmatch(text) and math.isfinite(float(text)):
        return ColumnType.FLOAT
    if _read_date(text) is not None:
        return ColumnType.DATE
    return ColumnType.TEXT


def is_empty(value: Scalar) -> bool:
    """Tell whether a value is no value: nothing, or only spaces."""
    return value is None or (isinstance(value, str) and not value.strip())


def convert(value: Scalar, column_type: ColumnType) -> Scalar:
    """Return the cell that ``value`` becomes in a column of this type; empty becomes None.

    An explicit type takes more than the guess would: ``007`` in a number column is 7.

    Raises:
        CellUnfit: the value is no such thing.
    """
    if is_empty(value):
        return None
    match _KINDS[column_type]:
        case CellKind.TEXT:
            return _to_text(value)
        case CellKind.INTEGER:
            return _to_integer(value)
        case CellKind.FLOAT:
            return _to_float(value)
        case CellKind.BOOLEAN:
            return _to_boolean(value)
        case CellKind.DATE:
            date = _read_date(value.strip()) if isinstance(value, str) else None
            if date is None:
                raise CellUnfit("not a date")
            return date


def _to_text(value: Scalar) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    if "\0" in text or _has_surrogate(text):
        raise CellUnfit("not text")
    return text


def _has_surrogate(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _to_integer(value: Scalar) -> int:
    if isinstance(value, str) and _ANY_INTEGER.fullmatch(value.strip()):
        number = int(value.strip().split(".")[0])
    elif isinstance(value, int | float) and not isinstance(value, bool) and value == value // 1:
        number = int(value)
    else:
        raise CellUnfit("not a whole number")
    if abs(number) > _MAX_INTEGER:
        raise CellUnfit("too large")
    return number


def _to_float(value: Scalar) -> float:
    if isinstance(value, str) and _ANY_FLOAT.fullmatch(value.strip()):
        number = float(value)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError as exc:
            raise CellUnfit("too large") from exc
    else:
        raise CellUnfit("not a number")
    if not math.isfinite(number):
        raise CellUnfit("not a finite number")
    return number


def _to_boolean(value: Scalar) -> bool:
    truth = _TRUTHS.get(str(value).strip().lower())
    if truth is None:
        raise CellUnfit("neither true nor false")
    return truth


def _read_date(text: str) -> str | None:
    """Read a date, with or without time, as ``YYYY-MM-DD HH:MM:SS``."""
    found = _DATE.fullmatch(text)
    if found is None:
        return None
    year, month, day, *time = [int(part) for part in found.groups() if part is not None]
    hour, minute, second = (*time, 0, 0, 0)[:3]
    try:
        moment = datetime(year, month, day, hour, minute, second)  # noqa: DTZ001 - no zone in cells
    except ValueError:
        return None
    return moment.isoformat(" ")
