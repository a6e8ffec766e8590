"""What can be named as ``model``: published agents, and models of the deployment."""

from typing import Final

from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from api.openai.embeddings import EMBEDDING_PREFIX
from api.openai.raw import RAW_PREFIX
from api.openai.shape import ModelList, ModelObject, ModelTraits
from api.wire import seconds
from application.agent.dto import AgentSummary
from application.agent.publishing import AgentPublishingService
from application.model.gateway import ModelGateway, OfferedModel
from domain.model.value import ModelType
from domain.shared.access import Principal

_PREFIXES: Final = {ModelType.CHAT: RAW_PREFIX, ModelType.EMBEDDING: EMBEDDING_PREFIX}
_KINDS: Final = {ModelType.CHAT: "llm", ModelType.EMBEDDING: "embedding"}


class ModelController(Controller):
    """What the token can name as ``model``."""

    path = "/v1/models"

    @get(operation_id="openai.models.list")
    async def list_models(
        self,
        *,
        principal: NamedDependency[Principal],
        publishing: NamedDependency[AgentPublishingService],
        gateway: NamedDependency[ModelGateway],
    ) -> ModelList:
        """Return every published agent by id, and once more by alias if it has one.

        Models of the deployment follow for tokens with the permission ``model.use``.
        """
        agents = await publishing.list_chattable(principal)
        by_id = [_agent(agent, str(agent.id)) for agent in agents]
        by_alias = [_agent(agent, agent.alias) for agent in agents if agent.alias]
        raw = [
            _raw(model, f"{_PREFIXES[model.type]}{model.name}")
            for model in await gateway.offered(principal, principal.personal_space_id)
        ]
        return ModelList(data=by_id + by_alias + raw)

    @get("/{model:path}", operation_id="openai.models.get")
    async def retrieve_model(
        self,
        *,
        model: FromPath[str],
        principal: NamedDependency[Principal],
        publishing: NamedDependency[AgentPublishingService],
        gateway: NamedDependency[ModelGateway],
    ) -> ModelObject:
        """Return one published agent by id or alias, or a model by its prefix and name."""
        name = model.removeprefix("/")
        for kind, prefix in _PREFIXES.items():
            if name.startswith(prefix):
                space_id = principal.personal_space_id
                bare = name.removeprefix(prefix)
                return _raw(await gateway.find(principal, space_id, bare, kind), name)
        return _agent(await publishing.resolve(principal, name), name)


def _agent(agent: AgentSummary, name: str) -> ModelObject:
    return ModelObject(
        id=name,
        created=seconds(agent.published_at or agent.created_at),
        owned_by=str(agent.space_id),
        name=agent.name,
        coterie=ModelTraits(kind="agent"),
    )


def _raw(model: OfferedModel, name: str) -> ModelObject:
    return ModelObject(
        id=name,
        created=model.created_at,
        owned_by=model.provider,
        name=model.name,
        coterie=ModelTraits(kind=_KINDS[model.type], capabilities=list(model.capabilities)),
    )
