"""Texts in Elasticsearch, over tokens analysed by the application.

Every collection is one index of one shard behind an alias of its own. The server finds and
counts; the scores come from the same formula as everywhere, so results do not depend on what is
installed there. How often an entry has a term is read off the server's score of that term, which
without norms depends on nothing else (BM25 with ``b`` 0, times k1 + 1). Only functions of the
server's core are used: no scripts, no plug-ins, no modules.
"""

import hashlib
import re
from collections.abc import AsyncGenerator, Awaitable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar

import numpy as np
from elasticsearch import (
    ApiError,
    AsyncElasticsearch,
    BadRequestError,
    NotFoundError,
    TransportError,
)

from domain.shared.error import Unavailable
from infra.contract.storage import search_index as port
from infra.impl.search_index.embedded.bm25 import (
    CANDIDATES_PER_HIT,
    K1,
    Candidate,
    check_tokens,
    gains_of,
    hints_of,
    idf,
    ranked,
    weights_of,
)

_NAME: Final = re.compile("[a-z0-9_]{1,64}")
_IDS: Final = ("entry_id", "document_id", "slice_id", "generation", "creator_id")
_SHOWN: Final[list[Mapping[str, Any]]] = [{"field": name} for name in (*_IDS, "length")]
_NUMBERS: Final = {name: {"type": "long"} for name in (*_IDS, "length")}
_SETTINGS: Final = {
    "number_of_shards": 1,
    "similarity": {"counts": {"type": "BM25", "k1": K1, "b": 0.0}},
}
_PAGE: Final = 1000
_TERMS_AT_ONCE: Final = 50_000
"""The server takes 65,536 values in one filter."""
_MAX_TOKEN_CHARS: Final = 200
"""Its tokenizer cuts longer ones."""
_RETRIES: Final = 2

T = TypeVar("T")


class ElasticsearchTextIndexes:
    """All collections of texts on one cluster, named with a common prefix."""

    def __init__(
        self,
        url: str,
        *,
        prefix: str = "coterie_",
        user: str = "",
        password: str = "",
        api_key: str = "",
        ca_certs: str = "",
        replicas: int = 1,
        timeout_s: float = 10.0,
    ) -> None:
        self._prefix = prefix
        self._replicas = replicas
        options: dict[str, Any] = {"ca_certs": ca_certs} if ca_certs else {}
        if api_key:
            options["api_key"] = api_key
        elif user:
            options["basic_auth"] = (user, password)
        self._client = AsyncElasticsearch(
            url, request_timeout=timeout_s, max_retries=_RETRIES, retry_on_timeout=True, **options
        )

    async def start(self) -> None:
        """Do nothing: the client connects when it is used, readiness tells if it can."""

    async def aclose(self) -> None:
        await self._client.close()

    async def probe(self) -> None:
        """Raise ``Unavailable`` if the cluster does not answer or has lost data."""
        health = await _answer(self._client.cluster.health(index=f"{self._prefix}*"))
        if health["status"] == "red":
            raise Unavailable("The text index has lost shards.")

    async def create(self, collection: port.TextCollection) -> None:
        alias = self._alias(collection.name)
        try:
            await _answer(
                self._client.indices.create(
                    index=f"{alias}-1",
                    aliases={alias: {}},
                    settings={**_SETTINGS, "number_of_replicas": self._replicas},
                    mappings={
                        "dynamic": False,
                        "_source": {"enabled": False},
                        "_meta": {"analyzer": collection.analyzer},
                        "properties": {
                            **_NUMBERS,
                            "tokens": {
                                "type": "text",
                                "analyzer": "whitespace",
                                "similarity": "counts",
                                "index_options": "freqs",
                                "norms": False,
                            },
                        },
                    },
                )
            )
        except BadRequestError as exc:
            if exc.error != "resource_already_exists_exception":
                raise _unavailable() from exc
        else:
            return
        found = await _answer(self._client.indices.get_mapping(index=alias))
        (index,) = found.values()
        if index["mappings"]["_meta"]["analyzer"] != collection.analyzer:
            raise port.CollectionDiffers("The collection was made by another analyzer.")

    async def drop(self, name: str) -> None:
        await _answer(
            self._client.indices.delete(index=f"{self._alias(name)}-1", ignore_unavailable=True)
        )

    async def open(self, name: str) -> port.TextIndex:
        alias = self._alias(name)
        if not await _answer(self._client.indices.exists_alias(name=alias)):
            raise port.CollectionNotFound("There is no such collection.")
        return ElasticsearchTextIndex(self._client, alias)

    async def names(self, prefix: str = "") -> list[str]:
        start = self._prefix + prefix
        try:
            found = await _answer(self._client.indices.get_alias(name=f"{start}*"))
        except NotFoundError:
            return []
        aliases = {alias for index in found.values() for alias in index["aliases"]}
        return sorted(a.removeprefix(self._prefix) for a in aliases if a.startswith(start))

    def _alias(self, name: str) -> str:
        if not _NAME.fullmatch(name):
            raise port.UnfitEntry("Collection names match [a-z0-9_]{1,64}.", name=name)
        return self._prefix + name


class ElasticsearchTextIndex:
    """One collection."""

    def __init__(self, client: AsyncElasticsearch, alias: str) -> None:
        self._client = client
        self._alias = alias

    async def upsert(self, entries: Sequence[port.TextEntry]) -> None:
        if len(entries) > port.MAX_BATCH:
            raise port.UnfitEntry(f"At most {port.MAX_BATCH} entries can be written at once.")
        operations: list[dict[str, Any]] = []
        for entry in entries:
            check_tokens(entry.tokens)
            key = entry.key
            operations += [
                {"index": {"_id": str(key.id)}},
                {
                    "entry_id": key.id,
                    "document_id": key.document_id,
                    "slice_id": key.slice_id,
                    "generation": key.generation,
                    "creator_id": key.creator_id,
                    "length": len(entry.tokens),
                    "tokens": " ".join(map(_term, entry.tokens)),
                },
            ]
        if operations:
            await self._bulk(operations)

    async def delete(self, *, ids: Sequence[int] = (), document_ids: Sequence[int] = ()) -> int:
        chosen = [_any_of("entry_id", ids), _any_of("document_id", document_ids)]
        query = {"bool": {"should": [each for each in chosen if each], "minimum_should_match": 1}}
        deleted = 0
        while (ids or document_ids) and (found := await self._page(query, limit=_PAGE)):
            await self._bulk([{"delete": {"_id": str(key.id)}} for key in found])
            deleted += len(found)
        return deleted

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
        stats = stats or await self.term_stats(list(weights))
        gains = gains_of(weights, stats)
        idfs = await self._server_idfs(list(gains))
        asked = [(number, token) for number, token in enumerate(gains) if token in idfs]
        if not asked:
            return []
        found = await self._query(
            size=limit * CANDIDATES_PER_HIT,
            query={
                "bool": {
                    "should": [
                        _named(str(number), token, boost=gains[token] / idfs[token])
                        for number, token in asked
                    ],
                    "minimum_should_match": 1,
                    "filter": _restriction(where),
                }
            },
            sort=[{"_score": "desc"}, {"entry_id": "asc"}],
            include_named_queries_score=True,
        )
        counts = np.zeros((len(found), len(gains)), dtype=np.int64)
        gained = list(gains.values())
        for row, hit in enumerate(found):
            for name, score in hit["matched_queries"].items():
                counts[row, int(name)] = _count(score / gained[int(name)] / (K1 + 1))
        if not found:
            return []
        candidates = [_candidate(hit["fields"]) for hit in found]
        return ranked(
            candidates,
            counts,
            weights=weights,
            gains=gains,
            stats=stats,
            limit=limit,
            hints=hints_of(terms),
        )

    async def term_stats(self, tokens: Sequence[str]) -> port.TermStats:
        asked = list(dict.fromkeys(tokens))
        async with self._errors():
            found = await self._client.search(
                index=self._alias,
                size=0,
                track_total_hits=True,
                aggregations={
                    "tokens": {"sum": {"field": "length"}},
                    **{
                        f"t{number}": {"filter": {"term": {"tokens": {"value": _term(token)}}}}
                        for number, token in enumerate(asked)
                    },
                },
            )
        results = found["aggregations"]
        return port.TermStats(
            entries=found["hits"]["total"]["value"],
            tokens=int(results["tokens"]["value"]),
            frequencies={
                token: results[f"t{number}"]["doc_count"] for number, token in enumerate(asked)
            },
        )

    async def scan(self, *, after: int, limit: int) -> list[port.EntryKey]:
        return await self._page({"range": {"entry_id": {"gt": after}}}, limit=limit)

    async def count(self) -> int:
        async with self._errors():
            return int((await self._client.count(index=self._alias))["count"])

    async def _server_idfs(self, tokens: Sequence[str]) -> dict[str, float]:
        """Return the idf that the server will use for each token it knows."""
        async with self._errors():
            found = await self._client.termvectors(
                index=self._alias,
                doc={"tokens": " ".join(map(_term, tokens))},
                fields=["tokens"],
                term_statistics=True,
                positions=False,
                offsets=False,
                payloads=False,
            )
        vectors = found["term_vectors"].get("tokens")
        if vectors is None:
            return {}
        entries = vectors["field_statistics"]["doc_count"]
        known = vectors["terms"]
        return {
            token: idf(entries, known[_term(token)]["doc_freq"])
            for token in tokens
            if known[_term(token)].get("doc_freq", 0) > 0
        }

    async def _page(self, query: Mapping[str, Any], *, limit: int) -> list[port.EntryKey]:
        found = await self._query(size=limit, query=query, sort=[{"entry_id": "asc"}])
        return [
            port.EntryKey(
                id=hit["fields"]["entry_id"][0],
                document_id=hit["fields"]["document_id"][0],
                slice_id=hit["fields"]["slice_id"][0],
                generation=hit["fields"]["generation"][0],
                creator_id=hit["fields"]["creator_id"][0],
            )
            for hit in found
        ]

    async def _query(self, *, size: int, **body: Any) -> list[dict[str, Any]]:
        async with self._errors():
            found = await self._client.search(
                index=self._alias,
                size=size,
                docvalue_fields=_SHOWN,
                track_total_hits=False,
                **body,
            )
        hits: list[dict[str, Any]] = found["hits"]["hits"]
        return hits

    async def _bulk(self, operations: Sequence[Mapping[str, Any]]) -> None:
        """Write all of them, visible when this returns."""
        async with self._errors():
            result = await self._client.bulk(
                index=self._alias, operations=operations, refresh=True, require_alias=True
            )
        if not result["errors"]:
            return
        outcomes = [next(iter(item.values())) for item in result["items"]]
        errors = {each["error"]["type"] for each in outcomes if "error" in each}
        if "index_not_found_exception" in errors:
            raise port.CollectionNotFound("There is no such collection.")
        if errors:
            raise _unavailable()

    @asynccontextmanager
    async def _errors(self) -> AsyncGenerator[None, None]:
        try:
            yield
        except NotFoundError as exc:
            raise port.CollectionNotFound("There is no such collection.") from exc
        except (ApiError, TransportError) as exc:
            raise _unavailable() from exc


async def _answer(call: Awaitable[T]) -> T:
    """Wait for the server; what it refuses is the caller's to judge."""
    try:
        return await call
    except (NotFoundError, BadRequestError):
        raise
    except (ApiError, TransportError) as exc:
        raise _unavailable() from exc


def _unavailable() -> Unavailable:
    return Unavailable("The text index does not answer; try again later.")


def _term(token: str) -> str:
    """Return a token as the server stores it: whole, whatever its length and characters."""
    if len(token) <= _MAX_TOKEN_CHARS and not any(map(str.isspace, token)):
        return token
    return f"#{hashlib.sha256(token.encode()).hexdigest()}"


def _named(name: str, token: str, *, boost: float) -> dict[str, Any]:
    return {"term": {"tokens": {"value": _term(token), "boost": boost, "_name": name}}}


def _restriction(where: port.Where) -> list[dict[str, Any]]:
    filters = []
    if where.documents is not None:
        filters.append(_any_of("document_id", sorted(where.documents)))
    if where.without_documents:
        hidden = _any_of("document_id", sorted(where.without_documents))
        filters.append({"bool": {"must_not": [hidden]}})
    if where.creator_id is not None:
        filters.append({"term": {"creator_id": {"value": where.creator_id}}})
    return filters


def _any_of(field: str, values: Sequence[int]) -> dict[str, Any]:
    """Return a condition for any number of values; empty for none."""
    parts = [
        {"terms": {field: list(values[at : at + _TERMS_AT_ONCE])}}
        for at in range(0, len(values), _TERMS_AT_ONCE)
    ]
    if len(parts) <= 1:
        return parts[0] if parts else {}
    return {"bool": {"should": parts, "minimum_should_match": 1}}


def _count(share: float) -> int:
    """Return the number of occurrences from ``count / (count + k1)``."""
    return max(1, round(K1 * share / (1 - share))) if share < 1 else 1


def _candidate(fields: Mapping[str, Any]) -> Candidate:
    return (
        fields["entry_id"][0],
        fields["document_id"][0],
        fields["slice_id"][0],
        fields["length"][0],
    )
