"""Variables on the admin surface: declarations of agents, and values of end users."""

from typing import Final

import msgspec
from litestar import Controller, delete, get, put
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.status_codes import HTTP_204_NO_CONTENT

from api.admin.agent.request import VariableFields
from api.admin.query import IfMatch, Paging, revision_of
from api.shape import Shape
from api.wire import bounded_text, optional_id, query_choice, required_id
from application.agent.dto import UpdateAgent
from application.agent.service import AgentService
from application.memory.end_user_service import EndUserService, EndUserView, ListEndUsers
from application.memory.variable_service import VariableQuery, VariableService, VariableView
from application.shared.page import Listed, Paged
from application.shared.patch import Patch
from domain.shared.access import CONNECTOR_API, Principal
from domain.shared.error import InvalidRequest
from domain.shared.limits import Limits

SIDES: Final = {"draft": "draft", "online": "online"}


class VariableDeclarations(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent declares; ``revision`` is that of its draft."""

    items: list[VariableFields]
    revision: int


class PutDeclarationsBody(msgspec.Struct, frozen=True, kw_only=True):
    """All variables of an agent, in order."""

    items: list[VariableFields]


class SystemVariable(msgspec.Struct, frozen=True, kw_only=True):
    """A variable that is computed, never written."""

    keyword: str
    description: str


class SystemVariableList(Listed[SystemVariable]):
    """The system variables that agents may declare."""


class EndUserItem(Shape, of=EndUserView):
    """What an agent or app has of an end user on a connector, counted; times in Unix seconds."""


class EndUserList(Paged[EndUserItem]):
    """End users, who came last first."""


class EndUserQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Which end users a list shows, as the query string says it."""

    q: str | None
    env: str | None
    paging: Paging

    async def answer(
        self, end_users: EndUserService, principal: Principal, of: ListEndUsers, limits: Limits
    ) -> EndUserList:
        """List those of an agent or an app; raise ``InvalidRequest`` for a wrong parameter."""
        wanted = msgspec.structs.replace(
            of,
            is_draft=query_choice(self.env, SIDES, field="env") == "draft",
            text=bounded_text(self.q, field="q", max_chars=limits.end_user_chars),
            offset=self.paging.offset,
            limit=self.paging.size,
        )
        found = await end_users.page(principal, wanted)
        return EndUserList(
            items=EndUserItem.each(found.items),
            total=found.total,
            next_cursor=self.paging.next_offset(found),
        )


class StoredVariableList(Listed[VariableView]):
    """Values of one end user."""


class StoredVariableInput(msgspec.Struct, frozen=True, kw_only=True):
    """A value to be written."""

    keyword: str
    value: str


class PutVariablesBody(msgspec.Struct, frozen=True, kw_only=True):
    """Values to be written, all or none."""

    items: list[StoredVariableInput]


def of_one(
    *,
    connector_uid: str,
    connector_id: str | None,
    env: str | None,
    agent_id: int | None = None,
    app_id: int | None = None,
) -> VariableQuery:
    """Translate whose values of an agent or app a call is about; raise ``InvalidRequest``."""
    if not connector_uid.strip():
        raise InvalidRequest("connector_uid: name an end user.", field="connector_uid")
    return VariableQuery(
        agent_id=agent_id,
        app_id=app_id,
        connector_id=optional_id(connector_id, field="connector_id") or CONNECTOR_API,
        end_user_id=connector_uid,
        is_draft=query_choice(env, SIDES, field="env") == "draft",
    )


def end_user_query(
    agent_id: FromPath[str],
    connector_uid: FromPath[str],
    connector_id: FromQuery[str | None] = None,
    env: FromQuery[str | None] = None,
) -> VariableQuery:
    """Translate whose memory a call is about; raise ``InvalidRequest``."""
    return of_one(
        agent_id=required_id(agent_id, field="agent_id"),
        connector_uid=connector_uid,
        connector_id=connector_id,
        env=env,
    )


WHOSE: Final = {"whose": Provide(end_user_query, sync_to_thread=False)}
"""Handlers that take ``whose`` are about one end user of one agent."""


class AdminVariableController(Controller):
    """What agents remember of their end users."""

    path = "/admin/v1"

    @get("/system-variables", operation_id="admin.variables.list_system")
    async def system(self) -> SystemVariableList:
        """List what can be declared as a system variable."""
        known = [
            SystemVariable(
                keyword="sys_uuid",
                description="A stable id of the end user that does not tell who it is.",
            )
        ]
        return SystemVariableList(items=known, total=len(known))

    @get("/agents/{agent_id:str}/variables", operation_id="admin.variables.list")
    async def declarations(
        self,
        *,
        principal: NamedDependency[Principal],
        agents: NamedDependency[AgentService],
        agent_id: FromPath[str],
    ) -> VariableDeclarations:
        """Show what the draft of an agent declares."""
        view = await agents.get(principal, required_id(agent_id, field="agent_id"))
        return VariableDeclarations(
            items=VariableFields.each(view.config.variables),
            revision=view.revision,
        )

    @put("/agents/{agent_id:str}/variables", operation_id="admin.variables.replace")
    async def declare(
        self,
        *,
        data: JSONBody[PutDeclarationsBody],
        principal: NamedDependency[Principal],
        agents: NamedDependency[AgentService],
        agent_id: FromPath[str],
        if_match: IfMatch = None,
    ) -> VariableDeclarations:
        """Replace the declarations of the draft; publishing the agent publishes them."""
        view = await agents.update(
            principal,
            UpdateAgent(
                agent_id=required_id(agent_id, field="agent_id"),
                config=Patch({"variables": tuple(each.value() for each in data.items)}),
                expected_revision=revision_of(if_match),
            ),
        )
        return VariableDeclarations(
            items=VariableFields.each(view.config.variables),
            revision=view.revision,
        )

    @get("/agents/{agent_id:str}/users", operation_id="admin.end_users.list")
    async def end_users(
        self,
        *,
        principal: NamedDependency[Principal],
        end_users: NamedDependency[EndUserService],
        limits: NamedDependency[Limits],
        agent_id: FromPath[str],
        q: FromQuery[str | None] = None,
        env: FromQuery[str | None] = None,
        paging: NamedDependency[Paging],
    ) -> EndUserList:
        """List end users of whom an agent has variables, memories or conversations.

        Who came last stands first; ``q`` is a part of the name.
        """
        asked = EndUserQuery(q=q, env=env, paging=paging)
        wanted = ListEndUsers(agent_id=required_id(agent_id, field="agent_id"))
        return await asked.answer(end_users, principal, wanted, limits)

    @get(
        "/agents/{agent_id:str}/users/{connector_uid:str}/variables",
        operation_id="admin.user_variables.list",
        dependencies=WHOSE,
    )
    async def values(
        self,
        *,
        principal: NamedDependency[Principal],
        variables: NamedDependency[VariableService],
        whose: NamedDependency[VariableQuery],
    ) -> StoredVariableList:
        """Show what an agent remembers of one end user."""
        items = await variables.read(principal, whose)
        return StoredVariableList(items=items, total=len(items))

    @put(
        "/agents/{agent_id:str}/users/{connector_uid:str}/variables",
        operation_id="admin.user_variables.update",
        dependencies=WHOSE,
    )
    async def write(
        self,
        *,
        data: JSONBody[PutVariablesBody],
        principal: NamedDependency[Principal],
        variables: NamedDependency[VariableService],
        whose: NamedDependency[VariableQuery],
    ) -> StoredVariableList:
        """Write values of one end user."""
        await variables.write(principal, whose, [(each.keyword, each.value) for each in data.items])
        items = await variables.read(principal, whose)
        return StoredVariableList(items=items, total=len(items))

    @delete(
        "/agents/{agent_id:str}/users/{connector_uid:str}/variables",
        operation_id="admin.user_variables.reset",
        dependencies=WHOSE,
        status_code=HTTP_204_NO_CONTENT,
    )
    async def reset(
        self,
        *,
        principal: NamedDependency[Principal],
        variables: NamedDependency[VariableService],
        whose: NamedDependency[VariableQuery],
        keywords: FromQuery[str | None] = None,
    ) -> None:
        """Forget values of one end user, by default all; the defaults hold again."""
        wanted = frozenset(filter(None, (keywords or "").split(",")))
        await variables.reset(principal, msgspec.structs.replace(whose, keywords=wanted or None))
