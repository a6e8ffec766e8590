"""Who may call: closed by default, checked before any body is read."""

from typing import Any, Final, Protocol

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from api.entry.permit import PRINCIPAL
from api.entry.route import Access, Level, Sharing, access_of, operation_of, sharing_of
from api.error import is_openai_path
from domain.shared.access import Principal
from domain.shared.account import Origin, Source, originate
from domain.shared.error import Forbidden, InvalidRequest, Unauthenticated
from domain.shared.ids import AgentId, parse_id
from domain.shared.processor import work_for

_AGENT: Final = "coterie_agent"
_SOURCES: Final[tuple[tuple[str, Source], ...]] = (
    ("/admin/v1/", "playground"),
    ("/mcp/", "mcp"),
)


class Authenticator(Protocol):
    """Turns the ``Authorization`` header into a principal."""

    async def authenticate(self, header_value: str | None, *, peer: str) -> Principal:
        """Raise ``Unauthenticated``, or ``RateLimited`` for a ``peer`` that guesses."""
        ...


class Guard:
    """Litestar guard of the whole application; guards run before the body is read.

    What a token lacks altogether is refused here, by the table of routes; what it lacks in the
    workspace of what is asked for, by services.
    """

    def __init__(self, authenticator: Authenticator) -> None:
        self._authenticator = authenticator
        self._known: dict[tuple[str, str], tuple[Access, Sharing | None]] = {}

    async def __call__(
        self, connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler
    ) -> None:
        scope: Any = connection.scope
        access, sharing = self._declared(scope, handler)
        if access.level is Level.PUBLIC:
            return
        header = _authorization(scope)
        if header and is_openai_path(scope["path"]):
            header, scope[_AGENT] = split_agent_suffix(header)
        client = scope.get("client")
        principal = await self._authenticator.authenticate(header, peer=client[0] if client else "")
        if not principal.grant.is_browser:
            for permission in access.permissions:
                principal.require_token(permission)
        elif not access.is_open_to_browsers:
            raise Forbidden("A token for browsers chats with its agents and does nothing else.")
        if principal.shares:
            principal = _reaching(connection, principal, access, sharing)
        scope[PRINCIPAL] = principal
        originate(Origin(source=source_of(scope["path"]), token_id=principal.token_id))
        work_for(space_of(principal))

    def _declared(self, scope: Any, handler: BaseRouteHandler) -> tuple[Access, Sharing | None]:
        method, path = key = scope["method"], scope["path_template"]
        found = self._known.get(key)
        if found is None:
            access = access_of(handler, method, path)
            sharing = sharing_of(operation_of(handler, method), path, access)
            found = self._known[key] = access, sharing
        return found


def source_of(path: str) -> Source:
    """Tell by the surface that a path belongs to what a request is counted as."""
    if is_openai_path(path):
        return "openai"
    return next((source for prefix, source in _SOURCES if path.startswith(prefix)), "api")


def _reaching(
    connection: ASGIConnection[Any, Any, Any, Any],
    principal: Principal,
    access: Access,
    sharing: Sharing | None,
) -> Principal:
    """Return the caller with what grants add, as far as the address tells what is asked for."""
    if access.is_of_own:
        return principal.among_own()
    if sharing is None:
        return principal
    named = connection.path_params.get(sharing.parameter)
    if named is None:
        named = connection.query_params.get(sharing.parameter)
    try:
        resource_id = parse_id(str(named), field=sharing.parameter)
    except InvalidRequest:  # the handler says so better
        return principal
    return principal.toward(
        sharing.kind, resource_id, permissions=sharing.permissions, level=sharing.level
    )


def split_agent_suffix(header: str) -> tuple[str, AgentId | None]:
    """Take FastGPT's ``<key>-<appId>`` apart; the id is None if the key stands alone."""
    key, dash, suffix = header.rpartition("-")
    if not (dash and key and suffix.isascii() and suffix.isdigit()):
        return header, None
    try:
        return key, AgentId(parse_id(suffix, field="appId"))
    except InvalidRequest:
        return header, None


def space_of(principal: Principal) -> int:
    """Return the workspace that requests count for: the only one of the token, or the account's."""
    spaces = principal.roles
    return next(iter(spaces)) if len(spaces) == 1 else principal.personal_space_id


def principal_of(request: Request[Any, Any, Any]) -> Principal:
    """Provide the principal of a guarded route."""
    principal: Principal | None = request.scope.get(PRINCIPAL)  # type: ignore[assignment]
    if principal is None:
        raise Unauthenticated("This needs a token.")
    return principal


def agent_of_key(request: Request[Any, Any, Any]) -> AgentId | None:
    """Return the agent named in FastGPT's form of the key."""
    agent_id: AgentId | None = request.scope.get(_AGENT)  # type: ignore[assignment]
    return agent_id


def _authorization(scope: Any) -> str | None:
    values = [value for name, value in scope["headers"] if name == b"authorization"]
    if len(values) > 1:
        raise Unauthenticated("Send one Authorization header.")
    return values[0].decode("latin-1") if values else None
