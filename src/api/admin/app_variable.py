"""Variables of apps on the admin surface: values of end users."""

from typing import Final

import msgspec
from litestar import Controller, delete, get, put
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.status_codes import HTTP_204_NO_CONTENT

from api.admin.agent.variable import (
    EndUserList,
    EndUserQuery,
    PutVariablesBody,
    StoredVariableList,
    of_one,
)
from api.admin.query import Paging
from api.wire import required_id
from application.memory.end_user_service import EndUserService, ListEndUsers
from application.memory.variable_service import VariableQuery, VariableService
from domain.shared.access import Principal
from domain.shared.limits import Limits


def app_user_query(
    app_id: FromPath[str],
    connector_uid: FromPath[str],
    connector_id: FromQuery[str | None] = None,
    env: FromQuery[str | None] = None,
) -> VariableQuery:
    """Translate whose values a call is about; raise ``InvalidRequest``."""
    return of_one(
        app_id=required_id(app_id, field="app_id"),
        connector_uid=connector_uid,
        connector_id=connector_id,
        env=env,
    )


_WHOSE: Final = {"whose": Provide(app_user_query, sync_to_thread=False)}
_VALUES: Final = "/{connector_uid:str}/variables"


class AdminAppVariableController(Controller):
    """What apps remember of their end users; what they declare is part of the app."""

    path = "/admin/v1/apps/{app_id:str}/users"

    @get(operation_id="admin.app_end_users.list")
    async def end_users(
        self,
        *,
        principal: NamedDependency[Principal],
        end_users: NamedDependency[EndUserService],
        limits: NamedDependency[Limits],
        app_id: FromPath[str],
        q: FromQuery[str | None] = None,
        env: FromQuery[str | None] = None,
        paging: NamedDependency[Paging],
    ) -> EndUserList:
        """List end users of whom an app has variables.

        Who came last stands first; ``q`` is a part of the name.
        """
        asked = EndUserQuery(q=q, env=env, paging=paging)
        wanted = ListEndUsers(app_id=required_id(app_id, field="app_id"))
        return await asked.answer(end_users, principal, wanted, limits)

    @get(_VALUES, operation_id="admin.app_user_variables.list", dependencies=_WHOSE)
    async def values(
        self,
        *,
        principal: NamedDependency[Principal],
        variables: NamedDependency[VariableService],
        whose: NamedDependency[VariableQuery],
    ) -> StoredVariableList:
        """Show what an app remembers of one end user."""
        items = await variables.read(principal, whose)
        return StoredVariableList(items=items, total=len(items))

    @put(_VALUES, operation_id="admin.app_user_variables.update", dependencies=_WHOSE)
    async def write(
        self,
        *,
        data: JSONBody[PutVariablesBody],
        principal: NamedDependency[Principal],
        variables: NamedDependency[VariableService],
        whose: NamedDependency[VariableQuery],
    ) -> StoredVariableList:
        """Write values of one end user; those that all users of the app share change for all."""
        await variables.write(principal, whose, [(each.keyword, each.value) for each in data.items])
        items = await variables.read(principal, whose)
        return StoredVariableList(items=items, total=len(items))

    @delete(
        _VALUES,
        operation_id="admin.app_user_variables.reset",
        dependencies=_WHOSE,
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
