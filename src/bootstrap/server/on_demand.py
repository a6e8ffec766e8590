"""Application whose handlers are made ready, and some imported, by their first requests.

Litestar reads the signature of each handler, checks it and makes a model of its arguments when a
handler is registered. For hundreds of handlers that is a third of a start and some 15 MB, and a
process answers with few of them. What the framework checks there is checked when the interface is
described, which reads all of them. A room is a part of the interface that few processes are asked
for: its controllers are imported when somebody asks. This rests on how Litestar keeps the handlers
of a route; ``tests/unit/bootstrap/server/test_on_demand.py`` pins it.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from litestar import Litestar, Router
from litestar.config.app import AppConfig
from litestar.connection import ASGIConnection
from litestar.handlers import HTTPRouteHandler
from litestar.plugins import PluginProtocol
from litestar.plugins.core import MsgspecDIPlugin
from litestar.routes import BaseRoute, HTTPRoute
from litestar.types import ControllerRouterHandler
from litestar.types.internal_types import RouteHandlerMapItem

from bootstrap.server.service import hand_over_services


@dataclass(frozen=True, kw_only=True)
class Room:
    """Controllers that the first request imports whose path has one of ``marks``, as all theirs do.

    ``load`` imports, in a thread, and returns what makes the handlers.
    """

    marks: tuple[str, ...]
    load: Callable[[], Callable[[], Sequence[ControllerRouterHandler]]]


class OnDemandLitestar(Litestar):
    """A ``Litestar`` whose handlers get the services they name; all its routes are of HTTP.

    Takes what ``Litestar`` takes, and rooms.
    """

    def __init__(self, *, rooms: Sequence[Room] = (), **configuration: Any) -> None:
        self._handlers_by_path: dict[str, RouteHandlerMapItem] = {}
        super().__init__(**configuration)
        self.asgi_router.construct_routing_trie()
        self._rooms = list(rooms)
        self._opening = asyncio.Lock()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if self._rooms:
            path = scope.get("path", "")  # the life of a server has none
            for room in [each for each in self._rooms if any(m in path for m in each.marks)]:
                await self._enter(room)
        await super().__call__(scope, receive, send)

    async def _enter(self, room: Room) -> None:
        async with self._opening:
            if room in self._rooms:
                self._add((await asyncio.to_thread(room.load))())
                self._rooms.remove(room)

    def open_rooms(self) -> None:
        """Import the controllers of all rooms now."""
        while self._rooms:
            self._add(self._rooms.pop().load()())

    def _add(self, handlers: Sequence[ControllerRouterHandler]) -> None:
        for each in handlers:
            self.register(each)
        self.asgi_router.construct_routing_trie()

    @staticmethod
    def _get_default_plugins(plugins: list[PluginProtocol]) -> list[PluginProtocol]:
        """Leave classes of attrs and pydantic alone: no handler has any, and attrs takes 4 MB."""
        return [*plugins, MsgspecDIPlugin()]

    @staticmethod
    def _patch_opentelemetry_middleware(config: AppConfig) -> AppConfig:
        """Leave the library on the disk, where it is installed: runs are exported without it."""
        return config

    @property
    def route_handler_method_map(self) -> dict[str, RouteHandlerMapItem]:
        """What is registered; Litestar makes it anew for each path that comes to it."""
        return self._handlers_by_path

    def register(self, value: ControllerRouterHandler) -> list[BaseRoute]:  # type: ignore[override]
        routes = Router.register(self, value)
        for route in routes:
            if not isinstance(route, HTTPRoute):
                raise TypeError(f"{route.path} is no route of HTTP.")
            self._handlers_by_path[route.path] = {
                method: each for each in route.route_handlers for method in each.http_methods
            }
            for handler in route.route_handlers:
                handler.resolve_opts()
            route.route_handler_map = _Handlers(route, self)  # type: ignore[assignment]
        return routes

    def _validate_registration_value(self, value: ControllerRouterHandler) -> Any:
        """Take a router as it is: it was made for this application, with handlers of its own.

        Litestar copies it with all that its handlers refer to, which took half of the time.
        """
        if isinstance(value, Router):
            value.owner = self
            return value
        return super()._validate_registration_value(value)

    def ready(self, route: HTTPRoute, handler: HTTPRouteHandler) -> Any:
        """Make and return the model of a handler's arguments."""
        handler.on_registration(self)
        arguments = handler.create_kwargs_model(path_parameters=route.path_parameters)
        hand_over_services(arguments)
        _guard_uncopied(handler)
        return arguments


def _guard_uncopied(handler: HTTPRouteHandler) -> None:
    """Show the handler itself to its guards, which only read it.

    Litestar shows each of them a copy, which is half of what it does for a request itself.
    Its own answers to OPTIONS take no other way of doing so.
    """
    guards = handler.resolve_guards()
    if not hasattr(handler, "__dict__"):
        return

    async def authorize(connection: ASGIConnection[Any, Any, Any, Any]) -> None:
        for guard in guards:
            await guard(connection, handler)  # type: ignore[misc]

    handler.authorize_connection = authorize  # type: ignore[method-assign]


class _Handlers(dict[str, tuple[HTTPRouteHandler, Any]]):
    """Handlers of a route by method; the model of arguments beside each is there once asked for."""

    def __init__(self, route: HTTPRoute, app: OnDemandLitestar) -> None:
        super().__init__(
            {method: (each, None) for each in route.route_handlers for method in each.http_methods}
        )
        self._app = app
        self._route = route

    def __getitem__(self, method: str) -> tuple[HTTPRouteHandler, Any]:
        found = super().__getitem__(method)
        if found[1] is None:
            found = self[method] = (found[0], self._app.ready(self._route, found[0]))
        return found
