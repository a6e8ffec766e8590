"""Rows of people in database tables of workspaces: counted, handed over, removed."""

from collections.abc import AsyncIterator, Mapping
from typing import Any, Final

from application.memory.rows import TableRows
from domain.memory.database import ID_FIELD, USER_FIELD, DatabaseTable, Side
from domain.memory.record import Caller
from domain.memory.repository import MemoryStore
from domain.shared.access import TenantScope
from domain.shared.ids import SpaceId, UserId
from infra.contract.table.change import (
    MAX_CHANGED_ROWS,
    ChangingTableStore,
    Comparator,
    Comparison,
    Conditions,
)

_TABLES_AT_ONCE: Final = 100


class PersonRecords:
    """Implements ``PersonalRecords``: whoever wrote a row is told by a column that all have."""

    def __init__(self, *, store: MemoryStore, tables: ChangingTableStore, rows: TableRows) -> None:
        self._store = store
        self._tables = tables
        self._rows = rows

    async def count(self, space_id: SpaceId, person: str) -> int:
        total = 0
        async for table, caller in self._places(space_id, person):
            total += await self._rows.count(table, caller, _of(person))
        return total

    async def export(self, space_id: SpaceId, person: str) -> AsyncIterator[Mapping[str, Any]]:
        async for table, caller in self._places(space_id, person):
            offset = 0
            while True:
                found = await self._rows.query(
                    table,
                    caller,
                    where=_of(person),
                    orders=((ID_FIELD, True),),
                    limit=MAX_CHANGED_ROWS,
                    offset=offset,
                )
                for row in found.rows:
                    yield {"database": table.name, "side": caller.side.value, **row}
                offset += len(found.rows)
                if len(found.rows) < MAX_CHANGED_ROWS:
                    break

    async def remove(self, space_id: SpaceId, person: str) -> int:
        total = 0
        async for table, caller in self._places(space_id, person):
            while True:
                found = await self._rows.query(
                    table,
                    caller,
                    columns=(ID_FIELD,),
                    where=_of(person),
                    orders=((ID_FIELD, True),),
                    limit=MAX_CHANGED_ROWS,
                )
                keys = [int(str(row[ID_FIELD])) for row in found.rows]
                if keys:
                    total += await self._tables.delete(table.ref(caller.side), keys)
                if len(keys) < MAX_CHANGED_ROWS:
                    break
        return total

    async def _places(
        self, space_id: SpaceId, person: str
    ) -> AsyncIterator[tuple[DatabaseTable, Caller]]:
        scope, after = TenantScope(UserId(0), frozenset({space_id})), None
        while True:
            async with self._store.snapshot() as uow:
                page, _ = await uow.databases.page(
                    scope, text="", after_id=after, limit=_TABLES_AT_ONCE
                )
            for table in page:
                for side in Side:
                    yield (
                        table,
                        Caller(side=side, end_user_id=person, connector_id=0, sees_all=True),
                    )
            if len(page) < _TABLES_AT_ONCE:
                return
            after = page[-1].id


def _of(person: str) -> Conditions:
    mine = Comparison(column=USER_FIELD, comparator=Comparator.EQUAL, values=(person,))
    return Conditions(logic="and", parts=(mine,))
