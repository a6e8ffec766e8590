"""Agents on the admin surface."""

from collections.abc import Mapping
from typing import Any, Final

from litestar import Controller, Request, Response, delete, get, patch, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.status_codes import HTTP_200_OK, HTTP_204_NO_CONTENT
from msgspec import UNSET

from api.admin.agent.request import (
    AssistBody,
    CreateAgentBody,
    DuplicateAgentBody,
    PublishAgentBody,
    TemplateBody,
    UpdateAgentBody,
)
from api.admin.agent.shape import (
    AdminAgent,
    AdminAgentList,
    AdminConnector,
    AdminConnectorList,
    AdminVersion,
    AdminVersionDetail,
    AdminVersionList,
    FindingList,
    PublishedVersion,
)
from api.admin.query import IfMatch, Paging, revision_of
from api.renderer.timed import TimedRenderer
from api.sse import EventStreamResponse
from api.wire import IdempotencyKey, optional_id, query_choice, query_flag, request_key, required_id
from application.agent.assistance import AgentAssistance, ProposeText
from application.agent.dto import CreateAgent, ListAgents, PublishAgent, UpdateAgent
from application.agent.publishing import AgentPublishingService
from application.agent.service import AgentService
from application.shared.reply_stream import ReplyEnded
from domain.agent.value import Mode, PublishState, Use, UseKind
from domain.shared.access import CONNECTOR_API, Principal
from domain.shared.error import InvalidRequest
from domain.shared.limits import Limits

_STATES: Final[Mapping[str, str]] = {state.value: state.value for state in PublishState}
_MODES: Final[Mapping[str, str]] = {mode.value: mode.value for mode in Mode}
_ORDERS: Final[Mapping[str, str]] = {"asc": "asc", "desc": "desc"}


class AdminAgentController(Controller):
    """Drafts."""

    path = "/admin/v1"

    @post("/workspaces/{workspace_id:str}/agents", operation_id="admin.agents.create")
    async def create(
        self,
        *,
        data: JSONBody[CreateAgentBody],
        principal: NamedDependency[Principal],
        agents: NamedDependency[AgentService],
        limits: NamedDependency[Limits],
        workspace_id: FromPath[str],
        idempotency_key: IdempotencyKey = None,
    ) -> AdminAgent:
        """Make a draft."""
        command = CreateAgent(
            space_id=required_id(workspace_id, field="workspace_id"),
            name=data.name,
            description=data.description,
            icon_file_id=optional_id(data.icon_file_id, field="icon_file_id"),
            mode=data.mode,
            config=data.config(limits),
            idempotency_key=request_key(idempotency_key, limits=limits),
        )
        return AdminAgent.of(await agents.create(principal, command))

    @get("/workspaces/{workspace_id:str}/agents", operation_id="admin.agents.list")
    async def list(
        self,
        *,
        principal: NamedDependency[Principal],
        agents: NamedDependency[AgentService],
        workspace_id: FromPath[str],
        status: FromQuery[str | None] = None,
        published: FromQuery[str | None] = None,
        creator_id: FromQuery[str | None] = None,
        q: FromQuery[str | None] = None,
        paging: NamedDependency[Paging],
        order: FromQuery[str | None] = None,
        mode: FromQuery[str | None] = None,
        model: FromQuery[str | None] = None,
        dataset_id: FromQuery[str | None] = None,
        plugin_id: FromQuery[str | None] = None,
        workflow_id: FromQuery[str | None] = None,
    ) -> AdminAgentList:
        """List agents by age, newest first unless ``order`` is ``asc``.

        ``mode`` multi finds teams; ``model`` and one of the ids those whose drafts are bound to it.
        """
        wanted = query_choice(mode, _MODES, field="mode")
        found = await agents.list(
            principal,
            ListAgents(
                space_id=required_id(workspace_id, field="workspace_id"),
                limit=paging.size,
                by_id=True,
                descending=query_choice(order, _ORDERS, field="order") != "asc",
                after_id=paging.last_id,
                state=_state(status, published),
                text=q or "",
                creator_id=optional_id(creator_id, field="creator_id"),
                mode=Mode(wanted) if wanted else None,
                model=model or "",
                uses=_use(dataset_id=dataset_id, plugin_id=plugin_id, workflow_id=workflow_id),
                names_parts=True,
            ),
        )
        return AdminAgentList.by_id(found)

    @get("/agents/{agent_id:str}", operation_id="admin.agents.get")
    async def read(
        self,
        *,
        principal: NamedDependency[Principal],
        agents: NamedDependency[AgentService],
        agent_id: FromPath[str],
    ) -> AdminAgent:
        """Show the draft."""
        return AdminAgent.of(await agents.get(principal, _id(agent_id)))

    @post(
        "/agents/{agent_id:str}/assist",
        operation_id="admin.agents.assist",
        status_code=HTTP_200_OK,
    )
    async def assist(
        self,
        *,
        data: JSONBody[AssistBody],
        principal: NamedDependency[Principal],
        assistance: NamedDependency[AgentAssistance],
        limits: NamedDependency[Limits],
        agent_id: FromPath[str],
    ) -> Response[None]:
        """Ask the agent's model for a new text, and stream what it proposes; the draft stays."""
        command = ProposeText(
            agent_id=_id(agent_id), kind=data.kind, instruction=data.instruction, text=data.text
        )
        return EventStreamResponse(
            assistance.propose(principal, command),
            TimedRenderer(),
            limits=limits,
            endings=(ReplyEnded,),
        )

    @patch("/agents/{agent_id:str}", operation_id="admin.agents.update")
    async def update(
        self,
        *,
        data: JSONBody[UpdateAgentBody],
        principal: NamedDependency[Principal],
        agents: NamedDependency[AgentService],
        limits: NamedDependency[Limits],
        agent_id: FromPath[str],
        if_match: IfMatch = None,
    ) -> AdminAgent:
        """Change the draft by a JSON merge patch; ``If-Match`` takes the revision that was read."""
        icon = data.icon_file_id
        command = UpdateAgent(
            agent_id=_id(agent_id),
            name=data.name,
            description=data.description,
            icon_file_id=UNSET if icon is UNSET else optional_id(icon, field="icon_file_id"),
            alias=data.alias,
            trace_capture=data.trace_capture,
            config=data.config(limits),
            expected_revision=revision_of(if_match),
        )
        return AdminAgent.of(await agents.update(principal, command))

    @delete("/agents/{agent_id:str}", operation_id="admin.agents.delete")
    async def remove(
        self,
        *,
        principal: NamedDependency[Principal],
        agents: NamedDependency[AgentService],
        agent_id: FromPath[str],
    ) -> None:
        """Delete the agent and take it off every connector."""
        await agents.delete(principal, _id(agent_id))

    @post(
        "/agents/{agent_id:str}/restore",
        operation_id="admin.agents.restore",
        status_code=HTTP_200_OK,
    )
    async def restore(
        self,
        *,
        principal: NamedDependency[Principal],
        agents: NamedDependency[AgentService],
        agent_id: FromPath[str],
    ) -> AdminAgent:
        """Bring a deleted agent back, for seven days, to where it was published, too.

        What it had remembered of its users stays forgotten.
        """
        return AdminAgent.of(await agents.restore(principal, _id(agent_id)))

    @post("/agents/{agent_id:str}/duplicate", operation_id="admin.agents.duplicate")
    async def duplicate(
        self,
        *,
        data: JSONBody[DuplicateAgentBody],
        principal: NamedDependency[Principal],
        agents: NamedDependency[AgentService],
        agent_id: FromPath[str],
    ) -> AdminAgent:
        """Copy the draft into a new agent."""
        copy = await agents.duplicate(
            principal,
            _id(agent_id),
            name=data.name or "",
            space_id=optional_id(data.workspace_id, field="workspace_id"),
        )
        return AdminAgent.of(copy)

    @put("/agents/{agent_id:str}/template", operation_id="admin.agents.set_template")
    async def set_template(
        self,
        *,
        data: JSONBody[TemplateBody],
        principal: NamedDependency[Principal],
        agents: NamedDependency[AgentService],
        agent_id: FromPath[str],
    ) -> AdminAgent:
        """Offer the agent as a template, or stop doing so."""
        category = (data.category or "") if data.enabled else None
        return AdminAgent.of(await agents.mark_template(principal, _id(agent_id), category))

    @get("/agents/{agent_id:str}/display", operation_id="admin.agents.get_display")
    async def display(
        self,
        *,
        principal: NamedDependency[Principal],
        agents: NamedDependency[AgentService],
        agent_id: FromPath[str],
    ) -> Response[bytes]:
        """Return the editor's layout as it was stored."""
        state = await agents.display_state(principal, _id(agent_id))
        return Response(state, media_type="application/json")

    @put(
        "/agents/{agent_id:str}/display",
        operation_id="admin.agents.set_display",
        status_code=HTTP_204_NO_CONTENT,
    )
    async def set_display(
        self,
        *,
        request: Request[Any, Any, Any],
        principal: NamedDependency[Principal],
        agents: NamedDependency[AgentService],
        agent_id: FromPath[str],
    ) -> None:
        """Store the editor's layout, any JSON object."""
        body = await request.body()
        await request.json()
        await agents.set_display_state(principal, _id(agent_id), body)


class AdminPublishingController(Controller):
    """Versions and publications."""

    path = "/admin/v1/agents/{agent_id:str}"

    @post("/validate", operation_id="admin.agents.validate", status_code=HTTP_200_OK)
    async def validate(
        self,
        *,
        principal: NamedDependency[Principal],
        publishing: NamedDependency[AgentPublishingService],
        agent_id: FromPath[str],
    ) -> FindingList:
        """Check the draft before publishing."""
        findings = await publishing.validate(principal, _id(agent_id))
        return FindingList(items=findings, total=len(findings))

    @post("/publish", operation_id="admin.agents.publish", status_code=HTTP_200_OK)
    async def publish(
        self,
        *,
        data: JSONBody[PublishAgentBody],
        principal: NamedDependency[Principal],
        publishing: NamedDependency[AgentPublishingService],
        agent_id: FromPath[str],
    ) -> PublishedVersion:
        """Freeze the draft, or take an existing version, and activate it on connectors."""
        connector_ids = [CONNECTOR_API] if data.connector_ids is None else data.connector_ids
        version = await publishing.publish(
            principal,
            PublishAgent(
                agent_id=_id(agent_id),
                connector_ids=tuple(required_id(c, field="connector_ids") for c in connector_ids),
                description=data.description or "",
                version=data.version or "",
            ),
        )
        return PublishedVersion(version=version)

    @delete("/connectors/{connector_id:str}", operation_id="admin.agents.unpublish")
    async def unpublish(
        self,
        *,
        principal: NamedDependency[Principal],
        publishing: NamedDependency[AgentPublishingService],
        agent_id: FromPath[str],
        connector_id: FromPath[str],
        reason: FromQuery[str | None] = None,
    ) -> None:
        """Take the agent off a connector."""
        await publishing.unpublish(
            principal,
            _id(agent_id),
            required_id(connector_id, field="connector_id"),
            reason=reason or "",
        )

    @get("/connectors", operation_id="admin.agents.list_connectors")
    async def connectors(
        self,
        *,
        principal: NamedDependency[Principal],
        publishing: NamedDependency[AgentPublishingService],
        agent_id: FromPath[str],
    ) -> AdminConnectorList:
        """List the installed connectors."""
        found = await publishing.connectors(principal, _id(agent_id))
        return AdminConnectorList(items=[AdminConnector.of(c) for c in found], total=len(found))

    @get("/versions", operation_id="admin.agents.list_versions")
    async def versions(
        self,
        *,
        principal: NamedDependency[Principal],
        publishing: NamedDependency[AgentPublishingService],
        agent_id: FromPath[str],
        paging: NamedDependency[Paging],
    ) -> AdminVersionList:
        """List versions, newest first."""
        found = await publishing.versions(
            principal, _id(agent_id), offset=paging.offset, limit=paging.size
        )
        return AdminVersionList(
            items=[AdminVersion.of(each) for each in found.items],
            total=found.total,
            next_cursor=paging.next_offset(found),
        )

    @get("/versions/{version:str}", operation_id="admin.agents.get_version")
    async def version(
        self,
        *,
        principal: NamedDependency[Principal],
        publishing: NamedDependency[AgentPublishingService],
        agent_id: FromPath[str],
        version: FromPath[str],
    ) -> AdminVersionDetail:
        """Show the agent as it was in a version."""
        found, agent = await publishing.get_version(principal, _id(agent_id), version)
        return AdminVersionDetail(version=AdminVersion.of(found), agent=AdminAgent.of(agent))

    @post(
        "/versions/{version:str}/restore",
        operation_id="admin.agents.restore_version",
        status_code=HTTP_200_OK,
    )
    async def restore(
        self,
        *,
        principal: NamedDependency[Principal],
        publishing: NamedDependency[AgentPublishingService],
        agent_id: FromPath[str],
        version: FromPath[str],
    ) -> AdminAgent:
        """Make the content of a version the draft."""
        return AdminAgent.of(await publishing.restore(principal, _id(agent_id), version))

    @delete("/versions/restore", operation_id="admin.agents.undo_restore", status_code=HTTP_200_OK)
    async def undo_restore(
        self,
        *,
        principal: NamedDependency[Principal],
        publishing: NamedDependency[AgentPublishingService],
        agent_id: FromPath[str],
    ) -> AdminAgent:
        """Bring back the draft that a restored version replaced, unless it was edited since."""
        return AdminAgent.of(await publishing.undo_restore(principal, _id(agent_id)))


def _id(value: str) -> int:
    return required_id(value, field="agent_id")


def _use(**ids: str | None) -> Use | None:
    """Return what agents are to be bound to; raise ``InvalidRequest`` for two things at once."""
    given = {field: optional_id(text, field=field) for field, text in ids.items()}
    wanted = [
        Use(kind=UseKind(field.removesuffix("_id")), id=number)
        for field, number in given.items()
        if number is not None
    ]
    if len(wanted) > 1:
        raise InvalidRequest("Name one of dataset_id, plugin_id and workflow_id.")
    return next(iter(wanted), None)


def _state(status: str | None, published: str | None) -> PublishState:
    match query_flag(published, field="published"):
        case True:
            return PublishState.ONLINE
        case False:
            return PublishState.OFFLINE
        case _:
            return PublishState(query_choice(status, _STATES, field="status") or PublishState.ALL)
