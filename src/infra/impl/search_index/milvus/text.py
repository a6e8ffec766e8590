"""Texts in Milvus, or in milvus-lite, as sparse vectors over tokens analysed by the application.

The server finds and counts; the scores come from the same formula as everywhere. It hands over
more entries than asked for, because it ranks by a fixed average length. Needs servers from 2.4 on.
"""

import asyncio
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from pymilvus import DataType, MilvusClient

from domain.shared.error import Unavailable
from infra.contract.storage import search_index as port
from infra.impl.search_index.embedded.bm25 import (
    K1,
    B,
    Candidate,
    check_tokens,
    gains_of,
    hints_of,
    ranked,
    weights_of,
)
from infra.impl.search_index.milvus import FIRST
from infra.impl.search_index.milvus.calls import MilvusCalls
from infra.impl.search_index.milvus.collections import Form
from infra.impl.search_index.milvus.indexes import MilvusIndexes
from infra.impl.search_index.milvus.rows import (
    FIRST_ID,
    MAX_FOUND,
    PARTITIONS,
    add_keys,
    count_rows,
    delete_rows,
    is_at_least,
    keys_after,
    restrictions,
    rows_after,
)

_SPARSE_SINCE: Final = (2, 4)
_LISTS_INDEXED_SINCE: Final = (2, 5)
_CANDIDATES_PER_HIT: Final = 4
_SPARE_CANDIDATES: Final = 50
_SAMPLE: Final = 4096
"""Entries whose lengths are read for the average. Ids are hashes, so these are any entries."""
_FEW: Final = 1000
"""Frequencies up to here are the number of entries found; higher ones are counted one by one."""
_QUESTIONS_AT_ONCE: Final = 64
_EXACT: Final = {"metric_type": "IP", "params": {"drop_ratio_search": 0.0}}


class _TextForm:
    """Collections of texts, told apart by the field that their analyzer's words are in."""

    difference = "The collection was made by another analyzer."

    def __init__(self, *, indexes_lists: bool) -> None:
        """milvus-lite has no index for lists and reads them through."""
        self._indexes_lists = indexes_lists

    def require(self, version: str) -> None:
        require_sparse(version)

    def read(self, fields: Sequence[Mapping[str, Any]]) -> str:
        (field,) = (each["name"] for each in fields if is_words_field(each["name"]))
        return str(field)

    def add_fields(self, schema: Any, wanted: str, *, version: str) -> Mapping[str, Any]:
        add_keys(schema, is_routing=True)
        schema.add_field(wanted, DataType.SPARSE_FLOAT_VECTOR)
        schema.add_field(LENGTH, DataType.INT64)
        schema.add_field(
            TOKENS, DataType.ARRAY, element_type=DataType.INT64, max_capacity=MAX_DISTINCT
        )
        return {"num_partitions": PARTITIONS}

    def add_indexes(self, params: Any, wanted: str, *, known: Sequence[str], version: str) -> None:
        if wanted not in known:
            params.add_index(
                wanted,
                index_name=wanted,
                index_type="SPARSE_INVERTED_INDEX",
                metric_type="IP",
                params={"drop_ratio_build": 0.0},
            )
        is_indexing = self._indexes_lists and is_at_least(version, _LISTS_INDEXED_SINCE)
        if is_indexing and TOKENS not in known:
            params.add_index(TOKENS, index_name=TOKENS, index_type="INVERTED")


class MilvusTextIndexes(MilvusIndexes[str]):
    """All collections of texts on one server, named with a common prefix behind ``text_``."""

    _title = "text index"
    _first = FIRST

    @staticmethod
    def _form(*, is_local: bool) -> Form[str]:
        return _TextForm(indexes_lists=not is_local)

    async def start(self) -> None:
        """Prepare. Raises ``Unavailable`` for a server without sparse vectors.

        A server that does not answer is no error: readiness tells of it, and the first
        collection made later is refused there.
        """
        if not self._calls.is_local:
            try:
                version = await self._collections.version()
            except Unavailable:
                pass
            else:
                require_sparse(version)
        await super().start()

    async def create(self, collection: port.TextCollection) -> None:
        await self._collections.create(collection.name, words_field(collection.analyzer))

    async def open(self, name: str) -> port.TextIndex:
        return MilvusTextIndex(
            self._calls,
            self._collections.full(name),
            field=await self._collections.open(name),
            consistency=self._consistency,
        )


class MilvusTextIndex:
    """One collection; ``field`` has the sparse vectors."""

    def __init__(self, calls: MilvusCalls, name: str, *, field: str, consistency: str) -> None:
        self._calls = calls
        self._name = name
        self._field = field
        self._consistency = consistency

    async def upsert(self, entries: Sequence[port.TextEntry]) -> None:
        if len(entries) > port.MAX_BATCH:
            raise port.UnfitEntry(f"At most {port.MAX_BATCH} entries can be written at once.")
        for entry in entries:
            check_tokens(entry.tokens)
        if not entries:
            return

        def upsert(client: MilvusClient) -> None:
            rows = {
                entry.key.id: asdict(entry.key) | columns_of(entry.tokens, field=self._field)
                for entry in entries
            }
            client.upsert(self._name, list(rows.values()), timeout=self._calls.timeout_s)

        await self._calls.write(self._name, upsert)

    async def delete(self, *, ids: Sequence[int] = (), document_ids: Sequence[int] = ()) -> int:
        return await self._calls.write(
            self._name,
            lambda client: delete_rows(
                client,
                self._name,
                ids=ids,
                document_ids=document_ids,
                timeout_s=self._calls.timeout_s,
            ),
        )

    async def search(
        self,
        terms: Sequence[port.QueryTerm],
        *,
        limit: int,
        where: port.Where = port.ANYWHERE,
        stats: port.TermStats | None = None,
    ) -> list[port.Hit]:
        weights = weights_of(terms)
        if not weights or limit <= 0 or where.documents == frozenset():
            return []
        known = stats or await self.term_stats(list(weights))
        gains = gains_of(weights, known)
        if not gains:
            return []
        question = {dimension_of(token): gain for token, gain in gains.items()}
        asked = min(_CANDIDATES_PER_HIT * limit + _SPARE_CANDIDATES, MAX_FOUND)

        def search(client: MilvusClient) -> list[port.Hit]:
            found = [
                entry
                for condition in restrictions(where)
                for entry in self._best(client, question, condition, asked)
            ]
            if not found:
                return []
            counts = counts_of(found, list(gains), field=self._field)
            return ranked(
                [_candidate(entry) for entry in found],
                counts,
                weights=weights,
                gains=gains,
                stats=known,
                limit=limit,
                hints=hints_of(terms),
            )

        return await self._calls.on(self._name, search)

    async def term_stats(self, tokens: Sequence[str]) -> port.TermStats:
        """Return statistics; ``tokens`` of large collections is projected from a sample."""
        asked = list(dict.fromkeys(tokens))
        entries, lengths, frequencies = await asyncio.gather(
            self.count(),
            self._calls.on(self._name, self._lengths),
            self._calls.on(self._name, lambda client: self._frequencies(client, asked)),
        )
        together = sum(lengths)
        if entries > len(lengths) > 0:
            together = round(together * entries / len(lengths))
        return port.TermStats(entries=entries, tokens=together, frequencies=frequencies)

    async def scan(self, *, after: int, limit: int) -> list[port.EntryKey]:
        return await self._calls.on(
            self._name,
            lambda client: keys_after(
                client, self._name, after=after, limit=limit, timeout_s=self._calls.timeout_s
            ),
        )

    async def count(self) -> int:
        return await self._calls.on(
            self._name,
            lambda client: count_rows(client, self._name, timeout_s=self._calls.timeout_s),
        )

    def _lengths(self, client: MilvusClient) -> list[int]:
        rows = rows_after(
            client,
            self._name,
            after=FIRST_ID - 1,
            limit=_SAMPLE,
            fields=("id", LENGTH),
            timeout_s=self._calls.timeout_s,
        )
        return [int(row[LENGTH]) for row in rows]

    def _frequencies(self, client: MilvusClient, tokens: Sequence[str]) -> dict[str, int]:
        frequencies: dict[str, int] = {}
        for at in range(0, len(tokens), _QUESTIONS_AT_ONCE):
            asked = tokens[at : at + _QUESTIONS_AT_ONCE]
            answers = client.search(
                self._name,
                [{dimension_of(token): 1.0} for token in asked],
                anns_field=self._field,
                limit=_FEW,
                search_params=_EXACT,
                output_fields=["id"],
                consistency_level=self._consistency,
                timeout=self._calls.timeout_s,
            )
            for token, found in zip(asked, answers, strict=True):
                frequencies[token] = (
                    len(found) if len(found) < _FEW else self._having(client, token)
                )
        return frequencies

    def _having(self, client: MilvusClient, token: str) -> int:
        condition = f"array_contains({TOKENS}, {number_of(token)})"
        return count_rows(client, self._name, condition=condition, timeout_s=self._calls.timeout_s)

    def _best(
        self, client: MilvusClient, question: Mapping[int, float], condition: str, asked: int
    ) -> list[dict[str, Any]]:
        (found,) = client.search(
            self._name,
            [question],
            anns_field=self._field,
            filter=condition,
            limit=asked,
            search_params=_EXACT,
            output_fields=["document_id", "slice_id", LENGTH, self._field],
            consistency_level=self._consistency,
            timeout=self._calls.timeout_s,
        )
        return [{"id": each["id"], **each["entity"]} for each in found]


def require_sparse(version: str) -> None:
    """Raise ``Unavailable`` for a server without sparse vectors."""
    if not is_at_least(version, _SPARSE_SINCE):
        raise Unavailable(
            f"Words need Milvus 2.4 or newer, and this server is {version}: renew the server, or "
            'let text_index.kind be "embedded" or "elasticsearch".'
        )


def _candidate(entry: Mapping[str, Any]) -> Candidate:
    return entry["id"], entry["document_id"], entry["slice_id"], entry[LENGTH]


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
