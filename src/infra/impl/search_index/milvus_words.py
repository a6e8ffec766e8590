"""Tokens as Milvus stores them: numbers, and a sparse vector whose products rank entries.

The weight of a token is its share of BM25 for an entry of this length, as if entries were
``_PIVOT`` tokens long on average: the true average is not known when an entry is written. So the
server orders nearly as BM25 does, and because weight and length give back how often the token
occurs, what it found is scored by the true formula.
"""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from infra.impl.search_index.bm25 import K1, B

LENGTH: Final = "length"
TOKENS: Final = "tokens"
MAX_DISTINCT: Final = 4096
"""The server stores no longer lists; more different tokens of an entry are found but not counted
for the frequency of very common words."""
_PIVOT: Final = 256
_EMPTY: Final = 0
"""The dimension of entries without tokens: a vector needs one."""
_DIMENSIONS: Final = 2**32 - 2


def words_field(analyzer: str) -> str:
    """Return the name of the sparse field: tokens of another analyzer are another field."""
    return f"words_{hashlib.sha256(analyzer.encode()).hexdigest()[:16]}"


def is_words_field(name: str) -> bool:
    """Tell the sparse field from the others."""
    return name.startswith("words_")


def number_of(token: str) -> int:
    """Return the 63 bits that stand for a token: no two of one collection share them."""
    digest = hashlib.blake2b(token.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest) >> 1


def dimension_of(token: str) -> int:
    """Return the token's dimension, from 1; the server takes 32 bits without the highest value."""
    return 1 + number_of(token) % _DIMENSIONS


def columns_of(tokens: Sequence[str], *, field: str) -> dict[str, Any]:
    """Return the fields of an entry with these tokens."""
    counts = Counter(tokens)
    length = len(tokens)
    damping = _damping(length)
    words = {
        dimension_of(token): (K1 + 1) * count / (count + damping) for token, count in counts.items()
    }
    return {
        field: words or {_EMPTY: 1.0},
        LENGTH: length,
        TOKENS: [number_of(token) for token in list(counts)[:MAX_DISTINCT]],
    }


def counts_of(
    found: Sequence[Mapping[str, Any]], tokens: Sequence[str], *, field: str
) -> NDArray[np.int64]:
    """Return how often entries (rows) have tokens (columns)."""
    dimensions = [dimension_of(token) for token in tokens]
    counts = np.zeros((len(found), len(tokens)), dtype=np.int64)
    for row, entry in enumerate(found):
        words, damping = entry[field], _damping(entry[LENGTH])
        for column, dimension in enumerate(dimensions):
            if weight := words.get(dimension):
                counts[row, column] = max(1, round(weight * damping / (K1 + 1 - weight)))
    return counts


def _damping(length: int) -> float:
    return K1 * (1 - B + B * length / _PIVOT)
