"""The one formula that scores texts, whatever store found them: BM25 with weights, and coverage."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from infra.contract.storage.search_index import MAX_TERMS, Hit, QueryTerm, TermStats, UnfitEntry

K1: Final = 1.2
B: Final = 0.75
CANDIDATES_PER_HIT: Final = 3
"""How many more than asked for a store hands over, since it ranks by less than this formula."""
_UNKNOWN_ENTRIES: Final = 50
"""What coverage takes a collection to be larger than it is, by entries without any of the words.

The first document says nothing about how common its words are. Without this, a question that has
one more word than the only entry would be covered by a tenth; a thousand entries hardly feel it.
"""
_UNFIT: Final = re.compile(r"[\x00-,:-?A-Z\[-^`{-\x7f\ud800-\udfff]")

Candidate = tuple[int, int, int, int]
"""Id, document, slice and number of tokens of an entry."""


def check_tokens(tokens: Sequence[str]) -> None:
    """Raise ``UnfitEntry`` for a token outside the alphabet of the port."""
    for token in tokens:
        if not token or _UNFIT.search(token):
            raise UnfitEntry("A token has characters that indexes do not know.", token=token)


def weights_of(terms: Sequence[QueryTerm]) -> dict[str, float]:
    """Return the highest weight of each token that an entry could have."""
    weights: dict[str, float] = {}
    for term in terms:
        if term.token and not _UNFIT.search(term.token):
            weights[term.token] = max(term.weight, weights.get(term.token, 0.0))
    return weights


def hints_of(terms: Sequence[QueryTerm]) -> frozenset[str]:
    """Return the tokens that are hints wherever they stand."""
    wanted = {term.token for term in terms if not term.is_hint}
    return frozenset(term.token for term in terms if term.token not in wanted)


def idf(entries: int, having: int) -> float:
    """Return the inverse document frequency, never negative."""
    return math.log(1 + (max(entries - having, 0) + 0.5) / (having + 0.5))


def gains_of(weights: Mapping[str, float], stats: TermStats) -> dict[str, float]:
    """Return weight · idf of the terms that count; unknown terms have the highest idf."""
    gains = {}
    for token, weight in weights.items():
        gains[token] = weight * idf(stats.entries, stats.frequencies.get(token, 0))
    best = sorted(gains.items(), key=lambda item: (-item[1], item[0]))[:MAX_TERMS]
    return {token: gain for token, gain in best if gain > 0}


def ranked(
    found: Sequence[Candidate],
    counts: NDArray[np.int64],
    *,
    weights: Mapping[str, float],
    gains: Mapping[str, float],
    stats: TermStats,
    limit: int,
    hints: frozenset[str] = frozenset(),
) -> list[Hit]:
    """Score candidates (rows of ``counts``) by the terms of ``gains`` (its columns).

    Best first, ties by id. ``hints`` count times the share of the other terms that an entry has.
    """
    average = stats.tokens / stats.entries if stats.tokens else 1.0
    lengths = np.array([length for *_, length in found])
    damping = K1 * (1 - B + B * lengths / average)
    gained = np.array(list(gains.values()))
    parts = gained * counts * (K1 + 1) / (counts + damping[:, None])
    entries = stats.entries + _UNKNOWN_ENTRIES
    shares = np.array([weights[t] * idf(entries, stats.frequencies.get(t, 0)) for t in gains])
    has = counts > 0
    wanted = np.array([token not in hints for token in gains])
    if has[:, wanted].any():
        coverage = (shares * has)[:, wanted].sum(axis=1) / shares[wanted].sum()
        raw = parts[:, wanted].sum(axis=1) + coverage * parts[:, ~wanted].sum(axis=1)
    else:
        known = shares * (_rarity(gains, stats, hints) if wanted.any() else 1.0)
        coverage = (known * has).sum(axis=1) / shares.sum()
        raw = parts.sum(axis=1)
    best = np.lexsort((np.array([entry_id for entry_id, *_ in found]), -raw))[:limit].tolist()
    return [
        Hit(id=entry_id, document_id=document_id, slice_id=slice_id, raw=score, coverage=share)
        for at, score, share in zip(best, raw[best].tolist(), coverage[best].tolist(), strict=True)
        for entry_id, document_id, slice_id, _ in (found[at],)
    ]


def _rarity(tokens: Iterable[str], stats: TermStats, hints: frozenset[str]) -> NDArray[np.float64]:
    """Return how much each token tells: a hint that is everywhere tells nothing."""
    return np.array(
        [
            1 - stats.frequencies.get(token, 0) / (stats.entries + 1) if token in hints else 1.0
            for token in tokens
        ]
    )
