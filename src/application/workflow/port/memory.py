"""Databases and variables as nodes see them, over the contract of the memory context."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from crossdomain.memory.contract import Databases as DatabaseContract
from crossdomain.memory.contract import (
    RowCaller,
    RowCondition,
    RowFilter,
    RowResult,
    RowSelection,
    RowValue,
    VariableHolder,
)
from crossdomain.memory.contract import Variables as VariableContract
from domain.shared.access import TenantScope
from domain.shared.error import AppError, InvalidRequest, NotFound
from domain.shared.ids import parse_id
from domain.workflow.definition.reference import Need, is_local_id
from domain.workflow.engine.error import NodeFailed, VariableFailed
from domain.workflow.graph import GlobalKind
from domain.workflow.port import Filter, Order, Rows, RunContext, SelectedField
from domain.workflow.value import Value


class ContextDatabases:
    """Implements ``domain.workflow.port.Databases``; test runs work on the draft rows."""

    def __init__(self, contract: DatabaseContract) -> None:
        self._contract = contract

    async def query(
        self,
        context: RunContext,
        database_id: str,
        *,
        fields: Sequence[SelectedField],
        where: Filter | None,
        orders: Sequence[Order],
        limit: int,
    ) -> Rows:
        found = await self._contract.query(
            context.call.scope,
            _id(database_id),
            _caller(context),
            RowSelection(
                fields=tuple(each.field_id for each in fields),
                is_distinct=any(each.is_distinct for each in fields),
                where=None if where is None else _filter(where),
                orders=tuple((each.field_id, each.is_ascending) for each in orders),
                limit=limit,
            ),
        )
        return _rows(found)

    async def insert(
        self, context: RunContext, database_id: str, values: Mapping[str, Value], *, key: str
    ) -> Rows:
        found = await self._contract.insert(
            context.call.scope, _id(database_id), _caller(context), _plain(values), key=key
        )
        return _rows(found)

    async def update(
        self,
        context: RunContext,
        database_id: str,
        values: Mapping[str, Value],
        *,
        where: Filter,
        key: str,
    ) -> Rows:
        found = await self._contract.update(
            context.call.scope,
            _id(database_id),
            _caller(context),
            _plain(values),
            where=_filter(where),
            key=key,
        )
        return _rows(found)

    async def delete(
        self, context: RunContext, database_id: str, *, where: Filter, key: str
    ) -> Rows:
        found = await self._contract.delete(
            context.call.scope, _id(database_id), _caller(context), where=_filter(where), key=key
        )
        return _rows(found)

    async def execute(
        self,
        context: RunContext,
        database_id: str,
        pieces: Sequence[str],
        parameters: Sequence[Value],
        *,
        key: str,
    ) -> Rows:
        found = await self._contract.execute(
            context.call.scope,
            _id(database_id),
            _caller(context),
            pieces,
            [_cell(each) for each in parameters],
            key=key,
        )
        return _rows(found)


class ContextVariables:
    """Implements ``domain.workflow.port.Variables``."""

    def __init__(self, contract: VariableContract) -> None:
        self._contract = contract

    async def read(self, context: RunContext, kind: GlobalKind, name: str) -> Value:
        holder = _holder(context, kind)
        if holder is None:
            return None
        try:
            found = await self._contract.get_variables(context.call.scope, holder)
        except NotFound:
            return None  # a variable that does not exist reads as null
        except AppError as exc:
            raise VariableFailed(f"The variable {name} cannot be read: {exc.message}") from exc
        for each in found:
            if each.declaration.keyword == name:
                return _value(each.value, is_list=each.declaration.is_list)
        return None

    async def write(
        self, context: RunContext, kind: GlobalKind, name: str, value: Value, *, key: str
    ) -> None:
        holder = _holder(context, kind)
        if kind is not GlobalKind.USER or holder is None:
            raise VariableFailed(f"The variable {name} cannot be assigned in this run.")
        text = "" if value is None else value if isinstance(value, str) else _json(value)
        try:
            await self._contract.set_variables(context.call.scope, holder, [(name, text)])
        except AppError as exc:
            raise VariableFailed(f"The variable {name} was not stored: {exc.message}") from exc


class DatabaseInventory:
    """Database tables of the space, for the check of canvases."""

    def __init__(self, contract: DatabaseContract) -> None:
        self._contract = contract

    async def existing(
        self, scope: TenantScope, needs: Sequence[Need]
    ) -> frozenset[tuple[str, str]]:
        wanted = [int(each.id) for each in needs if is_local_id(each.id)]
        found = {str(each.id) for each in await self._contract.describe(scope, wanted)}
        return frozenset((each.id, each.detail) for each in needs if each.id in found)


def _id(text: str) -> int:
    try:
        return parse_id(text, field="database")
    except InvalidRequest as exc:
        raise NodeFailed(f"There is no database {text[:40]}.") from exc


def _caller(context: RunContext) -> RowCaller:
    """The running user: the end user of the run, or without one the account that started it."""
    call = context.call
    return RowCaller(
        is_draft=context.is_debug,
        end_user_id=call.end_user_id or f"account:{call.scope.principal_id}",
        connector_id=call.connector_id,
        patience_s=call.patience_s,
    )


def _holder(context: RunContext, kind: GlobalKind) -> VariableHolder | None:
    """Whose variables a run means: those of its application, or else of its agent."""
    call = context.call
    app_id, agent_id = _number(context.app_id), _number(context.agent_id)
    if app_id is None and (agent_id is None or kind is GlobalKind.APP):
        return None
    return VariableHolder(
        owner_kind="app" if app_id is not None else "agent",
        owner_id=app_id if app_id is not None else agent_id or 0,
        is_draft=context.is_debug,
        connector_id=call.connector_id,
        end_user_id=call.end_user_id or f"account:{call.scope.principal_id}",
    )


def _number(text: str) -> int | None:
    return int(text) if is_local_id(text) else None


def _filter(where: Filter) -> RowFilter:
    return RowFilter(
        is_all=where.logic == "and",
        conditions=tuple(
            RowCondition(field=each.field, operator=each.operator.value, value=each.value)
            for each in where.conditions
        ),
    )


def _plain(values: Mapping[str, Value]) -> dict[str, Any]:
    return {key: _cell(value) for key, value in values.items()}


def _cell(value: Value) -> RowValue:
    """Objects and lists are kept as JSON."""
    return _json(value) if isinstance(value, list | dict) else value


def _json(value: Value) -> str:
    return json.dumps(value, ensure_ascii=False)


def _value(text: str, *, is_list: bool) -> Value:
    if not is_list:
        return text
    try:
        found: Value = json.loads(text or "[]")
    except (ValueError, RecursionError):
        return []
    return found if isinstance(found, list) else []


def _rows(found: RowResult) -> Rows:
    return Rows(rows=[dict(each) for each in found.rows], count=found.count)
