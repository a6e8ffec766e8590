"""Which rows belong to a workspace, so that all of them go with it and none is forgotten.

A table with a column ``space_id`` says so by itself. Whoever adds another one registers it beside
its definition: its rows belong to a workspace through rows of a table that does, or to none; a test
looks.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import sqlalchemy as sa

from infra.impl.repository.sql.mapping.column import metadata

Condition = sa.ColumnElement[bool]
_SPACE: Final = "space"
_COLUMN: Final = "space_id"


class Tenancy:
    """Tables by how their rows belong to workspaces."""

    def __init__(self) -> None:
        self._through: dict[str, tuple[sa.Column[Any], sa.Column[Any]]] = {}
        self._outliving: dict[str, str] = {}
        self._apart: dict[str, str] = {}
        self._objects: dict[str, sa.Column[str]] = {}

    def through(self, here: "sa.Column[Any]", there: "sa.Column[Any]") -> None:
        """Register a table whose rows belong to a row of another: a column here, and one there."""
        self._note(here.table.name)
        self._through[here.table.name] = here, there

    def outlive(self, why: str, *tables: sa.Table) -> None:
        """Register tables with a workspace whose rows stay when it is gone."""
        for table in tables:
            self._note(table.name)
            self._outliving[table.name] = why

    def apart(self, why: str, *tables: sa.Table) -> None:
        """Register tables whose rows belong to no workspace."""
        for table in tables:
            self._note(table.name)
            self._apart[table.name] = why

    def keep_objects(self, column: "sa.Column[str]") -> None:
        """Register the column with the keys of objects that go with the rows of a table."""
        self._objects[column.table.name] = column

    def objects_of(self, table: sa.Table) -> "sa.Column[str] | None":
        """Return the column with the keys of objects."""
        return self._objects.get(table.name)

    @property
    def objects(self) -> "Sequence[sa.Column[str]]":
        """All columns with keys of objects."""
        return list(self._objects.values())

    @property
    def outliving(self) -> dict[str, str]:
        """Why rows of these tables stay."""
        return dict(self._outliving)

    @property
    def elsewhere(self) -> dict[str, str]:
        """Why rows of these tables belong to no workspace."""
        return dict(self._apart)

    def __contains__(self, table: sa.Table) -> bool:
        return (
            table.name == _SPACE
            or _COLUMN in table.c
            or table.name in self._through
            or table.name in self._apart
        )

    def of(self, table: sa.Table, space_id: int) -> Condition:
        """Return the condition of rows that belong to a workspace; its own row is one of them."""
        if table.name == _SPACE:
            own: Condition = table.c.id == space_id
            return own
        if table.name in self._through:
            here, there = self._through[table.name]
            return here.in_(sa.select(there).where(self.of(_table_of(there), space_id)))
        found: Condition = table.c[_COLUMN] == space_id
        return found

    def is_found_fast(self, table: sa.Table) -> bool:
        """Tell whether an index begins with the workspace."""
        if table.name in self._through:
            return False
        indexed = [list(table.primary_key), *(list(each.columns) for each in table.indexes)]
        return any(columns[0].name == _COLUMN for columns in indexed if columns)

    def __iter__(self) -> Iterator[sa.Table]:
        """Yield the tables whose rows go with a workspace, except that of the workspaces.

        First come those whose rows are found through rows of others.
        """
        going = (
            table
            for table in metadata.tables.values()
            if table.name != _SPACE
            and table.name not in self._outliving
            and (table.name in self._through or _COLUMN in table.c)
        )
        return iter(sorted(going, key=lambda table: (-self._depth(table.name), table.name)))

    def _depth(self, name: str) -> int:
        if name not in self._through:
            return 0
        return 1 + self._depth(self._through[name][1].table.name)

    def _note(self, name: str) -> None:
        if name in self._through or name in self._outliving or name in self._apart:
            raise ValueError(f"{name}: registered already.")


def _table_of(column: "sa.Column[Any]") -> sa.Table:
    return metadata.tables[column.table.name]


TENANCY: Final = Tenancy()
OF_ACCOUNTS: Final = "Belongs to an account, or names it to the deployment."
OF_DEPLOYMENT: Final = "Of the deployment as a whole."
OF_PROCESSES: Final = "Work of processes and what they tell; goes by its age."
