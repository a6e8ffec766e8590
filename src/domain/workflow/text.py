"""Values as texts: JSON as the product writes it, and numbers without exponents."""

import math
from decimal import Decimal
from typing import Final, cast

import msgspec

from domain.workflow.value import Value

_PLAIN: Final = msgspec.json.Encoder()
_SORTED: Final = msgspec.json.Encoder(order="sorted")
_EXACT: Final = 2**53
"""Above it, a float and its digits differ, so it stays a float in JSON."""


class BrokenJson(ValueError):
    """A text is not JSON, or nested too deeply to be read."""


def decode_json(text: str | bytes) -> Value:
    """Read JSON; raise ``BrokenJson``."""
    try:
        return cast("Value", msgspec.json.decode(text))  # what JSON can say is a Value
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise BrokenJson(str(error)) from error


def encode_json(value: Value, *, sort_keys: bool = False) -> str:
    """Write compact JSON, non-ASCII as it is; a float with integral value has no fraction."""
    encoder = _SORTED if sort_keys else _PLAIN
    try:
        plain = _without_fractions(value)
    except RecursionError:
        plain = value  # deeper than Python calls go; fractions stay, the value is the same
    return encoder.encode(plain).decode()


def number_text(number: float) -> str:
    """Write a number in its shortest decimal form, never with an exponent."""
    if isinstance(number, int):
        return str(number)
    if not math.isfinite(number):
        return ""
    text = format(Decimal(repr(number)), "f")
    return text.removesuffix(".0") if text != "-0.0" else "0"


def to_text(value: Value, *, sort_keys: bool = False) -> str:
    """Write a value into a text: null as nothing, structures as JSON."""
    match value:
        case str(text):
            return text
        case None:
            return ""
        case bool(flag):
            return "true" if flag else "false"
        case int() | float():
            return number_text(value)
        case _:
            return encode_json(value, sort_keys=sort_keys)


def _without_fractions(value: Value) -> Value:
    match value:
        case float(number) if number.is_integer() and abs(number) < _EXACT:
            return int(number)
        case list(items):
            return [_without_fractions(item) for item in items]
        case dict(members):
            return {name: _without_fractions(member) for name, member in members.items()}
        case _:
            return value
