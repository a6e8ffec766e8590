"""Who may call: closed by default, checked before any body is read."""

from typing import Any, Final, Protocol

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from api.error import is_openai_path
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest, Unauthenticated
from domain.shared.ids import AgentId, parse_id

PUBLIC_ROUTES: Final = frozenset(
    {
        "/",
        "/healthz",
        "/livez",
        "/readyz",
        "/startupz",
        "/metrics",
        "/version",
        "/docs",
        "/schema/openapi.json",
        "/files/{file_id}",
        "/icons/{name}",
        "/knowledge/images/{token}",
        "/oauth/callback",
        "/api/permission/oauth2/account/{account_id}/token",
        "/api/permission/oauth2/authorize",
        "/api/permission/oauth2/device/code",
        "/api/permission/oauth2/token",
        "/api/permission/oauth2/workspace_id/{workspace_id}/authorize",
        "/api/permission/oauth2/workspace_id/{workspace_id}/device/code",
    }
)
"""The only routes that answer without a token, as Litestar formats their paths.

Signed addresses check themselves; the OAuth endpoints answer that they are not implemented.
"""

_PRINCIPAL: Final = "coterie_principal"
_AGENT: Final = "coterie_agent"


class Authenticator(Protocol):
    """Turns the ``Authorization`` header into a principal."""

    async def authenticate(self, header_value: str | None, *, peer: str) -> Principal:
        """Raise ``Unauthenticated``, or ``RateLimited`` for a ``peer`` that guesses."""
        ...


class Guard:
    """Litestar guard of the whole application; guards run before the body is read."""

    def __init__(self, authenticator: Authenticator) -> None:
        self._authenticator = authenticator

    async def __call__(
        self, connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler
    ) -> None:
        scope: Any = connection.scope
        if scope.get("path_template") in PUBLIC_ROUTES:
            return
        header = _authorization(scope)
        if header and is_openai_path(scope["path"]):
            header, scope[_AGENT] = split_agent_suffix(header)
        client = scope.get("client")
        principal = await self._authenticator.authenticate(header, peer=client[0] if client else "")
        scope[_PRINCIPAL] = principal


def split_agent_suffix(header: str) -> tuple[str, AgentId | None]:
    """Take FastGPT's ``<key>-<appId>`` apart; the id is None if the key stands alone."""
    key, dash, suffix = header.rpartition("-")
    if not (dash and key and suffix.isascii() and suffix.isdigit()):
        return header, None
    try:
        return key, AgentId(parse_id(suffix, field="appId"))
    except InvalidRequest:
        return header, None


def principal_of(request: Request[Any, Any, Any]) -> Principal:
    """Provide the principal of a guarded route."""
    principal: Principal | None = request.scope.get(_PRINCIPAL)  # type: ignore[assignment]
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
