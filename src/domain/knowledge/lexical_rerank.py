"""Reranking without a model: words, pairs of words and pieces of words (``spec/knowledge`` 4.8).

BM25 over the candidates alone, plus 0.4 of BM25 over adjacent words and 0.1 over four-letter
pieces. The two extra terms see Latin words only: Han characters come in pairs anyway.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from domain.knowledge.analyzer import Analyzer
from domain.knowledge.analyzer_stopword import ENGLISH

_WORD: Final = re.compile("[a-z0-9]+")
_PAIRS, _PIECES = 0.4, 0.1
_PIECE_LETTERS: Final = 4
_K1, _B = 1.2, 0.75


def rerank_lexically(
    query: str, documents: Sequence[str], *, analyzer: Analyzer
) -> list[tuple[int, float]]:
    """Return positions of the documents with their scores, best first, ties in given order."""
    terms = {term.token: term.weight for term in analyzer.query_terms(query)}
    words = [_words(text, analyzer) for text in documents]
    stems = _words(query, analyzer)
    scores = _bm25([Counter(analyzer.index_tokens(text)) for text in documents], terms)
    pairs = dict.fromkeys(_pairs(stems), _PAIRS)
    pieces = dict.fromkeys(_pieces(query), _PIECES)
    if pairs:
        more = _bm25([Counter(_pairs(stems_of)) for stems_of in words], pairs)
        scores = [score + extra for score, extra in zip(scores, more, strict=True)]
    if pieces:
        more = _bm25([_counted(text, pieces) for text in documents], pieces)
        scores = [score + extra for score, extra in zip(scores, more, strict=True)]
    return sorted(enumerate(scores), key=lambda item: -item[1])


def _words(text: str, analyzer: Analyzer) -> list[str]:
    return [analyzer.stem(word) for word in _WORD.findall(text.lower())]


def _pairs(words: Sequence[str]) -> list[str]:
    return [f"{first} {second}" for first, second in pairwise(words)]


def _pieces(text: str) -> list[str]:
    pieces: list[str] = []
    for word in _WORD.findall(text.lower()):
        if word not in ENGLISH:
            padded = f"^{word}$"
            last = max(1, len(padded) - _PIECE_LETTERS + 1)
            pieces += [padded[at : at + _PIECE_LETTERS] for at in range(last)]
    return pieces


def _counted(text: str, wanted: Mapping[str, float]) -> Counter[str]:
    """Count the wanted pieces; the rest only adds to the length."""
    counts = Counter(_pieces(text))
    found = Counter({piece: counts[piece] for piece in wanted if piece in counts})
    found[""] = counts.total() - found.total()
    return found


def _bm25(documents: Sequence[Counter[str]], weights: Mapping[str, float]) -> list[float]:
    count = len(documents)
    lengths = [document.total() for document in documents]
    average = sum(lengths) / count if any(lengths) else 1.0
    gains = {}
    for feature, weight in weights.items():
        having = sum(feature in document for document in documents)
        gains[feature] = weight * math.log(1 + (count - having + 0.5) / (having + 0.5))
    scores = []
    for document, length in zip(documents, lengths, strict=True):
        damping = _K1 * (1 - _B + _B * length / average)
        found = ((gain, document[feature]) for feature, gain in gains.items())
        scores.append(sum(g * n * (_K1 + 1) / (n + damping) for g, n in found if n))
    return scores
