"""A collection's words in memory: which entries have each of them, and how often."""

import math
import sqlite3
import threading
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from infra.contract.storage.search_index import TermStats, Where
from infra.impl.search_index.embedded.bm25 import K1, B, Candidate
from infra.impl.search_index.embedded.file import meta_of
from infra.impl.search_index.embedded.lists import Integers
from infra.impl.search_index.embedded.memory import SnapshotCache
from infra.impl.search_index.embedded.state import within

PAIR_BYTES: Final = 8
_LEAST_IDF: Final = 1e-6  # FTS5's, of terms that half of the entries have
_ID, _DOCUMENT, _CREATOR = 0, 1, 4
_LARGEST: Final = 2_000_000  # tokens; sorting them takes a fifth of a second
_PER_SEARCH: Final = 100_000
_BUDGET_BYTES: Final = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What a file says of itself; equal versions have equal contents."""

    version: tuple[str, int]
    entries: int
    tokens: int

    @classmethod
    def read(cls, connection: sqlite3.Connection) -> Self:
        identity, change, entries, tokens = meta_of(
            connection, ("identity", "change", "entries", "tokens")
        )
        return cls(
            version=(str(identity), int(change or 0)),
            entries=int(entries or 0),
            tokens=int(tokens or 0),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Postings:
    """All words of one state, as pairs of entry and count in the order of the words' checksums.

    ``keys[n]`` are id, document, slice, length and creator of row ``n``, by id.
    """

    version: tuple[str, int]
    average: float
    """Tokens of an entry."""
    keys: Integers
    checksums: NDArray[np.uint32]
    counts: NDArray[np.uint32]
    rows: NDArray[np.int32]
    frequencies: dict[str, int] = field(default_factory=dict)
    """In how many entries the words are that searches asked for."""

    @classmethod
    def load(cls, connection: sqlite3.Connection, state: State) -> Self:
        """Read all of a file."""
        keys = connection.execute(
            "SELECT id, document_id, slice_id, length, creator_id FROM entry ORDER BY id"
        ).fetchall()
        profiles = [row[0] for row in connection.execute("SELECT data FROM profile ORDER BY id")]
        pairs = np.frombuffer(b"".join(profiles), dtype="<u4").reshape(-1, 2)
        sizes = [len(data) // PAIR_BYTES for data in profiles]
        order = np.argsort(pairs[:, 0], kind="stable")
        return cls(
            version=state.version,
            average=state.tokens / state.entries if state.entries else 1.0,
            keys=np.array(keys, dtype=np.int64).reshape(-1, 5),
            checksums=pairs[order, 0],
            counts=pairs[order, 1],
            rows=np.repeat(np.arange(len(profiles), dtype=np.int32), sizes)[order],
        )

    @property
    def size_bytes(self) -> int:
        parts = (self.keys, self.checksums, self.counts, self.rows)
        return sum(part.nbytes for part in parts)


class HeldEntries:
    """The entries of a search in memory, chosen as SQLite would choose them."""

    def __init__(self, postings: Postings, own: TermStats, where: Where) -> None:
        self._postings = postings
        self._own = own
        everything = np.ones(len(postings.keys), dtype=np.bool_)
        self._allowed = within(
            where,
            everything,
            documents=postings.keys[:, _DOCUMENT],
            creators=postings.keys[:, _CREATOR],
        )

    def matching(self, tokens: Sequence[str], limit: int) -> list[Candidate]:
        """Return entries with one of the tokens, the best by FTS5's formula, ties by id.

        The formula is that of ``bm25()`` in fts5_aux.c, in its order: what is found must not depend
        on where it was looked for.
        """
        postings, entries = self._postings, len(self._postings.keys)
        scores = np.zeros(entries)
        matched = np.zeros(entries, dtype=np.bool_)
        damping = K1 * (1 - B + B * postings.keys[:, 3] / postings.average)
        for token in tokens:
            rows, counts = self._having(token)
            having = self._own.frequencies[token]
            idf = math.log((entries - having + 0.5) / (having + 0.5))
            gain = counts * (K1 + 1) / (counts + damping[rows])
            scores[rows] += (idf if idf > 0 else _LEAST_IDF) * gain
            matched[rows] = True
        found = np.flatnonzero(matched & self._allowed)
        if len(found) > limit:
            found = found[np.argsort(-scores[found], kind="stable")[:limit]]
        chosen: list[Candidate] = [tuple(row) for row in postings.keys[found, :4].tolist()]
        return chosen

    def counts(self, found: Sequence[Candidate], tokens: Sequence[str]) -> NDArray[np.int64]:
        """Return how often each entry (row) has each token (column)."""
        keys = self._postings.keys
        place = np.full(len(keys), -1)
        place[np.searchsorted(keys[:, _ID], [one[_ID] for one in found])] = np.arange(len(found))
        counts = np.zeros((len(found), len(tokens)), dtype=np.int64)
        for column, token in enumerate(tokens):
            rows, times = self._having(token)
            at = place[rows]
            is_found = at >= 0
            np.add.at(counts[:, column], at[is_found], times[is_found])
        return counts

    def _having(self, token: str) -> tuple[NDArray[np.int32], NDArray[np.uint32]]:
        postings = self._postings
        wanted = np.uint32(checksum(token))
        first, last = (
            int(np.searchsorted(postings.checksums, wanted, side=side))
            for side in ("left", "right")
        )
        return postings.rows[first:last], postings.counts[first:last]


class PostingsMemory:
    """Postings of collections that are searched more often than they are written.

    Reading one costs about as much as a few searches of its file, more the larger it is. So one is
    read when so many searches have met the same state, ``searches`` at least, and a collection that
    is being filled never is. The largest stay in their files.
    """

    def __init__(self, *, searches: int, budget_bytes: int = _BUDGET_BYTES) -> None:
        self._searches = searches
        self._cache: SnapshotCache[Postings] = SnapshotCache(budget_bytes=budget_bytes)
        self._lock = threading.Lock()
        self._seen: dict[str, tuple[tuple[str, int], int]] = {}

    def of(self, name: str, connection: sqlite3.Connection, state: State) -> Postings | None:
        """Return what is held of this state; None where the file is to be asked."""
        known = self._cache.get(name)
        if known is not None and known.version == state.version:
            return known
        if state.tokens > _LARGEST or not self._is_worth_it(name, state):
            return None
        refreshing = self._cache.refreshing(name)
        if not refreshing.acquire(blocking=False):  # somebody reads it: ask the file meanwhile
            return None
        try:
            postings = Postings.load(connection, state)
            self._cache.keep(name, postings)
        finally:
            refreshing.release()
        return postings

    def holds(self, name: str) -> bool:
        """Tell whether a collection is in memory, in whatever state."""
        return self._cache.holds(name)

    def forget(self, name: str) -> None:
        """Drop what is known of a collection."""
        self._cache.forget(name)
        with self._lock:
            self._seen.pop(name, None)

    def clear(self) -> None:
        """Drop everything."""
        self._cache.clear()
        with self._lock:
            self._seen.clear()

    def _is_worth_it(self, name: str, state: State) -> bool:
        with self._lock:
            version, searches = self._seen.get(name, (state.version, 0))
            searches = searches + 1 if version == state.version else 1
            self._seen[name] = state.version, searches
        return searches > self._searches + state.tokens // _PER_SEARCH


def checksum(token: str) -> int:
    """Return what stands for a token in a profile."""
    return zlib.crc32(token.encode())
