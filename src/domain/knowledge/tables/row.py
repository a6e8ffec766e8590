"""Rows given by hand, as clients write them: cells by the id of the column, or by its name."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from domain.knowledge.tables.error import TableSliceUnfit
from domain.knowledge.tables.table import TableSchema
from infra.contract.table.sql_guard import Scalar

_EXPECTED: Final = (
    "raw_text: expected a JSON array of {column_id, value}, or an object of values by column name."
)


class _Cell(msgspec.Struct, frozen=True):
    column_id: str | int
    value: Scalar = None


_READER: Final = msgspec.json.Decoder(tuple[_Cell, ...] | dict[str, Scalar])


def read_row(
    text: str, schema: TableSchema, *, current: Sequence[Scalar] | None = None
) -> tuple[Scalar, ...]:
    """Convert a row that a client wrote; what it leaves out stays as in ``current``, or empty.

    Raises:
        TableSliceUnfit: not such a row, an unknown column, a value of another type, or nothing to
            find the row by.
    """
    try:
        given = _READER.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as exc:
        raise TableSliceUnfit(_EXPECTED, field="raw_text") from exc
    values = _by_name(given, schema) if isinstance(given, dict) else _by_id(given)
    return schema.read_slice(values, current=current)


def _by_id(cells: Sequence[_Cell]) -> dict[int, Scalar]:
    values: dict[int, Scalar] = {}
    for cell in cells:
        digits = str(cell.column_id)
        if not (digits.isascii() and digits.isdigit()):
            raise TableSliceUnfit(f"There is no column {digits[:32]!r}.", field="raw_text")
        values[int(digits)] = cell.value
    return values


def _by_name(given: Mapping[str, Scalar], schema: TableSchema) -> dict[int, Scalar]:
    ids = {column.name: column.id for column in schema.columns}
    if unknown := given.keys() - ids.keys():
        raise TableSliceUnfit(f"There is no column {min(unknown)[:100]!r}.", field="raw_text")
    return {ids[name]: value for name, value in given.items()}
