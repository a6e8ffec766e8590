"""All ways to find slices, side by side, and what of it may be shown."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from application.knowledge.retrieval.rank import LIMITS, Found
from application.knowledge.retrieval.recall_embedding import QueryEmbedder, QueryVectors
from application.knowledge.retrieval.recall_scope import SearchScope
from application.knowledge.retrieval.recall_store import (
    FAILED,
    NOTHING,
    Channel,
    Embedding,
    StoreCalls,
    StoreRecall,
    embedding_of,
    side_by_side,
)
from application.knowledge.retrieval.settings import RetrievalSettings
from application.knowledge.retrieval.trace import Trace, reason
from application.knowledge.table.channel import SqlHit, SqlHits, TableChannel
from application.shared.aside import aside
from domain.knowledge.error import RetrievalFailed
from domain.knowledge.ranking.filter import Condition, SliceFacts
from domain.knowledge.ranking.score import OFFLINE_SCALE, SearchMode
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.slice import FoundSlice, Place
from domain.knowledge.text.analyzer import Analyzer
from domain.knowledge.value import FormatType, SliceId
from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.chat import Usage
from infra.contract.storage.search_index import QueryTerm

_RESERVE: Final = 20
"""More than that is asked for, because some may not be shown."""
_MANY_DROPPED: Final = 0.2
_AT_ONCE_CHARS: Final = 500
_SQL_FAILED: Final = SqlHits(failed=("failed",))


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What to search for, and where; the first of ``queries`` is the question itself.

    ``question`` is what tables are asked: one question that can be understood by itself.
    """

    context: CallContext
    tenant: TenantScope
    scope: SearchScope
    queries: tuple[str, ...]
    question: str
    mode: SearchMode
    condition: Condition | None = None
    uses_sql: bool = False
    subjects: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """What each of ``queries`` asks about, by table base: without the names of columns."""

    @property
    def texts(self) -> tuple[str, ...]:
        """All that is embedded: the queries, then what else tables are asked about."""
        return tuple(dict.fromkeys((*self.queries, *chain.from_iterable(self.subjects.values()))))

    def wordings(self, dataset_id: int) -> list[tuple[str, ...]]:
        """Return what is asked of a base: for each query its text and, of tables, its subject."""
        subjects = self.subjects.get(dataset_id, self.queries)
        return [tuple(dict.fromkeys(both)) for both in zip(self.queries, subjects, strict=True)]

    @property
    def about(self) -> str:
        """The question, or its subject if tables alone are asked."""
        if any(dataset.id not in self.subjects for dataset in self.scope.datasets):
            return self.queries[0]
        return " ".join(dict.fromkeys(texts[0] for texts in self.subjects.values()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """Everything that was found; ``guarded`` and ``filtered`` slices may not be shown."""

    found: Found
    guarded: frozenset[int] = frozenset()
    filtered: frozenset[int] = frozenset()
    usage: Usage = field(default_factory=Usage)
    is_offline: bool = False
    """The built-in embedder made all vectors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Vectors:
    """The vectors of the questions by embedding; those that could not be made say why."""

    made: Mapping[Embedding, QueryVectors]
    failures: tuple[str, ...] = ()


class ChannelRecall:
    """Asks vectors, words and tables at once; the database decides what of it may be shown."""

    def __init__(
        self,
        *,
        store: KnowledgeStore,
        stores: StoreRecall,
        embedder: QueryEmbedder,
        tables: TableChannel | None,
        analyzer: Analyzer,
        settings: RetrievalSettings,
    ) -> None:
        self._store = store
        self._stores = stores
        self._embedder = embedder
        self._tables = tables
        self._analyzer = analyzer
        self._settings = settings

    async def run(self, asked: Asked, trace: Trace) -> Recalled:
        """Search; if much of what was found may not be shown, search once more for twice as much.

        Raises:
            RetrievalFailed: nothing could be searched.
        """
        calls = self._stores.calls(asked.context.space_id)
        terms = await self._terms(asked)
        async with asyncio.TaskGroup() as group:
            rows_task = group.create_task(self._rows(asked, trace))
            text_task = group.create_task(self._by_words(calls, asked, terms, trace))
            vectors = await self._vectors(asked, trace)
            embedding = await self._by_vector(calls, asked, vectors, trace)
        rows, full_text = rows_task.result(), text_task.result()
        _require_any(asked, embedding, full_text, rows, trace)
        recalled = await self._shown(asked, embedding, full_text, rows, trace)
        found_count = len({*embedding.ranked, *full_text.ranked})
        dropped = len(recalled.guarded) + len(recalled.filtered)
        if dropped > _MANY_DROPPED * found_count and (embedding.is_cut or full_text.is_cut):
            async with asyncio.TaskGroup() as group:
                text_task = group.create_task(
                    self._by_words(calls, asked, terms, trace, twice=True)
                )
                vector_task = group.create_task(
                    self._by_vector(calls, asked, vectors, trace, twice=True)
                )
            recalled = await self._shown(
                asked,
                embedding if vector_task.result().has_failed else vector_task.result(),
                full_text if text_task.result().has_failed else text_task.result(),
                rows,
                trace,
            )
        return Recalled(
            found=recalled.found,
            guarded=recalled.guarded,
            filtered=recalled.filtered,
            usage=rows.usage + Usage(input_tokens=sum(v.tokens for v in vectors.made.values())),
            is_offline=bool(vectors.made) and all(v.is_offline for v in vectors.made.values()),
        )

    async def _terms(self, asked: Asked) -> dict[int, list[list[QueryTerm]]]:
        """Return the terms of each query by base; in tables those beside the subject are hints."""
        if not LIMITS[asked.mode][1]:
            return {}

        def analysed() -> dict[int, list[list[QueryTerm]]]:
            return {
                dataset.id: [self._query_terms(*texts) for texts in asked.wordings(dataset.id)]
                for dataset in asked.scope.datasets
            }

        size = sum(map(len, asked.texts)) * len(asked.scope.datasets)
        return await aside(size, analysed, most=_AT_ONCE_CHARS)

    def _query_terms(self, query: str, subject: str = "") -> list[QueryTerm]:
        wanted = {term.token for term in self._analyzer.query_terms(subject)} if subject else None
        return [
            QueryTerm(
                token=term.token,
                weight=term.weight,
                is_hint=wanted is not None and term.token not in wanted,
            )
            for term in self._analyzer.query_terms(query)
        ]

    async def _vectors(self, asked: Asked, trace: Trace) -> _Vectors:
        embeddings = {embedding_of(dataset): dataset for dataset in asked.scope.datasets}
        wanted = [embedding for embedding in embeddings if embedding[1]]
        if not LIMITS[asked.mode][0] or not wanted:
            return _Vectors(made={})

        async def one(embedding: Embedding) -> QueryVectors | str:
            model, dimensions = embedding
            try:
                async with asyncio.timeout(self._settings.embed_s):
                    return await self._embedder.embed(
                        asked.context, asked.texts, model=model, dimensions=dimensions
                    )
            except Exception as exc:  # noqa: BLE001 - other models, and words, still count
                return reason(exc, budget_s=self._settings.embed_s)

        async def all_models() -> _Vectors:
            made = await side_by_side([one(key) for key in wanted])
            results = dict(zip(wanted, made, strict=True))
            return _Vectors(
                made={k: v for k, v in results.items() if isinstance(v, QueryVectors)},
                failures=tuple(v for v in results.values() if isinstance(v, str)),
            )

        return await trace.step(
            "embed",
            all_models,
            fallback=_Vectors(made={}, failures=("failed",)),
            budget_s=2 * self._settings.embed_s,  # each model has its own time
            count=lambda vectors: len(vectors.made),
            doubts=lambda vectors: vectors.failures,
        )

    async def _by_vector(
        self,
        calls: StoreCalls,
        asked: Asked,
        vectors: _Vectors,
        trace: Trace,
        *,
        twice: bool = False,
    ) -> Channel:
        limit = LIMITS[asked.mode][0]
        if not limit or not vectors.made:
            return FAILED if vectors.failures else NOTHING
        return await trace.step(
            "vector",
            lambda: self._stores.by_vector(
                calls,
                asked.scope.targets,
                {
                    key: dict(zip(asked.texts, made.vectors, strict=True))
                    for key, made in vectors.made.items()
                },
                {dataset.id: asked.wordings(dataset.id) for dataset in asked.scope.datasets},
                limit=_wide(limit, twice=twice),
                scales={key: OFFLINE_SCALE for key, v in vectors.made.items() if v.is_offline},
            ),
            fallback=FAILED,
            budget_s=2 * self._settings.store_s,  # the store has its own time
            count=lambda channel: len(channel.ranked),
            doubts=lambda channel: channel.failures,
            shown=_hits,
        )

    async def _by_words(
        self,
        calls: StoreCalls,
        asked: Asked,
        terms: Mapping[int, Sequence[Sequence[QueryTerm]]],
        trace: Trace,
        *,
        twice: bool = False,
    ) -> Channel:
        limit = LIMITS[asked.mode][1]
        if not limit:
            return NOTHING
        return await trace.step(
            "full_text",
            lambda: self._stores.by_words(
                calls, asked.scope.targets, terms, limit=_wide(limit, twice=twice)
            ),
            fallback=FAILED,
            budget_s=2 * self._settings.store_s,
            count=lambda channel: len(channel.ranked),
            doubts=lambda channel: channel.failures,
            shown=_hits,
        )

    async def _rows(self, asked: Asked, trace: Trace) -> SqlHits:
        tables = [one for one in asked.scope.datasets if one.format_type is FormatType.TABLE]
        channel = self._tables
        if channel is None or not asked.uses_sql or not tables:
            return SqlHits()
        return await trace.step(
            "nl2sql",
            lambda: channel.answer(asked.context, tables, asked.question),
            fallback=_SQL_FAILED,
            budget_s=self._settings.sql_s,
            count=lambda hits: len(hits.items),
            doubts=lambda hits: () if hits is _SQL_FAILED else hits.failed,
        )

    async def _shown(
        self, asked: Asked, embedding: Channel, full_text: Channel, rows: SqlHits, trace: Trace
    ) -> Recalled:
        ids = {*embedding.ranked, *full_text.ranked}
        ids |= {row.slice_id for row in rows.items if row.slice_id}
        slices: dict[int, FoundSlice] = {}
        if ids:
            slices = await trace.must(
                "hydrate", lambda: self._hydrated(asked, sorted(ids)), count=len
            )
        guarded = frozenset(ids - slices.keys())
        filtered: frozenset[int] = frozenset()
        if asked.condition is not None and asked.condition.needs_slice:
            filtered = await self._filtered(asked, slices)
        kept = {key: item for key, item in slices.items() if key not in filtered}
        found = Found(
            embedding=embedding,
            full_text=full_text,
            rows=_kept_rows(asked, rows.items, kept),
            slices=kept,
        )
        return Recalled(found=found, guarded=guarded, filtered=filtered)

    async def _hydrated(self, asked: Asked, ids: Sequence[int]) -> dict[int, FoundSlice]:
        bases = {dataset.id for dataset in asked.scope.datasets}
        async with self._store.snapshot() as uow:
            items = await uow.retrieval.hydrate(asked.tenant, [SliceId(one) for one in ids])
        return {item.id: item for item in items if item.dataset_id in bases}

    async def _filtered(self, asked: Asked, slices: Mapping[int, FoundSlice]) -> frozenset[int]:
        """Return the slices that a filter about slices keeps out."""
        condition = asked.condition
        documents = sorted({item.document_id for item in slices.values()})
        if condition is None or not documents:
            return frozenset()
        async with self._store.snapshot() as uow:
            found = await uow.retrieval.facts(
                asked.tenant,
                [dataset.id for dataset in asked.scope.datasets],
                document_ids=documents,
                limit=len(documents),
            )
        facts = {one.document_id: one for one in found}
        return frozenset(
            key
            for key, item in slices.items()
            if (known := facts.get(item.document_id)) is None
            or not condition.holds(known, _facts_of(item.read().place))
        )


def _wide(limit: int, *, twice: bool) -> int:
    return (2 * limit if twice else limit) + _RESERVE


def _facts_of(place: Place) -> SliceFacts:
    first, last = place.page_from, place.page_to
    pages = tuple(range(first, (last or first) + 1)) if first is not None else ()
    return SliceFacts(pages=pages, sheet=place.sheet)


def _kept_rows(
    asked: Asked, rows: Sequence[SqlHit], slices: Mapping[int, FoundSlice]
) -> dict[int, SqlHit]:
    """Return rows by key, those of documents that may be shown; below 0 for whole results."""
    kept: dict[int, SqlHit] = {}
    allowed = asked.scope.targets[0].where.documents if asked.scope.targets else None
    for number, row in enumerate(rows, 1):
        if allowed is not None and row.document_id not in allowed:
            continue
        if not row.slice_id:
            kept[-number] = row
        elif row.slice_id in slices:
            kept.setdefault(row.slice_id, row)
    return kept


def _require_any(
    asked: Asked, embedding: Channel, full_text: Channel, rows: SqlHits, trace: Trace
) -> None:
    """Raise ``RetrievalFailed`` if no channel that was asked answered."""
    vector_limit, text_limit = LIMITS[asked.mode]
    failed = [embedding.has_failed] if vector_limit else []
    failed += [full_text.has_failed] if text_limit else []
    if rows.items or not failed or not all(failed):
        return
    reasons = (stage.degraded for stage in trace.stages if stage.degraded)
    raise RetrievalFailed("\n".join(["The knowledge could not be searched.", *reasons]))


def _hits(channel: Channel) -> list[dict[str, object]]:
    """Return what a channel found, best first, as traces show it."""
    return [
        {"slice_id": str(key), "score": channel.scores.get(key), "raw": channel.raw.get(key)}
        for key in channel.ranked
    ]
