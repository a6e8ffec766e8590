"""Ports: what finds slices by vector and by words; the database decides what may be shown.

Entries carry ids only. A collection belongs to one knowledge base and one index version; vectors
and texts are separate stores, so that either may live on a server of its own.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

import msgspec

from domain.shared.error import Conflict, InvalidRequest, NotFound

MAX_BATCH: Final = 100
"""Most entries of one ``upsert``."""
MAX_TERMS: Final = 64
"""Most distinct terms of a query that count; those with the highest weight · idf stay."""


class CollectionNotFound(NotFound):
    """No collection has this name."""


class CollectionDiffers(Conflict):
    """A collection of this name exists with another dimension or analyzer."""


class UnfitEntry(InvalidRequest):
    """A vector of another dimension, zero or not finite; an oversized batch or name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryKey:
    """Whose entry it is. ``id`` is unique in the collection: a slice or one more entry for it."""

    id: int
    document_id: int
    slice_id: int
    generation: int
    creator_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorEntry:
    """A slice as a vector; stored with length 1. An ``array('f')`` is taken over fastest."""

    key: EntryKey
    vector: Sequence[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextEntry:
    """A slice as analysed tokens, repeats included.

    Tokens consist of characters beyond ASCII, lower-case ASCII letters, digits and ``.-_@/``.
    """

    key: EntryKey
    tokens: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Restricts a search. ``documents`` None means any, an empty set means nothing."""

    documents: frozenset[int] | None = None
    without_documents: frozenset[int] = frozenset()
    creator_id: int | None = None


ANYWHERE: Final = Where()


class Hit(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One entry found; higher ``raw`` is better: inner product, or BM25.

    ``coverage`` of a text hit is the share of the query's weight · idf that the entry contains,
    with 50 entries more than there are, so that it means something in small collections, too.
    """

    id: int
    document_id: int
    slice_id: int
    raw: float
    coverage: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryTerm:
    """A token of the question and how much it counts.

    A hint says where to look, not what to look for: it counts as far as an entry has the other
    terms, and never against it. Where no entry has one of those, it is a term like any
    other, less what all entries have.
    """

    token: str
    weight: float = 1.0
    is_hint: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TermStats:
    """How many entries there are, their tokens together, and in how many each token occurs."""

    entries: int = 0
    tokens: int = 0
    frequencies: Mapping[str, int] = field(default_factory=dict)

    def plus(self, other: "TermStats") -> "TermStats":
        """Add up two collections, so that their scores compare."""
        names = self.frequencies.keys() | other.frequencies.keys()
        return TermStats(
            entries=self.entries + other.entries,
            tokens=self.tokens + other.tokens,
            frequencies={
                name: self.frequencies.get(name, 0) + other.frequencies.get(name, 0)
                for name in names
            },
        )


class EntryStore(Protocol):
    """What collections of both kinds have in common.

    A call that returned is durable and seen by every later search. Cancelling a call leaves
    nothing locked; a write is then done wholly or not at all.
    """

    async def delete(self, *, ids: Sequence[int] = (), document_ids: Sequence[int] = ()) -> int:
        """Remove entries; absent ones are no error. Returns how many there were."""
        ...

    async def scan(self, *, after: int, limit: int) -> list[EntryKey]:
        """Return up to ``limit`` entries with a greater id, by id: what a reconciler compares."""
        ...

    async def count(self) -> int: ...


class VectorIndex(EntryStore, Protocol):
    """Vectors of one collection."""

    async def upsert(self, entries: Sequence[VectorEntry]) -> None:
        """Add or replace up to ``MAX_BATCH`` entries by id. Raises ``UnfitEntry``."""
        ...

    async def search(
        self, vector: Sequence[float], *, limit: int, where: Where = ANYWHERE
    ) -> list[Hit]:
        """Return the entries with the largest cosine, best first, ties by id.

        Large collections may miss a few of them: of the true first ten, 95 % are found.
        Raises ``UnfitEntry``.
        """
        ...


class TextIndex(EntryStore, Protocol):
    """Texts of one collection."""

    async def upsert(self, entries: Sequence[TextEntry]) -> None:
        """Add or replace up to ``MAX_BATCH`` entries by id. Raises ``UnfitEntry``."""
        ...

    async def search(
        self,
        terms: Sequence[QueryTerm],
        *,
        limit: int,
        where: Where = ANYWHERE,
        stats: TermStats | None = None,
    ) -> list[Hit]:
        """Return entries with any of the terms by BM25 (k1 1.2, b 0.75), best first, ties by id.

        ``stats`` replaces the statistics of this collection, to compare over several.
        """
        ...

    async def term_stats(self, tokens: Sequence[str]) -> TermStats: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorCollection:
    """A collection to be: ``name`` matches ``[a-z0-9_]{1,64}``."""

    name: str
    dimensions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TextCollection:
    """A collection to be; ``analyzer`` is the version that made its tokens."""

    name: str
    analyzer: str


class VectorIndexes(Protocol):
    """All collections of vectors."""

    async def create(self, collection: VectorCollection) -> None:
        """Make a collection; an equal one is no error. Raises ``CollectionDiffers``."""
        ...

    async def drop(self, name: str) -> None:
        """Remove a collection with all entries; an absent one is no error."""
        ...

    async def open(self, name: str) -> VectorIndex:
        """Raises ``CollectionNotFound``."""
        ...

    async def names(self, prefix: str = "") -> list[str]: ...

    async def probe(self) -> None:
        """Raise ``Unavailable`` if nothing can be searched; for readiness, so be quick."""
        ...


class TextIndexes(Protocol):
    """All collections of texts; methods as those of ``VectorIndexes``."""

    async def create(self, collection: TextCollection) -> None: ...

    async def drop(self, name: str) -> None: ...

    async def open(self, name: str) -> TextIndex: ...

    async def names(self, prefix: str = "") -> list[str]: ...

    async def probe(self) -> None: ...


PackVector = Callable[[Sequence[float]], bytes]
"""Returns the vector at length one, in two bytes per dimension. Safe to call in a thread."""

Similarities = Callable[[bytes, Sequence[bytes]], list[float]]
"""Returns the cosine of a packed vector with each of the others, all of one dimension."""
