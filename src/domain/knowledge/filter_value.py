"""Comparing one field of a document with what a filter says."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final, assert_never

from domain.shared.error import AppError

Scalar = str | bool | int | float
Operand = Scalar | tuple[Scalar, ...]
Fact = Scalar | datetime | Sequence[str] | Sequence[int]

MAX_ITEMS: Final = 1000
_MAX_TEXT_CHARS: Final = 1000


class Operator(StrEnum):
    """How a field is compared."""

    EQ = "eq"
    NE = "ne"
    IN = "in"
    NIN = "nin"
    GT = "gt"
    GTE = "gte"
    LT = "lt"
    LTE = "lte"
    CONTAINS = "contains"
    EXISTS = "exists"


_OPPOSITES: Final = {Operator.NE: Operator.EQ, Operator.NIN: Operator.IN}
_ORDERS: Final[Mapping[Operator, Callable[[int], bool]]] = {
    Operator.GT: lambda sign: sign > 0,
    Operator.GTE: lambda sign: sign >= 0,
    Operator.LT: lambda sign: sign < 0,
    Operator.LTE: lambda sign: sign <= 0,
}


def checked_operand(
    raw: object, operator: Operator, *, is_id: bool, refuse: Callable[[str], AppError]
) -> Operand:
    """Return the operand if the operator can take it; raise what ``refuse`` makes of the rule.

    Ids may be written as texts, as everywhere on the wire.
    """
    match operator:
        case Operator.EXISTS:
            if raw is None or isinstance(raw, bool):
                return raw is not False
            raise refuse("expected true or false")
        case Operator.IN | Operator.NIN:
            if not isinstance(raw, list | tuple) or len(raw) > MAX_ITEMS:
                raise refuse(f"expected a list of up to {MAX_ITEMS} values")
            return tuple(_scalar(one, is_id=is_id, refuse=refuse) for one in raw)
        case Operator.GT | Operator.GTE | Operator.LT | Operator.LTE:
            value = _scalar(raw, is_id=is_id, refuse=refuse)
            if isinstance(value, bool):
                raise refuse("expected a number, a text or a moment")
            return value
        case Operator.EQ | Operator.NE | Operator.CONTAINS:
            return _scalar(raw, is_id=is_id, refuse=refuse)
        case _:
            assert_never(operator)


def _scalar(raw: object, *, is_id: bool, refuse: Callable[[str], AppError]) -> Scalar:
    if is_id:
        if isinstance(raw, str) and raw.isascii() and raw.isdecimal():
            return int(raw)
        if isinstance(raw, bool) or not isinstance(raw, int):
            raise refuse("expected an id")
    if not isinstance(raw, str | bool | int | float):
        raise refuse("expected a text, a number, true or false")
    if isinstance(raw, str) and len(raw) > _MAX_TEXT_CHARS:
        raise refuse(f"a text has up to {_MAX_TEXT_CHARS} characters")
    return raw


def compared(fact: Fact | None, operator: Operator, operand: Operand) -> bool:
    """Compare; what is absent or of another type equals nothing and is in no order.

    Of a list, one item is enough.
    """
    if (opposite := _OPPOSITES.get(operator)) is not None:
        return not compared(fact, opposite, operand)
    if operator is Operator.EXISTS:
        return (fact is not None) is operand
    if operator is Operator.CONTAINS and isinstance(fact, str):
        return isinstance(operand, str) and operand.casefold() in fact.casefold()
    if (order := _ORDERS.get(operator)) is not None:
        return any(order(sign) for one in _items(fact) for sign in _signs(one, operand))
    wanted = operand if isinstance(operand, tuple) else (operand,)
    return any(_is_equal(one, other) for one in _items(fact) for other in wanted)


def _items(fact: Fact | None) -> Sequence[Scalar | datetime]:
    if fact is None:
        return ()
    return (fact,) if isinstance(fact, str | bool | int | float | datetime) else tuple(fact)


def _is_equal(one: Scalar | datetime, other: Scalar) -> bool:
    if isinstance(one, datetime):
        return _moment(other) == one
    if isinstance(one, bool) is not isinstance(other, bool):
        return False  # true is not 1
    return one == other


def _signs(one: Scalar | datetime, other: Operand) -> tuple[int, ...]:
    """Return how two values are ordered, -1, 0 or 1; nothing if they are in no order."""
    if isinstance(one, bool) or isinstance(other, tuple | bool):
        return ()
    left: Any = _moment(one) if isinstance(one, str | datetime) else None
    right: Any = _moment(other) if left is not None else None
    if right is None:
        is_alike = isinstance(one, str) is isinstance(other, str)
        if isinstance(one, datetime) or not is_alike:
            return ()
        left, right = one, other
    if not (left <= right or left >= right):  # not a number
        return ()
    return ((left > right) - (left < right),)


def _moment(value: object) -> datetime | None:
    """Read a moment: ISO 8601, or Unix seconds; without a zone it is UTC."""
    if isinstance(value, datetime):
        moment = value
    elif isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            return None
    elif isinstance(value, int | float) and not isinstance(value, bool):
        try:
            moment = datetime.fromtimestamp(value, UTC)
        except (ValueError, OverflowError, OSError):
            return None
    else:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
