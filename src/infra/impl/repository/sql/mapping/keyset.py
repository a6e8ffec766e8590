"""Places in a table by its primary key, for those who read it page by page."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa


def beyond(table: sa.Table, place: Sequence[Any]) -> sa.ColumnElement[bool]:
    """Return the condition of rows after the one with this primary key."""
    key = list(table.primary_key)
    literals = [sa.literal(value, column.type) for value, column in zip(place, key, strict=True)]
    return sa.tuple_(*key) > sa.tuple_(*literals)


def among(table: sa.Table, places: Sequence[Sequence[Any]]) -> sa.ColumnElement[bool]:
    """Return the condition of rows with one of these primary keys."""
    key = list(table.primary_key)
    if len(key) == 1:
        return key[0].in_([place[0] for place in places])
    return sa.tuple_(*key).in_([tuple(place) for place in places])
