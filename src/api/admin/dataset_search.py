"""Search tests on the admin surface."""

from typing import Any

import msgspec
from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from litestar.status_codes import HTTP_200_OK

from api.search_shape import WireHistory, WireSearch, history_of, ids, or_default, search_type
from api.wire import WireId, required_text
from application.knowledge.retrieval_try import SearchTests, TrySearch
from domain.shared.access import Principal


class SearchTestInput(msgspec.Struct, frozen=True, kw_only=True):
    """A question to knowledge bases; ``strategy``: 0 semantic, 1 hybrid, 20 full text."""

    query: str | None = None
    dataset_ids: list[WireId] | None = None
    history: list[WireHistory] | None = None
    filter: dict[str, Any] | None = None
    strategy: str | int | None = None
    top_k: int | None = None
    min_score: float | None = None
    max_tokens: int | None = None
    rerank: bool | None = None
    rewrite: bool | None = None
    expansion: int | None = None
    nl2sql: bool | None = None
    explain: bool | None = None


class AdminDatasetSearchController(Controller):
    """Try what agents would find."""

    path = "/admin/v1"
    tags = ("admin knowledge",)

    @post("/datasets:search", status_code=HTTP_200_OK, operation_id="admin.datasets.search")
    async def search(
        self,
        *,
        data: JSONBody[SearchTestInput],
        principal: NamedDependency[Principal],
        search_tests: NamedDependency[SearchTests],
    ) -> WireSearch:
        """Search knowledge bases of one workspace; counts no hits, 20 a minute."""
        command = or_default(
            TrySearch(
                query=required_text(data.query, field="query"),
                dataset_ids=ids(data.dataset_ids, field="dataset_ids"),
                history=history_of(data.history),
                search_type=search_type(data.strategy),
            ),
            filter=data.filter,
            top_k=data.top_k,
            min_score=data.min_score,
            max_tokens=data.max_tokens,
            reranks=data.rerank,
            rewrites=data.rewrite,
            expansion=data.expansion,
            uses_sql=data.nl2sql,
            explains=data.explain,
        )
        return WireSearch.of(await search_tests.run(principal, command))
