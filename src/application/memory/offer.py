"""What the memory context offers to others: its use cases in the words of the contract."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from application.memory.bound import BoundDatabases
from application.memory.rows import Found, TableRows
from application.memory.variable_service import VariableService
from crossdomain.memory.contract import (
    DatabaseDescription,
    DatabaseField,
    RowCaller,
    RowFilter,
    RowOperator,
    RowResult,
    RowSelection,
    RowValue,
    VariableHolder,
    VariableValue,
)
from domain.memory.database import DatabaseId, DatabaseTable, FieldType, RowMode, Side
from domain.memory.error import RecordInvalid
from domain.memory.record import Caller, conditions_of
from domain.memory.repository import MemoryStore
from domain.memory.variable import Holder, Owner, OwnerKind
from domain.shared.access import TenantScope
from domain.shared.ids import AgentId
from domain.shared.tracing.span import SpanKind, begun
from infra.contract.table.change import Comparator, Conditions

_OPERATORS: Final[Mapping[RowOperator, Comparator]] = {
    RowOperator.EQUAL: Comparator.EQUAL,
    RowOperator.NOT_EQUAL: Comparator.NOT_EQUAL,
    RowOperator.GREATER_THAN: Comparator.GREATER,
    RowOperator.LESS_THAN: Comparator.LESS,
    RowOperator.GREATER_EQUAL: Comparator.GREATER_EQUAL,
    RowOperator.LESS_EQUAL: Comparator.LESS_EQUAL,
    RowOperator.IN: Comparator.IN,
    RowOperator.NOT_IN: Comparator.NOT_IN,
    RowOperator.IS_NULL: Comparator.IS_NULL,
    RowOperator.IS_NOT_NULL: Comparator.IS_NOT_NULL,
    RowOperator.LIKE: Comparator.LIKE,
    RowOperator.NOT_LIKE: Comparator.NOT_LIKE,
}
_MODES: Final[Mapping[RowMode, Literal["single_user", "read_only", "multi_user"]]] = {
    RowMode.SINGLE_USER: "single_user",
    RowMode.READ_ONLY: "read_only",
    RowMode.MULTI_USER: "multi_user",
}
_TYPES: Final = {
    FieldType.TEXT: "text",
    FieldType.NUMBER: "integer",
    FieldType.DATE: "datetime",
    FieldType.FLOAT: "float",
    FieldType.BOOLEAN: "boolean",
}


class OfferedVariables:
    """Implements ``crossdomain.memory.contract.Variables``."""

    def __init__(self, service: VariableService) -> None:
        self._service = service

    async def get_variables(
        self, scope: TenantScope, holder: VariableHolder
    ) -> tuple[VariableValue, ...]:
        mine = _holder(holder)
        with begun(SpanKind.MEMORY, "read") as span:
            declared = await self._service.declared(scope, mine)
            current = await self._service.current(scope, mine, declared)
            span.note(count=len(current))
            if span.keeps_content:
                span.gave({each.declaration.keyword: each.value for each in current})
        return tuple(
            VariableValue(
                declaration=each.declaration,
                value=each.value,
                is_set=each.updated_at is not None,
            )
            for each in current
        )

    async def set_variables(
        self, scope: TenantScope, holder: VariableHolder, values: Sequence[tuple[str, str]]
    ) -> tuple[str, ...]:
        mine = _holder(holder)
        with begun(SpanKind.MEMORY, "write") as span:
            span.note(count=len(values))
            if span.keeps_content:
                span.given(dict(values))
            declared = await self._service.declared(scope, mine)
            return await self._service.store(scope, mine, declared, values)

    async def change_list(
        self,
        scope: TenantScope,
        holder: VariableHolder,
        keyword: str,
        *,
        add: Sequence[str] = (),
        remove: Sequence[str] = (),
    ) -> tuple[str, ...]:
        mine = _holder(holder)
        with begun(SpanKind.MEMORY, "write") as span:
            span.note(count=len(add) + len(remove))
            span.given({"keyword": keyword, "add": add, "remove": remove})
            declared = await self._service.declared(scope, mine)
            changed = await self._service.change_list(
                scope, mine, declared, keyword, add=add, remove=remove
            )
            span.gave(changed)
            return changed


class OfferedDatabases:
    """Implements ``crossdomain.memory.contract.Databases``."""

    def __init__(self, *, store: MemoryStore, rows: TableRows, bound: BoundDatabases) -> None:
        self._store = store
        self._rows = rows
        self._bound = bound

    async def describe(
        self, scope: TenantScope, database_ids: Sequence[int]
    ) -> tuple[DatabaseDescription, ...]:
        async with self._store.snapshot() as uow:
            found = await uow.databases.find(scope, [DatabaseId(each) for each in database_ids])
        return tuple(_description(each) for each in found)

    async def of_agent(
        self, scope: TenantScope, agent_id: AgentId
    ) -> tuple[DatabaseDescription, ...]:
        return tuple(_description(each) for each in await self._bound.of_agent(scope, agent_id))

    async def query(
        self, scope: TenantScope, database_id: int, caller: RowCaller, selection: RowSelection
    ) -> RowResult:
        table = await self._table(scope, database_id)
        found = await self._rows.query(
            table,
            _caller(caller),
            columns=selection.fields,
            where=_where(table, selection.where),
            orders=selection.orders,
            is_distinct=selection.is_distinct,
            limit=selection.limit,
        )
        return _result(found)

    async def insert(
        self,
        scope: TenantScope,
        database_id: int,
        caller: RowCaller,
        values: Mapping[str, Any],
        *,
        key: str = "",
    ) -> RowResult:
        table = await self._table(scope, database_id)
        ids = await self._rows.insert(table, _caller(caller), [values], key=key)
        return RowResult(columns=("id",), rows=tuple({"id": each} for each in ids), count=len(ids))

    async def update(
        self,
        scope: TenantScope,
        database_id: int,
        caller: RowCaller,
        values: Mapping[str, Any],
        *,
        where: RowFilter,
        key: str = "",
    ) -> RowResult:
        table = await self._table(scope, database_id)
        count = await self._rows.update(
            table, _caller(caller), values, _required(table, where), key=key
        )
        return RowResult(count=count)

    async def delete(
        self,
        scope: TenantScope,
        database_id: int,
        caller: RowCaller,
        *,
        where: RowFilter,
        key: str = "",
    ) -> RowResult:
        table = await self._table(scope, database_id)
        count = await self._rows.delete(table, _caller(caller), _required(table, where), key=key)
        return RowResult(count=count)

    async def execute(
        self,
        scope: TenantScope,
        database_id: int,
        caller: RowCaller,
        pieces: Sequence[str],
        parameters: Sequence[RowValue] = (),
        *,
        key: str = "",
    ) -> RowResult:
        table = await self._table(scope, database_id)
        found = await self._rows.execute(table, _caller(caller), pieces, parameters, key=key)
        return _result(found)

    async def _table(self, scope: TenantScope, database_id: int) -> DatabaseTable:
        async with self._store.snapshot() as uow:
            return await uow.databases.get(scope, DatabaseId(database_id))


def _holder(holder: VariableHolder) -> Holder:
    return Holder(
        owner=Owner(kind=OwnerKind(holder.owner_kind), id=holder.owner_id),
        side=_side(is_draft=holder.is_draft),
        connector_id=holder.connector_id,
        end_user_id=holder.end_user_id,
    )


def _caller(caller: RowCaller) -> Caller:
    return Caller(
        side=_side(is_draft=caller.is_draft),
        end_user_id=caller.end_user_id,
        connector_id=caller.connector_id,
        max_wait_s=caller.max_wait_s,
    )


def _side(*, is_draft: bool) -> Side:
    return Side.DRAFT if is_draft else Side.ONLINE


def _where(table: DatabaseTable, wanted: RowFilter | None) -> Conditions | None:
    if wanted is None or not wanted.conditions:
        return None
    return conditions_of(
        table,
        is_all=wanted.is_all,
        parts=[(each.field, _OPERATORS[each.operator], each.value) for each in wanted.conditions],
    )


def _required(table: DatabaseTable, wanted: RowFilter) -> Conditions:
    where = _where(table, wanted)
    if where is None:
        raise RecordInvalid("At least one condition is needed.", field="filter")
    return where


def _result(found: Found) -> RowResult:
    return RowResult(
        columns=found.columns,
        rows=found.rows,
        count=found.count,
        is_reading=found.is_reading,
        is_truncated=found.is_truncated,
    )


def _description(table: DatabaseTable) -> DatabaseDescription:
    return DatabaseDescription(
        id=table.id,
        name=table.name,
        description=table.description,
        mode=_MODES[table.row_mode],
        is_prompt_disabled=table.is_prompt_disabled,
        fields=tuple(
            DatabaseField(
                name=each.name,
                type=_TYPES[each.type],
                description=each.description,
                is_required=each.is_required,
            )
            for each in table.fields
        ),
    )
