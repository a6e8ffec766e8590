"""One row of a table as a slice: canonical JSON to read, the indexing columns to be found by."""

from collections.abc import Sequence
from typing import Final

import msgspec

LONGEST_INDEX_TEXT: Final = 8000
"""Characters of a row that are indexed."""

Cell = str | int | float | bool | None


class NamedCell(msgspec.Struct, frozen=True, kw_only=True):
    """A cell with its column; ``is_indexed`` columns are what a row is found by."""

    column: str
    value: Cell
    is_indexed: bool = False


class RowSlice(msgspec.Struct, frozen=True, kw_only=True):
    """What a row becomes; ``is_truncated`` if its index text was too long."""

    content: str
    index_text: str
    is_truncated: bool = False


def slice_of_row(cells: Sequence[NamedCell]) -> RowSlice:
    """Return the slice of a row whose cells are in column order."""
    content = msgspec.json.encode({cell.column: cell.value for cell in cells}).decode()
    lines = [
        f"{c.column}: {_shown(c.value)}" for c in cells if c.is_indexed and c.value is not None
    ]
    text = "\n".join(lines)
    return RowSlice(
        content=content,
        index_text=text[:LONGEST_INDEX_TEXT],
        is_truncated=len(text) > LONGEST_INDEX_TEXT,
    )


def _shown(value: Cell) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
