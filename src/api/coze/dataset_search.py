"""Search tests on the Coze surface, and the images in what is found."""

from collections.abc import AsyncGenerator, Mapping
from typing import Any

import msgspec
from litestar import Controller, Request, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_200_OK

from api.download import ANSWERS, download
from api.envelope import Envelope, ok
from api.search_shape import WireHistory, WireSearch, history_of, ids, or_default, search_type
from api.wire import WireId, required_text
from application.file.dto import FileContent
from application.knowledge.retrieval_image import ImageService
from application.knowledge.retrieval_try import SearchTests, TrySearch
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest
from domain.shared.limits import Limits

_EXPANDS: Mapping[str, int | None] = {"auto": None, "none": 0, "0": 0, "1": 1, "2": 2}


class SearchDatasetsBody(msgspec.Struct, frozen=True, kw_only=True):
    """A question to knowledge bases.

    ``search_type`` (or ``strategy``): 0 semantic, 1 hybrid, 20 full text. ``expand``: auto, none,
    1 or 2 neighbours. ``threshold_mode``: absolute or fastgpt. ``explain`` lists every candidate.
    """

    query: str | None = None
    dataset_ids: list[WireId] | None = None
    document_ids: list[WireId] | None = None
    history: list[WireHistory] | None = None
    filter: dict[str, Any] | None = None
    search_type: str | int | None = None
    strategy: str | int | None = None
    top_k: int | None = None
    min_score: float | None = None
    max_tokens: int | None = None
    embedding_weight: float | None = None
    enable_query_rewrite: bool | None = None
    expansion: int | None = None
    enable_rerank: bool | None = None
    rerank_weight: float | None = None
    enable_nl2sql: bool | None = None
    is_personal_only: bool | None = None
    expand: str | int | None = None
    threshold_mode: str | None = None
    explain: bool | None = None


class DatasetSearchController(Controller):
    """Try what agents would find."""

    path = "/v1/datasets"
    tags = ("Knowledge bases",)

    @post("/search", status_code=HTTP_200_OK, operation_id="datasets.search")
    async def search(
        self,
        *,
        data: JSONBody[SearchDatasetsBody],
        principal: NamedDependency[Principal],
        search_tests: NamedDependency[SearchTests],
    ) -> Envelope[WireSearch]:
        """Search knowledge bases of one workspace; counts no hits, 20 a minute."""
        command = or_default(
            TrySearch(
                query=required_text(data.query, field="query"),
                dataset_ids=ids(data.dataset_ids, field="dataset_ids"),
                document_ids=ids(data.document_ids, field="document_ids"),
                history=history_of(data.history),
                search_type=search_type(
                    data.strategy if data.search_type is None else data.search_type
                ),
                neighbours=_neighbours(data.expand),
            ),
            filter=data.filter,
            top_k=data.top_k,
            min_score=data.min_score,
            max_tokens=data.max_tokens,
            embedding_weight=data.embedding_weight,
            rewrites=data.enable_query_rewrite,
            expansion=data.expansion,
            reranks=data.enable_rerank,
            rerank_weight=data.rerank_weight,
            uses_sql=data.enable_nl2sql,
            is_personal_only=data.is_personal_only,
            threshold=_threshold(data.threshold_mode),
            explains=data.explain,
        )
        return ok(WireSearch.of(await search_tests.run(principal, command)))


class KnowledgeImageController(Controller):
    """What is served without a token: signed links to images, which check themselves."""

    tags = ("Knowledge bases",)
    opt = {"public": True}  # noqa: RUF012

    @get(
        "/knowledge/images/{token:str}",
        operation_id="datasets.images.download",
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


def _neighbours(value: str | int | None) -> int | None:
    if value is None or value == "":
        return None
    name = str(value).lower()
    if name not in _EXPANDS:
        raise InvalidRequest("expand: expected auto, none, 1 or 2.", field="expand")
    return _EXPANDS[name]


def _threshold(value: str | None) -> str | None:
    if value is not None and value not in {"absolute", "fastgpt"}:
        raise InvalidRequest(
            "threshold_mode: expected absolute or fastgpt.", field="threshold_mode"
        )
    return value
