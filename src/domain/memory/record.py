"""Rows of database tables: values fitted to fields, and who may touch which rows."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from domain.memory.database import (
    CREATED_FIELD,
    ID_FIELD,
    SYSTEM_FIELDS,
    USER_COLUMN,
    DatabaseTable,
    Field,
    FieldType,
    RowMode,
    Side,
)
from domain.memory.error import EndUserMissing, RecordInvalid, RowsReadOnly
from infra.contract.table.change import Comparator, Comparison, Conditions, TableGrant
from infra.contract.table.sql_guard import GrantedColumn, GrantedTable, RowFilter, Scalar

MAX_TEXT: Final = 64 * 1024
MAX_CELL: Final = 40
_MAX_INTEGER: Final = 2**63 - 1
_ID_DIGITS: Final = 19
_STAMP: Final = "%Y-%m-%d %H:%M:%S"
_TRUTHS: Final[Mapping[str, bool]] = {
    "true": True,
    "1": True,
    "yes": True,
    "false": False,
    "0": False,
    "no": False,
}
_INTEGER: Final = re.compile(r"[-+]?[0-9]{1,19}(\.0*)?", re.ASCII)
_DATE: Final = re.compile(
    r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})"
    r"(?:[ T](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?\s*(Z|[-+]\d{2}:?\d{2})?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """On whose behalf rows are touched, and on which side.

    ``sees_all``: an editor of the space who looks after the table; row modes bind end users.
    """

    side: Side
    end_user_id: str
    connector_id: int
    sees_all: bool = False
    max_wait_s: float | None = None
    """How long a query may wait for its turn; None leaves it to the store."""


def grant_of(table: DatabaseTable, caller: Caller) -> TableGrant:
    """What a statement of this caller may touch; raise ``EndUserMissing``."""
    scope: tuple[RowFilter, ...] = ()
    if table.row_mode is RowMode.SINGLE_USER and not caller.sees_all:
        if not caller.end_user_id:
            raise EndUserMissing(f"Rows of {table.name} belong to end users; name one.")
        scope = (RowFilter(column=USER_COLUMN, value=caller.end_user_id),)
    columns = [
        GrantedColumn(name=each.name, physical=each.physical, kind=each.type.kind)
        for each in table.fields
    ]
    return TableGrant(
        space_id=table.space_id,
        table=GrantedTable(
            name=table.name,
            physical=table.ref(caller.side).name,
            key_column="id",
            columns=(*columns, *SYSTEM_FIELDS),
            row_scope=scope,
        ),
    )


def require_writable(table: DatabaseTable, caller: Caller) -> None:
    """Raise ``RowsReadOnly`` or ``EndUserMissing`` unless the caller may change rows."""
    if caller.sees_all:
        return
    if table.row_mode is RowMode.READ_ONLY:
        raise RowsReadOnly(f"The table {table.name} can be read only.")
    if not caller.end_user_id:
        raise EndUserMissing(f"Rows of {table.name} belong to end users; name one.")


def cells_of(table: DatabaseTable, values: Mapping[str, Any]) -> dict[str, Scalar]:
    """Fit the values of a new row to all fields, by physical column.

    Raises:
        FieldUnknown: the table has no such field.
        RecordInvalid: a value does not fit, or a required one is missing.
    """
    given = {table.field(key): value for key, value in values.items()}
    return {each.physical: cell_of(each, given.get(each)) for each in table.fields}


def changes_of(table: DatabaseTable, values: Mapping[str, Any]) -> dict[str, Scalar]:
    """Fit the values to be changed; raises as ``cells_of`` does."""
    cells = {}
    for key, value in values.items():
        each = table.field(key)
        cells[each.physical] = cell_of(each, value)
    if not cells:
        raise RecordInvalid("There is no field to change.")
    return cells


def cell_of(field: Field, value: Any) -> Scalar:
    """Fit a value to a field; raise ``RecordInvalid`` also where one is required and missing."""
    cell = fitted(field, value)
    if cell is None and field.is_required:
        raise RecordInvalid(f"{field.name}: a value is required.", field=field.name)
    return cell


def fitted(field: Field, value: Any) -> Scalar:
    """Convert a value to the type of a field; raise ``RecordInvalid`` naming both."""
    if value is None:
        return None
    if isinstance(value, str) and not value.strip() and field.type is not FieldType.TEXT:
        return None
    try:
        return _CONVERSIONS[field.type](value)
    except (TypeError, ValueError, OverflowError, OSError) as exc:
        shown = str(value)[:MAX_CELL]
        raise RecordInvalid(
            f"{field.name}: {shown!r} is no {field.type.name.lower()}.", field=field.name
        ) from exc


def conditions_of(
    table: DatabaseTable,
    *,
    is_all: bool,
    parts: Sequence[tuple[str, Comparator, Any] | Conditions],
) -> Conditions:
    """Build a filter over fields by name or number.

    Raises ``FieldUnknown``, and ``RecordInvalid`` for values no comparison takes.
    """
    tests = [part if isinstance(part, Conditions) else _comparison(table, *part) for part in parts]
    if not tests:
        raise RecordInvalid("filter: at least one condition is needed.", field="filter")
    return Conditions(logic="and" if is_all else "or", parts=tuple(tests))


def column_name(table: DatabaseTable, key: str) -> str:
    """Name of a field or of a system column that a caller names; raise ``FieldUnknown``."""
    system = _system(key)
    return system.name if system is not None else table.field(key).name


def _comparison(table: DatabaseTable, key: str, comparator: Comparator, value: Any) -> Comparison:
    system = _system(key)
    name = system.name if system is not None else table.field(key).name
    if comparator in {Comparator.IS_NULL, Comparator.IS_NOT_NULL}:
        return Comparison(column=name, comparator=comparator)
    if comparator in {Comparator.EQUAL, Comparator.NOT_EQUAL} and value is None:
        is_null = comparator is Comparator.EQUAL
        return Comparison(
            column=name, comparator=Comparator.IS_NULL if is_null else Comparator.IS_NOT_NULL
        )
    if comparator in {Comparator.IN, Comparator.NOT_IN}:
        values = value if isinstance(value, list | tuple) else [value]
        if not values:
            raise RecordInvalid(f"{name}: IN takes at least one value.", field=name)
    else:
        values = [value]
    if comparator in {Comparator.LIKE, Comparator.NOT_LIKE}:
        return Comparison(column=name, comparator=comparator, values=(_text(value),))
    if system is not None:
        return Comparison(
            column=name, comparator=comparator, values=tuple(_of_system(each) for each in values)
        )
    field = table.field(key)
    cells = tuple(fitted(field, each) for each in values)
    if any(cell is None for cell in cells):
        raise RecordInvalid(f"{name}: compare null with is_null.", field=name)
    return Comparison(column=name, comparator=comparator, values=cells)


def _system(key: str) -> GrantedColumn | None:
    folded = {"bstudio_id": ID_FIELD, "create_time": CREATED_FIELD}.get(key, key).casefold()
    return next((each for each in SYSTEM_FIELDS if each.name == folded), None)


def _of_system(value: Any) -> Scalar:
    """Ids come as texts on the wire; dates and user ids are texts anyway."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= _ID_DIGITS:
        return int(value)
    if isinstance(value, str | int | float | bool):
        return value
    raise RecordInvalid("A system field is compared with a text or a number.")


def _text(value: Any) -> str:
    if isinstance(value, bool):
        text = "true" if value else "false"
    elif isinstance(value, str | int | float):
        text = str(value)
    else:
        raise TypeError(type(value).__name__)
    if len(text) > MAX_TEXT or "\0" in text:
        raise ValueError(text[:MAX_CELL])
    return text


def _integer(value: Any) -> int:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, str):
        if not _INTEGER.fullmatch(value.strip()):
            raise ValueError(value[:MAX_CELL])
        value = int(value.strip().partition(".")[0])
    if not isinstance(value, int) or abs(value) > _MAX_INTEGER:
        raise ValueError(value)
    return value


def _float(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError(type(value).__name__)
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(value)
    return number


def _boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float) and value in {0, 1}:
        return bool(value)
    if isinstance(value, str) and value.strip().lower() in _TRUTHS:
        return _TRUTHS[value.strip().lower()]
    raise ValueError(value)


def _date(value: Any) -> str:
    """Dates have no time zone; those that name one are kept in UTC."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise TypeError(type(value).__name__)
    if isinstance(value, int):
        return datetime.fromtimestamp(value, UTC).strftime(_STAMP)
    found = _DATE.fullmatch(value.strip())
    if not found:
        raise ValueError(value[:MAX_CELL])
    numbers = [int(part) if part else 0 for part in found.groups()[:6]]
    moment = datetime(*numbers)  # type: ignore[arg-type]  # noqa: DTZ001 - cells have no zone
    if found[7]:
        zone = found[7].replace("Z", "+00:00")
        moment = datetime.fromisoformat(f"{moment.isoformat()}{zone}").astimezone(UTC)
    return moment.strftime(_STAMP).rjust(19, "0")


_CONVERSIONS: Final[Mapping[FieldType, Callable[[Any], Scalar]]] = {
    FieldType.TEXT: _text,
    FieldType.NUMBER: _integer,
    FieldType.FLOAT: _float,
    FieldType.BOOLEAN: _boolean,
    FieldType.DATE: _date,
}
