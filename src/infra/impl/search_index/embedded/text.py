"""Texts in SQLite FTS5, over tokens analysed by the application.

FTS5 finds candidates; they are scored here, because its own ranking ignores frequent terms and
knows one file only. A question's rarest terms choose the candidates, up to a number of postings
that keeps a search fast in collections of any size: what contains none of them cannot rank high.
"""

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from infra.contract.storage import search_index as port
from infra.impl.search_index.embedded.bm25 import (
    CANDIDATES_PER_HIT,
    Candidate,
    check_tokens,
    gains_of,
    hints_of,
    ranked,
    weights_of,
)
from infra.impl.search_index.embedded.file import (
    ENTRY_COLUMNS,
    SqliteFile,
    SqliteFiles,
    add_to,
    as_json,
    count_entries,
    ids_to_delete,
    restriction,
    scan_entries,
)
from infra.impl.search_index.embedded.postings import (
    PAIR_BYTES,
    HeldEntries,
    PostingsMemory,
    State,
    checksum,
)

_SCHEMA: Final = (
    f"CREATE TABLE entry ({ENTRY_COLUMNS}, length INTEGER NOT NULL)",
    "CREATE TABLE profile (id INTEGER PRIMARY KEY, data BLOB NOT NULL)",
    "CREATE INDEX entry_document ON entry (document_id)",
    # The ascii tokenizer splits at ASCII punctuation only and folds nothing beyond ASCII.
    """CREATE VIRTUAL TABLE text USING fts5(tokens, tokenize="ascii tokenchars '.-_@/'")""",
    "CREATE TABLE term (token TEXT PRIMARY KEY, entries INTEGER NOT NULL) WITHOUT ROWID",
)
_MATCHING: Final = """
SELECT entry.id, entry.document_id, entry.slice_id, entry.length
FROM text JOIN entry ON entry.id = text.rowid
WHERE text MATCH :expression
  AND (:documents IS NULL OR entry.document_id IN (SELECT value FROM json_each(:documents)))
  AND entry.document_id NOT IN (SELECT value FROM json_each(:without))
  AND (:creator IS NULL OR entry.creator_id = :creator)
ORDER BY bm25(text), entry.id LIMIT :limit
"""
_FREQUENCIES: Final = 20_000
"""Of words that were asked for, kept of a collection: some 2 MB."""
_POSTINGS: Final = 15_000  # about 15 ms of FTS5 ranking
_SEARCHES: Final = 3
"""Of one state, before it is worth the reading."""


class SqliteTextIndexes:
    """All collections of texts below one directory.

    What was searched more than ``searches`` times since it was written is searched in memory.
    """

    def __init__(self, root: Path, *, searches: int = _SEARCHES) -> None:
        self._files = SqliteFiles(root, kind="text", schema=_SCHEMA)
        self._memory = PostingsMemory(searches=searches)

    async def start(self) -> None:
        await self._files.start()

    async def aclose(self) -> None:
        await self._files.aclose()
        self._memory.clear()

    async def create(self, collection: port.TextCollection) -> None:
        properties: dict[str, str | int] = {"analyzer": collection.analyzer}
        await self._files.ensure(collection.name, properties)

    async def drop(self, name: str) -> None:
        def drop() -> None:
            self._files.drop(name)
            self._memory.forget(name)

        await self._files.run(drop)

    async def open(self, name: str) -> port.TextIndex:
        await self._files.open(name)
        return SqliteTextIndex(self._files, self._memory, name)

    async def names(self, prefix: str = "") -> list[str]:
        return await self._files.run(lambda: self._files.names(prefix))

    async def probe(self) -> None:
        await self._files.run(self._files.check)


class SqliteTextIndex:
    """One collection; holds no connection of its own."""

    def __init__(self, files: SqliteFiles, memory: PostingsMemory, name: str) -> None:
        self._files = files
        self._memory = memory
        self._name = name

    async def upsert(self, entries: Sequence[port.TextEntry]) -> None:
        if len(entries) > port.MAX_BATCH:
            raise port.UnfitEntry(f"At most {port.MAX_BATCH} entries can be written at once.")
        await self._files.on(self._name, _upsert, entries)

    async def delete(self, *, ids: Sequence[int] = (), document_ids: Sequence[int] = ()) -> int:
        return await self._files.on(self._name, _delete, ids, document_ids)

    async def search(
        self,
        terms: Sequence[port.QueryTerm],
        *,
        limit: int,
        where: port.Where = port.ANYWHERE,
        stats: port.TermStats | None = None,
    ) -> list[port.Hit]:
        if not terms or limit <= 0 or where.documents == frozenset():
            return []
        return await self._files.on(self._name, self._search, terms, limit, where, stats)

    async def term_stats(self, tokens: Sequence[str]) -> port.TermStats:
        return await self._files.on(self._name, _term_stats, tokens)

    async def scan(self, *, after: int, limit: int) -> list[port.EntryKey]:
        return await self._files.on(self._name, scan_entries, after, limit)

    async def count(self) -> int:
        return await self._files.on(self._name, count_entries)

    def _search(
        self,
        file: SqliteFile,
        terms: Sequence[port.QueryTerm],
        limit: int,
        where: port.Where,
        stats: port.TermStats | None,
    ) -> list[port.Hit]:
        weights = weights_of(terms)
        with file.reading() as connection:
            state = State.read(connection)
            postings = self._memory.of(self._name, connection, state)
            known = {} if postings is None else postings.frequencies
            own = _stats(connection, state, list(weights), known=known)
            stats = stats or own
            gains = gains_of(weights, stats)
            entries: _Entries = (
                _FiledEntries(connection, where)
                if postings is None
                else HeldEntries(postings, own, where)
            )
            found = _candidates(entries, own, gains, limit * CANDIDATES_PER_HIT)
            if not found:
                return []
            counts = entries.counts(found, list(gains))
        return ranked(
            found,
            counts,
            weights=weights,
            gains=gains,
            stats=stats,
            limit=limit,
            hints=hints_of(terms),
        )


class _Entries(Protocol):
    """What a search reads of a collection."""

    def matching(self, tokens: Sequence[str], limit: int) -> list[Candidate]: ...

    def counts(self, found: Sequence[Candidate], tokens: Sequence[str]) -> NDArray[np.int64]: ...


class _FiledEntries:
    """The entries of a search in their file."""

    def __init__(self, connection: sqlite3.Connection, where: port.Where) -> None:
        self._connection = connection
        self._where = where

    def matching(self, tokens: Sequence[str], limit: int) -> list[Candidate]:
        """Return entries with one of the tokens, the best by FTS5's formula, ties by id."""
        expression = " OR ".join(f'"{token}"' for token in tokens)
        return self._connection.execute(
            _MATCHING, {"expression": expression, "limit": limit, **restriction(self._where)}
        ).fetchall()

    def counts(self, found: Sequence[Candidate], tokens: Sequence[str]) -> NDArray[np.int64]:
        """Return how often each entry (row) has each token (column)."""
        return _counts(_profiles_of(self._connection, [one[0] for one in found]), tokens)


def _upsert(file: SqliteFile, entries: Sequence[port.TextEntry]) -> None:
    latest = {entry.key.id: entry for entry in entries}
    for entry in latest.values():
        check_tokens(entry.tokens)
    with file.writing() as connection:
        _remove(connection, ids_to_delete(connection, list(latest), ()))
        frequencies: Counter[str] = Counter()
        for entry in latest.values():
            frequencies.update(set(entry.tokens))
        connection.executemany(
            "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)",
            [
                (
                    e.key.id,
                    e.key.document_id,
                    e.key.slice_id,
                    e.key.generation,
                    e.key.creator_id,
                    len(e.tokens),
                )
                for e in latest.values()
            ],
        )
        connection.executemany(
            "INSERT INTO profile VALUES (?, ?)",
            [(entry.key.id, _profile(entry.tokens)) for entry in latest.values()],
        )
        connection.executemany(
            "INSERT INTO text (rowid, tokens) VALUES (?, ?)",
            [(entry.key.id, " ".join(entry.tokens)) for entry in latest.values()],
        )
        connection.executemany(
            "INSERT INTO term VALUES (?, ?)"
            " ON CONFLICT DO UPDATE SET entries = entries + excluded.entries",
            frequencies.items(),
        )
        add_to(connection, "change", 1)
        add_to(connection, "entries", len(latest))
        add_to(connection, "tokens", sum(len(entry.tokens) for entry in latest.values()))


def _delete(file: SqliteFile, ids: Sequence[int], document_ids: Sequence[int]) -> int:
    with file.writing() as connection:
        found = ids_to_delete(connection, ids, document_ids)
        if found:
            add_to(connection, "change", 1)
        for at in range(0, len(found), port.MAX_BATCH):
            _remove(connection, found[at : at + port.MAX_BATCH])
    return len(found)


def _remove(connection: sqlite3.Connection, ids: Sequence[int]) -> None:
    if not ids:
        return
    frequencies: Counter[str] = Counter()
    length = 0
    for tokens in _tokens_of(connection, ids).values():
        frequencies.update(set(tokens))
        length += len(tokens)
    connection.executemany(
        "UPDATE term SET entries = entries - ? WHERE token = ?",
        [(count, token) for token, count in frequencies.items()],
    )
    connection.executemany(
        "DELETE FROM term WHERE token = ? AND entries <= 0", [(token,) for token in frequencies]
    )
    for entry_id in ids:
        connection.execute("DELETE FROM text WHERE rowid = ?", (entry_id,))
        connection.execute("DELETE FROM profile WHERE id = ?", (entry_id,))
        connection.execute("DELETE FROM entry WHERE id = ?", (entry_id,))
    add_to(connection, "entries", -len(ids))
    add_to(connection, "tokens", -length)


def _tokens_of(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[int, list[str]]:
    rows = connection.execute(
        "SELECT rowid, tokens FROM text WHERE rowid IN (SELECT value FROM json_each(?))",
        (as_json(ids),),
    )
    return {row[0]: row[1].split(" ") if row[1] else [] for row in rows}


def _term_stats(file: SqliteFile, tokens: Sequence[str]) -> port.TermStats:
    with file.reading() as connection:
        return _stats(connection, State.read(connection), tokens, known={})


def _stats(
    connection: sqlite3.Connection, state: State, tokens: Sequence[str], *, known: dict[str, int]
) -> port.TermStats:
    """Return statistics; frequencies that are not ``known`` of this state are read, and kept."""
    missing = [token for token in tokens if token not in known]
    read: dict[str, int] = {}
    if missing:
        rows = connection.execute(
            "SELECT token, entries FROM term WHERE token IN (SELECT value FROM json_each(?))",
            (as_json(missing),),
        )
        read = {**dict.fromkeys(missing, 0), **dict(rows.fetchall())}
        if len(known) < _FREQUENCIES:
            known.update(read)
    return port.TermStats(
        entries=state.entries,
        tokens=state.tokens,
        frequencies={token: read[token] if token in read else known[token] for token in tokens},
    )


def _profile(tokens: Sequence[str]) -> bytes:
    """Return how often each token occurs, as pairs of a checksum of the token and a count.

    Two tokens of one search share a checksum about once in a hundred thousand entries; the entry
    then ranks a little too high.
    """
    counts = Counter(tokens)
    pairs = np.empty((len(counts), 2), dtype=np.uint32)
    pairs[:, 0] = [checksum(token) for token in counts]
    pairs[:, 1] = list(counts.values())
    return pairs.astype("<u4").tobytes()


def _profiles_of(connection: sqlite3.Connection, ids: Sequence[int]) -> list[bytes]:
    rows = connection.execute(
        "SELECT id, data FROM profile WHERE id IN (SELECT value FROM json_each(?))",
        (as_json(ids),),
    )
    found: dict[int, bytes] = dict(rows.fetchall())
    return [found[one] for one in ids]


def _counts(profiles: Sequence[bytes], tokens: Sequence[str]) -> NDArray[np.int64]:
    """Return how often each entry (row) has each token (column)."""
    pairs = np.frombuffer(b"".join(profiles), dtype="<u4").reshape(-1, 2)
    ends = np.cumsum([len(data) // PAIR_BYTES for data in profiles])
    checksums = np.ascontiguousarray(pairs[:, 0])
    counts = np.zeros((len(profiles), len(tokens)), dtype=np.int64)
    # A look through all pairs for each of a few tokens: faster than one that sorts all pairs in.
    for column, token in enumerate(tokens):
        found = np.flatnonzero(checksums == checksum(token))
        np.add.at(counts[:, column], np.searchsorted(ends, found, side="right"), pairs[found, 1])
    return counts


def _candidates(
    entries: _Entries, own: port.TermStats, gains: Mapping[str, float], limit: int
) -> list[Candidate]:
    """Return id, document, slice and length of entries that may rank high."""
    known = [(own.frequencies[token], token) for token in gains if own.frequencies[token]]
    known.sort()
    chosen: list[str] = []
    postings = 0
    for frequency, token in known:
        if chosen and postings + frequency > _POSTINGS:
            break
        chosen.append(token)
        postings += frequency
    if not chosen:
        return []
    found = entries.matching(chosen, limit)
    if len(found) < limit and len(chosen) < len(known):  # a narrow restriction: look everywhere
        found = entries.matching([token for _, token in known], limit)
    return found
