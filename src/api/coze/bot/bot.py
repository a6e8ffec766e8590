"""Bots (agents) on the Coze surface."""

from collections.abc import Mapping
from typing import Final

from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.status_codes import HTTP_200_OK
from msgspec import UNSET

from api.coze.bot.request import CreateBotBody, PublishBotBody, UnpublishBotBody, UpdateBotBody
from api.coze.bot.shape import (
    Bot,
    BotReference,
    BotVersion,
    BotVersionList,
    SimpleBot,
    SimpleBotList,
    SpaceBot,
    SpaceBotList,
)
from api.envelope import Envelope, done, ok
from api.wire import (
    IdempotencyKey,
    Page,
    optional_id,
    page,
    query_choice,
    query_flag,
    request_key,
    required_id,
    required_text,
)
from application.agent.dto import CreateAgent, ListAgents, PublishAgent, UpdateAgent
from application.agent.publishing import AgentPublishingService
from application.agent.service import AgentService
from domain.agent.value import PublishState
from domain.shared.access import CONNECTOR_API, Principal
from domain.shared.error import Forbidden
from domain.shared.limits import Limits

_STATES: Final[Mapping[str, str]] = {state.value: state.value for state in PublishState}
_PAGE_SIZE: Final = 20  # as at Coze
_VERSION_PAGE_SIZE: Final = 10


class BotController(Controller):
    """Create, publish and read bots."""

    path = "/v1"

    @post("/bot/create", operation_id="bots.create", status_code=HTTP_200_OK)
    async def create(
        self,
        *,
        data: JSONBody[CreateBotBody],
        principal: NamedDependency[Principal],
        agents: NamedDependency[AgentService],
        limits: NamedDependency[Limits],
        idempotency_key: IdempotencyKey = None,
    ) -> Envelope[BotReference]:
        """Make a bot; it answers once it is published."""
        command = CreateAgent(
            space_id=required_id(data.space_id, field="space_id"),
            name=required_text(data.name, field="name"),
            description=data.description or "",
            icon_file_id=optional_id(data.icon_file_id, field="icon_file_id"),
            config=data.config(limits),
            idempotency_key=request_key(idempotency_key, limits=limits),
        )
        return ok(BotReference(bot_id=str((await agents.create(principal, command)).id)))

    @post("/bot/update", operation_id="bots.update", status_code=HTTP_200_OK)
    async def update(
        self,
        *,
        data: JSONBody[UpdateBotBody],
        principal: NamedDependency[Principal],
        agents: NamedDependency[AgentService],
        limits: NamedDependency[Limits],
    ) -> Envelope[None]:
        """Change the draft of a bot; what is absent or null stays."""
        icon = optional_id(data.icon_file_id, field="icon_file_id")
        command = UpdateAgent(
            agent_id=required_id(data.bot_id, field="bot_id"),
            name=UNSET if data.name is None else data.name,
            description=UNSET if data.description is None else data.description,
            icon_file_id=UNSET if icon is None else icon,
            config=data.config(limits),
        )
        await agents.update(principal, command)
        return done()

    @post("/bot/publish", operation_id="bots.publish", status_code=HTTP_200_OK)
    async def publish(
        self,
        *,
        data: JSONBody[PublishBotBody],
        principal: NamedDependency[Principal],
        publishing: NamedDependency[AgentPublishingService],
    ) -> Envelope[BotReference]:
        """Freeze the draft as a version and let it answer on connectors, by default the API."""
        bot_id = required_id(data.bot_id, field="bot_id")
        connector_ids = [CONNECTOR_API] if data.connector_ids is None else data.connector_ids
        version = await publishing.publish(
            principal,
            PublishAgent(
                agent_id=bot_id,
                connector_ids=tuple(required_id(c, field="connector_ids") for c in connector_ids),
            ),
        )
        return ok(BotReference(bot_id=str(bot_id), version=version))

    @post("/bots/{bot_id:str}/unpublish", operation_id="bots.unpublish", status_code=HTTP_200_OK)
    async def unpublish(
        self,
        *,
        data: JSONBody[UnpublishBotBody],
        principal: NamedDependency[Principal],
        publishing: NamedDependency[AgentPublishingService],
        bot_id: FromPath[str],
    ) -> Envelope[None]:
        """Take a bot off a connector."""
        await publishing.unpublish(
            principal,
            required_id(bot_id, field="bot_id"),
            required_id(data.connector_id, field="connector_id"),
            reason=data.unpublish_reason or "",
        )
        return done()

    @get("/bot/get_online_info", operation_id="bots.get_online_info")
    async def get_online_info(
        self,
        *,
        principal: NamedDependency[Principal],
        publishing: NamedDependency[AgentPublishingService],
        bot_id: FromQuery[str | None] = None,
        version: FromQuery[str | None] = None,
        connector_id: FromQuery[str | None] = None,
    ) -> Envelope[Bot]:
        """Show a bot as published; to a token for browsers only what visitors see."""
        wanted = required_id(bot_id, field="bot_id")
        if principal.grant.is_browser:
            return ok(await _public(publishing, principal, wanted, connector_id, version=version))
        if version:
            _, view = await publishing.get_version(principal, wanted, version)
        else:
            view = await publishing.get_published(
                principal, wanted, connector_id=_connector(connector_id)
            )
        return ok(Bot.of(view))

    @get("/bots/{bot_id:str}", operation_id="bots.get")
    async def retrieve(
        self,
        *,
        principal: NamedDependency[Principal],
        agents: NamedDependency[AgentService],
        publishing: NamedDependency[AgentPublishingService],
        bot_id: FromPath[str],
        is_published: FromQuery[str | None] = None,
        connector_id: FromQuery[str | None] = None,
    ) -> Envelope[Bot]:
        """Show a bot as published or, with ``is_published`` false, its draft.

        A token for browsers gets what visitors see of the published bot.
        """
        wanted = required_id(bot_id, field="bot_id")
        is_draft = query_flag(is_published, field="is_published") is False
        if principal.grant.is_browser:
            return ok(await _public(publishing, principal, wanted, connector_id, is_draft=is_draft))
        if is_draft:
            return ok(Bot.of(await agents.get(principal, wanted)))
        view = await publishing.get_published(
            principal, wanted, connector_id=_connector(connector_id)
        )
        return ok(Bot.of(view))

    @get("/space/published_bots_list", operation_id="bots.list_published")
    async def list_published(
        self,
        *,
        principal: NamedDependency[Principal],
        agents: NamedDependency[AgentService],
        limits: NamedDependency[Limits],
        space_id: FromQuery[str | None] = None,
        page_index: FromQuery[str | None] = None,
        page_num: FromQuery[str | None] = None,
        page_size: FromQuery[str | None] = None,
    ) -> Envelope[SpaceBotList]:
        """List the bots of a space that are published to the API, latest first."""
        where = _page(page_index, page_num, page_size, limits)
        found = await agents.list(
            principal,
            ListAgents(
                space_id=required_id(space_id, field="space_id"),
                limit=where.size,
                offset=where.offset,
                state=PublishState.ONLINE,
                show_online=True,
                connector_id=CONNECTOR_API,
            ),
        )
        return ok(
            SpaceBotList(total=found.total, space_bots=[SpaceBot.of(each) for each in found.items])
        )

    @get("/bots", operation_id="bots.list")
    async def list(
        self,
        *,
        principal: NamedDependency[Principal],
        agents: NamedDependency[AgentService],
        limits: NamedDependency[Limits],
        workspace_id: FromQuery[str | None] = None,
        publish_status: FromQuery[str | None] = None,
        connector_id: FromQuery[str | None] = None,
        page_index: FromQuery[str | None] = None,
        page_num: FromQuery[str | None] = None,
        page_size: FromQuery[str | None] = None,
    ) -> Envelope[SimpleBotList]:
        """List the bots of a space by their state of publication."""
        where = _page(page_index, page_num, page_size, limits)
        state = PublishState(
            query_choice(publish_status, _STATES, field="publish_status") or PublishState.ONLINE
        )
        found = await agents.list(
            principal,
            ListAgents(
                space_id=required_id(workspace_id, field="workspace_id"),
                limit=where.size,
                offset=where.offset,
                state=state,
                show_online=state is PublishState.ONLINE,
                connector_id=optional_id(connector_id, field="connector_id"),
            ),
        )
        return ok(
            SimpleBotList(total=found.total, items=[SimpleBot.of(each) for each in found.items])
        )

    @get("/bots/{bot_id:str}/versions", operation_id="bots.list_versions")
    async def versions(
        self,
        *,
        principal: NamedDependency[Principal],
        publishing: NamedDependency[AgentPublishingService],
        limits: NamedDependency[Limits],
        bot_id: FromPath[str],
        page_num: FromQuery[str | None] = None,
        page_size: FromQuery[str | None] = None,
        publish_status: FromQuery[str | None] = None,
        connector_id: FromQuery[str | None] = None,
    ) -> Envelope[BotVersionList]:
        """List versions, newest first; ``published_online`` keeps the one on the connector."""
        where = page(page_num, page_size, default=_VERSION_PAGE_SIZE, maximum=limits.page_size)
        state = query_choice(publish_status, _STATES, field="publish_status")
        is_online = state == PublishState.ONLINE
        found = await publishing.versions(
            principal,
            required_id(bot_id, field="bot_id"),
            offset=where.offset,
            limit=where.size,
            connector_id=_connector(connector_id) if is_online else None,
        )
        return ok(
            BotVersionList(total=found.total, items=[BotVersion.of(each) for each in found.items])
        )


async def _public(
    publishing: AgentPublishingService,
    principal: Principal,
    bot_id: int,
    connector_id: str | None,
    *,
    version: str | None = None,
    is_draft: bool = False,
) -> Bot:
    if version or is_draft:
        raise Forbidden("A token for browsers sees what is published now; drop the other wish.")
    view = await publishing.get_public(principal, bot_id, connector_id=_connector(connector_id))
    return Bot.public(view)


def _connector(value: str | None) -> int:
    found = optional_id(value, field="connector_id")
    return CONNECTOR_API if found is None else found


def _page(index: str | None, number: str | None, size: str | None, limits: Limits) -> Page:
    """Read a page under either name of its number."""
    return page(
        index or number,
        size,
        default=_PAGE_SIZE,
        maximum=limits.page_size,
        field="page_index" if index else "page_num",
    )
