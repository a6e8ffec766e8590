"""Likeness of packed vectors."""

import pytest

from infra.contract.vector_math import VectorMath
from infra.impl.vector_math.half import HalfVectorMath


@pytest.fixture
def math() -> VectorMath:
    return HalfVectorMath()


def test_likeness_is_the_cosine_whatever_the_lengths(math: VectorMath) -> None:
    query = math.pack([2.0, 0.0, 0.0])
    others = [math.pack(each) for each in ([5.0, 0, 0], [0, 3, 0], [-1, 0, 0], [1, 1, 0])]

    found = math.similarities(query, others)

    assert found == pytest.approx([1, 0, -1, 0.7071], abs=1e-3)


def test_vectors_of_large_models_take_two_bytes_per_dimension(math: VectorMath) -> None:
    wide = [((7 * at) % 13 - 6) / 6 for at in range(1536)]

    assert len(math.pack(wide)) == 3072
    assert math.similarities(math.pack(wide), [math.pack(wide)]) == pytest.approx([1], abs=2e-3)


def test_nothing_is_like_nothing(math: VectorMath) -> None:
    assert math.similarities(math.pack([1.0]), []) == []
    assert math.similarities(math.pack([0.0, 0.0]), [math.pack([1.0, 0.0])]) == [0.0]
