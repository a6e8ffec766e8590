"""Files of tables: what text may do in them, and what of it comes back."""

import csv
import io
import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.shared.error import InvalidRequest
from infra.contract.table.sql_guard import Scalar
from infra.impl.table_file import FILES, open_table_file
from tests.support.document.reading import read_table

COLUMNS = ("name", "value")
STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "'", " =")


def written(format_name: str, rows: list[tuple[Scalar, ...]], *, title: str = "t") -> bytes:
    file = open_table_file(format_name, title=title, columns=COLUMNS)
    return b"".join([*(file.add([row]) for row in rows), *file.finish()])


@pytest.mark.parametrize("format_name", FILES.names())
@pytest.mark.parametrize("start", STARTS)
def test_no_text_is_a_formula(format_name: str, start: str) -> None:
    text = f"{start}HYPERLINK(A1)"
    data = written(format_name, [(text, 1)])
    match format_name:
        case "jsonl":
            assert json.loads(data) == {"name": text, "value": 1}
        case "csv":
            (_, row) = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""))
            assert row == [f"'{text}" if start in STARTS[:7] else text, "1"]
        case _:
            found = read_table(data, "xlsx")
            assert "formula_without_value" not in found.warnings
            assert found.rows == [(text, "1")]


def test_names_of_columns_are_no_formulas_either() -> None:
    file = open_table_file("csv", title="t", columns=("=1+1",))
    assert b"'=1+1" in b"".join([file.add([]), *file.finish()])
    file = open_table_file("xlsx", title="t", columns=("=1+1", "b"))
    file.add([("a", "b")])
    assert read_table(b"".join(file.finish()), "xlsx").metadata.columns == ("=1+1", "b")


@given(text=st.text(min_size=1, max_size=50))
def test_any_text_makes_a_workbook_that_opens(text: str) -> None:
    found = read_table(written("xlsx", [(text, "end")], title=text), "xlsx")
    assert found.rows[0][1] == "end"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (10**15, str(10**15)),
        (2**62, str(2**62)),
        (-3, "-3"),
        (1.5, "1.5"),
        (True, "true"),
        (None, None),
    ],
)
def test_values_keep_what_they_are(value: Scalar, shown: str | None) -> None:
    found = read_table(written("xlsx", [("a", value)]), "xlsx")
    assert found.rows == [("a", shown)]


def test_an_unknown_format_is_refused_with_those_there_are() -> None:
    with pytest.raises(InvalidRequest, match="csv, jsonl, xlsx"):
        open_table_file("pdf", title="t", columns=COLUMNS)


def test_a_file_that_nobody_fetches_leaves_nothing(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    file = open_table_file("xlsx", title="t", columns=COLUMNS)
    file.add([("a", 1)])
    file.discard()
    assert list(tmp_path.iterdir()) == []
    assert "openpyxl" in sys.modules
