"""Measures of retrieval against small cases worked out by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from application.knowledge.retrieval.evaluation import (
    Answered,
    Judgement,
    Passage,
    Question,
    ReferenceBm25,
    auroc,
    bootstrap,
    evaluate,
    read_lines,
    relevant_passages,
    share_from,
)
from domain.shared.error import InvalidRequest


def answered(ranked: str, relevant: str = "a") -> Answered:
    return Answered(ranked=tuple(ranked), relevant=frozenset(relevant))


def test_figures_are_those_of_the_formulas() -> None:
    report = evaluate([answered("abc"), answered("bca"), answered("xyz"), answered("")])

    assert report.questions == 4
    assert report.recall[1].mean == 0.25
    assert report.recall[5].mean == 0.5
    assert report.mrr.mean == pytest.approx((1 + 1 / 3) / 4)
    assert report.ndcg.mean == pytest.approx((1 + 1 / math.log2(4)) / 4)


def test_what_is_found_beyond_the_tenth_place_adds_to_recall_only() -> None:
    late = answered("bcdefghijka")

    assert (late.reciprocal_rank, late.ndcg) == (0, 0)
    assert (late.recall(10), late.recall(20)) == (0, 1)


def test_several_relevant_passages_share_the_recall() -> None:
    one = answered("axb", "ab")

    assert one.recall(1) == 0.5
    assert one.ndcg == pytest.approx((1 + 1 / math.log2(4)) / (1 + 1 / math.log2(3)))


def test_a_question_nobody_judged_counts_as_missed() -> None:
    assert (answered("a", "").recall(5), answered("a", "").ndcg) == (0, 0)
    assert evaluate([]).mrr.mean == 0


def test_intervals_hold_the_mean_and_shrink_with_the_questions() -> None:
    few, many = bootstrap([0.0, 1.0] * 10), bootstrap([0.0, 1.0] * 500)

    assert few.low < few.mean < few.high
    assert many.high - many.low < few.high - few.low
    assert bootstrap([0.0, 1.0] * 10) == few


def test_pairs_show_differences_that_single_intervals_hide() -> None:
    one = [0.1, 0.5, 0.9] * 20
    better = [value + 0.05 for value in one]

    difference = bootstrap([a - b for a, b in zip(better, one, strict=True)])

    assert difference.low == pytest.approx(0.05)
    assert bootstrap(better).low < bootstrap(one).high


@pytest.mark.parametrize(
    ("positive", "negative", "area"),
    [([2, 3], [0, 1], 1.0), ([0, 1], [2, 3], 0.0), ([1], [1], 0.5), ([1, 3], [2, 0], 0.75)],
)
def test_the_area_counts_pairs_in_the_right_order(
    positive: list[float], negative: list[float], area: float
) -> None:
    assert auroc(positive, negative) == area


@given(st.lists(st.integers(0, 9), min_size=1), st.lists(st.integers(0, 9), min_size=1))
def test_the_area_is_complementary(one: list[int], other: list[int]) -> None:
    assert auroc(one, other) + auroc(other, one) == pytest.approx(1)


def test_scores_at_a_minimum_pass_it() -> None:
    assert share_from([0.4, 0.5, 0.6, 0.1], 0.5) == 0.5


def test_question_sets_are_read_from_json_lines() -> None:
    passages = read_lines('{"id": "p", "text": "油", "extra": 1}\n\n'.encode(), Passage, name="p")
    questions = read_lines(b'{"id": "q", "text": "t", "answers": ["x"]}', Question, name="q")

    assert passages == [Passage(id="p", text="油")]
    assert questions[0].answers == ("x",)
    judged = [Judgement("q", "p"), Judgement("q", "p2"), Judgement("q", "p3", 0)]
    assert relevant_passages(judged) == {"q": frozenset({"p", "p2"})}


@pytest.mark.parametrize("line", [b"nonsense", b"{}", b"[1]", b"\xff", b'{"id": 1, "text": "x"}'])
def test_a_malformed_line_is_named(line: bytes) -> None:
    with pytest.raises(InvalidRequest, match="passages, line 2"):
        read_lines(b'{"id": "p", "text": "x"}\n' + line, Passage, name="passages")


def test_the_yardstick_ranks_by_bm25() -> None:
    reference = ReferenceBm25(["oil price", "price", "石油危机", "gas"])

    assert [at for at, _ in reference.search("Oil price?", limit=9)] == [0, 1]
    assert [at for at, _ in reference.search("危机", limit=9)] == [2]
    assert reference.search("xyzzy", limit=9) == []
    (first, *_) = reference.search("price", limit=1)
    damping = 1.2 * (0.25 + 0.75 * 1 / (7 / 4))
    gain = math.log(1 + 2.5 / 2.5)
    assert first[0] == 1
    assert first[1] == pytest.approx(gain * 2.2 / (1 + damping))
