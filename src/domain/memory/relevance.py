"""Which memories belong into a prompt.

Two rankings, by embedding and by words, are fused by reciprocal ranks. What is old, long or
unimportant counts less, what shares words with the question more. Then the best are picked one by
one, each at the price of its likeness with those picked already, until the room is full.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from math import log, sqrt
from typing import Final

from domain.memory.recollection import Recollection, RecollectionId, RecollectionKind, decay

CANDIDATES: Final = 50
"""Of each ranking."""

_RANK_OFFSET: Final = 60
_LIKE_AT_LEAST: Final = 0.25
"""Cosine below which texts have nothing to do with each other, whatever the model."""

_BASE: Final = 0.15
"""Relevance of statements that neither ranking found: who somebody is may always matter."""

_K1, _B = 1.2, 0.75  # the usual constants of BM25
_KEYWORD_BOOST: Final = 0.5
_FAIR_TERMS: Final = 60
"""Length from which a text pays for being long."""

_RELEVANCE_SHARE: Final = 0.7  # of MMR; the rest is what likeness costs
_TELLING_CHARS: Final = 40
"""Length below which the beginning of a text tells nothing."""

_LEAST_ROOM: Final = 12
"""Tokens below which nothing more is tried."""

_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+|(?<=[\u3002\uff01\uff1f])|\n+")
_FADING: Final = frozenset({RecollectionKind.EPISODE, RecollectionKind.EVENT})

CountTokens = Callable[[str], int]
Likeness = Callable[[Recollection, Sequence[Recollection]], Sequence[float]]
"""Compares one memory with others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A memory and how much it matters to the question, from 0 upwards."""

    item: Recollection
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A memory as it goes into the prompt, cut if it was too long."""

    item: Recollection
    text: str


def rank(
    items: Sequence[Recollection],
    *,
    terms: Sequence[str],
    similarities: Mapping[RecollectionId, float],
    now: datetime,
) -> list[Ranked]:
    """Order what is active by how much it matters; what does not is left out.

    ``terms`` are the search tokens of the question. ``similarities`` are cosines of those that
    have a comparable embedding.
    """
    active = [each for each in items if each.is_active]
    words = bm25(active, terms)
    by_words = _best({key: score for key, score in words.items() if score > 0})
    by_likeness = _best({k: s for k, s in similarities.items() if s >= _LIKE_AT_LEAST})
    wanted = frozenset(terms)
    ranked = []
    for item in active:
        fused = sum(
            1 / (_RANK_OFFSET + place)
            for places in (by_words, by_likeness)
            if (place := places.get(item.id)) is not None
        )
        relevance = fused * (_RANK_OFFSET + 1) / 2
        if not item.is_episode:
            relevance = max(relevance, _BASE)
        if relevance <= 0:
            continue
        shared = len(wanted.intersection(item.terms)) / len(wanted) if wanted else 0.0
        score = relevance * (1 + _KEYWORD_BOOST * shared) * (0.5 + item.importance)
        if item.kind in _FADING:
            score *= decay(now - item.updated_at)
        if len(item.terms) > _FAIR_TERMS:
            score *= sqrt(_FAIR_TERMS / len(item.terms))
        ranked.append(Ranked(item=item, score=score))
    return sorted(ranked, key=lambda each: (-each.score, -each.item.id))


def choose(
    ranked: Sequence[Ranked],
    *,
    terms: Sequence[str],
    room: int,
    count: CountTokens,
    likeness: Likeness,
) -> list[Chosen]:
    """Pick greedily under ``room`` tokens; one text gets half of it at most, cut by sentences."""
    if not ranked or room <= 0:
        return []
    best = ranked[0].score or 1.0
    left = list(ranked[: 2 * CANDIDATES])
    redundancy = dict.fromkeys((each.item.id for each in left), 0.0)
    chosen: list[Chosen] = []
    while left and room >= _LEAST_ROOM:
        pick = max(
            left,
            key=lambda each: (
                _RELEVANCE_SHARE * each.score / best
                - (1 - _RELEVANCE_SHARE) * redundancy[each.item.id]
            ),
        )
        left.remove(pick)
        text = fitting(pick.item.text, terms=terms, room=_half(room), count=count)
        if not text:
            continue
        room -= count(text)
        chosen.append(Chosen(item=pick.item, text=text))
        others = [each.item for each in left]
        for other, like in zip(others, likeness(pick.item, others), strict=True):
            redundancy[other.id] = max(redundancy[other.id], like)
    return chosen


def fitting(text: str, *, terms: Sequence[str], room: int, count: CountTokens) -> str:
    """Return the text, or those of its sentences that fit and share most with the question."""
    if count(text) <= room:
        return text
    sentences = [each for each in _SENTENCE_END.split(text) if each.strip()]
    wanted = [term.casefold() for term in terms]
    by_use = sorted(
        range(len(sentences)),
        key=lambda at: (-sum(term in sentences[at].casefold() for term in wanted), at),
    )
    kept: list[int] = []
    for at in by_use:
        if count(" \u2026 ".join(sentences[each] for each in sorted((*kept, at)))) <= room:
            kept.append(at)
    if not kept:
        return _beginning(text, room=room, count=count)
    kept.sort()
    pieces = [sentences[each].strip() for each in kept]
    gaps = [" " if after == before + 1 else " \u2026 " for before, after in pairwise(kept)]
    return "".join(piece + gap for piece, gap in zip(pieces, [*gaps, ""], strict=False))


def _beginning(text: str, *, room: int, count: CountTokens) -> str:
    """Return as much of the beginning as fits; nothing if that says too little."""
    cut = text[: len(text) * room // max(1, count(text))].rstrip()
    while cut and count(f"{cut}\u2026") > room:
        cut = cut[: len(cut) * 3 // 4].rstrip()
    return f"{cut}\u2026" if len(cut) >= _TELLING_CHARS else ""


def bm25(items: Sequence[Recollection], terms: Sequence[str]) -> dict[RecollectionId, float]:
    """Score texts by the words they share with a question."""
    wanted = frozenset(terms)
    if not items or not wanted:
        return {}
    mean = max(1.0, sum(len(each.terms) for each in items) / len(items))
    holding = Counter(term for each in items for term in wanted.intersection(each.terms))
    scores: dict[RecollectionId, float] = {}
    for item in items:
        found = Counter(term for term in item.terms if term in wanted)
        penalty = _K1 * (1 - _B + _B * len(item.terms) / mean)
        scores[item.id] = sum(
            log(1 + (len(items) - holding[term] + 0.5) / (holding[term] + 0.5))
            * times
            * (_K1 + 1)
            / (times + penalty)
            for term, times in found.items()
        )
    return scores


def overlap(one: Recollection, other: Recollection) -> float:
    """Likeness by words: the share of all their words that both have."""
    first, second = frozenset(one.terms), frozenset(other.terms)
    return len(first & second) / len(first | second) if first or second else 0.0


def overlaps(one: Recollection, others: Sequence[Recollection]) -> list[float]:
    """Compare one memory with others by words."""
    return [overlap(one, each) for each in others]


def _best(scores: Mapping[RecollectionId, float]) -> dict[RecollectionId, int]:
    """Return the places of the best, from 1."""
    ordered = sorted(scores, key=lambda key: (-scores[key], -key))[:CANDIDATES]
    return {key: place for place, key in enumerate(ordered, 1)}


def _half(room: int) -> int:
    return max(1, room // 2)
