"""Search on judged questions beats plain BM25 and tells what it cannot answer.

The margins hold for any set of this kind; the questions go through all of the retrieval, as those
of agents do.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest

from application.knowledge.retrieval.evaluation import Answered, ReferenceBm25, auroc, share_from
from bench.retrieval_system import Found, QuestionSet, opened

DATA = Path(__file__).parents[2] / "fixtures" / "retrieval"

Search = Callable[[str], Awaitable[Found]]


async def answers(data: QuestionSet, search: Search) -> list[Answered]:
    result = []
    for question in data.questions:
        found = await search(question.text)
        ranked = tuple(data.passages[at].id for at in found.ranked)
        result.append(
            Answered(ranked=ranked, relevant=data.relevant[question.id], score=found.score)
        )
    return result


def mrr(found: Sequence[Answered]) -> float:
    return 100 * sum(answer.reciprocal_rank for answer in found) / len(found)


@dataclass(frozen=True)
class Wanted:
    """Least gains over the yardstick, least AUROC, least and most of what thresholds keep."""

    gain: float
    reranked_gain: float
    area: float
    kept_inside: float
    kept_outside: float


@pytest.mark.parametrize(
    "every", [2, pytest.param(1, marks=pytest.mark.long)], ids=["half", "whole"]
)
@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("en_squad", Wanted(1.2, 3.0, 0.94, 0.99, 0.45)),
        ("zh_cmrc", Wanted(0.4, 0.2, 0.98, 0.985, 0.08)),
    ],
)
async def test_search_beats_the_yardstick(name: str, wanted: Wanted, every: int) -> None:
    data = QuestionSet.read(DATA / name)
    data = replace(data, questions=data.questions[::every])
    texts = [passage.text for passage in data.passages]
    yardstick = ReferenceBm25(texts)

    async def by_yardstick(question: str) -> Found:
        return Found([at for at, _ in yardstick.search(question, limit=100)], 0.0)

    async with opened(texts, dimensions=1024) as system:
        reference = mrr(await answers(data, by_yardstick))
        by_words = await answers(data, partial(system.by_words, limit=10))
        reranked = mrr(await answers(data, partial(system.by_words_reranked, limit=10)))
        some = replace(data, questions=data.questions[::4])
        hybrid = mrr(await answers(some, system.hybrid))
        outside = [(await system.by_words(q.text, limit=1)).score for q in data.unanswerable]
    inside = [answer.score for answer in by_words]

    assert mrr(by_words) >= reference + wanted.gain
    assert reranked >= reference + wanted.reranked_gain
    assert hybrid >= mrr(by_words[::4]) - 0.5
    assert auroc(inside, outside) >= wanted.area
    assert share_from(inside, 0.5) >= wanted.kept_inside
    assert share_from(outside, 0.6) <= wanted.kept_outside
