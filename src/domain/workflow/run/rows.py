"""What the kinds that work on one database share: filters, values and results."""

from collections.abc import Sequence

from domain.workflow.convert import convert
from domain.workflow.execution_call import Call
from domain.workflow.node.rows import FieldValue, RowCondition, RowFilter, RowOperator
from domain.workflow.port import Condition, Databases, Filter, Rows
from domain.workflow.run import Result
from domain.workflow.run.needs import needed
from domain.workflow.text import to_text
from domain.workflow.value import Value

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
