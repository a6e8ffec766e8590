"""What the kinds that work on one database share: its id, conditions and fields."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import msgspec

from domain.workflow.canvas.cursor import Cursor
from domain.workflow.canvas.node_reader import NodeReader, output_field
from domain.workflow.convert import convert
from domain.workflow.engine.call import Call
from domain.workflow.graph import Node
from domain.workflow.node import Check, Result
from domain.workflow.node.needs import needed
from domain.workflow.port import Condition, Databases, Filter, RowOperator, Rows
from domain.workflow.text import to_text
from domain.workflow.value import INTEGER, OBJECT, Value, list_of

OUTPUTS: Final = (
    output_field("outputList", list_of(OBJECT)),
    output_field("rowNum", INTEGER),
)


NULL_TESTS: Final = frozenset({RowOperator.IS_NULL, RowOperator.IS_NOT_NULL})
_OPERATORS: Final[Mapping[str, RowOperator]] = {each.value: each for each in RowOperator}


class RowCondition(msgspec.Struct, frozen=True, kw_only=True):
    """``value`` names an input, empty for the tests for null."""

    field: str
    operator: RowOperator
    value: str = ""


class RowFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Conditions that hold all together, or at least one of them."""

    logic: Literal["and", "or"] = "and"
    conditions: tuple[RowCondition, ...] = ()


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


def read_filter(reader: NodeReader, cursor: Cursor) -> RowFilter:
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
        found.append(RowCondition(field=field, operator=operator, value=value))
    logic: Literal["and", "or"] = "or" if cursor["logic"].text("AND").upper() == "OR" else "and"
    return RowFilter(logic=logic, conditions=tuple(found))


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


_PATTERNS = frozenset({RowOperator.LIKE, RowOperator.NOT_LIKE})


def databases(call: Call) -> Databases:
    """Return the port."""
    return needed(call.ports.databases, "databases")


def where(call: Call, wanted: RowFilter) -> Filter | None:
    """Put values into conditions; None for no condition."""
    if not wanted.conditions:
        return None
    return Filter(
        logic=wanted.logic, conditions=tuple(_condition(call, each) for each in wanted.conditions)
    )


def values(call: Call, wanted: Sequence[FieldValue]) -> dict[str, Value]:
    """Read the values to be written, by field id."""
    return {each.field_id: call.inputs.get(each.value) for each in wanted}


def result(call: Call, rows: Rows) -> Result:
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


def _condition(call: Call, wanted: RowCondition) -> Condition:
    value = call.inputs.get(wanted.value) if wanted.value else None
    if wanted.operator in _PATTERNS:
        text = to_text(value)
        value = text if "%" in text or "_" in text else f"%{text}%"
    return Condition(field=wanted.field, operator=wanted.operator, value=value)
