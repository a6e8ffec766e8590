"""JSON as tables and as text."""

import pytest

from infra.contract.document.parser import DocumentNotParsed, ParseFailure
from tests.support.document.reading import read, read_table


def test_columns_stand_in_the_order_of_their_first_use() -> None:
    found = read_table(b'[{"b": 1, "a": "x"}, {"c": true, "a": null}]', "json")

    assert found.metadata.columns == ("b", "a", "c")
    assert found.rows == [("1", "x", None), (None, None, "true")]


def test_nested_values_are_compact_json() -> None:
    found = read_table('[{"a": {"名": [1, 2.50]}}]'.encode(), "json")

    assert found.rows == [('{"名":[1,2.5]}',)]


def test_json_lines_are_rows() -> None:
    assert read_table(b'{"a": 1}\n\n{"a": 2}\n', "jsonl").rows == [("1",), ("2",)]


@pytest.mark.parametrize("data", [b"[]", b"[1]", b'{"a": 1}', b'"text"', b'[{"a": 1}, []]'])
def test_anything_but_rows_is_no_table(data: bytes) -> None:
    with pytest.raises(DocumentNotParsed) as caught:
        read_table(data, "json")

    assert caught.value.failure is ParseFailure.NOT_A_ROW_ARRAY


@pytest.mark.parametrize("data", [b"{", b"[1,", b"[NaN]", b"{} {}"])
def test_broken_json_is_corrupt(data: bytes) -> None:
    with pytest.raises(DocumentNotParsed) as caught:
        read_table(data, "json")

    assert caught.value.failure is ParseFailure.CORRUPT


def test_members_become_sections() -> None:
    found = read(b'{"intro": "Hello", "data": {"x": [1]}}', "json")

    assert found.headings == [(1, "intro"), (1, "data")]
    assert found.text == 'intro Hello data { "x": [ 1 ] }'
