"""Tables that are written and read again are equal, whatever their cells hold."""

import io
from datetime import datetime

import openpyxl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domain.knowledge.tables.column import Column, ColumnType
from domain.knowledge.tables.table import TableSchema
from infra.contract.table.sql_guard import Scalar
from infra.impl.table_file import open_table_file
from tests.support.document.reading import read_table

SCHEMA = TableSchema.of(
    Column(id=at, name=name, type=kind, is_semantic=at == 0, sequence=at)
    for at, (name, kind) in enumerate(
        {
            "=name": ColumnType.TEXT,
            "text": ColumnType.TEXT,
            "number": ColumnType.NUMBER,
            "float": ColumnType.FLOAT,
            "when": ColumnType.DATE,
            "switch": ColumnType.BOOLEAN,
        }.items()
    )
)
DATES = [at for at, column in enumerate(SCHEMA.columns) if column.type is ColumnType.DATE]
HOSTILE = st.sampled_from(
    [
        *("=1+1", "'=1+1", "''+1", "'", "-5", "007", "1e5", "true", "2024-01-02", " a ", 'a"b'),
        *("a;b|c", "a\tb", "a,b", "a\nb", "a\r\nb", "\ra", "_x000D_", "#N/A", "'tis", "@x", "\t=1"),
    ]
)
TEXT = st.text(
    st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="\ufffe\uffff\ufeff"),
    min_size=1,
    max_size=30,
)
FILLED = (TEXT | HOSTILE).filter(lambda text: bool(text.strip()))
MOMENTS = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31)).map(  # noqa: DTZ001
    lambda moment: moment.replace(microsecond=0).isoformat(" ")
)
ROWS = st.lists(
    st.tuples(
        FILLED,
        st.none() | FILLED,
        st.none() | st.integers(-(2**63) + 1, 2**63 - 1),
        st.none() | st.floats(allow_nan=False, allow_infinity=False),
        st.none() | MOMENTS,
        st.none() | st.booleans(),
    ),
    min_size=1,
    max_size=12,
)


@pytest.mark.parametrize("format_name", ["csv", "xlsx"])
@given(rows=ROWS)
@example(rows=[("\ra", None, None, None, None, None), ("'\na", None, None, None, None, None)])
def test_an_exported_table_is_imported_equal(
    format_name: str, rows: list[tuple[Scalar, ...]]
) -> None:
    names = [column.name for column in SCHEMA.columns]
    file = open_table_file(format_name, title="t", columns=names, dates=DATES)
    data = b"".join([*(file.add([row]) for row in rows), *file.finish()])

    found = read_table(data, format_name)

    assert list(found.metadata.columns) == names
    expected = [tuple(map(_with_line_feeds, row)) for row in rows] if format_name == "csv" else rows
    assert SCHEMA.read(found.metadata.columns, found.rows) == expected


def _with_line_feeds(cell: Scalar) -> Scalar:
    """A line of a CSV file may end in any way, so those in its cells are read as one."""
    if not isinstance(cell, str):
        return cell
    return cell.replace("\r\n", "\n").replace("\r", "\n")


@pytest.mark.parametrize("text", ["a;b", "a;b;c", "x|y", "a\tb\tc", "a,b"])
def test_one_column_of_separators_stays_one(text: str) -> None:
    file = open_table_file("csv", title="t", columns=["name"])
    data = b"".join([file.add([(text,), (text,)]), *file.finish()])
    assert read_table(data, "csv").rows == [(text,), (text,)]


def test_dates_of_workbooks_are_dates() -> None:
    file = open_table_file("xlsx", title="t", columns=["a", "b"], dates=[1])
    file.add([("2024-01-02 03:04:05",) * 2, ("x", "1850-01-01 00:00:00"), ("y", None)])
    sheet = openpyxl.load_workbook(io.BytesIO(b"".join(file.finish()))).worksheets[0]
    cells = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=2)]
    moment = datetime(2024, 1, 2, 3, 4, 5)  # noqa: DTZ001
    assert cells == [
        ["2024-01-02 03:04:05", moment],
        ["x", "1850-01-01 00:00:00"],
        ["y", None],
    ]
