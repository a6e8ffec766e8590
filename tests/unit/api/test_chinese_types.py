"""What the console says in Chinese covers all that msgspec refuses values with."""

import datetime
import decimal
import enum
import itertools
import re
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
import pytest

from tests.unit.api.test_chinese_sentences import nouns, said

_BINARY: Final = next(Path(msgspec.__file__).parent.glob("_core*.so"))
_FORMAT: Final = re.compile(rb"\0([ -~]*[a-z][ -~]*)%U(?=\0)")
"""A message of the library, which the place of the value follows."""
_JSON: Final = re.compile(rb"\0(JSON is malformed: [ -~]*|Input data was truncated)(?=\0)")
_VALUE: Final = re.compile(r"%(?:lld|llu|zd|[RsU])")
_NOT_JSON: Final = ("Expected __", "Invalid MessagePack", " - at")
"""Beginnings of what is said of other formats, and to programmers."""
_LITERAL: Final = {
    ("Expected `array` of at least length {1}, got 0"): (
        "Expected `array` of at least length {1}, got {2}"
    ),
    ("Expected `array` of at least length 1, got 0"): (
        "Expected `array` of at least length {1}, got {2}"
    ),
    "Invalid value '{1}'": "Invalid value {1}",
    "Expected `int`": "Expected `{1}`",
    "Expected `str`": "Expected `{1}`",
}
"""Messages that another one covers."""


class _Colour(enum.Enum):
    RED = "red"


class _Shape(msgspec.Struct):
    side: int


TYPES: Final[tuple[Any, ...]] = (
    int, str, float, bool, None, bytes, list[int], tuple[int, int], dict[str, int], _Colour, _Shape,
    Literal["one"], Literal[1], uuid.UUID, decimal.Decimal, datetime.datetime, datetime.date,
    datetime.time, datetime.timedelta, int | None, str | int | None, msgspec.Raw | None,
    Annotated[int, msgspec.Meta(ge=3)], list[str] | dict[str, int],
)  # fmt: skip
VALUES: Final = (b"null", b"true", b"12", b"1.5", b'"x"', b"[]", b'["x"]', b"{}", b'{"a": "x"}')
BROKEN: Final = (
    b"[1 2]", b"[1,]", b'{"a" 1}', b'{"a": 1 "b"}', b'{"a": 1,}', b"{1: 2}", b"nul", b"-", b"1.x",
    b'"\\q"', b'"\\u12', b'"\\uzzzz"', b'"\\ud800"', b'"\\ud800\\u0041"', b'"\\ud800x"', b"1 1",
    b"", b"[", b'"', b"\x01", b'"\x01"', b"{,}", b'{"a":', b'"\\ud800\\uzzzz"',
)  # fmt: skip


def formats() -> Iterator[str]:
    """The messages of the library, with {1}, {2} … for their values."""
    content = _BINARY.read_bytes()
    for found in (*_FORMAT.findall(content), *_JSON.findall(content)):
        text = found.decode().rstrip()
        if not text.startswith(_NOT_JSON):
            count = itertools.count(1)
            yield _VALUE.sub(lambda _, count=count: f"{{{next(count)}}}", text)  # type: ignore[misc]


def refusals(types: tuple[Any, ...], values: tuple[bytes, ...]) -> Iterator[str]:
    """What the library says to these values."""
    for wanted, value in itertools.product(types, values):
        try:
            msgspec.json.decode(value, type=wanted, strict=False)
        except (msgspec.DecodeError, UnicodeDecodeError) as exc:
            yield str(exc)


def test_each_message_of_the_library_is_said_and_nothing_else() -> None:
    found = {_LITERAL.get(each, each) for each in formats()}
    assert found >= {"Expected `{1}`, got `{2}`", "Object missing required field `{1}`"}
    assert said("type-sentences").keys() - {"Expected `{1}`"} == found - {"Expected `{1}`"}


@pytest.mark.parametrize(
    ("group", "pattern", "types", "values"),
    [
        ("type", r"`([^`]*)`", TYPES, VALUES),
        ("json", r"JSON is malformed: (.*) \(byte", (Any,), BROKEN),
    ],
)
def test_the_nouns_of_the_library_are_said(
    group: str, pattern: str, types: tuple[Any, ...], values: tuple[bytes, ...]
) -> None:
    told = [each for each in refusals(types, values) if " field `" not in each]
    words = {
        word
        for each in told
        for found in re.findall(pattern, each.partition(" - at ")[0])
        for word in found.split(" | ")
    }
    assert len(words) > 5
    assert words <= nouns()[group], words - nouns()[group]
