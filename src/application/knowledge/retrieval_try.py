"""Search tests: what agents would find, with the reasons, for those who look after knowledge."""

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from application.knowledge.retrieval import RetrievalService
from application.knowledge.retrieval_rank import Candidate
from application.knowledge.retrieval_request import MODES, Search
from application.knowledge.retrieval_settings import RetrievalSettings
from application.knowledge.retrieval_show import channel_scores
from application.shared.rate import RateLimiter
from crossdomain.knowledge.contract import RecalledSlice, RecallRequest, RecallStage
from domain.knowledge.error import KnowledgeInvalid
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.score import ThresholdMode
from domain.knowledge.value import DatasetId
from domain.shared.access import Permission, Principal
from domain.shared.call import CallContext
from domain.shared.chat import ChatMessage, Usage
from domain.shared.error import RateLimited
from domain.shared.ids import SpaceId
from infra.contract.clock import Clock

MAX_TOP_K: Final = 20
MIN_TOKENS: Final = 100
_USERS_REMEMBERED: Final = 10_000


class TrySearch(msgspec.Struct, frozen=True, kw_only=True):
    """A search test; fields as in ``RecallRequest`` and ``Search``."""

    query: str
    dataset_ids: tuple[int, ...]
    document_ids: tuple[int, ...] = ()
    history: tuple[ChatMessage, ...] = ()
    filter: Mapping[str, object] | None = None
    search_type: str = "hybrid"
    top_k: int = 5
    min_score: float = 0.5
    max_tokens: int = 3000
    embedding_weight: float | None = None
    rewrites: bool = False
    expansion: int = 0
    reranks: bool = False
    rerank_weight: float = 1.0
    uses_sql: bool = False
    is_personal_only: bool = False
    neighbours: int | None = None
    threshold: Literal["absolute", "fastgpt"] = "absolute"
    explains: bool = False


class TriedCandidate(msgspec.Struct, frozen=True, kw_only=True):
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
    """What was found; ``candidates`` only if asked for."""

    items: tuple[RecalledSlice, ...]
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
        search = _search(command)
        search.check()
        if wait_s := self._rate.take(principal.user_id, now=self._clock.now()):
            raise RateLimited(
                "Too many search tests; try again soon.",
                retry_after_s=wait_s,
                limit="tests_per_minute",
            )
        space_id = await self._space(principal, command.dataset_ids)
        if space_id is None:
            return TriedSearch(
                items=(), queries=(), skipped=command.dataset_ids, stages=(), usage=Usage()
            )
        context = CallContext(
            scope=principal.scope.within(space_id),
            space_id=space_id,
            connector_id=principal.connector_id,
        )
        result = await self._retrieval.search(context, search)
        recall = result.recall
        candidates = tuple(map(_tried, result.candidates)) if search.explains else None
        return TriedSearch(
            items=recall.items,
            queries=recall.queries,
            skipped=recall.skipped,
            stages=recall.stages,
            usage=recall.usage,
            candidates=candidates,
        )

    async def _space(self, principal: Principal, dataset_ids: tuple[int, ...]) -> SpaceId | None:
        """Return the workspace of the first base there is; None if there is none.

        Bases of other workspaces are skipped: one search has the rights of one workspace.
        """
        wanted = [DatasetId(number) for number in dataset_ids]
        async with self._store.snapshot() as uow:
            found = await uow.datasets.get_many(principal.scope, wanted)
        first = next((found[key] for key in wanted if key in found), None)
        if first is None:
            return None
        principal.require(Permission.DATASET_READ, first.space_id)
        return first.space_id


def _search(command: TrySearch) -> Search:
    if command.search_type not in MODES:
        raise KnowledgeInvalid(
            f"search_type: expected one of {', '.join(MODES)}.", field="search_type"
        )
    if not command.dataset_ids:
        raise KnowledgeInvalid("dataset_ids: expected at least one id.", field="dataset_ids")
    if not 1 <= command.top_k <= MAX_TOP_K:
        raise KnowledgeInvalid(f"top_k: expected 1 to {MAX_TOP_K}.", field="top_k")
    if command.max_tokens < MIN_TOKENS:
        raise KnowledgeInvalid(f"max_tokens: expected {MIN_TOKENS} or more.", field="max_tokens")
    (kind,) = (name for name in MODES if name == command.search_type)
    return Search(
        request=RecallRequest(
            query=command.query,
            dataset_ids=command.dataset_ids,
            document_ids=command.document_ids,
            history=command.history,
            filter=command.filter,
            search_type=kind,
            top_k=command.top_k,
            min_score=command.min_score,
            max_tokens=command.max_tokens,
            rewrites=command.rewrites,
            expansion=command.expansion,
            reranks=command.reranks,
            rerank_weight=command.rerank_weight,
            uses_sql=command.uses_sql,
            is_personal_only=command.is_personal_only,
        ),
        embedding_weight=command.embedding_weight,
        threshold=ThresholdMode(command.threshold),
        neighbours=command.neighbours,
        explains=command.explains,
    )


def _tried(candidate: Candidate) -> TriedCandidate:
    return TriedCandidate(
        slice_id=max(candidate.key, 0),
        document_id=candidate.document_id,
        dataset_id=candidate.dataset_id,
        content=candidate.content,
        source=candidate.source,
        score=round(candidate.score, 6),
        scores=channel_scores(candidate),
        embedding_rank=candidate.embedding_rank,
        full_text_rank=candidate.full_text_rank,
        sql_rank=candidate.sql_rank,
        rerank_rank=candidate.rerank_rank,
        cut=candidate.cut,
        sql=candidate.sql,
    )
