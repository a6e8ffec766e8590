"""Search tests: what agents would find, with the reasons, for those who look after knowledge."""

from collections.abc import Mapping
from typing import Final

import msgspec

from application.knowledge.retrieval.rank import Candidate
from application.knowledge.retrieval.recall_scope import named_datasets
from application.knowledge.retrieval.request import check_request
from application.knowledge.retrieval.service import RetrievalService
from application.knowledge.retrieval.settings import RetrievalSettings
from application.knowledge.retrieval.show import channel_scores
from application.shared.projection import Projection
from application.shared.rate import RateLimiter
from crossdomain.knowledge.contract import (
    RecalledSlice,
    RecallRequest,
    RecallStage,
    RetrievalStrategy,
)
from domain.knowledge.dataset import Dataset
from domain.knowledge.error import KnowledgeInvalid
from domain.knowledge.ranking.selection import estimate_tokens
from domain.knowledge.repository import KnowledgeStore
from domain.shared.access import Permission, Principal
from domain.shared.call import CallContext
from domain.shared.chat import ChatMessage, Usage
from domain.shared.error import RateLimited
from infra.contract.clock import Clock

MAX_TOP_K: Final = 20
MIN_TOKENS: Final = 100
TRY_DEFAULTS: Final = RetrievalStrategy(top_k=5)
_USERS_REMEMBERED: Final = 10_000

__all__ = [
    "TRY_DEFAULTS",
    "RetrievalStrategy",
    "SearchTests",
    "TriedCandidate",
    "TriedSearch",
    "TrySearch",
]


class TrySearch(msgspec.Struct, frozen=True, kw_only=True):
    """A search test: a request that may ask for every candidate."""

    query: str
    dataset_ids: tuple[int, ...]
    document_ids: tuple[int, ...] = ()
    history: tuple[ChatMessage, ...] = ()
    strategy: RetrievalStrategy = TRY_DEFAULTS
    explains: bool = False


class TriedCandidate(Projection):
    """Something found; ranks count from 1, 0 is not found there; ``cut`` says why not shown."""

    slice_id: int
    document_id: int
    dataset_id: int
    content: str
    source: str
    score: float
    scores: Mapping[str, float]
    embedding_rank: int
    full_text_rank: int
    sql_rank: int
    rerank_rank: int
    cut: str
    sql: str = ""


class TriedSearch(msgspec.Struct, frozen=True, kw_only=True):
    """What was found; ``candidates`` only if asked for.

    ``tokens`` is what the contents of all items take in a prompt, counted as ``max_tokens`` is.
    """

    items: tuple[RecalledSlice, ...]
    tokens: int = 0
    queries: tuple[str, ...]
    skipped: tuple[int, ...]
    stages: tuple[RecallStage, ...]
    usage: Usage
    candidates: tuple[TriedCandidate, ...] | None = None


class SearchTests:
    """Searches that count no hits; a few each minute for one user."""

    def __init__(
        self,
        *,
        retrieval: RetrievalService,
        store: KnowledgeStore,
        clock: Clock,
        settings: RetrievalSettings,
    ) -> None:
        self._retrieval = retrieval
        self._store = store
        self._clock = clock
        self._rate = RateLimiter(per_minute=settings.tests_per_minute, size=_USERS_REMEMBERED)

    async def run(self, principal: Principal, command: TrySearch) -> TriedSearch:
        """Search bases of one workspace; those that cannot be searched are ``skipped``.

        Raises:
            KnowledgeInvalid: a parameter is out of range; the message names it.
            RateLimited: too many tests within a minute.
            RetrievalFailed: nothing could be searched.
        """
        request = _request(command)
        check_request(request)
        if wait_s := self._rate.take(principal.user_id, now=self._clock.now()):
            raise RateLimited(
                "Too many search tests; try again soon.",
                retry_after_s=wait_s,
                limit="tests_per_minute",
            )
        bases = await self._bases(principal, command.dataset_ids)
        if not bases:
            return TriedSearch(
                items=(), queries=(), skipped=command.dataset_ids, stages=(), usage=Usage()
            )
        space_id = bases[0].space_id
        context = CallContext(
            scope=principal.scope.within(space_id),
            space_id=space_id,
            connector_id=principal.connector_id,
        )
        result = await self._retrieval.search(
            context, request, bases=bases, explains=command.explains
        )
        recall = result.recall
        candidates = tuple(map(_tried, result.candidates)) if command.explains else None
        return TriedSearch(
            items=recall.items,
            tokens=sum(estimate_tokens(item.content) for item in recall.items),
            queries=recall.queries,
            skipped=recall.skipped,
            stages=recall.stages,
            usage=recall.usage,
            candidates=candidates,
        )

    async def _bases(self, principal: Principal, dataset_ids: tuple[int, ...]) -> list[Dataset]:
        """Return the bases that there are; the first one's workspace is searched.

        Bases of other workspaces are skipped: one search has the rights of one workspace.
        """
        async with self._store.snapshot() as uow:
            found = await named_datasets(uow, principal.scope, dataset_ids)
        if found:
            principal.require(Permission.DATASET_READ, found[0].space_id)
        return found


def _request(command: TrySearch) -> RecallRequest:
    strategy = command.strategy
    if not command.dataset_ids:
        raise KnowledgeInvalid("dataset_ids: expected at least one id.", field="dataset_ids")
    if not 1 <= strategy.top_k <= MAX_TOP_K:
        raise KnowledgeInvalid(f"top_k: expected 1 to {MAX_TOP_K}.", field="top_k")
    if strategy.max_tokens is not None and strategy.max_tokens < MIN_TOKENS:
        raise KnowledgeInvalid(f"max_tokens: expected {MIN_TOKENS} or more.", field="max_tokens")
    return RecallRequest(
        query=command.query,
        dataset_ids=command.dataset_ids,
        document_ids=command.document_ids,
        history=command.history,
        strategy=strategy,
    )


def _tried(candidate: Candidate) -> TriedCandidate:
    return TriedCandidate.of(
        candidate,
        slice_id=max(candidate.key, 0),
        score=round(candidate.score, 6),
        scores=channel_scores(candidate),
    )
