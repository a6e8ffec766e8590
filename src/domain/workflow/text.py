"""Values as texts: JSON as the product writes or changes it, and numbers without exponents."""

import math
import re
from contextlib import suppress
from decimal import Decimal
from typing import Final, cast

import msgspec

from domain.shared.error import InvalidRequest, RequestTooLarge
from domain.shared.ids import MAX_ID
from domain.shared.text.json_scan import INNER_JSON, check_json
from domain.workflow.value import Value

_PLAIN: Final = msgspec.json.Encoder()
_SORTED: Final = msgspec.json.Encoder(order="sorted")
_WHOLE: Final = re.compile(rb"\.0(?![0-9])")
"""How the end of a float looks whose fraction is dropped."""
_EXACT: Final = 2**53
"""Above it, a float and its digits differ, so it stays a float in JSON."""
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
_ID_DIGITS: Final = len(str(MAX_ID))


def local_id(text: str) -> int | None:
    """Read what could be an id of this deployment; other texts of a canvas name nothing here."""
    if not (text.isascii() and text.isdigit() and len(text) <= _ID_DIGITS):
        return None
    number = int(text)
    return number if 0 < number <= MAX_ID else None


class BrokenJson(ValueError):
    """A text is not JSON, or nested too deeply to be read."""


class TooMuchJson(BrokenJson):
    """A text may be JSON, and is too large to be read."""


def decode_json(text: str | bytes) -> Value:
    """Read JSON; raise ``BrokenJson``."""
    try:
        check_json(text, INNER_JSON)
    except RequestTooLarge as error:
        raise TooMuchJson(error.message) from error
    except InvalidRequest as error:
        raise BrokenJson(error.message) from error
    try:
        return cast("Value", msgspec.json.decode(text))  # what JSON can say is a Value
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise BrokenJson(str(error)) from error


def encode_json(value: Value, *, sort_keys: bool = False) -> str:
    """Write compact JSON, non-ASCII as it is; a float with integral value has no fraction."""
    encoder = _SORTED if sort_keys else _PLAIN
    text = encoder.encode(value)
    if b".0" in text and _WHOLE.search(text):  # hardly ever, and looking at each value is slow
        with suppress(RecursionError):  # too deep for Python: fractions stay, it is the same value
            text = encoder.encode(_without_fractions(value))
    return text.decode()


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


class _Open(msgspec.Struct):
    """An object or list that the scan is inside of, as it was and as it is to be."""

    before: Value
    after: Value
    index: int = 0
    key: str | None = None

    def pair(self) -> tuple[Value, Value]:
        """What stands at the place that the scan has come to, before and after."""
        return self._at(self.before), self._at(self.after)

    def _at(self, value: Value) -> Value:
        match value:
            case list(items) if self.index < len(items):
                return items[self.index]
            case dict(members) if self.key is not None:
                return members.get(self.key)
            case _:
                return None


def spliced(text: str, before: Value, after: Value) -> str:
    """Write into a valid text what differs between what it says and what it is to say.

    Both have the same shape: only texts, numbers and the like differ, no names and no lengths.
    """
    parts: list[str] = []
    written = 0
    around: list[_Open] = []
    old, new = before, after
    for found in _TOKEN.finditer(text):
        part = found.group()
        if part in "{[":
            around.append(_Open(before=old, after=new))
            if part == "[":
                old, new = around[-1].pair()
        elif part in "}]":
            around.pop()
        elif part == ",":
            around[-1].index += 1
            around[-1].key = None
            old, new = around[-1].pair()
        elif part != ":":
            inside = around[-1] if around else None
            if inside is not None and isinstance(inside.before, dict) and inside.key is None:
                inside.key = msgspec.json.decode(part, type=str)
                old, new = inside.pair()
            elif old != new and msgspec.json.decode(part) == old:
                parts += text[written : found.start()], encode_json(new)
                written = found.end()
    return "".join(parts) + text[written:]
