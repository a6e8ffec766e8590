"""What collections of vectors and of words in Milvus have in common: keys, conditions, pages."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pymilvus import DataType, MilvusClient

from infra.contract.storage.search_index import EntryKey, Where

KEYS: Final = ("id", "document_id", "slice_id", "generation", "creator_id")
MAX_FOUND: Final = 16_384
"""The server returns no more at once."""
PARTITIONS: Final = 16
NEWEST: Final = "Strong"
"""The consistency of what must see every earlier write."""
FIRST_ID: Final = 0
_PAGE: Final = 5000
_IDS_AT_ONCE: Final = 10_000


def add_keys(schema: Any, *, is_routing: bool) -> None:
    """Add the fields of a key; ``is_routing`` spreads entries over partitions by document."""
    for field in KEYS:
        schema.add_field(
            field,
            DataType.INT64,
            is_primary=field == "id",
            is_partition_key=is_routing and field == "document_id",
        )


def is_at_least(version: str, wanted: tuple[int, int]) -> bool:
    """Compare what a server calls itself; milvus-lite has no ``v`` and is never too old."""
    found = re.match(r"v(\d+)\.(\d+)", version)
    return found is None or (int(found[1]), int(found[2])) >= wanted


def key_of(row: Mapping[str, Any]) -> EntryKey:
    """Return whose entry a row is."""
    return EntryKey(**{name: row[name] for name in KEYS})


def rows_after(
    client: MilvusClient,
    name: str,
    *,
    after: int,
    limit: int,
    timeout_s: float,
    condition: str = "",
    fields: Sequence[str] = KEYS,
) -> list[dict[str, Any]]:
    """Return rows by id; the server sorts them if it is told that this is an iteration."""
    rows = client.query(
        name,
        filter=all_of(condition, f"id > {after}"),
        limit=min(limit, MAX_FOUND),
        output_fields=list(fields),
        consistency_level=NEWEST,
        iterator="True",
        timeout=timeout_s,
    )
    return sorted(rows, key=lambda row: int(row["id"]))


def keys_after(
    client: MilvusClient, name: str, *, after: int, limit: int, timeout_s: float
) -> list[EntryKey]:
    """Return keys by id."""
    rows = rows_after(client, name, after=after, limit=limit, timeout_s=timeout_s)
    return [key_of(row) for row in rows]


def count_rows(client: MilvusClient, name: str, *, timeout_s: float, condition: str = "") -> int:
    """Return how many entries there are, of those that a condition holds for."""
    (row,) = client.query(
        name,
        filter=condition,
        output_fields=["count(*)"],
        consistency_level=NEWEST,
        timeout=timeout_s,
    )
    return int(row["count(*)"])


def delete_rows(
    client: MilvusClient,
    name: str,
    *,
    ids: Sequence[int],
    document_ids: Sequence[int],
    timeout_s: float,
) -> int:
    """Remove entries and return how many there were."""
    deleted = 0
    for condition in (*any_of("id", ids), *any_of("document_id", document_ids)):
        after = FIRST_ID - 1
        while page := rows_after(
            client, name, after=after, limit=_PAGE, condition=condition, timeout_s=timeout_s
        ):
            gone = [int(row["id"]) for row in page]
            client.delete(name, filter=f"id in {gone}", timeout=timeout_s)
            deleted += len(gone)
            after = gone[-1]
    return deleted


def restrictions(where: Where) -> Iterator[str]:
    """Return conditions whose results together are what may be found."""
    others = [f"not ({each})" for each in any_of("document_id", sorted(where.without_documents))]
    if where.creator_id is not None:
        others.append(f"creator_id == {where.creator_id}")
    if where.documents is None:
        yield all_of(*others)
        return
    for documents in any_of("document_id", sorted(where.documents)):
        yield all_of(documents, *others)


def any_of(field: str, values: Sequence[int]) -> list[str]:
    """Return a condition for each chunk of the values; none for none."""
    return [
        f"{field} in {list(values[at : at + _IDS_AT_ONCE])}"
        for at in range(0, len(values), _IDS_AT_ONCE)
    ]


def all_of(*conditions: str) -> str:
    """Return a condition that holds where all of these do; empty ones always do."""
    return " and ".join(f"({each})" for each in conditions if each)
