"""Pairs of questions and answers, and rows of tables."""

import json

import pytest

from domain.knowledge.text.pair import Pair, pairs_of_rows, parse_pairs
from domain.knowledge.text.row import LONGEST_INDEX_TEXT, NamedCell, slice_of_row


@pytest.mark.parametrize(
    ("reply", "pairs"),
    [
        ("Q1: Why?\nA1: Because.\nQ2: When?\nA2: Then.\nAnd later.", 2),
        ("**Q1:** Why?\n**A1:** Because.", 1),
        ("问1\uff1a为什么\n答1\uff1a因为", 1),
        ("Q: Why?\nA: Because.", 1),
        ("Q1: Why?\nQ2: When?\nA2: Then.", 1),
        ("A1: Because.", 0),
        ("No pairs here.", 0),
        ("", 0),
    ],
)
def test_pairs_are_read_from_replies(reply: str, pairs: int) -> None:
    assert len(parse_pairs(reply)) == pairs


def test_answers_may_have_several_lines() -> None:
    (pair,) = parse_pairs("Q1: Why?\nA1: First.\n\nSecond.")

    assert pair == Pair(question="Why?", answer="First.\n\nSecond.")
    assert pair.content == "Why?\nFirst.\n\nSecond."
    assert pair.index_text == "Why?"


def test_rows_with_a_question_become_pairs() -> None:
    rows = [
        {"Q": " Why? ", "a": "Because.", "index1": "reason", "index2": ""},
        {"q": "", "a": "lost"},
        {"q": "Alone?"},
    ]

    first, second = pairs_of_rows(rows)

    assert first.index_text == "Why?\nreason"
    assert second.content == "Alone?"


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
