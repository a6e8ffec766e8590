"""How good retrieval is on judged questions.

Question sets are JSON lines: passages ``{id, doc_id, ord, text}``, queries ``{id, text, answers}``,
qrels ``{query_id, passage_id, relevance}`` and, to judge thresholds, questions that no passage
answers.
"""

import math
import random
import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeVar

import msgspec

from domain.shared.error import InvalidRequest

T = TypeVar("T")

RECALL_AT: Final = (1, 5, 10, 20, 100)
_DEPTH: Final = 10
_RESAMPLES: Final = 1000
_SEED: Final = 1
_TAIL: Final = 0.025  # on either side of a 95 % interval
_K1, _B = 1.2, 0.75
_WORDS: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff]+|[^\\W_\u3040-\u30ff\u3400-\u9fff]+")
_CJK_FROM: Final = "\u3040"


class Passage(msgspec.Struct, frozen=True):
    """A text that may answer questions; ``ord`` is its place in the document."""

    id: str
    text: str
    doc_id: str = ""
    ord: int = 0


class Question(msgspec.Struct, frozen=True):
    """A question with strings one of which an answer contains."""

    id: str
    text: str
    answers: tuple[str, ...] = ()


class Judgement(msgspec.Struct, frozen=True):
    """That a passage answers a question."""

    query_id: str
    passage_id: str
    relevance: int = 1


def read_lines(data: bytes, of: type[T], *, name: str) -> list[T]:
    """Read JSON lines; ``name`` is for the error.

    Raises:
        InvalidRequest: a line is malformed; the message names it.
    """
    items = []
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            try:
                items.append(msgspec.json.decode(line, type=of))
            except (msgspec.DecodeError, UnicodeDecodeError) as exc:
                raise InvalidRequest(f"{name}, line {number}: {exc}") from exc
    return items


def relevant_passages(judgements: Iterable[Judgement]) -> dict[str, frozenset[str]]:
    """Return the passages that answer each question."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for judgement in judgements:
        if judgement.relevance > 0:
            found[judgement.query_id].add(judgement.passage_id)
    return {query_id: frozenset(passages) for query_id, passages in found.items()}


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """What a system returned for one question: passages best first, and the first one's score."""

    ranked: tuple[str, ...]
    relevant: frozenset[str]
    score: float = 0.0

    @property
    def rank(self) -> int:
        """Place of the first relevant passage, from 1; 0 if there is none."""
        return next((at for at, one in enumerate(self.ranked, 1) if one in self.relevant), 0)

    @property
    def reciprocal_rank(self) -> float:
        return 1.0 / self.rank if 0 < self.rank <= _DEPTH else 0.0

    @property
    def ndcg(self) -> float:
        """Normalised discounted gain of the first ten, relevance being yes or no."""
        gains = (
            1.0 / math.log2(at + 1)
            for at, one in enumerate(self.ranked[:_DEPTH], 1)
            if one in self.relevant
        )
        ideal = sum(1.0 / math.log2(at + 1) for at in range(1, min(_DEPTH, len(self.relevant)) + 1))
        return sum(gains) / ideal if ideal else 0.0

    def recall(self, depth: int) -> float:
        found = self.relevant.intersection(self.ranked[:depth])
        return len(found) / len(self.relevant) if self.relevant else 0.0


class Interval(msgspec.Struct, frozen=True):
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Quality over all questions, each figure in [0, 1]."""

    questions: int
    recall: Mapping[int, Interval]
    mrr: Interval
    ndcg: Interval


def evaluate(answers: Sequence[Answered]) -> Report:
    """Average over the questions, with bootstrap intervals."""
    return Report(
        questions=len(answers),
        recall={
            depth: bootstrap([answer.recall(depth) for answer in answers]) for depth in RECALL_AT
        },
        mrr=bootstrap([answer.reciprocal_rank for answer in answers]),
        ndcg=bootstrap([answer.ndcg for answer in answers]),
    )


def bootstrap(values: Sequence[float]) -> Interval:
    """Return mean and interval by resampling the questions with a fixed seed."""
    if not values:
        return Interval(0.0, 0.0, 0.0)
    # Few distinct values: drawing how often each occurs is as good and much faster.
    counts = Counter(values)
    generator = random.Random(_SEED)  # noqa: S311 - statistics, not secrets
    population, weights = list(counts), list(counts.values())
    means = sorted(
        math.fsum(generator.choices(population, weights, k=len(values))) / len(values)
        for _ in range(_RESAMPLES)
    )
    low, high = int(_RESAMPLES * _TAIL), int(_RESAMPLES * (1 - _TAIL)) - 1
    return Interval(math.fsum(values) / len(values), means[low], means[high])


def auroc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """Return how often a positive beats a negative, ties counting half."""
    ordered = sorted(negative)
    wins = ((bisect_left(ordered, score) + bisect_right(ordered, score)) / 2 for score in positive)
    return math.fsum(wins) / (len(positive) * len(negative))


def share_from(scores: Sequence[float], minimum: float) -> float:
    """Return the share of scores that pass a minimum."""
    return sum(score >= minimum for score in scores) / len(scores)


class ReferenceBm25:
    """The yardstick: BM25 over lower-case words and pairs of CJK characters, nothing else."""

    def __init__(self, texts: Sequence[str]) -> None:
        tokens = [self._tokens(text) for text in texts]
        self._lengths = [len(one) for one in tokens]
        self._average = sum(self._lengths) / len(texts) if any(self._lengths) else 1.0
        self._postings: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, one in enumerate(tokens):
            for token, count in Counter(one).items():
                self._postings[token].append((number, count))

    def search(self, query: str, *, limit: int) -> list[tuple[int, float]]:
        """Return positions of texts with their scores, best first, ties in order."""
        scores: defaultdict[int, float] = defaultdict(float)
        for token in dict.fromkeys(self._tokens(query)):
            found = self._postings.get(token, [])
            rest = len(self._lengths) - len(found)
            gain = math.log(1 + (rest + 0.5) / (len(found) + 0.5))
            for number, count in found:
                damping = _K1 * (1 - _B + _B * self._lengths[number] / self._average)
                scores[number] += gain * count * (_K1 + 1) / (count + damping)
        return sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:limit]

    def _tokens(self, text: str) -> list[str]:
        tokens: list[str] = []
        for run in _WORDS.findall(text.lower()):
            if run >= _CJK_FROM and len(run) > 1:
                tokens += [run[at : at + 2] for at in range(len(run) - 1)]
            else:
                tokens.append(run)
        return tokens
