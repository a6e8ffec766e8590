"""Who may call: closed by default, checked before any body is read."""

from typing import Any, Final, Protocol

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from api.entry.permit import PRINCIPAL
from api.error import is_openai_path
from domain.shared.access import Principal
from domain.shared.error import Forbidden, InvalidRequest, Unauthenticated
from domain.shared.ids import AgentId, parse_id
from domain.shared.processor import work_for

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

BROWSER_ROUTES: Final = frozenset(
    {
        "/v1/bot/get_online_info",
        "/v1/bots/{bot_id}",
        "/v1/chat/completions",
        "/api/v1/chat/completions",
        "/v1/conversation/create",
        "/v1/conversation/message/create",
        "/v1/conversation/message/delete",
        "/v1/conversation/message/list",
        "/v1/conversation/message/modify",
        "/v1/conversation/message/retrieve",
        "/v1/conversation/retrieve",
        "/v1/conversations",
        "/v1/conversations/{conversation_id}",
        "/v1/conversations/{conversation_id}/clear",
        "/v1/conversations/{conversation_id}/messages/{message_id}/feedback",
        "/v1/files/retrieve",
        "/v1/files/upload",
        "/v1/files/{file_id}/content",
        "/v1/runs/{run_id}/events",
        "/v1/users/me",
        "/v3/chat",
        "/v3/chat/cancel",
        "/v3/chat/message/list",
        "/v3/chat/retrieve",
        "/v3/chat/submit_tool_outputs",
    }
)
"""The only routes that a token for browsers may call: strangers hold it, to chat with one agent.

A new route is closed to them until it stands here.
"""

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
        if principal.grant.is_browser and scope.get("path_template") not in BROWSER_ROUTES:
            raise Forbidden("A token for browsers chats with its agents and does nothing else.")
        scope[PRINCIPAL] = principal
        work_for(space_of(principal))


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
