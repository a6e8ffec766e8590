"""Vectors in lists around centroids, so that a search reads a few lists instead of everything.

The inverted file of Sivic and Zisserman ("Video Google", ICCV 2003) with spherical k-means. How
many lists a search reads is measured on the collection itself, so that the promised recall holds
for data of any shape; data without clusters ends up being searched exactly.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]

_SEED: Final = 20
_FINENESS: Final = 4.0  # lists per root of the rows: small ones leave out more of what is far
_SAMPLES_PER_LIST: Final = 24
_ROUNDS: Final = 6
_SMALLEST: Final = 8  # rows of a list, on average
_FEWEST: Final = 10  # at least a tenth of the lists: real questions are unlike the measured
_ROWS_AT_ONCE: Final = 8192
_QUESTIONS: Final = 100  # for the measurement
_QUESTIONS_AT_ONCE: Final = 20
_DEPTH: Final = 20
_WANTED: Final = 0.98  # more than the 0.95 that is promised


@dataclass(frozen=True, slots=True)
class Trained:
    """Centroids (lists, dimensions), the list of every row, and how many lists to read."""

    centroids: Floats
    assignment: Integers
    probes: int


@dataclass(frozen=True, slots=True)
class Lists:
    """Rows ``offsets[n]`` to ``offsets[n + 1]`` of a matrix belong to centroid ``n``."""

    centroids: Floats
    offsets: Integers
    probes: int

    @property
    def rows(self) -> int:
        return int(self.offsets[-1])

    @property
    def is_exhaustive(self) -> bool:
        """Whether reading everything at once is better."""
        return self.probes * 2 >= len(self.centroids)

    def scan(self, matrix: Floats, vector: Floats) -> tuple[Integers, Floats]:
        """Return rows of the nearest lists with their inner products."""
        nearest = np.argpartition(self.centroids @ vector, -self.probes)[-self.probes :]
        bounds = [(int(self.offsets[n]), int(self.offsets[n + 1])) for n in np.sort(nearest)]
        rows = np.concatenate([np.arange(start, end) for start, end in bounds])
        products = np.concatenate([matrix[start:end] @ vector for start, end in bounds])
        return rows, products


def train(matrix: Floats) -> Trained:
    """Find lists for the rows of a matrix; takes ten seconds for 100,000 rows on two cores."""
    generator = np.random.default_rng(_SEED)
    rows = len(matrix)
    lists = max(1, min(int(_FINENESS * rows**0.5), rows // _SMALLEST))
    size = min(rows, lists * _SAMPLES_PER_LIST)
    sample = matrix[np.sort(generator.choice(rows, size, replace=False))]
    centroids = sample[generator.choice(size, lists, replace=False)].copy()
    for _ in range(_ROUNDS):
        centroids = _moved(sample, centroids, generator)
    assignment = _assigned(matrix, centroids)
    return Trained(centroids, assignment, _measured(matrix, centroids, assignment, generator))


def _moved(sample: Floats, centroids: Floats, generator: np.random.Generator) -> Floats:
    assignment = _assigned(sample, centroids)
    order = np.argsort(assignment, kind="stable")
    filled, starts = np.unique(assignment[order], return_index=True)
    moved = sample[generator.choice(len(sample), len(centroids))].copy()  # for empty lists
    for number, members in zip(filled, np.split(order, starts[1:]), strict=True):
        moved[number] = sample[members].sum(axis=0)  # by list: a sorted copy of all is too large
    norms = np.linalg.norm(moved, axis=1, keepdims=True)
    return np.asarray(moved / np.maximum(norms, np.finfo(np.float32).tiny), dtype=np.float32)


def _assigned(matrix: Floats, centroids: Floats) -> Integers:
    parts = [
        np.argmax(matrix[at : at + _ROWS_AT_ONCE] @ centroids.T, axis=1)
        for at in range(0, len(matrix), _ROWS_AT_ONCE)
    ]
    return np.concatenate(parts).astype(np.int64)


def _measured(
    matrix: Floats, centroids: Floats, assignment: Integers, generator: np.random.Generator
) -> int:
    """Return how many lists hold the wanted share of the true neighbours of likely questions.

    A question is a row mixed with as much noise: about as near as questions are to answers.
    """
    count = min(_QUESTIONS, len(matrix))
    chosen = matrix[generator.choice(len(matrix), count, replace=False)]
    noise = generator.standard_normal(chosen.shape, dtype=np.float32)
    questions = chosen + noise / np.linalg.norm(noise, axis=1, keepdims=True)
    depth = min(_DEPTH, len(matrix))
    needed = []
    for at in range(0, count, _QUESTIONS_AT_ONCE):
        some = questions[at : at + _QUESTIONS_AT_ONCE]
        ranks = np.argsort(np.argsort(-(some @ centroids.T), axis=1), axis=1)
        nearest = np.argpartition(some @ matrix.T, -depth, axis=1)[:, -depth:]
        needed.append(np.take_along_axis(ranks, assignment[nearest], axis=1).ravel())
    reads = np.sort(np.concatenate(needed))
    measured = int(reads[min(len(reads) - 1, int(len(reads) * _WANTED))]) + 1
    return max(measured, -(-len(centroids) // _FEWEST))
