"""Searching knowledge bases, from the question to the slices that are shown.

rewrite → recall by vectors, words and SQL side by side → fuse → rerank → threshold, doubles,
count → widen → cut to the tokens there are. A step that fails or takes too
long gives less and says so; only if nothing could be searched at all the search fails.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from msgspec import structs

from application.knowledge.meter import SearchMeter
from application.knowledge.retrieval.hits import HitCounter
from application.knowledge.retrieval.rank import (
    RERANKED,
    Candidate,
    Cut,
    Found,
    Weighing,
    chosen,
    cuts,
    is_worth,
    ranked,
    reranked,
    with_lexical_order,
)
from application.knowledge.retrieval.recall_channels import Asked, ChannelRecall, Recalled
from application.knowledge.retrieval.recall_query import (
    NO_WORDINGS,
    Conversation,
    QueryWriter,
    Wordings,
)
from application.knowledge.retrieval.recall_scope import Restriction, SearchScope, SearchScopes
from application.knowledge.retrieval.recall_store import embedding_of
from application.knowledge.retrieval.request import MODES, check_request
from application.knowledge.retrieval.settings import RetrievalSettings
from application.knowledge.retrieval.show import RecallPresenter
from application.knowledge.retrieval.trace import Trace
from application.shared.aside import aside
from crossdomain.knowledge.contract import DEFAULT_TOKENS, Recall, RecallRequest, RetrievalStrategy
from crossdomain.model.contract import Models, RerankResult
from domain.knowledge.dataset import Dataset
from domain.knowledge.ranking.filter import Condition
from domain.knowledge.ranking.query import searchable
from domain.knowledge.ranking.score import ThresholdMode
from domain.knowledge.ranking.selection import Passage, within_tokens
from domain.knowledge.tables.subject import ColumnNames
from domain.knowledge.text.analyzer import Analyzer
from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.chat import Usage
from domain.shared.tracing.span import Span, SpanKind, begun

EQUAL_WEIGHT: Final = 0.5
OFFLINE_WEIGHT: Final = 0.05
"""What the built-in embedder, which knows no meanings, counts beside words."""
_RERANKED_CHARS: Final = 4000
_AT_ONCE_CHARS: Final = 150_000
"""A few milliseconds; of slices that are not alike, a tenth of it is read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """What a search shows and, if asked for, every candidate with the reason why it is not."""

    recall: Recall
    candidates: tuple[Candidate, ...] = ()


class RetrievalService:
    """Searches with the rights of the space of a call."""

    def __init__(
        self,
        *,
        scopes: SearchScopes,
        writer: QueryWriter,
        channels: ChannelRecall,
        presenter: RecallPresenter,
        hits: HitCounter,
        models: Models,
        analyzer: Analyzer,
        settings: RetrievalSettings,
        meter: SearchMeter,
    ) -> None:
        self._meter = meter
        self._scopes = scopes
        self._writer = writer
        self._channels = channels
        self._presenter = presenter
        self._hits = hits
        self._models = models
        self._analyzer = analyzer
        self._settings = settings

    async def retrieve(self, context: CallContext, request: RecallRequest) -> Recall:
        """Search for an agent or a workflow; what is shown counts as a hit.

        Raises:
            KnowledgeInvalid: the request is wrong; the message names what.
            RetrievalFailed: nothing could be searched.
        """
        result = await self.search(context, request)
        shown = (item.slice_id for item in result.recall.items)
        self._hits.add(context.space_id, (slice_id for slice_id in shown if slice_id))
        return result.recall

    async def search(
        self,
        context: CallContext,
        request: RecallRequest,
        *,
        bases: Sequence[Dataset] | None = None,
        explains: bool = False,
    ) -> SearchResult:
        """Search without counting hits, naming all candidates if wanted; raises as ``retrieve``.

        ``bases`` are those of the request, if the caller has just read them.
        """
        condition = check_request(request)
        query = searchable(request.query)
        if not query:
            return SearchResult(recall=Recall())
        trace = Trace()
        with (
            self._meter.search(lambda: trace.stages),
            begun(SpanKind.RETRIEVAL, "retrieval") as span,
        ):
            span.given(query)
            result = await self._search(
                context, request, query, condition, trace, bases=bases, explains=explains
            )
            if span.is_on:
                _tell(span, request, result.recall)
            return result

    async def _search(
        self,
        context: CallContext,
        request: RecallRequest,
        query: str,
        condition: Condition | None,
        trace: Trace,
        *,
        bases: Sequence[Dataset] | None,
        explains: bool,
    ) -> SearchResult:
        strategy = request.strategy
        tenant = context.scope.within(context.space_id)
        restriction = Restriction(
            document_ids=request.document_ids,
            condition=condition,
            creator_id=tenant.principal_id if strategy.is_personal_only else None,
        )
        scope = await self._scopes.resolve(tenant, request.dataset_ids, restriction, known=bases)
        if scope.is_empty:
            return SearchResult(recall=Recall(queries=(query,), skipped=scope.skipped))
        wordings = await self._wordings(context, query, request, scope, trace)
        queries = (query, *wordings.texts)
        asked = Asked(
            context=context,
            tenant=tenant,
            scope=scope,
            queries=queries,
            subjects=await self._subjects(scope, queries),
            question=query if strategy.expansion else (*wordings.texts, query)[0],
            mode=MODES[strategy.search_type],
            condition=condition,
            uses_sql=strategy.uses_sql,
        )
        recalled = await self._channels.run(asked, trace)
        weighing = _weighing(strategy, is_offline=recalled.is_offline)
        candidates, tokens = await self._ordered(asked, recalled, strategy, weighing, trace)
        size = sum(len(one.content) for one in candidates)
        first = await aside(size, partial(chosen, candidates, weighing), most=_AT_ONCE_CHARS)
        passages, unfit = await self._fitting(tenant, first, recalled, strategy)
        by_key = {one.key: one for one in candidates}
        items = await self._presenter.shown(tenant, passages, by_key, scope.datasets)
        recall = Recall(
            items=items,
            queries=asked.queries,
            skipped=scope.skipped,
            stages=trace.stages,
            usage=wordings.usage + recalled.usage + Usage(input_tokens=tokens),
        )
        if not explains:
            return SearchResult(recall=recall)
        cut = await aside(size, partial(cuts, candidates, weighing, first), most=_AT_ONCE_CHARS)
        return SearchResult(
            recall=recall, candidates=_explained(candidates, recalled, {**cut, **unfit})
        )

    async def _subjects(
        self, scope: SearchScope, queries: Sequence[str]
    ) -> dict[int, tuple[str, ...]]:
        """Return what each query asks of the table bases, by base."""
        if not scope.columns:
            return {}

        def subjects() -> dict[int, tuple[str, ...]]:
            named = {
                key: ColumnNames(names, analyzer=self._analyzer)
                for key, names in scope.columns.items()
            }
            return {key: tuple(map(names.subject_of, queries)) for key, names in named.items()}

        return await asyncio.to_thread(subjects)

    async def _wordings(
        self,
        context: CallContext,
        query: str,
        request: RecallRequest,
        scope: SearchScope,
        trace: Trace,
    ) -> Wordings:
        """Return further wordings; with an expansion a rewrite is not needed."""
        strategy = request.strategy
        expands, rewrites = strategy.expansion > 0, strategy.rewrites and bool(request.history)
        if not (expands or rewrites):
            return NO_WORDINGS
        if not await self._writer.can_write(context, strategy.expansion_model):
            return NO_WORDINGS
        asking = Conversation(
            history=request.history,
            background=strategy.expansion_background,
            model=strategy.expansion_model,
        )

        async def written() -> Wordings:
            if expands:
                return await self._writer.expand(
                    context,
                    query,
                    asking,
                    count=strategy.expansion,
                    embedding=embedding_of(scope.datasets[0]),
                )
            return await self._writer.rewrite(context, query, asking)

        return await trace.step(
            "expand" if expands else "rewrite",
            written,
            fallback=NO_WORDINGS,
            budget_s=self._settings.rewrite_s,
            count=lambda found: len(found.texts),
        )

    async def _ordered(
        self,
        asked: Asked,
        recalled: Recalled,
        strategy: RetrievalStrategy,
        weighing: Weighing,
        trace: Trace,
    ) -> tuple[list[Candidate], int]:
        """Fuse, and rerank if wanted; return the tokens that took, too."""
        found, query = recalled.found, asked.queries[0]
        bases = [dataset.id for dataset in asked.scope.datasets]
        if not strategy.reranks:
            return _fused(found, weighing, bases=bases), 0
        if not strategy.rerank_model and not await self._models.has_reranker():
            words = await trace.must(
                "rerank",
                lambda: with_lexical_order(
                    found.full_text, asked.about, found.slices, analyzer=self._analyzer
                ),
                count=lambda channel: len(channel.ranked),
            )
            return _fused(replace(found, full_text=words), weighing, bases=bases), 0
        candidates = _fused(found, weighing, bases=bases)
        offered = [_reranked_text(one) for one in candidates[:RERANKED]]
        if not offered:
            return candidates, 0
        answer = await trace.step(
            "rerank",
            lambda: self._models.rerank(asked.context, query, offered, model=strategy.rerank_model),
            fallback=RerankResult(ranked=(), model="", tokens=0),
            budget_s=self._settings.rerank_s,
            count=lambda result: len(result.ranked),
            doubts=lambda result: (
                ()
                if is_worth(result.ranked, len(offered))
                else ("the model scored too few of the texts",)
            ),
        )
        if not is_worth(answer.ranked, len(offered)):
            return candidates, answer.tokens
        order = [(one.index, one.score) for one in answer.ranked]
        return reranked(candidates, order, weighing), answer.tokens

    async def _fitting(
        self,
        tenant: TenantScope,
        passages: Sequence[Passage],
        recalled: Recalled,
        strategy: RetrievalStrategy,
    ) -> tuple[list[Passage], dict[int, Cut]]:
        """Widen passages and keep those that fit; say which went, and why."""
        wide = await self._presenter.widened(
            tenant, passages, recalled.found.slices, neighbours=strategy.neighbours
        )
        most = DEFAULT_TOKENS if strategy.max_tokens is None else strategy.max_tokens
        size = sum(len(passage.content) for passage in wide)
        fit = await aside(size, partial(within_tokens, wide, most), most=_AT_ONCE_CHARS)
        kept = {passage.slice_id for passage in wide}
        cut: dict[int, Cut] = dict.fromkeys(
            (passage.slice_id for passage in passages if passage.slice_id not in kept), "joined"
        )
        shown = {passage.slice_id for passage in fit}
        cut |= dict.fromkeys(
            (passage.slice_id for passage in wide if passage.slice_id not in shown), "tokens"
        )
        return fit, cut


def _fused(found: Found, weighing: Weighing, *, bases: Sequence[int]) -> list[Candidate]:
    """Fuse the channels, as a step that traces show."""
    with begun(SpanKind.FUSION, "fusion") as span:
        candidates = ranked(found, weighing, bases=bases)
        span.note(count=len(candidates))
        if span.keeps_content:
            span.gave([{"slice_id": str(one.key), "score": one.fused} for one in candidates])
    return candidates


def _tell(span: Span, request: RecallRequest, recall: Recall) -> None:
    """Let the trace of the run know what a search came to."""
    span.note(dataset_ids=[str(each) for each in request.dataset_ids], count=len(recall.items))
    if recall.degraded:
        span.note(degraded=list(recall.degraded))
    span.gave(recall.items)


def _weighing(strategy: RetrievalStrategy, *, is_offline: bool) -> Weighing:
    weight = strategy.embedding_weight
    if weight is None:
        weight = OFFLINE_WEIGHT if is_offline else EQUAL_WEIGHT
    return Weighing(
        mode=MODES[strategy.search_type],
        embedding_weight=weight,
        rerank_weight=strategy.rerank_weight,
        min_score=strategy.min_score,
        threshold=ThresholdMode(strategy.threshold),
        top_k=strategy.top_k,
    )


def _reranked_text(candidate: Candidate) -> str:
    item = candidate.slice
    index_text = f"{item.index_text}\n" if item and item.index_text else ""
    return f"{index_text}{candidate.content}"[:_RERANKED_CHARS]


def _explained(
    candidates: Sequence[Candidate], recalled: Recalled, cut: dict[int, Cut]
) -> tuple[Candidate, ...]:
    """Return all candidates in order, then those that may not be shown, by id alone."""
    found = recalled.found
    near = {key: at for at, key in enumerate(found.embedding.ranked, 1)}
    having = {key: at for at, key in enumerate(found.full_text.ranked, 1)}
    kept_out: dict[int, Cut] = dict.fromkeys(recalled.guarded, "guard")
    kept_out |= dict.fromkeys(recalled.filtered, "filter")
    return (
        *(structs.replace(one, cut=cut.get(one.key, "")) for one in candidates),
        *(
            Candidate.hidden(
                key, embedding_rank=near.get(key, 0), full_text_rank=having.get(key, 0), cut=reason
            )
            for key, reason in sorted(kept_out.items())
        ),
    )
