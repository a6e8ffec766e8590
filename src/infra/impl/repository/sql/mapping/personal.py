"""What tables hold of people: each is registered beside its definition, so that none is forgotten.

Rows of somebody are found by a column that names them, or through a row that is found so. Whoever
adds a table with such a column registers it or says why its rows stay; a test looks.
"""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.privacy.value import Aging, Section, Subject

Condition = sa.ColumnElement[bool]
Disown = Callable[[AsyncConnection, Condition, Subject], Awaitable[int]]
"""Makes rows that stay say nothing of whose they were; returns how many those are."""


@dataclass(frozen=True, kw_only=True)
class PersonalTable:
    """How the rows of one table belong to people.

    - ``end_user`` columns hold the name of an end user, ``account`` the number of an account; where
      a row has both, only what an account did in its own name is its own.
    - ``named`` makes the condition where columns alone do not tell.
    - ``through`` leads to rows of other tables: a column here, and the column there that it holds.
    - ``within`` finds the workspace where the table has no ``space_id``: a column here, one there.
    - ``objects`` holds keys in the object store, which go with the rows.
    - ``aging`` says what a workspace calls these when it keeps them for some days, since ``since``.
    """

    table: sa.Table
    section: Section
    end_user: tuple[sa.Column[str], ...] = ()
    account: "sa.Column[int] | None" = None
    named: Callable[[Subject], Condition | None] | None = None
    through: tuple[tuple["sa.Column[int]", "sa.Column[int]"], ...] = ()
    within: tuple["sa.Column[int]", "sa.Column[int]"] | None = None
    objects: "sa.Column[str] | None" = None
    aging: Aging | None = None
    since: "sa.Column[datetime] | None" = None
    is_over: Condition | None = None
    """Of old rows: what must hold besides, for what goes on is not over."""
    disown: Disown | None = None
    is_shown: bool = True

    @property
    def name(self) -> str:
        """Name of the table; its own one is of a type that nobody encodes."""
        return str(self.table.name)

    def of(self, subject: Subject) -> Condition | None:
        """Return the condition of rows that name somebody; None if none can."""
        named = self.named or self._by_column
        found = named(subject)
        return None if found is None else found & self._in(subject)

    def _by_column(self, subject: Subject) -> Condition | None:
        account_id = subject.account_id
        if account_id is None:
            return (
                sa.or_(*(each == subject.name for each in self.end_user)) if self.end_user else None
            )
        mine = [each == subject.name for each in self.end_user]
        if self.account is None:
            return sa.or_(*mine) if mine else None
        own = [each.in_(("", subject.name)) for each in self.end_user[:1]]
        return sa.and_(self.account == account_id, *own)

    def _in(self, subject: Subject) -> Condition:
        if self.within is None:
            found: Condition = self.table.c.space_id == subject.space_id
            return found
        here, there = self.within
        spaces = sa.select(there).where(there.table.c.space_id == subject.space_id)
        return here.in_(spaces)


class PersonalTables:
    """All tables with something of people."""

    def __init__(self) -> None:
        self._tables: dict[str, PersonalTable] = {}
        self._kept: dict[str, str] = {}

    def add(self, entry: PersonalTable) -> None:
        """Register a table whose rows are handed over and removed."""
        self._note(entry.table)
        self._tables[entry.table.name] = entry

    def keep(self, why: str, *tables: sa.Table) -> None:
        """Register tables whose rows stay, although they name people."""
        for table in tables:
            self._note(table)
            self._kept[table.name] = why

    def hides(self, table: str) -> bool:
        """Tell whether rows of a table say what is somebody's, so that no log may repeat it."""
        entry = self._tables.get(table)
        return entry is not None and entry.named is None

    @property
    def kept(self) -> dict[str, str]:
        """Why rows of these tables stay."""
        return dict(self._kept)

    def __iter__(self) -> Iterator[PersonalTable]:
        """Yield the tables, those first whose rows belong to rows of others."""
        return iter(sorted(self._tables.values(), key=lambda e: (-self._depth(e), e.name)))

    def __getitem__(self, name: str) -> PersonalTable:
        return self._tables[name]

    def __contains__(self, name: object) -> bool:
        return name in self._tables or name in self._kept

    def condition(
        self, entry: PersonalTable, roots: Callable[[PersonalTable], Condition | None]
    ) -> Condition | None:
        """Return the condition of rows that ``roots`` names, or that belong to such rows."""
        own = roots(entry)
        found = [] if own is None else [own]
        for here, there in entry.through:
            beyond = self.condition(self._tables[there.table.name], roots)
            if beyond is not None:
                found.append(here.in_(sa.select(there).where(beyond)))
        return sa.or_(*found) if found else None

    def _note(self, table: sa.Table) -> None:
        if table.name in self:
            raise ValueError(f"{table.name}: registered already.")

    def _depth(self, entry: PersonalTable) -> int:
        return max(
            (1 + self._depth(self._tables[t.table.name]) for _, t in entry.through), default=0
        )


PERSONAL: Final = PersonalTables()
OF_THE_WORKSPACE: Final = "Made for the workspace, which keeps it; accounts stand there as numbers."
OF_THE_ACCOUNT: Final = "Belongs to the account itself, in all workspaces."
