"""Branches, loops and variables."""

from collections.abc import Mapping
from typing import Final

from domain.workflow.canvas.cursor import Cursor
from domain.workflow.fastgpt.flow import ITEMS, type_named
from domain.workflow.fastgpt.kind import FLOW_KINDS, FlowKind
from domain.workflow.fastgpt.node_reader import FlowReader
from domain.workflow.graph import DEFAULT_PORT, GlobalVariable, NoConfig, NodeConfig, branch_port
from domain.workflow.node.control.batch import CONCURRENCY, BatchConfig
from domain.workflow.node.control.loop import LoopConfig
from domain.workflow.node.control.selector import (
    CHOSEN,
    UNARY,
    Branch,
    Condition,
    Operator,
    SelectorConfig,
)
from domain.workflow.node.control.variable_assign import GlobalAssignment, VariableAssignConfig
from domain.workflow.value import ANY, FLOAT, INTEGER, STRING, Field, Type, list_of

_OPERATORS: Final[Mapping[str, Operator]] = {
    "equalTo": Operator.EQUAL,
    "notEqual": Operator.NOT_EQUAL,
    "isEmpty": Operator.EMPTY,
    "isNotEmpty": Operator.NOT_EMPTY,
    "include": Operator.CONTAINS,
    "notInclude": Operator.NOT_CONTAINS,
    "greaterThan": Operator.GREATER,
    "greaterThanOrEqualTo": Operator.GREATER_EQUAL,
    "lessThan": Operator.LESS,
    "lessThanOrEqualTo": Operator.LESS_EQUAL,
    "lengthGreaterThan": Operator.LENGTH_GREATER,
    "lengthGreaterThanOrEqualTo": Operator.LENGTH_GREATER_EQUAL,
    "lengthLessThan": Operator.LENGTH_LESS,
    "lengthLessThanOrEqualTo": Operator.LENGTH_LESS_EQUAL,
    "lengthEqualTo": Operator.LENGTH_EQUAL,
    "lengthNotEqualTo": Operator.LENGTH_NOT_EQUAL,
    "startWith": Operator.STARTS_WITH,
    "endWith": Operator.ENDS_WITH,
    "reg": Operator.MATCHES,
}
_ELSE: Final = "ELSE"
_NUMERIC: Final = frozenset(
    {Operator.GREATER, Operator.GREATER_EQUAL, Operator.LESS, Operator.LESS_EQUAL}
)
_TEXTUAL: Final = frozenset(
    {
        Operator.EQUAL,
        Operator.NOT_EQUAL,
        Operator.STARTS_WITH,
        Operator.ENDS_WITH,
        Operator.MATCHES,
    }
)


def _if_else(reader: FlowReader) -> NodeConfig:
    branches = []
    for number, item in enumerate(reader.value("ifElseList")):
        conditions = [
            read
            for place, each in enumerate(item["list"])
            if (read := _condition(reader, each, f"{number}.{place}")) is not None
        ]
        logic = item["condition"].text("AND").upper()
        branches.append(
            Branch(logic="or" if logic == "OR" else "and", conditions=tuple(conditions))
        )
    if not branches:
        reader.report("WF401", reader.value("ifElseList"), "The node has no branches.")
    reader.outputs = (Field(name=CHOSEN, type=STRING),)
    return SelectorConfig(
        branches=tuple(branches), names=(*map(_branch_name, range(len(branches))), _ELSE)
    )


def _branch_name(number: int) -> str:
    return "IF" if number == 0 else f"ELSE IF {number}"


def _condition(reader: FlowReader, cursor: Cursor, key: str) -> Condition | None:
    name = cursor["condition"].text()
    operator = _OPERATORS.get(name)
    if operator is None:
        reader.report("WF402", cursor["condition"], f"The condition {name[:40]!r} is unknown.")
        return None
    if not cursor["variable"]:
        reader.report("WF401", cursor["variable"], "The condition has no variable.")
        return None
    left = reader.bind_value(f"$left.{key}", cursor["variable"], _left_type(operator))
    if operator in UNARY:
        return Condition(operator=operator, left=left)
    right = reader.bind_value(f"$right.{key}", cursor["value"], _right_type(operator))
    return Condition(operator=operator, left=left, right=right)


def _left_type(operator: Operator) -> Type:
    if operator in _NUMERIC:
        return FLOAT
    # FastGPT compares texts: 1 equals "1".
    return STRING if operator in _TEXTUAL else ANY


def _right_type(operator: Operator) -> Type:
    if operator in _NUMERIC:
        return FLOAT
    return INTEGER if operator.startswith("length") else STRING


def _branches(reader: FlowReader) -> Mapping[str, str]:
    found = {_ELSE: DEFAULT_PORT}
    for number, item in enumerate(reader.value("ifElseList")):
        found[_branch_name(number)] = branch_port(number)
        if item["branchId"].text():
            found[item["branchId"].text()] = branch_port(number)
    return found


def _loop(reader: FlowReader) -> NodeConfig:
    items = reader.bind("loopInputArray", name=ITEMS, wanted=list_of(ANY))
    if not items:
        reader.report("WF411", reader.node.input("loopInputArray"), "There is no list.")
    return LoopConfig(mode="array", lists=(ITEMS,) if items else ())


def _loop_run(reader: FlowReader) -> NodeConfig:
    if reader.value("loopRunMode").text("array") == "conditional":
        return LoopConfig(mode="infinite")
    items = reader.bind("loopRunInputArray", name=ITEMS, wanted=list_of(ANY))
    if not items:
        reader.report("WF411", reader.node.input("loopRunInputArray"), "There is no list.")
    return LoopConfig(mode="array", lists=(ITEMS,) if items else ())


def _parallel(reader: FlowReader) -> NodeConfig:
    key = "loopInputArray" if reader.value("loopInputArray") else "nestedInputArray"
    items = reader.bind(key, name=ITEMS, wanted=list_of(ANY))
    if not items:
        reader.report("WF411", reader.node.input(key), "There is no list.")
    concurrency = reader.bind("parallelRunMaxConcurrency", name=CONCURRENCY, wanted=INTEGER)
    return BatchConfig(lists=(ITEMS,) if items else (), concurrency=concurrency)


def _break(_: FlowReader) -> NodeConfig:
    return NoConfig()


def _update(reader: FlowReader) -> NodeConfig:
    found = []
    for number, item in enumerate(reader.value("updateList")):
        target = reader.target(item["variable"])
        if not isinstance(target, GlobalVariable):
            reader.report("WF302", item["variable"], "Only global variables can be updated here.")
            continue
        if item["updateType"].text("set") not in {"", "set"}:
            reader.report("WF402", item["updateType"], "Only setting a value is supported.")
            continue
        wanted = type_named(item["valueType"].text())
        value = reader.bind_value(f"$right.{number}", _assigned(item), wanted)
        found.append(GlobalAssignment(target=target, type=wanted, value=value))
    return VariableAssignConfig(assignments=tuple(found))


def _assigned(item: Cursor) -> Cursor:
    """Take the value to assign; older flows write ``["", value]`` for a plain one."""
    is_reference = item["renderType"].text() == "reference"
    modern = item["referenceValue"] if is_reference else item["inputValue"]
    if modern:
        return modern
    value = item["value"]
    parts = list(value)
    is_plain = len(parts) == 2 and parts[0].value == ""  # noqa: PLR2004
    return parts[1] if is_plain else value


FLOW_KINDS.register("ifElseNode")(
    FlowKind(kind="selector", read=_if_else, outputs={"ifElseResult": (CHOSEN,)}, handles=_branches)
)
FLOW_KINDS.register("loop")(FlowKind(kind="loop", read=_loop))
FLOW_KINDS.register("loopRun")(FlowKind(kind="loop", read=_loop_run))
FLOW_KINDS.register("loopRunBreak")(FlowKind(kind="break", read=_break))
FLOW_KINDS.register("parallelRun")(
    FlowKind(kind="batch", read=_parallel, outputs={"parallelSuccessResults": ("loopArray",)})
)
FLOW_KINDS.register("variableUpdate")(FlowKind(kind="variable_assign", read=_update))
