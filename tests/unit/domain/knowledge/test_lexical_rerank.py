"""Reranking without a model."""

from domain.knowledge.ranking.lexical_rerank import rerank_lexically
from domain.knowledge.text.analyzer import Analyzer


def order(query: str, documents: list[str], scores: list[float]) -> list[int]:
    return [at for at, _ in rerank_lexically(query, documents, scores, analyzer=Analyzer())]


def test_words_side_by_side_beat_words_apart() -> None:
    documents = [
        "The price of many things rose, oil among them.",
        "The oil price rose and many things with it.",
        "Something else entirely.",
    ]

    assert order("oil prices", documents, [1.0, 1.0, 0.0]) == [1, 0, 2]


def test_misspelt_words_still_count_a_little() -> None:
    documents = ["nothing of the kind", "the refinery burnt down", "neither does this"]

    assert order("refinerry", documents, [0.0, 0.0, 0.0])[0] == 1


def test_chinese_keeps_the_order_of_the_index() -> None:
    assert order("石油危机", ["危机", "石油危机", "天气"], [2.0, 3.0, 0.0]) == [1, 0, 2]


def test_equal_documents_stay_in_order() -> None:
    assert order("oil", ["a", "a", "a"], [1.0, 1.0, 1.0]) == [0, 1, 2]
    assert order("oil", [], []) == []
