"""Replies of models that rewrite and expand questions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.knowledge.ranking.query import (
    choose_variants,
    distinct,
    parse_rewrite,
    parse_variants,
    searchable,
)


@pytest.mark.parametrize(
    ("reply", "question"),
    [
        ("When did the oil crisis end?", "When did the oil crisis end?"),
        ('"When did it end?"', "When did it end?"),
        ("Question: When did it end?", "When did it end?"),
        ("Rewritten question\uff1a 「何时结束」", "何时结束"),
        ("改写后的问题\uff1a何时结束", "何时结束"),
        ("```\nWhen did\nit end?\n```", "When did it end?"),
        ("", "original"),
        (' "" \n', "original"),
    ],
)
def test_a_rewrite_is_stripped_of_its_wrapping(reply: str, question: str) -> None:
    assert parse_rewrite(reply, original="original") == question


def test_a_rewrite_is_bounded() -> None:
    assert len(parse_rewrite("word " * 1000, original="x")) <= 500


@pytest.mark.parametrize(
    ("reply", "variants"),
    [
        ('["a", "b"]', ["a", "b"]),
        ('Here you are:\n```json\n["a", "b"]\n```\nAnything else?', ["a", "b"]),
        (r'["the \"oil\" crisis", "b"]', ['the "oil" crisis', "b"]),
        (r"[\"a\", \"b\"]", ["a", "b"]),
        ("[\u201ca\u201d\uff0c\u201cb\u201d]", ["a", "b"]),
        ('["a [1]", "b"]', ["a [1]", "b"]),
        ('["a", 1, null, " ", ["c"], "b"]', ["a", "b"]),
        ("[]", []),
        ("", []),
        ("I cannot do that.", []),
        ('{"a": 1}', []),
        ('["a", "b"', []),
        ("]a[", []),
    ],
)
def test_variants_are_read_from_any_reply(reply: str, variants: list[str]) -> None:
    assert parse_variants(reply) == variants


@given(st.text(alphabet='[]"\\,a \u201c\uff0c\n`', max_size=60))
def test_no_reply_breaks_the_reading(reply: str) -> None:
    for variant in parse_variants(reply):
        assert variant.strip() == variant != ""


def test_variants_that_say_the_same_are_dropped() -> None:
    assert distinct("Oil price?", ["oil price", "Oil, price!", "Gas price", "gas PRICE", "?"]) == [
        "Gas price"
    ]


def test_few_variants_are_all_taken_and_many_in_order_without_vectors() -> None:
    assert choose_variants(["a", "b"], 3) == ["a", "b"]
    assert choose_variants(["a", "b", "c"], 2) == ["a", "b"]


def test_with_vectors_variants_are_near_the_question_and_apart() -> None:
    vectors = [[1.0, 0.0], [0.99, 0.1], [0.0, 1.0]]

    assert choose_variants(["a", "a2", "b"], 2, original=[1.0, 0.0], vectors=vectors) == ["a", "b"]


def test_a_question_is_cut_and_blanks_ask_nothing() -> None:
    assert searchable(" \n ") == ""
    assert len(searchable("x" * 9000)) == 8000
