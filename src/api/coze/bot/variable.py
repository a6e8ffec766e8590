"""Variables of end users on the Coze surface."""

import msgspec
from litestar import Controller, get, put
from litestar.di import NamedDependency
from litestar.params import FromQuery, JSONBody

from api.envelope import Envelope, ok
from api.wire import WireId, optional_id, required_text
from application.memory.variable_service import VariableQuery, VariableService, VariableView
from domain.shared.access import CONNECTOR_API, Principal
from domain.shared.error import InvalidRequest
from domain.shared.limits import Limits


class VariableList(msgspec.Struct, frozen=True, kw_only=True):
    """Values of an end user."""

    items: list[VariableView]


class VariableItem(msgspec.Struct, frozen=True, kw_only=True):
    """A value to be written."""

    keyword: str
    value: str


class WriteVariablesBody(msgspec.Struct, frozen=True, kw_only=True):
    """Whose variables, by exactly one of ``bot_id`` and ``app_id``, and their values."""

    data: list[VariableItem]
    connector_uid: str = ""
    bot_id: WireId | None = None
    app_id: WireId | None = None
    connector_id: WireId | None = None


class VariableController(Controller):
    """What agents and apps remember of their end users."""

    path = "/v1/variables"

    @get("/", operation_id="variables.get")
    async def retrieve(
        self,
        *,
        principal: NamedDependency[Principal],
        variables: NamedDependency[VariableService],
        limits: NamedDependency[Limits],
        connector_uid: FromQuery[str | None] = None,
        bot_id: FromQuery[str | None] = None,
        app_id: FromQuery[str | None] = None,
        connector_id: FromQuery[str | None] = None,
        keywords: FromQuery[str | None] = None,
    ) -> Envelope[VariableList]:
        """Return values, or defaults with both times 0; unknown keywords are left out."""
        wanted = frozenset(filter(None, (keywords or "").split(",")))
        query = _query(
            principal, limits, connector_uid, bot_id, app_id, connector_id, keywords=wanted or None
        )
        return ok(VariableList(items=await variables.read(principal, query)))

    @put("/", operation_id="variables.update")
    async def update(
        self,
        *,
        data: JSONBody[WriteVariablesBody],
        principal: NamedDependency[Principal],
        variables: NamedDependency[VariableService],
        limits: NamedDependency[Limits],
    ) -> Envelope[None]:
        """Write several values in one step."""
        if len(data.data) > limits.agent_variables:
            raise InvalidRequest(f"data: at most {limits.agent_variables} variables.", field="data")
        query = _query(
            principal, limits, data.connector_uid, data.bot_id, data.app_id, data.connector_id
        )
        await variables.write(principal, query, [(each.keyword, each.value) for each in data.data])
        return ok(None)


def _query(  # noqa: PLR0917 - the selectors of both calls, in their order
    principal: Principal,
    limits: Limits,
    connector_uid: str | None,
    bot_id: WireId | None,
    app_id: WireId | None,
    connector_id: WireId | None,
    *,
    keywords: frozenset[str] | None = None,
) -> VariableQuery:
    return VariableQuery(
        agent_id=optional_id(bot_id, field="bot_id"),
        app_id=optional_id(app_id, field="app_id"),
        connector_id=optional_id(connector_id, field="connector_id") or CONNECTOR_API,
        end_user_id=principal.end_user_id
        or required_text(connector_uid, field="connector_uid", max_chars=limits.end_user_chars),
        keywords=keywords,
    )
