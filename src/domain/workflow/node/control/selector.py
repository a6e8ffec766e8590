"""Selector: the first branch whose condition holds."""

import re
from collections.abc import Callable, Generator, Mapping
from enum import StrEnum
from typing import Final, Literal

import msgspec

from domain.workflow.canvas.blank import blank, literal, unset
from domain.workflow.canvas.cursor import Cursor
from domain.workflow.canvas.node_reader import NodeReader, output_field
from domain.workflow.engine.call import Call
from domain.workflow.engine.error import NodeFailed, SandboxLimit, WrongOperand
from domain.workflow.graph import DEFAULT_PORT, Const, Node, NodeConfig, branch_port
from domain.workflow.node import Check, NodeType, Result, Runner, config_of, settings
from domain.workflow.node.data.code import MEMORY_MB, in_sandbox
from domain.workflow.text import to_text
from domain.workflow.value import INTEGER, TEXTS, TypeKind, Value, kind_of
from infra.contract.code_runner import CodeLanguage, CodeStatus

_TIMEOUT_MS: Final = 1000
_CODE: Final = """
function main({ params }) {
  let expression;
  try {
    expression = new RegExp(params.pattern);
  } catch (error) {
    return { fault: error.message };
  }
  return { matches: expression.test(params.text.trim()) };
}
"""


_PART: Final = re.compile(
    r"\\."  # an escape
    r"|\[(?:[^\]\\]|\\.)*\]"  # a class of characters
    r"|\((?:\?(?:[:=!]|<[=!]|<[A-Za-z_$][\w$]*>))?"  # the begin of a group
    r"|[*+?]\??|.",
    re.DOTALL | re.ASCII,
)
_QUANTIFIERS: Final = frozenset("*+?")


def trimmed(pattern: str) -> str:
    """Take the slashes off that people write around expressions, as FastGPT does."""
    return pattern.removeprefix("/").removesuffix("/")


def fault_of(pattern: str) -> str:
    """Say why no engine takes an expression; empty for one that may be valid.

    ECMAScript without the flag u (annex B): a lone brace or closing bracket means itself.
    """
    depth = 0
    is_repeatable = False
    for part in _PART.findall(pattern):
        if part == "\\":
            return "it ends with a backslash"
        if part == "[":
            return "a bracket [ is not closed"
        if part == ")" and not depth:
            return "a parenthesis ) is not opened"
        if part[0] in _QUANTIFIERS and not is_repeatable:
            return f"there is nothing that {part} could repeat"
        depth += part[0] == "("
        depth -= part == ")"
        is_repeatable = part[0] not in "(|^$*+?"
    return "a parenthesis ( is not closed" if depth else ""


async def matches(call: Call, text: str, pattern: str) -> bool:
    """Tell whether a regular expression matches a part of a text; an empty one matches nothing."""
    expression = trimmed(pattern)
    if not expression:
        return False
    ended = await in_sandbox(
        call,
        language=CodeLanguage.JAVASCRIPT,
        code=_CODE,
        params={"text": text, "pattern": expression},
        timeout_ms=_TIMEOUT_MS,
    )
    shown = expression[:80]
    if ended.status is CodeStatus.UNAVAILABLE:
        reason = "" if ended.error is None else ended.error.message
        raise NodeFailed(f"Regular expressions cannot be matched here. {reason}".strip())
    if ended.status is not CodeStatus.OK or ended.result is None:
        raise SandboxLimit(
            f"The regular expression {shown!r} was stopped ({ended.status}): it may take "
            f"{_TIMEOUT_MS} ms and {MEMORY_MB} MiB. Write it without nested repetitions."
        )
    fault = ended.result.get("fault")
    if fault:
        raise WrongOperand(f"The regular expression {shown!r} is not valid: {fault}.")
    return ended.result.get("matches") is True


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
    MATCHES = "matches"
    """The regular expression on the right, in JavaScript's notation, matches a part of the text."""


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
    Operator.MATCHES: _TEXTS,
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
    given = {each.name: each.expr for each in node.inputs}
    for number, branch in enumerate(config_of(node, SelectorConfig).branches):
        for place, condition in enumerate(branch.conditions):
            left = types[condition.left].kind
            where = f"Condition {place + 1} of branch {number + 1}: {condition.operator}"
            right = given.get(condition.right)
            if condition.operator is Operator.MATCHES and isinstance(right, Const):
                fault = fault_of(trimmed(to_text(right.value)))
                if fault:
                    text = f"{where}: this is no regular expression: {fault}."
                    check.add("WF402", node, text, at=condition.right)
            if left is not TypeKind.ANY and left not in _ACCEPTED[condition.operator]:
                check.add(
                    "WF308", node, f"{where} does not take the type {left}.", at=condition.left
                )
            elif condition.right and not _fits(
                condition.operator, left, types[condition.right].kind
            ):
                other = types[condition.right].kind
                check.add(
                    "WF308",
                    node,
                    f"{where} does not compare the type {left} with {other}.",
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
    if operator in {Operator.STARTS_WITH, Operator.ENDS_WITH, Operator.MATCHES}:
        return right in _TEXTS
    return right in _NUMBERS


def _port_name(port: str) -> str:
    """Name a port as canvases do: ``true``, ``true_1``, …, ``false``."""
    if port == DEFAULT_PORT:
        return "false"
    number = port.removeprefix(branch_port(0)[:-1])
    return "true" if number == "0" else f"true_{number}" if number.isdecimal() else port


Choice = Generator[tuple[str, str], bool, Result]
"""Yields text and regular expression of each comparison that only the sandbox can make."""


def _step(call: Call) -> Result:
    try:
        next(_chosen(call))
    except StopIteration as ended:
        result: Result = ended.value
        return result
    raise TypeError("The selector needs the sandbox.")


async def _work(call: Call) -> Result:
    choice = _chosen(call)
    try:
        text, pattern = next(choice)
        while True:
            text, pattern = choice.send(await matches(call, text, pattern))
    except StopIteration as ended:
        result: Result = ended.value
        return result


def _needs_work(node: Node) -> bool:
    branches = config_of(node, SelectorConfig).branches
    return any(
        condition.operator is Operator.MATCHES
        for branch in branches
        for condition in branch.conditions
    )


def _chosen(call: Call) -> Choice:
    config = config_of(call.node, SelectorConfig)
    branches = config.branches
    for number, branch in enumerate(branches):
        is_single = len(branch.conditions) == 1
        needs_all = is_single or branch.logic == "and"
        holds = needs_all
        for place, condition in enumerate(branch.conditions):
            if condition.operator is Operator.MATCHES:
                text, pattern = call.inputs.get(condition.left), call.inputs.get(condition.right)
                is_text = isinstance(text, str) and isinstance(pattern, str)
                holds = is_text and (yield str(text), str(pattern))
            else:
                holds = _holds(condition, call, f"branch {number} condition {place}")
            if holds != needs_all:
                break
        if holds and branch.conditions:
            call.extra["shown"] = f"pass to condition {number + 1} branch"
            return Result(_outputs(config, number), branch_port(number))
    call.extra["shown"] = "pass to else branch"
    return Result(_outputs(config, len(branches)), DEFAULT_PORT)


def _outputs(config: SelectorConfig, number: int) -> dict[str, Value]:
    if config.names:
        return {"selected": number, CHOSEN: config.names[number]}
    return {"selected": number}


def _holds(condition: Condition, call: Call, where: str) -> bool:
    left = call.inputs.get(condition.left)
    right = call.inputs.get(condition.right) if condition.right else None
    try:
        return _TESTS[condition.operator](left, right, call.scope.flags.string_length_bytes)
    except _Mismatch as error:
        raise WrongOperand(f"{where}: {condition.operator}: wrong operand type: {error}") from error


class _Mismatch(Exception):
    """The operator does not take values of these kinds."""


Test = Callable[[Value, Value, bool], bool]


def _equal(left: Value, right: Value, _: bool) -> bool:
    if left is None or right is None:
        return left is None and right is None
    if isinstance(left, list | dict) or isinstance(right, list | dict):
        raise _Mismatch(f"{kind_of(left)} and {kind_of(right)}")
    if type(left) is not type(right):
        raise _Mismatch(f"{kind_of(left)} and {kind_of(right)}")
    return left == right


def _not_equal(left: Value, right: Value, flag: bool) -> bool:
    return not _equal(left, right, flag)


def _length(value: Value, in_bytes: bool) -> int:
    match value:
        case None:
            return 0
        case str(text):
            return len(text.encode()) if in_bytes else len(text)
        case list(items):
            return len(items)
        case _:
            raise _Mismatch(kind_of(value))


def _by_length(compare: Callable[[int, int], bool]) -> Test:
    def test(left: Value, right: Value, in_bytes: bool) -> bool:
        if isinstance(right, bool) or not isinstance(right, int | float):
            raise _Mismatch(f"the length is compared with {kind_of(right)}")
        return compare(_length(left, in_bytes), int(right))

    return test


def _contains(left: Value, right: Value, _: bool) -> bool:
    match left:
        case None:
            return False
        case str(text) if isinstance(right, str):
            return right in text
        case list(items):
            return any(_is_same(item, right) for item in items)
        case dict(members) if isinstance(right, str):
            return right in members
        case _:
            raise _Mismatch(f"{kind_of(left)} and {kind_of(right)}")


def _is_same(left: Value, right: Value) -> bool:
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    return type(left) is type(right) and left == right


def _not_contains(left: Value, right: Value, flag: bool) -> bool:
    return left is not None and not _contains(left, right, flag)


def _by_text(compare: Callable[[str, str], bool]) -> Test:
    def test(left: Value, right: Value, _: bool) -> bool:
        if left is None or right is None:
            return False
        if not isinstance(left, str) or not isinstance(right, str):
            raise _Mismatch(f"{kind_of(left)} and {kind_of(right)}")
        return compare(left, right)

    return test


def _empty(left: Value, _: Value, __: bool) -> bool:
    return left is None or left is False or left in ("", "None", [], {}, 0)


def _not_empty(left: Value, right: Value, flag: bool) -> bool:
    return not _empty(left, right, flag)


def _is_true(left: Value, _: Value, __: bool) -> bool:
    if left is not None and not isinstance(left, bool):
        raise _Mismatch(kind_of(left))
    return left is True


def _is_false(left: Value, right: Value, flag: bool) -> bool:
    return not _is_true(left, right, flag)


def _by_number(
    compare: Callable[[float, float], bool], *, is_greater: bool, or_equal: bool
) -> Test:
    """Compare numbers; null is less than every number and equal to itself, oddly for ``<=``."""

    def test(left: Value, right: Value, _: bool) -> bool:
        for value in (left, right):
            if isinstance(value, bool) or not isinstance(value, int | float | None):
                raise _Mismatch(f"{kind_of(left)} and {kind_of(right)}")
        if left is None:
            if is_greater:
                return or_equal and right is None
            return or_equal or right is not None
        if right is None:
            return is_greater
        return compare(_number(left), _number(right))

    return test


def _number(value: Value) -> float:
    return value if isinstance(value, int | float) else 0


_TESTS: Final[Mapping[Operator, Test]] = {
    Operator.EQUAL: _equal,
    Operator.NOT_EQUAL: _not_equal,
    Operator.LENGTH_GREATER: _by_length(lambda left, right: left > right),
    Operator.LENGTH_GREATER_EQUAL: _by_length(lambda left, right: left >= right),
    Operator.LENGTH_LESS: _by_length(lambda left, right: left < right),
    Operator.LENGTH_LESS_EQUAL: _by_length(lambda left, right: left <= right),
    Operator.CONTAINS: _contains,
    Operator.NOT_CONTAINS: _not_contains,
    Operator.EMPTY: _empty,
    Operator.NOT_EMPTY: _not_empty,
    Operator.IS_TRUE: _is_true,
    Operator.IS_FALSE: _is_false,
    Operator.GREATER: _by_number(lambda a, b: a > b, is_greater=True, or_equal=False),
    Operator.GREATER_EQUAL: _by_number(lambda a, b: a >= b, is_greater=True, or_equal=True),
    Operator.LESS: _by_number(lambda a, b: a < b, is_greater=False, or_equal=False),
    Operator.LESS_EQUAL: _by_number(lambda a, b: a <= b, is_greater=False, or_equal=True),
    Operator.LENGTH_EQUAL: _by_length(lambda left, right: left == right),
    Operator.LENGTH_NOT_EQUAL: _by_length(lambda left, right: left != right),
    Operator.STARTS_WITH: _by_text(str.startswith),
    Operator.ENDS_WITH: _by_text(str.endswith),
}


NodeType(
    port_name=_port_name,
    kind="selector",
    type_id="8",
    key="If",
    names={"en": "Condition", "zh": "选择器"},
    blank=blank(
        inputs={
            "branches": [
                {
                    "condition": {
                        "logic": 2,
                        "conditions": [
                            {
                                "operator": 1,
                                "left": {"input": unset("string")},
                                "right": {"input": literal("string")},
                            }
                        ],
                    }
                }
            ]
        }
    ),
    group="logic",
    read=_read,
    ports=_ports,
    check=_check,
    config=SelectorConfig,
    outputs=(output_field("selected", INTEGER),),
    runner=Runner(step=_step, work=_work, needs_work=_needs_work),
).register()
