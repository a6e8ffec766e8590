"""Operational pages: metrics, the state of each part and the API documentation, apart from the API.

They are served by a listener of their own. The public one shows them only while nobody but this
machine can reach it: bound to loopback, for requests that came through no proxy, by the one
spelling of their path. A proxy on the same machine hides what it knows by other spellings, too.
"""

from typing import Any, Final

import msgspec
from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.exceptions import NotFoundException
from litestar.handlers.base import BaseRouteHandler
from litestar.types import ASGIApp, Receive, Scope, Send

from api.error import JSON_TYPE

PATHS: Final = frozenset(
    {
        "/docs",
        "/healthz",
        "/livez",
        "/metrics",
        "/readyz",
        "/schema/openapi.json",
        "/startupz",
        "/version",
    }
)
"""What the operations listener answers."""

_LISTENER: Final = "coterie.operations"
_FORWARDED: Final = frozenset(
    {
        b"forwarded",
        b"via",
        b"x-forwarded-for",
        b"x-forwarded-host",
        b"x-forwarded-proto",
        b"x-real-ip",
    }
)
_NOT_HERE: Final = msgspec.json.encode(
    {"error": f"Only {', '.join(sorted(PATHS))} are served here."}
)


class OperationsListener:
    """ASGI front of the operations listener: lets operational paths through and shows them."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        if scope["path"] in PATHS:
            shown: Any = {**scope, _LISTENER: True}
            await self._app(shown, receive, send)
            return
        headers = [
            (b"content-type", JSON_TYPE.encode()),
            (b"content-length", str(len(_NOT_HERE)).encode()),
        ]
        await send({"type": "http.response.start", "status": 404, "headers": headers})
        await send({"type": "http.response.body", "body": _NOT_HERE, "more_body": False})


def shows_operations(connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
    """Tell whether who asks may see operational pages (``State.has_local_operations``)."""
    scope: Any = connection.scope
    if scope.get(_LISTENER):
        return True
    if not connection.app.state.get("has_local_operations"):
        return False
    is_exact = scope.get("raw_path") == scope["path_template"].encode()
    return is_exact and not any(name in _FORWARDED for name, _ in scope["headers"])


def operations_only(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Guard of operational pages: whoever may not see them finds nothing."""
    if not shows_operations(connection):
        raise NotFoundException
