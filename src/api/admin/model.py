"""Models of the deployment on the admin surface."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, cast

from litestar import Controller, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from litestar.status_codes import HTTP_200_OK

from api.admin.query import IfMatch, revision_of
from api.wire import query_choice, query_integer
from application.model.dto import (
    ModelInput,
    ModelPage,
    ModelQuery,
    ModelReport,
    ModelView,
    ProviderPage,
    WireType,
)
from application.model.service import ModelAdminService
from domain.shared.access import Principal

_DEFAULT_LIMIT: Final = 50
_TYPES: Final[Mapping[str, str]] = {
    "llm": "llm",
    "chat": "llm",
    "embedding": "embedding",
    "rerank": "rerank",
}
_ORDERS: Final[Mapping[str, str]] = {"asc": "asc", "desc": "desc"}


class ModelController(Controller):
    """Chat, embedding and reranking models, from configuration and from the database."""

    path = "/admin/v1"

    @get("/models", operation_id="admin.models.list")
    async def list_models(
        self,
        *,
        principal: NamedDependency[Principal],
        model_admin: NamedDependency[ModelAdminService],
        kind: Annotated[str | None, QueryParameter(name="type")] = None,
        q: FromQuery[str | None] = None,
        order: FromQuery[str | None] = None,
        limit: FromQuery[str | None] = None,
        cursor: FromQuery[str | None] = None,
    ) -> ModelPage:
        """List models by name; disabled ones and settings only for administrators."""
        size = query_integer(limit, field="limit")
        query = ModelQuery(
            type=cast("WireType | None", query_choice(kind, _TYPES, field="type")),
            q=q or "",
            order=cast(
                'Literal["asc", "desc"]', query_choice(order, _ORDERS, field="order") or "asc"
            ),
            limit=_DEFAULT_LIMIT if size is None else size,
            cursor=cursor or "",
        )
        return await model_admin.list(principal, query)

    @post("/models", operation_id="admin.models.create")
    async def create_model(
        self,
        data: JSONBody[ModelInput],
        principal: NamedDependency[Principal],
        model_admin: NamedDependency[ModelAdminService],
    ) -> ModelView:
        """Add a model; ``display.name`` and, but for built-in ones, ``connection.base_url``."""
        return await model_admin.create(principal, data)

    @get("/models/{model_id:str}", operation_id="admin.models.get")
    async def get_model(
        self,
        model_id: FromPath[str],
        principal: NamedDependency[Principal],
        model_admin: NamedDependency[ModelAdminService],
    ) -> ModelView:
        """Show a model by id, name or alias."""
        return await model_admin.get(principal, model_id)

    @patch("/models/{model_id:str}", operation_id="admin.models.update")
    async def update_model(
        self,
        model_id: FromPath[str],
        data: JSONBody[ModelInput],
        principal: NamedDependency[Principal],
        model_admin: NamedDependency[ModelAdminService],
        if_match: IfMatch = None,
    ) -> ModelView:
        """Change a stored model by a JSON merge patch."""
        return await model_admin.update(principal, model_id, data, revision=revision_of(if_match))

    @delete("/models/{model_id:str}", operation_id="admin.models.delete")
    async def delete_model(
        self,
        model_id: FromPath[str],
        principal: NamedDependency[Principal],
        model_admin: NamedDependency[ModelAdminService],
        if_match: IfMatch = None,
    ) -> None:
        """Remove a stored model."""
        await model_admin.delete(principal, model_id, revision=revision_of(if_match))

    @post("/models/{model_id:str}/test", operation_id="admin.models.test", status_code=HTTP_200_OK)
    async def test_model(
        self,
        model_id: FromPath[str],
        principal: NamedDependency[Principal],
        model_admin: NamedDependency[ModelAdminService],
    ) -> ModelReport:
        """Call a model for everything it claims to do; failures are in the report."""
        return await model_admin.test(principal, model_id)

    @get("/model-providers", operation_id="admin.model_providers.list")
    async def list_providers(
        self,
        principal: NamedDependency[Principal],
        model_admin: NamedDependency[ModelAdminService],
    ) -> ProviderPage:
        """List the kinds of providers."""
        return await model_admin.providers(principal)
