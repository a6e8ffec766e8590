"""Who may call: closed by default, checked before any body is read."""

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from api.entry.link import LinkEntry
from api.entry.permit import PRINCIPAL
from api.entry.route import Access, Level, Sharing, access_of, operation_of, sharing_of
from api.entry.session import SESSION, BrowserSessions
from api.error import is_openai_path
from application.identity.authentication import AuthService
from domain.shared.access import Principal
from domain.shared.account import Origin, Source, originate
from domain.shared.act import ACT, Act
from domain.shared.capacity.processor import work_for
from domain.shared.error import Forbidden, InvalidRequest, Unauthenticated
from domain.shared.ids import AgentId, parse_id
from domain.shared.tracing.tag import read_tags
from domain.shared.tracing.trace_context import read_traceparent

_TRACEPARENT_CHARS: Final = 55
"""Of its known parts; a later version may have more, which this one drops (3.2.4)."""
_TRACE_LEVELS: Final = frozenset({b"off", b"metadata"})
_AGENT: Final = "coterie_agent"
_NAMED: Final[Mapping[str, str]] = {
    "agent_id": "agent",
    "app_id": "app",
    "bot_id": "agent",
    "conversation_id": "conversation",
    "database_id": "database",
    "dataset_id": "dataset",
    "document_id": "document",
    "file_id": "file",
    "grant_id": "grant",
    "group_id": "group",
    "model_id": "model",
    "plugin_id": "plugin",
    "channel_id": "channel",
    "link_id": "share_link",
    "preview_id": "preview",
    "provider_id": "oidc_provider",
    "prompt_id": "prompt",
    "run_id": "run",
    "template_id": "agent",
    "token_id": "token",
    "user_id": "user",
    "workflow_id": "workflow",
    "workspace_id": "space",
}
"""What parameters of the path name, in the words of the audit log."""
_SOURCES: Final[tuple[tuple[str, Source], ...]] = (
    ("/admin/v1/", "playground"),
    ("/mcp/", "mcp"),
)


class Authenticator(Protocol):
    """Turns the ``Authorization`` header into a principal."""

    async def authenticate(self, header_value: str | None, *, peer: str) -> Principal:
        """Raise ``Unauthenticated``, or ``RateLimited`` for a ``peer`` that guesses."""
        ...


class SessionEntry:
    """Lets sessions in, from the cookie of a browser and pages of this server."""

    def __init__(self, authenticator: AuthService, browsers: BrowserSessions) -> None:
        self._authenticator = authenticator
        self._browsers = browsers

    async def caller(self, scope: Any) -> Principal | None:
        """Return who is signed in; None without a session.

        Raises:
            Unauthenticated: the session has ended.
            Csrf: a change that does not show where it comes from.
        """
        text = self._browsers.text(scope)
        if text is None:
            return None
        principal = await self._authenticator.authenticate_session(text, peer=peer_of(scope))
        self._browsers.require_intended(scope, text)
        scope[SESSION] = text
        return principal

    async def require(self, scope: Any, access: Access, principal: Principal | None) -> None:
        """Raise ``Csrf`` or ``RecentSignInNeeded`` for what a route asks of browsers."""
        if access.is_of_own_pages:
            self._browsers.require_own_page(scope)
        if access.needs_recent_sign_in and principal is not None:
            await self._authenticator.require_recent(principal)


def _admit(_: str) -> None:
    """Let everybody in: nobody counts."""


class Guard:
    """Litestar guard of the whole application; guards run before the body is read.

    What a token lacks altogether is refused here, by the table of routes; what it lacks in the
    workspace of what is asked for, by services. A request with an ``Authorization`` header is
    judged by that alone; a session counts without one, on the surfaces of browsers.
    ``admit_stranger`` counts requests without a token for the address that they come from.
    """

    def __init__(
        self,
        authenticator: Authenticator,
        sessions: SessionEntry | None = None,
        links: LinkEntry | None = None,
        *,
        admit_stranger: Callable[[str], None] = _admit,
    ) -> None:
        self._authenticator = authenticator
        self._sessions = sessions
        self._links = links
        self._admit_stranger = admit_stranger
        self._known: dict[tuple[str, str], tuple[Access, Sharing | None]] = {}

    async def __call__(
        self, connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler
    ) -> None:
        scope: Any = connection.scope
        access, sharing = self._declared(scope, handler)
        principal = None
        if access.level is Level.LINK:
            await self._admit_visitor(scope)
            return
        if access.level is not Level.PUBLIC:
            principal = await self._caller(scope)
            _require(principal, access)
            if principal.shares:
                principal = _reaching(connection, principal, access, sharing)
            scope[PRINCIPAL] = principal
            if access.is_audited:
                ACT.set(_act(connection, handler, principal))
        elif access.is_counted:
            self._admit_stranger(peer_of(scope))
        if self._sessions is not None:
            await self._sessions.require(scope, access, principal)
        if principal is not None:
            trace, traceparent, tags = _trace_headers(scope)
            originate(
                Origin(
                    source=source_of(scope["path"]),
                    token_id=principal.token_id,
                    trace=trace,
                    traceparent=traceparent,
                    tags=tags,
                )
            )
            work_for(principal.personal_space_id)

    async def _admit_visitor(self, scope: Any) -> None:
        """Let a visitor of a share link in; nothing else opens these routes."""
        if self._links is None:
            raise Unauthenticated("This needs the token of a share link.")
        visitor = await self._links.caller(scope, _authorization(scope), peer=peer_of(scope))
        scope[PRINCIPAL] = visitor.principal
        originate(Origin(source=visitor.source, share_link_id=visitor.link_id))
        work_for(visitor.principal.personal_space_id)

    async def _caller(self, scope: Any) -> Principal:
        """Return who asks: by the header if there is one, else by the session."""
        header = _authorization(scope)
        if header is None and self._sessions is not None:
            principal = await self._sessions.caller(scope)
            if principal is not None:
                return principal
        if header and is_openai_path(scope["path"]):
            header, scope[_AGENT] = split_agent_suffix(header)
        return await self._authenticator.authenticate(header, peer=peer_of(scope))

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


def _act(
    connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler, principal: Principal
) -> Act:
    """Return what the audit log is to tell of a request."""
    scope: Any = connection.scope
    named = [each for each in reversed(list(connection.path_params)) if each in _NAMED]
    name = next((each for each in named if each != "user_id"), next(iter(named), ""))
    value = str(connection.path_params.get(name, ""))
    client = scope.get("client")
    workspace = str(connection.path_params.get("workspace_id", ""))
    return Act(
        action=operation_of(handler, scope["method"]),
        user_id=principal.user_id,
        token_id=0 if principal.is_session else principal.token_id,
        session_id=principal.token_id if principal.is_session else 0,
        address=client[0] if client else "",
        resource_type=_NAMED.get(name, ""),
        resource_id=_number(value),
        space_id=_number(workspace),
    )


def _number(text: str) -> int:
    """Read an id as far as it is one: what is none names nothing."""
    try:
        return parse_id(text, field="id")
    except InvalidRequest:
        return 0


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


def _require(principal: Principal, access: Access) -> None:
    """Raise ``Forbidden`` for what the credential lacks altogether."""
    if principal.grant.is_browser:
        if not access.is_open_to_browsers:
            raise Forbidden("A token for browsers chats with its agents and does nothing else.")
        return
    if access.level is Level.SESSION and not principal.is_session:
        raise Forbidden("This is for people at a browser: it needs a session, and takes no token.")
    if access.level is Level.SELF:
        principal.require_unlimited()
    for permission in access.permissions:
        principal.require_token(permission)


def peer_of(scope: Any) -> str:
    """Return the address that a request comes from."""
    client = scope.get("client")
    return client[0] if client else ""


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
    principal: Principal | None = request.scope.get(PRINCIPAL)  # type: ignore[assignment]
    if principal is None:
        raise Unauthenticated("This needs a token.")
    return principal


def agent_of_key(request: Request[Any, Any, Any]) -> AgentId | None:
    """Return the agent named in FastGPT's form of the key."""
    agent_id: AgentId | None = request.scope.get(_AGENT)  # type: ignore[assignment]
    return agent_id


def _trace_headers(scope: Any) -> tuple[str, str, tuple[str, ...]]:
    """Return how much at most is to be kept of what the request begins, its own trace, and tags.

    All are empty without them; a malformed trace is none (W3C Trace Context, 4.3).
    """
    level = traceparent = ""
    tags: tuple[str, ...] = ()
    for name, value in scope["headers"]:
        if name == b"coterie-trace":
            if value not in _TRACE_LEVELS:
                raise InvalidRequest(
                    "Coterie-Trace: off or metadata; a request can only lower what is kept."
                )
            level = value.decode()
        elif name == b"coterie-tags":
            tags = read_tags(value.decode("utf-8", "replace"))
        elif name == b"traceparent" and read_traceparent(value.decode("latin-1")):
            traceparent = value.decode()[:_TRACEPARENT_CHARS]
    return level, traceparent, tags


def _authorization(scope: Any) -> str | None:
    values = [value for name, value in scope["headers"] if name == b"authorization"]
    # Of two a proxy may have judged the other one.
    if len(values) > 1:
        raise Unauthenticated("Send one Authorization header.")
    return values[0].decode("latin-1") if values else None
