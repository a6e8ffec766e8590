"""Models of the deployment on the admin surface."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, cast

import msgspec
from litestar import Controller, Response, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from litestar.status_codes import HTTP_200_OK

from api.admin.query import IfMatch, revision_of
from api.disconnect import EndsWithClient
from api.renderer.timed import TimedRenderer
from api.sse import EventStreamResponse
from api.wire import WireId, bounded_text, optional_id, query_choice, query_integer
from application.model.dto import (
    ModelFiguresPage,
    ModelInput,
    ModelPage,
    ModelQuery,
    ModelReport,
    ModelTestInput,
    ModelView,
    ProviderPage,
    WireType,
)
from application.model.gateway import CountedTexts, ModelGateway
from application.model.probe import TestEnded
from application.model.service import ModelAdminService
from application.shared.reply_stream import ReplyEnded
from domain.shared.access import Principal
from domain.shared.chat import ChatMessage, ChatRequest, Sampling
from domain.shared.error import InvalidRequest
from domain.shared.ids import SpaceId
from domain.shared.limits import Limits

_DEFAULT_LIMIT: Final = 50
_MAX_MESSAGES: Final = 20
"""A trial is no conversation: enough for a system text and some turns."""
_TYPES: Final[Mapping[str, str]] = {
    "llm": "llm",
    "chat": "llm",
    "embedding": "embedding",
    "rerank": "rerank",
}
_ORDERS: Final[Mapping[str, str]] = {"asc": "asc", "desc": "desc"}


class TrialMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A message that a model is asked with."""

    role: Literal["system", "user", "assistant"]
    content: str


class TrialParameters(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of one reply; absent leaves the provider's default."""

    temperature: Annotated[float, msgspec.Meta(ge=0, le=2)] | None = None
    top_p: Annotated[float, msgspec.Meta(ge=0, le=1)] | None = None
    top_k: Annotated[int, msgspec.Meta(ge=0)] | None = None
    presence_penalty: Annotated[float, msgspec.Meta(ge=-2, le=2)] | None = None
    frequency_penalty: Annotated[float, msgspec.Meta(ge=-2, le=2)] | None = None
    max_tokens: Annotated[int, msgspec.Meta(ge=1)] | None = None


class TrialBody(msgspec.Struct, frozen=True, kw_only=True):
    """What a model is asked without an agent: at most 20 messages, and no tools.

    ``workspace_id`` is the workspace that the call is counted for; absent, it is the token's only
    one, or the caller's own.
    """

    messages: list[TrialMessage]
    parameters: TrialParameters | None = None
    workspace_id: WireId | None = None

    def request(self, model: str, limits: Limits) -> ChatRequest:
        """Return the call; raise ``InvalidRequest`` naming the field."""
        if not 1 <= len(self.messages) <= _MAX_MESSAGES:
            raise InvalidRequest(f"messages: 1 to {_MAX_MESSAGES} messages.", field="messages")
        if self.messages[-1].role != "user":
            raise InvalidRequest("messages: the last one is the user's.", field="messages")
        given = self.parameters or TrialParameters()
        return ChatRequest(
            model=model,
            messages=tuple(
                ChatMessage.of_text(each.role, _said(each, number, limits))
                for number, each in enumerate(self.messages)
            ),
            sampling=Sampling(
                temperature=given.temperature,
                top_p=given.top_p,
                top_k=given.top_k,
                presence_penalty=given.presence_penalty,
                frequency_penalty=given.frequency_penalty,
            ),
            max_output_tokens=given.max_tokens,
        )


def _said(message: TrialMessage, number: int, limits: Limits) -> str:
    field = f"messages[{number}].content"
    text = bounded_text(message.content, field=field, max_chars=limits.message_bytes)
    if not text.strip():
        raise InvalidRequest(f"{field}: say something.", field=field)
    return text


class TextsBody(msgspec.Struct, frozen=True, kw_only=True):
    """Texts whose tokens are wanted."""

    texts: list[str]
    """At most 2,048."""


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

    @post(
        "/models/{model_id:str}/test",
        operation_id="admin.models.test",
        middleware=[EndsWithClient],
        status_code=HTTP_200_OK,
    )
    async def test_model(
        self,
        model_id: FromPath[str],
        principal: NamedDependency[Principal],
        model_admin: NamedDependency[ModelAdminService],
    ) -> ModelReport:
        """Call a model for everything it claims to do; failures are in the report."""
        return await model_admin.test(principal, model_id)

    @post("/models:check", operation_id="admin.models.check", status_code=HTTP_200_OK)
    async def check_model(
        self,
        data: JSONBody[ModelTestInput],
        principal: NamedDependency[Principal],
        model_admin: NamedDependency[ModelAdminService],
        limits: NamedDependency[Limits],
    ) -> Response[None]:
        """Test settings before they are stored, or a model as it is, and stream each check."""
        return EventStreamResponse(
            model_admin.check(principal, data),
            TimedRenderer(),
            limits=limits,
            endings=(TestEnded,),
        )

    @get("/models:figures", operation_id="admin.models.get_figures")
    async def get_figures(
        self,
        principal: NamedDependency[Principal],
        model_admin: NamedDependency[ModelAdminService],
    ) -> ModelFiguresPage:
        """Show how the models did in the last 24 hours, over all workspaces."""
        return await model_admin.figures(principal)

    @post(
        "/models/{model_id:str}/try", operation_id="admin.models.try_out", status_code=HTTP_200_OK
    )
    async def try_model(
        self,
        model_id: FromPath[str],
        data: JSONBody[TrialBody],
        principal: NamedDependency[Principal],
        gateway: NamedDependency[ModelGateway],
        limits: NamedDependency[Limits],
    ) -> Response[None]:
        """Ask a model without an agent, and stream what it says; counted as a trial."""
        given = optional_id(data.workspace_id, field="workspace_id")
        space_id = SpaceId(principal.personal_space_id if given is None else given)
        request = data.request(model_id, limits)
        return EventStreamResponse(
            gateway.try_out(principal, space_id, request),
            TimedRenderer(),
            limits=limits,
            endings=(ReplyEnded,),
            space_id=space_id,
        )

    @post(
        "/models/{model_id:str}/count-tokens",
        operation_id="admin.models.count_tokens",
        status_code=HTTP_200_OK,
    )
    async def count_tokens(
        self,
        model_id: FromPath[str],
        data: JSONBody[TextsBody],
        principal: NamedDependency[Principal],
        gateway: NamedDependency[ModelGateway],
    ) -> CountedTexts:
        """Estimate how many tokens texts are for a model."""
        return await gateway.count(principal, model_id, data.texts)

    @get("/model-providers", operation_id="admin.model_providers.list")
    async def list_providers(
        self,
        principal: NamedDependency[Principal],
        model_admin: NamedDependency[ModelAdminService],
    ) -> ProviderPage:
        """List the kinds of providers."""
        return await model_admin.providers(principal)
