"""Likeness of packed vectors."""

import pytest

from infra.impl.vector_math.half import half_similarities, pack_half


def test_likeness_is_the_cosine_whatever_the_lengths() -> None:
    query = pack_half([2.0, 0.0, 0.0])
    others = [pack_half(each) for each in ([5.0, 0, 0], [0, 3, 0], [-1, 0, 0], [1, 1, 0])]

    found = half_similarities(query, others)

    assert found == pytest.approx([1, 0, -1, 0.7071], abs=1e-3)


def test_vectors_of_large_models_take_two_bytes_per_dimension() -> None:
    wide = [((7 * at) % 13 - 6) / 6 for at in range(1536)]

    assert len(pack_half(wide)) == 3072
    assert half_similarities(pack_half(wide), [pack_half(wide)]) == pytest.approx([1], abs=2e-3)


def test_nothing_is_like_nothing() -> None:
    assert half_similarities(pack_half([1.0]), []) == []
    assert half_similarities(pack_half([0.0, 0.0]), [pack_half([1.0, 0.0])]) == [0.0]
