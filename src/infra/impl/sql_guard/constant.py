"""Constants between Python and the tree of a statement, in both directions."""

import math
from datetime import datetime
from typing import Final

from sqlglot import exp

from infra.contract.sql_guard import Refusal, Scalar
from infra.impl.sql_guard.expression import only
from infra.impl.sql_guard.fragment import refuse

_STAMP: Final = "%Y-%m-%d %H:%M:%S"
_MAX_INTEGER: Final = 2**63 - 1
_MAX_DIGITS: Final = 19


def as_node(value: Scalar) -> exp.Expr:
    """Write a value as a constant; raise ``SqlRefused`` for a number that no engine has."""
    match value:
        case None:
            return exp.Null()
        case bool():
            return exp.Boolean(this=value)
        case str():
            return exp.Literal.string(value)
        case int() if abs(value) <= _MAX_INTEGER:
            number = exp.Literal.number(abs(value))
        case float() if math.isfinite(value):
            number = exp.Literal.number(repr(abs(value)))
        case _:
            raise refuse(Refusal.TYPE_MISMATCH, "This number is too large.")
    return exp.Neg(this=number) if value < 0 else number


def value_of(node: exp.Expr, now: datetime) -> Scalar:  # noqa: PLR0911 - one per form
    """Read a constant of VALUES; raise ``SqlRefused`` for anything that has to be computed."""
    match node:
        case exp.Literal():
            only(node, "this", "is_string")
            return node.name if node.is_string else _number(node.name)
        case exp.Null():
            return None
        case exp.Boolean():
            return bool(node.this)
        case exp.Paren():
            only(node, "this")
            return value_of(node.this, now)
        case exp.Neg():
            only(node, "this")
            value = value_of(node.this, now)
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise refuse(Refusal.TYPE_MISMATCH, "Only a number has a sign.")
            return -value
        case exp.CurrentTimestamp():
            return now.strftime(_STAMP)
        case exp.CurrentDate():
            return now.strftime("%Y-%m-%d 00:00:00")
        case exp.Anonymous() if node.name.upper() == "NOW" and not node.expressions:
            return now.strftime(_STAMP)
        case exp.Var() if node.name.upper() == "DEFAULT":
            return None
        case _:
            raise refuse(
                Refusal.FORBIDDEN_CONSTRUCT,
                "VALUES takes constants and NOW(); compute other values before.",
            )


def _number(text: str) -> int | float:
    if text.isascii() and text.isdigit():
        number: int | float = int(text) if len(text) <= _MAX_DIGITS else _MAX_INTEGER + 1
    else:
        number = float(text)
    if not math.isfinite(number) or (abs(number) > _MAX_INTEGER and isinstance(number, int)):
        raise refuse(Refusal.TYPE_MISMATCH, "This number is too large.")
    return number
