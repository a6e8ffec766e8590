"""Bounds of JSON by its bytes: never below what a decoder finds, and exact where nothing hides."""

import json
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.shared.error import AppError, InvalidRequest, RequestTooLarge
from domain.shared.text.json_scan import PIECE, JsonBounds, JsonScan, check_json

WIDE = JsonBounds(depth=100, values=10_000)
TEXTS = st.text(alphabet=st.sampled_from('ab"\\[]{},:中😀\n0'), max_size=8)
DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXTS, inner, max_size=5),
    max_leaves=30,
)


def scan(text: bytes, bounds: JsonBounds, *, cut: int = PIECE) -> None:
    found = JsonScan(bounds)
    for at in range(0, len(text), cut):
        found.feed(text[at : at + cut])
    found.finish()


def depth_of(value: Any) -> int:
    match value:
        case list():
            return 1 + max(map(depth_of, value), default=0)
        case dict():
            return 1 + max(map(depth_of, value.values()), default=0)
        case _:
            return 0


def values_of(value: Any) -> int:
    match value:
        case list():
            return 1 + sum(map(values_of, value))
        case dict():
            return 1 + sum(map(values_of, value.values()))
        case _:
            return 1


@given(DOCUMENTS, st.booleans(), st.sampled_from([1, 2, 3, 7, 64]))
def test_documents_within_their_bounds_pass_and_deeper_ones_do_not(
    value: Any, ascii_only: bool, cut: int
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only).encode()
    depth = depth_of(value)

    scan(text, JsonBounds(depth, 10_000, may_have_nul=True), cut=cut)
    if depth:
        with pytest.raises(InvalidRequest, match="deeper"):
            scan(text, JsonBounds(depth - 1, 10_000, may_have_nul=True), cut=cut)


@given(DOCUMENTS)
def test_no_document_has_more_values_than_are_counted(value: Any) -> None:
    text = json.dumps(value).encode()

    with pytest.raises(RequestTooLarge):
        scan(text, JsonBounds(100, values_of(value) - 1, may_have_nul=True))


@given(st.binary(max_size=200), st.sampled_from([1, 5, 200]))
def test_any_bytes_are_taken_or_refused(text: bytes, cut: int) -> None:
    with suppress(AppError):
        scan(text, WIDE, cut=cut)
    with suppress(AppError):
        check_json(text, WIDE)


LIMIT = JsonBounds(depth=64, values=1000)
MANY = 200_000
HOSTILE: dict[str, bytes] = {
    "empty lists": b"[" + b"[]," * MANY + b"[]]",
    "empty objects": b"[" + b"{}," * MANY + b"{}]",
    "numbers": b"[" + b"1," * MANY + b"1]",
    "texts": b"[" + b'"",' * MANY + b'""]',
    "names": b"{" + b'"a":1,' * MANY + b'"a":1}',
    "quotes": b'"' * MANY,
    "nesting": b"[" * MANY,
    "nesting of objects": b'{"a":' * MANY,
    "hidden nesting": b"[" * 60 + b"[]," * 50 + b"[[[[[[",
    "long digits": b"1" * MANY,
    "exact fractions": b"[" + (b"0." + b"1" * 26 + b"e-300,") * 900 + b"1]",
    "nul": rb'{"a":"\u0000"}' + b" " * MANY,
    "nul behind backslashes": b'{"a":"' + rb"\\" * MANY + rb'\u0000"}',
    "no utf-8": b'{"a":"' + b"a" * MANY + b'\xff"}',
    "half a character": b'{"a":"' + b"a" * MANY + b"\xe4",
    "surrogate as utf-8": b'{"a":"\xed\xa0\x80"}',
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("cut", [PIECE, 1000, 15])
def test_hostile_texts_are_refused_however_they_are_cut(name: str, cut: int) -> None:
    with pytest.raises((InvalidRequest, RequestTooLarge)):
        scan(HOSTILE[name], LIMIT, cut=cut)
    with pytest.raises((InvalidRequest, RequestTooLarge)):
        check_json(HOSTILE[name], LIMIT)


@pytest.mark.parametrize(
    "text",
    [
        b'{"a":"' + b"[" * MANY + b'"}',
        b'{"a":"' + b"," * MANY + b'"}',
        b'{"a":"' + rb"\\" * MANY + b'"}',
        b'{"a":"' + rb"\"" * MANY + b'"}',
        b'{"a":"' + rb"\\u0000" * MANY + b'"}',
        b'{"a":"' + b"1" * MANY + b'"}',
        b'{"a":"' + "😀".encode() * MANY + b'"}',
        b'{"a":' + b" " * MANY + b"1}",
        b"[" + b",".join([b"0.12345678901234567"] * 900) + b"]",
    ],
)
@pytest.mark.parametrize("cut", [PIECE, 1001])
def test_what_stands_in_texts_counts_for_nothing(text: bytes, cut: int) -> None:
    scan(text, LIMIT, cut=cut)
    check_json(text, LIMIT)


@pytest.mark.parametrize("character", [rb"\n", rb"\/", "é".encode(), "😀".encode(), rb"\ud83d"])
def test_bytes_that_are_hard_to_decode_are_bounded(character: bytes) -> None:
    repeats = LIMIT.spelled_bytes // len(character)
    plain = b'{"a":"' + b"a" * 2 * LIMIT.spelled_bytes + b'"}'

    scan(plain, LIMIT)
    with pytest.raises(RequestTooLarge, match="ASCII"):
        scan(b'{"a":"' + character * (repeats + 10) + b'"}', LIMIT)


def test_one_wide_character_makes_its_whole_text_wide() -> None:
    long = b"a" * (LIMIT.spelled_bytes + PIECE)
    wide = "😀".encode()

    for text in (wide + long, long + wide, long[:PIECE] + wide + long):
        with pytest.raises(RequestTooLarge, match="ASCII"):
            scan(b'["' + text + b'"]', LIMIT)
    scan(b'["' + wide + b'","' + long + b'","' + wide + b'"]', LIMIT)


def test_a_decoder_takes_whatever_depth_a_scan_lets_pass() -> None:
    text = b'{"a":' * 64 + b"1" + b"}" * 64

    check_json(text, LIMIT)
    assert msgspec.json.decode(text)
