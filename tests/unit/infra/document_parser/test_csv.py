"""Delimited text."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.shared.limits import Limits
from infra.contract.document.parser import (
    DocumentNotParsed,
    ParseFailure,
    ParseOptions,
    Purpose,
    TableRange,
)
from tests.support.document.reading import read, read_table


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(delimiter: str) -> None:
    lines = [["name", "note"], ["a", "x,y" if delimiter != "," else "x;y"], ["b", "1.5"]]
    data = "\n".join(delimiter.join(line) for line in lines).encode()

    found = read_table(data, "csv")

    assert found.metadata.columns == ("name", "note")
    assert [list(row) for row in found.rows] == lines[1:]


def test_quoted_line_breaks_and_quotes_are_kept() -> None:
    found = read_table(b'a,b\n"one\ntwo","say ""hi"""\n', "csv")

    assert found.rows == [("one\ntwo", 'say "hi"')]


def test_short_rows_are_padded_and_empty_ones_dropped() -> None:
    found = read_table(b"a,b,c\n1\n\n,,\n1,2,3,,\n", "csv")

    assert found.rows == [("1", None, None), ("1", "2", "3")]


def test_names_are_trimmed_filled_and_made_unique() -> None:
    found = read_table(b" id ,,id,id_2,id\n1,2,3,4,5\n", "csv")

    assert found.metadata.columns == ("id", "column_2", "id_2", "id_2_2", "id_3")


def test_a_few_long_rows_are_reported_and_left_out() -> None:
    lines = ["a,b", *("1,2" for _ in range(200)), "1,2,3"]
    found = read_table("\n".join(lines).encode(), "csv")

    (warning,) = found.metadata.warnings
    assert (warning.code, warning.detail) == ("bad_row", "line 202: 3 cells, not 2")
    assert len(found.rows) == 200


def test_many_long_rows_fail_the_document() -> None:
    with pytest.raises(DocumentNotParsed) as caught:
        read_table(b"a,b\n1,2\n1,2,3\n", "csv")

    assert caught.value.failure is ParseFailure.BAD_ROWS


def test_the_range_decides_what_is_header_and_data() -> None:
    data = b"Report\n\nname,age\n(text),(years)\na,1\nb,2\nc,3\n"
    table = TableRange(header_line=2, data_line=4, rows_count=2)
    options = ParseOptions(purpose=Purpose.TABLE, table=table)

    found = read(data, "csv", options=options)

    assert found.metadata.columns == ("name", "age")
    assert found.rows == [("a", "1"), ("b", "2")]
    assert found.tables[0].row == 5


def test_a_header_beyond_the_end_is_missing() -> None:
    options = ParseOptions(purpose=Purpose.TABLE, table=TableRange(header_line=9))
    with pytest.raises(DocumentNotParsed) as caught:
        read(b"a,b\n1,2\n", "csv", options=options)

    assert caught.value.failure is ParseFailure.HEADER_MISSING


def test_more_rows_than_allowed_are_refused() -> None:
    with pytest.raises(DocumentNotParsed) as caught:
        read_table(b"a\n" + b"1\n" * 20, "csv", limits=Limits(document_rows=20))

    assert caught.value.failure is ParseFailure.TOO_LARGE


def test_as_a_text_every_table_repeats_its_header() -> None:
    found = read(b"a,b\n" + b"1,2\n" * 450, "csv")

    assert [table.rows[0] for table in found.tables] == [("a", "b")] * 3
    assert all(table.header_rows == 1 for table in found.tables)


values = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cc"), exclude_characters="\ufeff"),
    min_size=1,
    max_size=12,
)


@given(st.lists(st.tuples(values, values, values), min_size=1, max_size=20))
def test_what_was_written_is_read(rows: list[tuple[str, str, str]]) -> None:
    buffer = io.StringIO()
    csv.writer(buffer, quoting=csv.QUOTE_ALL).writerows([("a", "b", "c"), *rows])

    assert read_table(buffer.getvalue().encode(), "csv").rows == rows
