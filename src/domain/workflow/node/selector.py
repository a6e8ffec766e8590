"""Selector: the first branch whose condition holds."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, Literal

import msgspec

from domain.workflow.canvas.cursor import Cursor
from domain.workflow.canvas.node_reader import NodeReader, output_field
from domain.workflow.graph import DEFAULT_PORT, Node, NodeConfig, branch_port
from domain.workflow.node import NODE_TYPES, Check, NodeType, config_of, settings
from domain.workflow.value import INTEGER, TEXTS, TypeKind


class Operator(StrEnum):
    """How two operands are compared."""

    EQUAL = "equal"
    NOT_EQUAL = "not_equal"
    LENGTH_GREATER = "length_greater"
    LENGTH_GREATER_EQUAL = "length_greater_equal"
    LENGTH_LESS = "length_less"
    LENGTH_LESS_EQUAL = "length_less_equal"
    CONTAINS = "contains"
    NOT_CONTAINS = "not_contains"
    EMPTY = "empty"
    NOT_EMPTY = "not_empty"
    IS_TRUE = "is_true"
    IS_FALSE = "is_false"
    GREATER = "greater"
    GREATER_EQUAL = "greater_equal"
    LESS = "less"
    LESS_EQUAL = "less_equal"
    LENGTH_EQUAL = "length_equal"
    LENGTH_NOT_EQUAL = "length_not_equal"
    STARTS_WITH = "starts_with"
    ENDS_WITH = "ends_with"


_OPERATORS: Final = tuple(Operator)[:16]
"""By their number in a Coze canvas, which starts with 1."""

UNARY: Final = frozenset({Operator.EMPTY, Operator.NOT_EMPTY, Operator.IS_TRUE, Operator.IS_FALSE})

_NUMBERS: Final = frozenset({TypeKind.INTEGER, TypeKind.FLOAT})
_TEXTS: Final = frozenset(TEXTS)
_SCALARS: Final = _NUMBERS | _TEXTS | {TypeKind.BOOLEAN}
_SIZED: Final = _TEXTS | {TypeKind.LIST}
_ACCEPTED: Final[Mapping[Operator, frozenset[TypeKind]]] = {
    Operator.EQUAL: _SCALARS,
    Operator.NOT_EQUAL: _SCALARS,
    Operator.LENGTH_GREATER: _SIZED,
    Operator.LENGTH_GREATER_EQUAL: _SIZED,
    Operator.LENGTH_LESS: _SIZED,
    Operator.LENGTH_LESS_EQUAL: _SIZED,
    Operator.CONTAINS: _SIZED | {TypeKind.OBJECT},
    Operator.NOT_CONTAINS: _SIZED | {TypeKind.OBJECT},
    Operator.EMPTY: frozenset(TypeKind),
    Operator.NOT_EMPTY: frozenset(TypeKind),
    Operator.IS_TRUE: frozenset({TypeKind.BOOLEAN}),
    Operator.IS_FALSE: frozenset({TypeKind.BOOLEAN}),
    Operator.GREATER: _NUMBERS,
    Operator.GREATER_EQUAL: _NUMBERS,
    Operator.LESS: _NUMBERS,
    Operator.LESS_EQUAL: _NUMBERS,
    Operator.LENGTH_EQUAL: _SIZED,
    Operator.LENGTH_NOT_EQUAL: _SIZED,
    Operator.STARTS_WITH: _TEXTS,
    Operator.ENDS_WITH: _TEXTS,
}


CHOSEN: Final = "chosen"
"""Output with the name of the branch."""


class Condition(msgspec.Struct, frozen=True, kw_only=True):
    """Operands are names of inputs; ``right`` is empty where the operator needs none."""

    operator: Operator
    left: str
    right: str = ""


class Branch(msgspec.Struct, frozen=True, kw_only=True):
    """Conditions that hold all together, or at least one of them."""

    logic: Literal["and", "or"]
    conditions: tuple[Condition, ...]


class SelectorConfig(NodeConfig, frozen=True, kw_only=True):
    """Branch ``n`` leads to port ``branch_n``, none of them to ``default``.

    ``names``: of the branches and the last resort, if the chosen one is told by its name.
    """

    branches: tuple[Branch, ...]
    names: tuple[str, ...] = ()


def _read(reader: NodeReader) -> NodeConfig:
    branches = []
    for number, branch in enumerate(reader.inputs["branches"]):
        condition = branch["condition"]
        conditions = [
            read
            for place, item in enumerate(condition["conditions"])
            if (read := _read_condition(reader, item, f"{number}.{place}")) is not None
        ]
        if not conditions:
            reader.report("WF401", condition, f"Branch {number + 1} has no condition.")
        logic = condition["logic"].integer()
        if logic not in {1, 2} and len(conditions) > 1:
            reader.report("WF402", condition["logic"], "The logic must be 1 (or) or 2 (and).")
        branches.append(Branch(logic="or" if logic == 1 else "and", conditions=tuple(conditions)))
    if not branches:
        reader.report("WF401", reader.inputs["branches"], "The selector has no branches.")
    return SelectorConfig(branches=tuple(branches))


def _read_condition(reader: NodeReader, cursor: Cursor, key: str) -> Condition | None:
    number = cursor["operator"].integer()
    if not 1 <= number <= len(_OPERATORS):
        reader.report("WF402", cursor["operator"], f"Unknown operator {number}.")
        return None
    operator = _OPERATORS[number - 1]
    left = reader.bind(f"$left.{key}", cursor["left"]["input"])
    if not left:
        reader.report("WF401", cursor["left"], "The left operand is missing.")
        return None
    right = ""
    if operator not in UNARY:
        right = reader.bind(f"$right.{key}", cursor["right"]["input"])
        if not right:
            reader.report("WF401", cursor["right"], "The right operand is missing.")
            return None
    return Condition(operator=operator, left=left, right=right)


def _ports(config: NodeConfig) -> tuple[str, ...]:
    branches = settings(config, SelectorConfig).branches
    return (*(branch_port(index) for index in range(len(branches))), DEFAULT_PORT)


def _check(node: Node, check: Check) -> None:
    types = {binding.name: binding.type for binding in node.inputs}
    for number, branch in enumerate(config_of(node, SelectorConfig).branches):
        for place, condition in enumerate(branch.conditions):
            left = types[condition.left].kind
            where = f"Condition {place + 1} of branch {number + 1}: {condition.operator}"
            if left is not TypeKind.ANY and left not in _ACCEPTED[condition.operator]:
                check.add(
                    "WF308", node, f"{where} does not take the type {left}.", at=condition.left
                )
            elif condition.right and not _fits(
                condition.operator, left, types[condition.right].kind
            ):
                right = types[condition.right].kind
                check.add(
                    "WF308",
                    node,
                    f"{where} does not compare the type {left} with {right}.",
                    at=condition.right,
                )


def _fits(operator: Operator, left: TypeKind, right: TypeKind) -> bool:
    if TypeKind.ANY in {left, right}:
        return True
    if operator in {Operator.EQUAL, Operator.NOT_EQUAL}:
        return left is right or {left, right} <= _TEXTS
    if operator.startswith("length"):
        return right is TypeKind.INTEGER
    if operator in {Operator.CONTAINS, Operator.NOT_CONTAINS}:
        return left is TypeKind.LIST or right in _TEXTS
    if operator in {Operator.STARTS_WITH, Operator.ENDS_WITH}:
        return right in _TEXTS
    return right in _NUMBERS


def _port_name(port: str) -> str:
    """Name a port as canvases do: ``true``, ``true_1``, …, ``false``."""
    if port == DEFAULT_PORT:
        return "false"
    number = port.removeprefix(branch_port(0)[:-1])
    return "true" if number == "0" else f"true_{number}" if number.isdecimal() else port


NODE_TYPES.register("selector")(
    NodeType(
        port_name=_port_name,
        kind="selector",
        type_id="8",
        key="If",
        names={"en": "Condition", "zh": "选择器"},
        group="logic",
        read=_read,
        ports=_ports,
        check=_check,
        config=SelectorConfig,
        outputs=(output_field("selected", INTEGER),),
    )
)
