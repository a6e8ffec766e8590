"""Rows of one database, as all kinds that work on them read, check and ask for them."""

import json
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from crossdomain.memory.contract import (
    Databases,
    RowCaller,
    RowCondition,
    RowFilter,
    RowOperator,
    RowResult,
    RowValue,
)
from domain.shared.access import TenantScope
from domain.shared.error import InvalidRequest
from domain.shared.ids import parse_id
from domain.workflow.canvas.blank import out
from domain.workflow.canvas.cursor import Cursor
from domain.workflow.canvas.node_reader import NodeReader, output_field
from domain.workflow.convert import convert
from domain.workflow.engine.call import Call
from domain.workflow.engine.error import NodeFailed
from domain.workflow.graph import Node
from domain.workflow.node import Check, Result
from domain.workflow.node.needs import needed
from domain.workflow.text import to_text
from domain.workflow.value import INTEGER, OBJECT, Value, list_of

OUTPUTS: Final = (
    output_field("outputList", list_of(OBJECT)),
    output_field("rowNum", INTEGER),
)
BLANK_OUTPUTS: Final = (
    out("outputList", "list", schema={"type": "object", "schema": []}),
    out("rowNum", "integer"),
)
"""The same, as a canvas says it."""

NULL_TESTS: Final = frozenset({RowOperator.IS_NULL, RowOperator.IS_NOT_NULL})
_PATTERNS: Final = frozenset({RowOperator.LIKE, RowOperator.NOT_LIKE})
_OPERATORS: Final[Mapping[str, RowOperator]] = {each.value: each for each in RowOperator}


class DrawnCondition(msgspec.Struct, frozen=True, kw_only=True):
    """A condition of a canvas; ``value`` names an input, empty for the tests for null."""

    field: str
    operator: RowOperator
    value: str = ""


class DrawnFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Conditions that hold all together, or at least one of them."""

    is_all: bool = True
    conditions: tuple[DrawnCondition, ...] = ()


class FieldValue(msgspec.Struct, frozen=True, kw_only=True):
    """A field to be written; ``value`` names an input."""

    field_id: str
    value: str


def read_database(reader: NodeReader) -> str:
    """Read the id of the database."""
    first = next(iter(reader.inputs["databaseInfoList"]), Cursor(None))
    reader.mark("database_id", reader.inputs["databaseInfoList"])
    database_id = first["databaseInfoID"].text()
    if not database_id:
        reader.report("WF401", reader.inputs["databaseInfoList"], "The database is missing.")
    return database_id


def read_filter(reader: NodeReader, cursor: Cursor) -> DrawnFilter:
    """Read a list of conditions; null or empty is no condition."""
    found = []
    for number, row in enumerate(cursor["conditionList"]):
        parts = {item["name"].text(): item["input"] for item in row}
        missing = Cursor(None, row, "left")
        field = parts.get("left", missing)["value"]["content"].text()
        name = parts.get("operation", missing)["value"]["content"].text()
        if not field or name not in _OPERATORS:
            reader.report("WF402", row, "The condition has no field or no known operation.")
            continue
        operator = _OPERATORS[name]
        value = ""
        if operator not in NULL_TESTS:
            value = reader.bind(f"$condition.{number}", parts.get("right", missing))
            if not value:
                reader.report("WF401", row, f"The condition on {field[:40]} has no value.")
                continue
        found.append(DrawnCondition(field=field, operator=operator, value=value))
    is_all = cursor["logic"].text("AND").upper() != "OR"
    return DrawnFilter(is_all=is_all, conditions=tuple(found))


def read_values(reader: NodeReader, cursor: Cursor) -> tuple[FieldValue, ...]:
    """Read the fields to be written."""
    found = []
    for number, row in enumerate(cursor):
        parts = {item["name"].text(): item["input"] for item in row}
        missing = Cursor(None, row, "fieldID")
        field_id = parts.get("fieldID", missing)["value"]["content"].text()
        value = reader.bind(f"$value.{number}", parts.get("fieldValue", missing))
        if field_id and value:
            found.append(FieldValue(field_id=field_id, value=value))
        else:
            reader.report("WF401", row, "A field to be written lacks its name or value.")
    if not found:
        reader.report("WF401", cursor, "There is no field to be written.")
    return tuple(found)


def check_database(node: Node, database_id: str, check: Check) -> None:
    """Report a database that does not exist and declared outputs it no longer has."""
    around = check.surroundings
    if around.databases is not None and database_id and database_id not in around.databases:
        check.add("WF460", node, f"There is no database {database_id}.", at="database_id")
    if around.database_fields is None or database_id not in around.database_fields:
        return
    for output in node.outputs:
        if output.name == "outputList" and output.type.item is not None:
            for field in output.type.item.fields:
                if field.name not in around.database_fields[database_id]:
                    check.add("WF423", node, f"The database has no field {field.name}.")


def databases(call: Call) -> Databases:
    """Return the databases of the run; fail the node where there are none."""
    return needed(call.ports.databases, "databases")


def table(call: Call, database_id: str) -> tuple[TenantScope, int, RowCaller]:
    """Tell whose rows of which database a node works on; test runs have rows of their own."""
    try:
        number = parse_id(database_id, field="database")
    except InvalidRequest as exc:
        raise NodeFailed(f"There is no database {database_id[:40]}.") from exc
    context = call.context
    caller = RowCaller(
        is_draft=context.is_debug,
        end_user_id=context.end_user_id,
        connector_id=context.call.connector_id,
        max_wait_s=context.call.max_wait_s,
    )
    return context.call.scope, number, caller


def where(call: Call, wanted: DrawnFilter) -> RowFilter | None:
    """Put values into conditions; None for no condition."""
    if not wanted.conditions:
        return None
    return RowFilter(
        is_all=wanted.is_all, conditions=tuple(_condition(call, each) for each in wanted.conditions)
    )


def values(call: Call, wanted: Sequence[FieldValue]) -> dict[str, RowValue]:
    """Read the values to be written, by field id."""
    return {each.field_id: cell(call.inputs.get(each.value)) for each in wanted}


def cell(value: Value) -> RowValue:
    """Write a value as a cell: objects and lists are kept as JSON."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value


def result(call: Call, rows: RowResult) -> Result:
    """Bring rows into the declared form: all declared fields, converted, absent ones null."""
    declared = next((field.type for field in call.node.outputs if field.name == "outputList"), None)
    item = None if declared is None else declared.item
    output: list[Value] = []
    for row in rows.rows:
        converted: Value = dict(row)
        if item is not None and item.fields:
            full = {**dict.fromkeys((field.name for field in item.fields), None), **row}
            conversion = convert(full, item, path="outputList")
            for problem in conversion.problems:
                call.warn(str(problem))
            converted = conversion.value
        output.append(converted)
    return Result({"outputList": output, "rowNum": rows.count})


def _condition(call: Call, wanted: DrawnCondition) -> RowCondition:
    value = call.inputs.get(wanted.value) if wanted.value else None
    if wanted.operator in _PATTERNS:
        text = to_text(value)
        value = text if "%" in text or "_" in text else f"%{text}%"
    return RowCondition(field=wanted.field, operator=wanted.operator, value=value)
