"""Types guessed from cells, and cells converted to types."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.knowledge.tables.column import (
    CellUnfit,
    ColumnType,
    convert,
    infer_type,
    infer_types,
    type_of,
)
from infra.contract.table.sql_guard import Scalar

TEXT, NUMBER, DATE, FLOAT, BOOLEAN = (
    ColumnType.TEXT,
    ColumnType.NUMBER,
    ColumnType.DATE,
    ColumnType.FLOAT,
    ColumnType.BOOLEAN,
)


@pytest.mark.parametrize(
    ("cell", "wanted"),
    [
        ("true", BOOLEAN),
        ("FALSE", BOOLEAN),
        ("0", NUMBER),
        ("-12", NUMBER),
        (" 7 ", NUMBER),
        ("123456789012345678", NUMBER),
        ("1234567890123456789", TEXT),
        ("007", TEXT),
        ("+5", TEXT),
        ("-0", TEXT),
        ("1.5", FLOAT),
        ("0.10", FLOAT),
        ("-0.5e-3", FLOAT),
        ("1.5e999", TEXT),
        ("00.5", TEXT),
        ("12E4", TEXT),
        ("1,000", TEXT),
        ("nan", TEXT),
        ("inf", TEXT),
        ("\uff12\uff10", TEXT),
        ("2024-01-31", DATE),
        ("2024-01-31T09:30", DATE),
        ("2024-01-31 09:30:15", DATE),
        ("2024/1/31", DATE),
        ("2024年1月31日", DATE),
        ("2024年1月31日 9:30", DATE),
        ("2024-02-30", TEXT),
        ("20240131", NUMBER),
        ("", TEXT),
        ("Paris", TEXT),
    ],
)
def test_a_cell_has_the_narrowest_type(cell: str, wanted: ColumnType) -> None:
    assert type_of(cell) is wanted


@pytest.mark.parametrize(
    ("cells", "wanted"),
    [
        (["1", "2", None, ""], NUMBER),
        (["1", "2.5"], FLOAT),
        (["1", "true"], TEXT),
        (["1", "x"], TEXT),
        (["001", "2"], TEXT),
        (["2024-01-01", "2024/1/2"], DATE),
        (["2024-01-01", "5"], TEXT),
        ([None, "", "  "], TEXT),
        ([], TEXT),
    ],
)
def test_a_column_has_the_type_its_cells_share(cells: list[str | None], wanted: ColumnType) -> None:
    assert infer_type(cells) is wanted


def test_a_guess_looks_at_a_thousand_rows() -> None:
    assert infer_type(["1"] * 1000 + ["x"]) is NUMBER
    assert infer_types([["1", "a"], ["2"]], 3) == [NUMBER, TEXT, TEXT]


@pytest.mark.parametrize(
    ("value", "column_type", "wanted"),
    [
        ("007", NUMBER, 7),
        ("5.0", NUMBER, 5),
        (5.0, NUMBER, 5),
        ("9223372036854775807", NUMBER, 2**63 - 1),
        ("12", FLOAT, 12.0),
        ("1e3", FLOAT, 1000.0),
        (".5", FLOAT, 0.5),
        ("TRUE", BOOLEAN, True),
        ("0", BOOLEAN, False),
        (True, BOOLEAN, True),
        ("2024年1月2日", DATE, "2024-01-02 00:00:00"),
        ("2024/1/2 3:04", DATE, "2024-01-02 03:04:00"),
        ("2024-01-02T03:04:05", DATE, "2024-01-02 03:04:05"),
        (" x ", TEXT, " x "),
        (7, TEXT, "7"),
        (True, TEXT, "true"),
        ("key.png", ColumnType.IMAGE, "key.png"),
        ("  ", NUMBER, None),
        (None, TEXT, None),
    ],
)
def test_a_value_becomes_a_cell(value: Scalar, column_type: ColumnType, wanted: Scalar) -> None:
    cell = convert(value, column_type)

    assert cell == wanted
    assert type(cell) is type(wanted)


@pytest.mark.parametrize(
    ("value", "column_type"),
    [
        ("x", NUMBER),
        ("1.5", NUMBER),
        (1.5, NUMBER),
        (math.inf, NUMBER),
        (math.nan, NUMBER),
        (True, NUMBER),
        ("9223372036854775808", NUMBER),
        ("x", FLOAT),
        ("nan", FLOAT),
        ("1e999", FLOAT),
        (math.inf, FLOAT),
        (10**400, FLOAT),
        ("yes", BOOLEAN),
        (2, BOOLEAN),
        ("2024-13-01", DATE),
        (20240101, DATE),
        ("a\0b", TEXT),
        ("\ud800", TEXT),
    ],
)
def test_a_value_of_another_type_is_refused(value: Scalar, column_type: ColumnType) -> None:
    with pytest.raises(CellUnfit):
        convert(value, column_type)


@given(st.text(max_size=30))
def test_every_cell_converts_to_its_own_type(text: str) -> None:
    found = type_of(text)

    if "\0" not in text:
        convert(text.encode("utf-8", "ignore").decode(), found)


@given(st.text(max_size=30), st.sampled_from(list(ColumnType)))
def test_conversion_never_fails_in_another_way(text: str, column_type: ColumnType) -> None:
    try:
        convert(text, column_type)
    except CellUnfit:
        return


@given(st.integers(-(10**18) + 1, 10**18 - 1))
def test_integers_come_back_as_written(number: int) -> None:
    assert type_of(str(number)) is NUMBER
    assert convert(str(number), NUMBER) == number
