"""Leases in SQL: the columns of a claim in a table, and every statement on them."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.shared.lease import is_over


class Lease:
    """The lease of a table's rows: who has one, until when, and how often it was claimed.

    Columns that were there before bear the names that they had. Aggregates are claimed by saving
    them under their revision, rows without one by ``claimed``; all are due, renewed and released
    in the same way. Clocks decide when a lease is over, owners whose it is: a clock that was set
    makes work wait or be done twice, but never lets two of them write.
    """

    def __init__(
        self,
        table: sa.Table,
        *,
        owner: str = "lease_owner",
        until: str = "lease_until",
        attempt: str | None = None,
    ) -> None:
        """``attempt`` counts claims, where it is not an aggregate that does."""
        self._table = table
        self._owner = table.c[owner]
        self._until = table.c[until]
        self._attempt = None if attempt is None else table.c[attempt]

    def is_free(self, now: datetime) -> sa.ColumnElement[bool]:
        """Nobody has it, or whoever had it did not renew it."""
        return self._until.is_(None) | is_over(self._until, now)

    def is_held(self, now: datetime) -> sa.ColumnElement[bool]:
        """Somebody has it."""
        return sa.not_(is_over(self._until, now))

    def is_of(self, owner: str) -> sa.ColumnElement[bool]:
        """This owner has it, be it over or not: nobody else took it."""
        return self._owner == owner

    def claimed(self, owner: str, *, until: datetime) -> dict[str, Any]:
        """Return what claiming free rows writes."""
        values: dict[str, Any] = {self._owner.name: owner, self._until.name: until}
        if self._attempt is not None:
            values[self._attempt.name] = self._attempt + 1
        return values

    def released(self) -> dict[str, Any]:
        """Return what letting go writes; ``is_of`` says of which rows."""
        return {self._owner.name: None if self._owner.nullable else "", self._until.name: None}

    async def renew(
        self,
        connection: AsyncConnection,
        owner: str,
        *which: sa.ColumnElement[bool],
        until: datetime,
    ) -> Collection[Any]:
        """Extend this owner's leases on some rows; return the keys of those that it still has.

        The revision stays, or the owner's own next step could not be saved.
        """
        key, *more = self._table.primary_key.columns
        kept = await connection.execute(
            sa.update(self._table)
            .where(self.is_of(owner), *which)
            .values({self._until: until})
            .returning(key, *more)
        )
        return {tuple(row) if more else row[0] for row in kept}
