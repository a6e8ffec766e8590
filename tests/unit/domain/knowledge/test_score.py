"""What scores mean, and what a minimum is compared with."""

import pytest

from domain.knowledge.ranking.score import (
    OFFLINE_SCALE,
    Calibration,
    Scores,
    SearchMode,
    ThresholdMode,
    embedding_score,
    family_scale,
    full_text_score,
    passes,
    relevance,
)

BOTH = Scores(embedding=0.9, full_text=0.4)


@pytest.mark.parametrize(("cosine", "score"), [(-1, 0), (0, 0.5), (1, 1), (1.1, 1), (-2, 0)])
def test_cosines_are_shown_on_the_scale_of_coze(cosine: float, score: float) -> None:
    assert embedding_score(cosine) == score


def test_a_calibration_stretches_the_scale_of_a_model() -> None:
    learnt = Calibration.automatic([0.5, 0.6, 0.7])

    assert (learnt.low, learnt.high) == pytest.approx((0.6, 0.9))
    assert embedding_score(0.75, learnt) == pytest.approx(0.5)
    assert embedding_score(0.2, learnt) == 0
    assert embedding_score(1.0, Calibration.automatic([1.0, 1.0])) == 1.0
    assert Calibration.automatic([]).low == -1.0
    assert embedding_score(0.0, OFFLINE_SCALE) < 0.5 < embedding_score(0.1, OFFLINE_SCALE)


@pytest.mark.parametrize(("coverage", "score"), [(0, 0), (0.25, 0.5), (1, 1), (1.0001, 1)])
def test_coverage_is_shown_as_its_root(coverage: float, score: float) -> None:
    assert full_text_score(coverage) == score


@pytest.mark.parametrize(
    ("scores", "mode", "weight", "shown"),
    [
        (BOTH, SearchMode.SEMANTIC, 0.5, 0.9),
        (BOTH, SearchMode.FULL_TEXT, 0.5, 0.4),
        (BOTH, SearchMode.HYBRID, 0.5, 0.9),
        (BOTH, SearchMode.HYBRID, 0.1, 0.9),
        (BOTH, SearchMode.HYBRID, 0.05, 0.4),
        (Scores(embedding=0.2, full_text=0.8), SearchMode.HYBRID, 0.95, 0.2),
        (Scores(embedding=0.9), SearchMode.HYBRID, 0.05, 0.0),
        (Scores(embedding=0.9, full_text=0.8, rerank=0.1), SearchMode.HYBRID, 0.5, 0.1),
        (Scores(is_sql=True), SearchMode.FULL_TEXT, 0.5, 1.0),
        (Scores(), SearchMode.HYBRID, 0.5, 0.0),
    ],
)
def test_the_shown_score_follows_the_mode(
    scores: Scores, mode: SearchMode, weight: float, shown: float
) -> None:
    assert relevance(scores, mode=mode, embedding_weight=weight) == shown
    assert passes(scores, shown, min_score=shown, mode=mode)
    assert passes(scores, shown, min_score=shown + 0.01, mode=mode) is scores.is_sql


def test_rows_found_by_sql_pass_every_minimum() -> None:
    assert passes(Scores(is_sql=True), 0.0, min_score=1.0, mode=SearchMode.HYBRID)


@pytest.mark.parametrize(
    ("mode", "scores", "passed"),
    [
        (SearchMode.SEMANTIC, Scores(embedding=0.1), False),
        (SearchMode.FULL_TEXT, Scores(full_text=0.1), True),
        (SearchMode.HYBRID, Scores(embedding=0.1, full_text=0.1), True),
        (SearchMode.HYBRID, Scores(full_text=0.9, rerank=0.1), False),
    ],
)
def test_fastgpt_ignores_the_minimum_without_a_reranker(
    mode: SearchMode, scores: Scores, passed: bool
) -> None:
    shown, threshold = relevance(scores, mode=mode), ThresholdMode.FASTGPT

    assert passes(scores, shown, min_score=0.5, mode=mode, threshold=threshold) is passed


@pytest.mark.parametrize(
    ("model", "low"),
    [
        ("intfloat/multilingual-e5-large", 0.7),
        ("e5-base-v2", 0.7),
        ("BAAI/bge-large-zh", 0.6),
        ("text-embedding-ada-002", 0.7),
        ("sentence-transformers/all-MiniLM-L6-v2", 0.03),
        ("BAAI/bge-large-zh-v1.5", None),
        ("some-file5-model", None),
        ("text-embedding-3-small", None),
    ],
)
def test_well_known_families_have_a_scale(model: str, low: float | None) -> None:
    found = family_scale(model)
    assert (None if found is None else found.low) == low
