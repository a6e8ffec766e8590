"""Search tests on the Coze surface, and the images in what is found."""

from collections.abc import AsyncGenerator
from typing import Any

from litestar import Controller, Request, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_200_OK

from api.disconnect import EndsWithClient
from api.download import ANSWERS, download
from api.envelope import Envelope, ok
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
from application.file.dto import FileContent
from application.knowledge.retrieval.image import ImageService
from application.knowledge.retrieval.trial import SearchTests, TrySearch
from domain.shared.access import Principal
from domain.shared.limits import Limits


class SearchDatasetsBody(StrategyFields, frozen=True, kw_only=True):
    """A question to knowledge bases.

    ``search_type`` (or ``strategy``): 0 semantic, 1 hybrid, 20 full text. ``explain`` lists every
    candidate.
    """

    query: str | None = None
    dataset_ids: list[WireId] | None = None
    document_ids: list[WireId] | None = None
    history: list[WireHistory] | None = None
    search_type: str | int | None = None
    strategy: str | int | None = None
    enable_query_rewrite: bool | None = None
    enable_rerank: bool | None = None
    enable_nl2sql: bool | None = None
    explain: bool | None = None

    def command(self) -> TrySearch:
        """Read the test; raise ``InvalidRequest``."""
        kind = self.strategy if self.search_type is None else self.search_type
        return TrySearch(
            query=required_text(self.query, field="query"),
            dataset_ids=ids(self.dataset_ids, field="dataset_ids"),
            document_ids=ids(self.document_ids, field="document_ids"),
            history=history_of(self.history),
            strategy=strategy_of(
                self,
                search_type=search_type(kind),
                reranks=self.enable_rerank,
                rewrites=self.enable_query_rewrite,
                uses_sql=self.enable_nl2sql,
            ),
            explains=bool(self.explain),
        )


class DatasetSearchController(Controller):
    """Try what agents would find."""

    path = "/v1/datasets"

    @post(
        "/search",
        status_code=HTTP_200_OK,
        operation_id="datasets.search",
        middleware=[EndsWithClient],
    )
    async def search(
        self,
        *,
        data: JSONBody[SearchDatasetsBody],
        principal: NamedDependency[Principal],
        search_tests: NamedDependency[SearchTests],
    ) -> Envelope[WireSearch]:
        """Search knowledge bases of one workspace; counts no hits, 20 a minute."""
        return ok(WireSearch.of(await search_tests.run(principal, data.command())))


class KnowledgeImageController(Controller):
    """What is served without a token: signed links to images, which check themselves."""

    opt = {"public": True}  # noqa: RUF012

    @get(
        "/knowledge/images/{token:str}",
        operation_id="images.download",
        media_type="application/octet-stream",
        responses=ANSWERS,
    )
    async def open_image(
        self,
        request: Request[Any, Any, Any],
        token: FromPath[str],
        knowledge_images: NamedDependency[ImageService],
        limits: NamedDependency[Limits],
    ) -> Response[bytes]:
        """Download the image that a signed token names."""
        image = await knowledge_images.open(token)

        async def read(start: int, end: int) -> AsyncGenerator[bytes, None]:
            yield image.data[start:end]

        content = FileContent(
            name="image",
            media_type=image.media_type,
            size=len(image.data),
            sha256=image.sha256,
            is_attachment=False,
            read=read,
        )
        return download(content, request, limits=limits)
