"""Rows of tables."""

import json

from domain.knowledge.text.row import LONGEST_INDEX_TEXT, NamedCell, slice_of_row


def test_a_row_is_shown_whole_and_found_by_its_indexing_columns() -> None:
    row = slice_of_row(
        [
            NamedCell(column="国家", value="日本", is_indexed=True),
            NamedCell(column="population", value=125, is_indexed=True),
            NamedCell(column="note", value="secret"),
            NamedCell(column="gone", value=None, is_indexed=True),
        ]
    )

    assert row.index_text == "国家: 日本\npopulation: 125"
    assert row.content == '{"国家":"日本","population":125,"note":"secret","gone":null}'
    assert not row.is_truncated


def test_a_very_long_row_is_found_by_its_beginning() -> None:
    row = slice_of_row([NamedCell(column="text", value="x" * 9000, is_indexed=True)])

    assert row.is_truncated
    assert len(row.index_text) == LONGEST_INDEX_TEXT
    assert len(json.loads(row.content)["text"]) == 9000
