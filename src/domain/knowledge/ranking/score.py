"""How relevant a hit is, on a scale of its own channel, and what a minimum is compared with.

Fused values order hits but say nothing about relevance; absolute scores
in [0, 1] do, one per channel.
"""

import math
import re
from collections.abc import Sequence
from enum import IntEnum, StrEnum
from statistics import median
from typing import Final

import msgspec

_COUNTS_FROM: Final = 0.1  # a channel with less weight says nothing about relevance
_AUTO_SPAN: Final = 0.75


class SearchMode(IntEnum):
    """Numbers as agents and workflows write them."""

    SEMANTIC = 0
    HYBRID = 1
    FULL_TEXT = 20


class ThresholdMode(StrEnum):
    """``FASTGPT`` ignores the minimum in full-text and mixed mode without a reranker."""

    ABSOLUTE = "absolute"
    FASTGPT = "fastgpt"


class Calibration(msgspec.Struct, frozen=True):
    """The cosines of one embedding model that mean 0 and 1; the default is Coze's scale."""

    low: float = -1.0
    high: float = 1.0

    @classmethod
    def automatic(cls, cosines: Sequence[float]) -> "Calibration":
        """Learn the scale from cosines of random pairs of slices."""
        low = min(median(cosines), 1.0 - 1e-3) if cosines else -1.0
        return cls(low, low + _AUTO_SPAN * (1.0 - low))


class LearntScale(msgspec.Struct, frozen=True):
    """A calibration that a base keeps, and how many slices the base had when it was learnt."""

    low: float
    high: float
    slices: int

    @property
    def calibration(self) -> Calibration:
        return Calibration(self.low, self.high)


COZE_SCALE: Final = Calibration()
OFFLINE_SCALE: Final = Calibration(-0.3, 0.48)
"""Of the built-in embedding model, whose vectors of unrelated texts are orthogonal.

A cosine of 0.09 comes out as 0.5: on the public question sets 98 % (en) and 96 % (zh) of the
answers lie above it, and 7 % and less than 1 % of all other passages.
"""


class Scores(msgspec.Struct, frozen=True, kw_only=True):
    """Absolute scores of one hit by channel; None where the channel did not find or score it."""

    embedding: float | None = None
    full_text: float | None = None
    rerank: float | None = None
    is_sql: bool = False


_FAMILIES: Final = (
    (re.compile(r"(^|[/_-])e5-(small|base|large|mistral)|multilingual-e5"), 0.7),
    (re.compile(r"bge-(small|base|large)-(zh|en)(?!.*v1\.5)"), 0.6),
    (re.compile(r"text-embedding-ada-002"), 0.7),
    (re.compile(r"all-minilm-l(6|12)"), 0.03),
)
"""Cosines of unrelated texts, by the names of models: what their makers say of e5 and bge, what is
commonly seen of ada-002, and what was measured on the public question sets for MiniLM."""


def family_scale(model: str) -> Calibration | None:
    """Return the scale of a well-known family of models by a model's name at its provider."""
    name = model.lower()
    low = next((low for pattern, low in _FAMILIES if pattern.search(name)), None)
    return None if low is None else Calibration.automatic([low])


def embedding_score(cosine: float, calibration: Calibration = COZE_SCALE) -> float:
    """Bring a cosine to [0, 1]."""
    return _clipped((cosine - calibration.low) / (calibration.high - calibration.low))


def full_text_score(coverage: float) -> float:
    """Bring the covered share of a question to the scale users know from embeddings.

    Raw BM25 separates questions that can be answered from others with an AUROC of 0.89 (en) and
    0.95 (zh) on the public sets, the covered share with 0.96 and 0.99.
    """
    return math.sqrt(_clipped(coverage))


def relevance(scores: Scores, *, mode: SearchMode, embedding_weight: float = 0.5) -> float:
    """Return the score that is shown and compared with the minimum."""
    if scores.is_sql:
        return 1.0
    if scores.rerank is not None:
        return scores.rerank
    is_hybrid = mode is SearchMode.HYBRID
    near = having = 0.0
    if mode is SearchMode.SEMANTIC or (is_hybrid and embedding_weight >= _COUNTS_FROM):
        near = scores.embedding or 0.0
    if mode is SearchMode.FULL_TEXT or (is_hybrid and 1.0 - embedding_weight >= _COUNTS_FROM):
        having = scores.full_text or 0.0
    return max(near, having)


def passes(
    scores: Scores,
    shown: float,
    *,
    min_score: float,
    mode: SearchMode,
    threshold: ThresholdMode = ThresholdMode.ABSOLUTE,
) -> bool:
    """Whether a hit with this ``relevance`` is relevant enough. Rows found by SQL always are."""
    if scores.is_sql:
        return True
    if (
        threshold is ThresholdMode.FASTGPT
        and mode is not SearchMode.SEMANTIC
        and scores.rerank is None
    ):
        return True
    return shown >= min_score


def _clipped(value: float) -> float:
    return min(max(value, 0.0), 1.0)
