"""Search on judged questions beats plain BM25 and tells what it cannot answer.

The margins are those that ``spec/knowledge`` 8.3 asks for on any set of this kind.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from application.knowledge.evaluation import Answered, ReferenceBm25, auroc
from bench.retrieval_system import Found, QuestionSet, opened

DATA = Path(__file__).parents[1] / "fixtures" / "retrieval"

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


@pytest.mark.parametrize(
    ("name", "gain", "reranked_gain", "area"),
    [("en_squad", 1.2, 3.0, 0.94), ("zh_cmrc", 0.4, 0.2, 0.98)],
)
async def test_search_beats_the_yardstick(
    name: str, gain: float, reranked_gain: float, area: float
) -> None:
    data = QuestionSet.read(DATA / name)
    texts = [passage.text for passage in data.passages]
    yardstick = ReferenceBm25(texts)

    async def by_yardstick(question: str) -> Found:
        return Found([at for at, _ in yardstick.search(question, limit=100)], 0.0)

    async with opened(texts, dimensions=1024) as system:
        reference = mrr(await answers(data, by_yardstick))
        by_words = await answers(data, partial(system.by_words, limit=20))
        reranked = mrr(await answers(data, partial(system.by_words_reranked, limit=40)))
        some = replace(data, questions=data.questions[::4])
        hybrid = mrr(await answers(some, system.hybrid))
        outside = [(await system.by_words(q.text, limit=5)).score for q in data.unanswerable]

    assert mrr(by_words) >= reference + gain
    assert reranked >= reference + reranked_gain
    assert hybrid >= mrr(by_words[::4]) - 0.5
    assert auroc([answer.score for answer in by_words], outside) >= area
