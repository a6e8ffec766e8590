"""Search tests on the admin surface."""

from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from litestar.status_codes import HTTP_200_OK

from api.disconnect import EndsWithClient
from api.search_shape import (
    StrategyFields,
    WireHistory,
    WireSearch,
    history_of,
    ids,
    search_type,
    strategy_of,
)
from api.wire import WireId, required_text
from application.knowledge.retrieval.trial import SearchTests, TrySearch
from domain.shared.access import Principal


class SearchTestInput(StrategyFields, frozen=True, kw_only=True):
    """A question to knowledge bases; ``strategy``: 0 semantic, 1 hybrid, 20 full text."""

    query: str | None = None
    dataset_ids: list[WireId] | None = None
    document_ids: list[WireId] | None = None
    history: list[WireHistory] | None = None
    strategy: str | int | None = None
    rerank: bool | None = None
    rewrite: bool | None = None
    nl2sql: bool | None = None
    explain: bool | None = None

    def command(self) -> TrySearch:
        """Read the test; raise ``InvalidRequest``."""
        return TrySearch(
            query=required_text(self.query, field="query"),
            dataset_ids=ids(self.dataset_ids, field="dataset_ids"),
            document_ids=ids(self.document_ids, field="document_ids"),
            history=history_of(self.history),
            strategy=strategy_of(
                self,
                search_type=search_type(self.strategy),
                reranks=self.rerank,
                rewrites=self.rewrite,
                uses_sql=self.nl2sql,
            ),
            explains=bool(self.explain),
        )


class AdminDatasetSearchController(Controller):
    """Try what agents would find."""

    path = "/admin/v1"

    @post(
        "/datasets:search",
        status_code=HTTP_200_OK,
        operation_id="admin.datasets.search",
        middleware=[EndsWithClient],
    )
    async def search(
        self,
        *,
        data: JSONBody[SearchTestInput],
        principal: NamedDependency[Principal],
        search_tests: NamedDependency[SearchTests],
    ) -> WireSearch:
        """Search knowledge bases of one workspace; counts no hits, 20 a minute."""
        return WireSearch.of(await search_tests.run(principal, data.command()))
