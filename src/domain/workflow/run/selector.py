"""Selector: the port of the first branch that holds."""

from collections.abc import Callable, Mapping
from typing import Final

from domain.workflow.execution_call import Call
from domain.workflow.execution_error import WrongOperand
from domain.workflow.graph import DEFAULT_PORT, branch_port
from domain.workflow.node import config_of
from domain.workflow.node.selector import CHOSEN, Condition, Operator, SelectorConfig
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.value import Value, kind_of


def _step(call: Call) -> Result:
    config = config_of(call.node, SelectorConfig)
    branches = config.branches
    for number, branch in enumerate(branches):
        is_single = len(branch.conditions) == 1
        needs_all = is_single or branch.logic == "and"
        holds = needs_all
        for place, condition in enumerate(branch.conditions):
            holds = _holds(condition, call, f"branch {number} condition {place}")
            if holds != needs_all:
                break
        if holds and branch.conditions:
            call.extra["shown"] = f"pass to condition {number + 1} branch"
            return Result(_told(config, number), branch_port(number))
    call.extra["shown"] = "pass to else branch"
    return Result(_told(config, len(branches)), DEFAULT_PORT)


def _told(config: SelectorConfig, number: int) -> dict[str, Value]:
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

RUNNERS.register("selector")(Runner(step=_step))
