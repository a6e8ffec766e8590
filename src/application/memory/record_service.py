"""Use cases on rows of database tables, for those who look after them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, assert_never

from msgspec.structs import replace

from application.memory.database_service import permitted
from application.memory.dto import (
    ConditionInput,
    RecordPage,
    RecordQuery,
    RecordTarget,
    SqlPlan,
    SqlResult,
)
from application.memory.rows import Found, TableRows
from domain.memory.database import ID_FIELD, DatabaseTable, Side
from domain.memory.error import RecordInvalid
from domain.memory.record import Caller, conditions_of, grant_of
from domain.memory.repository import MemoryStore
from domain.shared.access import Permission, Principal
from domain.shared.error import InvalidRequest
from infra.contract.table.change import (
    Comparator,
    Conditions,
    GuardedDelete,
    GuardedInsert,
    GuardedUpdate,
)
from infra.contract.table.sql_guard import GuardedSql

MAX_PAGE: Final = 100
MAX_ADDED: Final = 500
MAX_DEPTH: Final = 5


class RecordService:
    """Reads and changes rows; with an end user named, exactly as that end user would."""

    def __init__(self, *, store: MemoryStore, rows: TableRows) -> None:
        self._store = store
        self._rows = rows

    async def query(
        self, principal: Principal, target: RecordTarget, query: RecordQuery
    ) -> RecordPage:
        """Return one page of rows, the youngest first unless asked otherwise.

        Raises ``DatabaseNotFound``, ``FieldUnknown``, ``RecordInvalid``.
        """
        table, caller = await self.open(principal, target)
        where = conditions(table, query.filter)
        limit = min(max(query.limit, 1), MAX_PAGE)
        found = await self._rows.query(
            table,
            caller,
            columns=query.fields,
            where=where,
            orders=query.orders,
            limit=limit,
            offset=max(query.offset, 0),
        )
        total = await self._rows.count(table, caller, where)
        return RecordPage(
            rows=tuple(shown(row) for row in found.rows),
            total=total,
            has_more=query.offset + len(found.rows) < total,
        )

    async def after(self, table: DatabaseTable, caller: Caller, *, last: int, limit: int) -> Found:
        """Return the next rows behind an id, the oldest first."""
        return await self._rows.query(
            table,
            caller,
            where=conditions_of(table, is_all=True, parts=[(ID_FIELD, Comparator.GREATER, last)]),
            orders=[(ID_FIELD, True)],
            limit=limit,
        )

    async def insert(
        self, principal: Principal, target: RecordTarget, rows: Sequence[Mapping[str, Any]]
    ) -> list[int]:
        """Add rows and return their ids."""
        table, caller = await self.open(principal, target)
        if not 0 < len(rows) <= MAX_ADDED:
            raise InvalidRequest(f"records: 1 to {MAX_ADDED} rows.", field="records")
        return await self._rows.insert(table, caller, rows)

    async def update(
        self,
        principal: Principal,
        target: RecordTarget,
        values: Mapping[str, Any],
        filter_: ConditionInput | None,
    ) -> int:
        """Change the rows that match; returns how many."""
        table, caller = await self.open(principal, target)
        return await self._rows.update(table, caller, values, _required(table, filter_))

    async def delete(
        self, principal: Principal, target: RecordTarget, filter_: ConditionInput | None
    ) -> int:
        """Remove the rows that match; returns how many."""
        table, caller = await self.open(principal, target)
        return await self._rows.delete(table, caller, _required(table, filter_))

    async def sql(self, principal: Principal, target: RecordTarget, text: str) -> SqlResult:
        """Run one guarded statement."""
        table, caller = await self.open(principal, target)
        return sql_result(await self._rows.execute(table, caller, [text]))

    async def explain(self, principal: Principal, target: RecordTarget, text: str) -> SqlPlan:
        """Say what the guard makes of a statement, without running it."""
        table, caller = await self.open(principal, target)
        statement = await self._rows.check(table, caller, [text])
        granted = grant_of(table, caller).table
        names = {granted.physical: granted.name} | {
            each.physical: each.name for each in granted.columns
        }
        match statement:
            case GuardedSql():
                return _plan("select", statement, names)
            case GuardedInsert(columns=columns, rows=rows):
                return SqlPlan(
                    kind="insert",
                    dialect="",
                    text="",
                    names={},
                    parameters=0,
                    columns=columns,
                    rows=len(rows),
                    is_limited=False,
                )
            case GuardedUpdate(columns=columns, selection=selection):
                return replace(_plan("update", selection, names), columns=columns)
            case GuardedDelete(selection=selection):
                return replace(_plan("delete", selection, names), columns=())
            case _ as never:
                assert_never(never)

    async def open(
        self, principal: Principal, target: RecordTarget
    ) -> tuple[DatabaseTable, Caller]:
        """Return a table and who acts on it; raise ``DatabaseNotFound``, ``InvalidRequest``."""
        try:
            side = Side(target.side)
        except ValueError as exc:
            raise InvalidRequest("env: draft or online.", field="env") from exc
        async with self._store.snapshot() as uow:
            table = await permitted(uow, principal, target.database_id, Permission.VARIABLE)
        end_user = principal.end_user_id or target.end_user_id
        if end_user is None:
            principal.require(Permission.DATASET_WRITE, table.space_id)
        caller = Caller(
            side=side,
            end_user_id=end_user or "",
            connector_id=principal.connector_id,
            sees_all=end_user is None,
        )
        return table, caller


def conditions(table: DatabaseTable, wanted: ConditionInput | None) -> Conditions | None:
    """Build a filter from its tree; None for no filter. Raises ``RecordInvalid``."""
    if wanted is None:
        return None
    if wanted.conditions is None:
        return conditions_of(table, is_all=True, parts=[_leaf(wanted)])
    return _group(table, wanted, depth=1)


def shown(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as clients get it: ids are texts."""
    return {key: str(cell) if key == "id" else cell for key, cell in row.items()}


def sql_result(found: Found) -> SqlResult:
    """What a statement answered, as clients get it."""
    return SqlResult(
        columns=found.columns,
        rows=tuple(shown(row) for row in found.rows),
        affected=0 if found.is_reading else found.count,
        is_truncated=found.is_truncated,
    )


def _plan(kind: str, read: GuardedSql, names: Mapping[str, str]) -> SqlPlan:
    return SqlPlan(
        kind=kind,
        dialect=read.dialect.value,
        text=read.text,
        names={physical: name for physical, name in names.items() if physical in read.text},
        parameters=len(read.parameters),
        columns=tuple(each.name for each in read.columns),
        rows=read.max_rows,
        is_limited=read.is_clamped,
    )


def _required(table: DatabaseTable, wanted: ConditionInput | None) -> Conditions:
    where = conditions(table, wanted)
    if where is None:
        raise RecordInvalid("filter: at least one condition is needed.", field="filter")
    return where


def _group(table: DatabaseTable, wanted: ConditionInput, *, depth: int) -> Conditions:
    if depth > MAX_DEPTH:
        raise RecordInvalid(f"filter: groups nest up to {MAX_DEPTH} deep.", field="filter")
    if wanted.logic not in {"and", "or"}:
        raise RecordInvalid("filter.logic: and, or.", field="filter")
    parts = [
        _leaf(each) if each.conditions is None else _group(table, each, depth=depth + 1)
        for each in wanted.conditions or ()
    ]
    return conditions_of(table, is_all=wanted.logic == "and", parts=parts)


def _leaf(wanted: ConditionInput) -> tuple[str, Comparator, Any]:
    if not wanted.field:
        raise RecordInvalid("filter: a condition names a field.", field="filter")
    try:
        return wanted.field, Comparator(wanted.operator), wanted.value
    except ValueError as exc:
        known = ", ".join(each.value for each in Comparator)
        raise RecordInvalid(f"filter.operator: one of {known}.", field="filter") from exc
