"""Reciprocal rank fusion: one order out of several.

Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank
Learning Methods", SIGIR 2009. Values are sums: what two channels find gains from both.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, Final, Generic, Protocol, TypeVar

import msgspec

_K: Final = 60


class _Comparable(Protocol):
    def __lt__(self, other: Any, /) -> bool: ...


K = TypeVar("K", bound=_Comparable)


class Fused(msgspec.Struct, Generic[K], frozen=True):
    """An item with its fused value, at most the sum of the weights / 61."""

    key: K
    value: float


@dataclass(frozen=True, slots=True)
class Channel(Generic[K]):
    """A ranked list, best first, and how much it counts."""

    ranked: Sequence[K]
    weight: float = 1.0


def reciprocal_rank(rank: int) -> float:
    """Return what a rank, from 1, is worth."""
    return 1.0 / (_K + rank)


def fuse(
    channels: Iterable[Channel[K]], *, tie: Callable[[K], Any] | None = None
) -> list[Fused[K]]:
    """Sum weight / (60 + rank) over the channels; equal values go by ``tie``, smaller first.

    An item that a channel lists twice counts with its better rank. Without ``tie``, and where it
    is equal too, keys decide: the result never depends on the order of the channels.
    """
    parts: defaultdict[K, list[float]] = defaultdict(list)
    for channel in channels:
        seen: set[K] = set()
        for key in channel.ranked:
            if key not in seen:
                seen.add(key)
                parts[key].append(channel.weight * reciprocal_rank(len(seen)))
    order: list[tuple[Any, ...]] = [
        (-fsum(values), key if tie is None else tie(key), key) for key, values in parts.items()
    ]
    order.sort()
    return [Fused(key, -value) for value, _, key in order]


def fuse_variants(
    lists: Sequence[Sequence[K]], *, limit: int, tie: Callable[[K], Any] | None = None
) -> list[K]:
    """Return one list for a channel that was asked several ways."""
    if len(lists) == 1:  # each rank is worth less than the one before
        return list(dict.fromkeys(lists[0]))[:limit]
    return [item.key for item in fuse(map(Channel, lists), tie=tie)[:limit]]


def fuse_channels(
    *,
    embedding: Sequence[K] = (),
    full_text: Sequence[K] = (),
    sql: Sequence[K] = (),
    embedding_weight: float,
    tie: Callable[[K], Any] | None = None,
) -> list[Fused[K]]:
    """Fuse the channels of one retrieval; rows found by SQL count in full."""
    return fuse(
        [
            Channel(embedding, embedding_weight),
            Channel(full_text, 1.0 - embedding_weight),
            Channel(sql),
        ],
        tie=tie,
    )


def fuse_rerank(
    fused: Sequence[K], reranked: Sequence[K], *, rerank_weight: float
) -> list[Fused[K]]:
    """Weigh a reranker's order against the fused one; what it left out stays behind the rest."""
    order = {key: at for at, key in enumerate(fused)}
    return fuse(
        [Channel(reranked, rerank_weight), Channel(fused, 1.0 - rerank_weight)], tie=order.get
    )
