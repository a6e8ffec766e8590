"""Vectors in Milvus, or in milvus-lite: a collection each, searched by graph and inner product.

Writes are seen by every read after them, because reads ask for the newest state; searches may
ask for less. Entries with equal scores come by id: more than wanted are asked for until the last
one is worse than the last one wanted.
"""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from pymilvus import DataType, MilvusClient

from infra.contract.storage import search_index as port
from infra.impl.search_index.embedded.state import unit
from infra.impl.search_index.milvus.calls import MilvusCalls
from infra.impl.search_index.milvus.collections import Form
from infra.impl.search_index.milvus.indexes import MilvusIndexes
from infra.impl.search_index.milvus.rows import (
    KEYS,
    MAX_FOUND,
    PARTITIONS,
    add_keys,
    count_rows,
    delete_rows,
    is_at_least,
    key_of,
    keys_after,
    restrictions,
    rows_after,
)

_VECTOR: Final = "vector"
_MAX_DIMENSIONS: Final = 32_768
_SPARE: Final = 16
"""Asked for beyond the limit, to see whether equal scores go on."""
_EDGES: Final = 30
_EDGES_WHILE_BUILDING: Final = 360
_LEAST_EFFORT: Final = 64
_ROUTING_SINCE: Final = (2, 4)
"""Older servers put replaced entries into wrong partitions, and then do not find them."""


class _VectorForm:
    """Collections of vectors, told apart by their dimension."""

    difference = "The collection has vectors of another dimension."

    def require(self, version: str) -> None:
        """Every server that the client speaks to has vectors."""

    def read(self, fields: Sequence[Mapping[str, Any]]) -> int:
        (vector,) = (field for field in fields if field["name"] == _VECTOR)
        return int(vector["params"]["dim"])

    def add_fields(self, schema: Any, wanted: int, *, version: str) -> Mapping[str, Any]:
        is_routing = is_at_least(version, _ROUTING_SINCE)
        add_keys(schema, is_routing=is_routing)
        schema.add_field(_VECTOR, DataType.FLOAT_VECTOR, dim=wanted)
        return {"num_partitions": PARTITIONS} if is_routing else {}

    def add_indexes(self, params: Any, wanted: int, *, known: Sequence[str], version: str) -> None:
        if not known:
            params.add_index(
                _VECTOR,
                index_type="HNSW",
                metric_type="IP",
                params={"M": _EDGES, "efConstruction": _EDGES_WHILE_BUILDING},
            )


class MilvusVectorIndexes(MilvusIndexes[int]):
    """All collections of vectors on one server, named with a common prefix."""

    _title = "vector index"

    @staticmethod
    def _form(*, is_local: bool) -> Form[int]:
        return _VectorForm()

    async def create(self, collection: port.VectorCollection) -> None:
        if not 1 <= collection.dimensions <= _MAX_DIMENSIONS:
            raise port.UnfitEntry(f"A vector has 1 to {_MAX_DIMENSIONS} dimensions.")
        await self._collections.create(collection.name, collection.dimensions)

    async def open(self, name: str) -> port.VectorIndex:
        return MilvusVectorIndex(
            self._calls,
            self._collections.full(name),
            dimensions=await self._collections.open(name),
            consistency=self._consistency,
        )

    async def collections(self) -> list[port.VectorCollection]:
        """All collections, to be moved elsewhere; with ``read`` this is a ``VectorSource``."""
        return [
            port.VectorCollection(name=name, dimensions=await self._collections.open(name))
            for name in await self.names()
        ]

    async def read(self, name: str, *, after: int, limit: int) -> list[port.VectorEntry]:
        """Return up to ``limit`` stored entries with a greater id, by id."""
        full = self._collections.full(name)

        def page(client: MilvusClient) -> list[port.VectorEntry]:
            rows = rows_after(
                client,
                full,
                after=after,
                limit=limit,
                fields=(*KEYS, _VECTOR),
                timeout_s=self._calls.timeout_s,
            )
            return [
                port.VectorEntry(key=key_of(row), vector=array("f", row[_VECTOR])) for row in rows
            ]

        return await self._calls.on(full, page)


class MilvusVectorIndex:
    """One collection."""

    def __init__(self, calls: MilvusCalls, name: str, *, dimensions: int, consistency: str) -> None:
        self._calls = calls
        self._name = name
        self._dimensions = dimensions
        self._consistency = consistency

    async def upsert(self, entries: Sequence[port.VectorEntry]) -> None:
        if len(entries) > port.MAX_BATCH:
            raise port.UnfitEntry(f"At most {port.MAX_BATCH} entries can be written at once.")
        rows = {entry.key.id: self._row(entry) for entry in entries}
        if rows:
            await self._calls.write(
                self._name,
                lambda client: client.upsert(
                    self._name, list(rows.values()), timeout=self._calls.timeout_s
                ),
            )

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
        self, vector: Sequence[float], *, limit: int, where: port.Where = port.ANYWHERE
    ) -> list[port.Hit]:
        question = self._unit(vector)
        if limit <= 0 or where.documents == frozenset():
            return []
        wanted = min(limit, MAX_FOUND)
        conditions = list(restrictions(where))

        def search(client: MilvusClient) -> list[port.Hit]:
            found = [
                hit
                for condition in conditions
                for hit in self._nearest(client, question, condition, wanted)
            ]
            return sorted(found, key=lambda hit: (-hit.raw, hit.id))[:wanted]

        return await self._calls.on(self._name, search)

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

    def _nearest(
        self, client: MilvusClient, question: Any, condition: str, wanted: int
    ) -> list[port.Hit]:
        """Return the nearest entries and all that are as near as the last one wanted."""
        asked = min(wanted + _SPARE, MAX_FOUND)
        while True:
            (found,) = client.search(
                self._name,
                [question],
                filter=condition,
                limit=asked,
                output_fields=["document_id", "slice_id"],
                search_params={
                    "metric_type": "IP",
                    "params": {"ef": max(_LEAST_EFFORT, 2 * asked)},
                },
                consistency_level=self._consistency,
                timeout=self._calls.timeout_s,
            )
            is_cut = len(found) == asked and asked < MAX_FOUND
            if not is_cut or found[-1]["distance"] < found[wanted - 1]["distance"]:
                return [_hit(each) for each in found]
            asked = min(4 * asked, MAX_FOUND)

    def _row(self, entry: port.VectorEntry) -> dict[str, Any]:
        return {**asdict(entry.key), _VECTOR: self._unit(entry.vector)}

    def _unit(self, vector: Sequence[float]) -> Any:
        values = unit(vector, dimensions=self._dimensions)
        if values is None:
            raise port.UnfitEntry(
                f"A vector needs {self._dimensions} finite numbers, not all zero."
            )
        return values


def _hit(found: Any) -> port.Hit:
    entity = found["entity"]
    return port.Hit(
        id=found["id"],
        document_id=entity["document_id"],
        slice_id=entity["slice_id"],
        raw=float(found["distance"]),
    )
