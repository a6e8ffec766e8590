"""Published agents as OpenAI models."""

from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from api.openai.shape import ModelList, ModelObject
from api.wire import seconds
from application.agent.dto import AgentSummary
from application.agent.publishing import AgentPublishingService
from domain.shared.access import Principal


class ModelController(Controller):
    """What the token can name as ``model``."""

    path = "/v1/models"
    tags = ("OpenAI",)

    @get(operation_id="openai.models.list")
    async def list_models(
        self,
        *,
        principal: NamedDependency[Principal],
        publishing: NamedDependency[AgentPublishingService],
    ) -> ModelList:
        """Return every published agent by id, and once more by alias if it has one."""
        agents = await publishing.list_chattable(principal)
        by_id = [_model(agent, str(agent.id)) for agent in agents]
        by_alias = [_model(agent, agent.alias) for agent in agents if agent.alias]
        return ModelList(data=by_id + by_alias)

    @get("/{model:path}", operation_id="openai.models.retrieve")
    async def retrieve_model(
        self,
        *,
        model: FromPath[str],
        principal: NamedDependency[Principal],
        publishing: NamedDependency[AgentPublishingService],
    ) -> ModelObject:
        """Return one published agent by id or alias."""
        name = model.removeprefix("/")
        return _model(await publishing.resolve(principal, name), name)


def _model(agent: AgentSummary, name: str) -> ModelObject:
    return ModelObject(
        id=name,
        created=seconds(agent.published_at or agent.created_at),
        owned_by=str(agent.space_id),
        name=agent.name,
    )
