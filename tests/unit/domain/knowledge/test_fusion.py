"""One order out of several."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.knowledge.ranking.fusion import (
    Channel,
    fuse,
    fuse_channels,
    fuse_rerank,
    fuse_variants,
    reciprocal_rank,
)

RANKED = st.lists(st.integers(0, 30), unique=True, max_size=20)


def keys(fused: list) -> list[int]:  # type: ignore[type-arg]
    return [item.key for item in fused]


def test_values_are_those_of_the_formula() -> None:
    fused = fuse_channels(embedding=[1, 2], full_text=[2], sql=[3], embedding_weight=0.3)

    values = {item.key: item.value for item in fused}
    assert values == pytest.approx({1: 0.3 / 61, 2: 0.3 / 62 + 0.7 / 61, 3: 1 / 61})
    assert keys(fused) == [3, 2, 1]


@given(RANKED, RANKED, st.floats(0.01, 0.99))
def test_what_both_channels_find_gains_from_both(
    one: list[int], other: list[int], weight: float
) -> None:
    fused = fuse_channels(embedding=one, full_text=other, embedding_weight=weight)

    values = {item.key: item.value for item in fused}
    for key in set(one) & set(other):
        alone = max(
            weight * reciprocal_rank(one.index(key) + 1),
            (1 - weight) * reciprocal_rank(other.index(key) + 1),
        )
        assert values[key] > alone


@given(st.lists(RANKED, max_size=5), st.integers(0, 9))
def test_the_order_of_the_channels_does_not_matter(lists: list[list[int]], seed: int) -> None:
    channels = [Channel(ranked, 1 / (number + 1)) for number, ranked in enumerate(lists)]
    shuffled = channels[:]
    random.Random(seed).shuffle(shuffled)  # noqa: S311 - data, not secrets

    assert fuse(channels) == fuse(shuffled)


@given(RANKED)
def test_one_channel_keeps_its_order(ranked: list[int]) -> None:
    assert keys(fuse([Channel(ranked)])) == ranked
    assert fuse_variants([ranked, ranked], limit=5) == ranked[:5]


@given(RANKED, RANKED)
def test_a_better_rank_is_never_worth_less(one: list[int], other: list[int]) -> None:
    before = {item.key: item.value for item in fuse([Channel(one), Channel(other)])}
    for at in range(1, len(one)):
        better = [*one[: at - 1], one[at], one[at - 1], *one[at + 1 :]]
        after = {item.key: item.value for item in fuse([Channel(better), Channel(other)])}
        assert after[one[at]] > before[one[at]]


def test_equal_values_go_by_the_given_order() -> None:
    assert keys(fuse([Channel([1]), Channel([2])], tie=lambda key: -key)) == [2, 1]


def test_an_item_listed_twice_counts_with_its_better_rank() -> None:
    assert keys(fuse([Channel([1, 2, 1, 3])])) == [1, 2, 3]
    assert fuse([Channel([1, 1, 2])]) == fuse([Channel([1, 2])])


def test_a_full_rerank_weight_leaves_the_reranked_order_alone() -> None:
    assert keys(fuse_rerank([1, 2, 3, 4], [3, 1], rerank_weight=1.0)) == [3, 1, 2, 4]
    assert keys(fuse_rerank([1, 2, 3, 4], [4, 3, 2, 1], rerank_weight=0.0)) == [1, 2, 3, 4]
    assert keys(fuse_rerank([1, 2, 3], [3, 2, 1], rerank_weight=0.5))[0] in {1, 3}


def test_one_list_keeps_its_order_without_doubles() -> None:
    ranked = [5, 3, 5, 9, 1]
    assert fuse_variants([ranked], limit=3, tie=lambda key: -key) == [5, 3, 9]
    assert fuse_variants([ranked, ranked], limit=3, tie=lambda key: -key) == [5, 3, 9]
