"""Services for handlers, found by the type of their parameters and put there without tasks.

Litestar resolves the dependencies of a handler in a task group, each in a task of its own, which
for five services takes longer than many a handler. Services are there before the first request, so
they are handed over like what a request brings. This rests on the model that Litestar has of a
handler's arguments; ``tests/unit/bootstrap/server/test_service.py`` pins it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args

from litestar import Router
from litestar.di import Dependency, Provide
from litestar.handlers import BaseRouteHandler
from litestar.types import ControllerRouterHandler


class _Service:
    """What Litestar is told to call for a service."""

    def __init__(self, service: object) -> None:
        self.service = service

    def __call__(self) -> Any:
        return self.service

    def __deepcopy__(self, _: Any) -> "_Service":
        """Litestar copies handlers with all they refer to: services are those that there are."""
        return self


def with_services(
    handlers: Sequence[ControllerRouterHandler], services: Iterable[object]
) -> Sequence[ControllerRouterHandler]:
    """Return each controller and handler in a router that has the services it names, by type.

    Dependencies of the application would do the same, but Litestar resolves, compares and keeps
    all of them for each handler: with sixty for hundreds of handlers that took half as long again.
    """
    by_type = {type(each): Provide(_Service(each), sync_to_thread=False) for each in services}
    return [
        Router("/", route_handlers=[each], dependencies=_named(each, by_type)) for each in handlers
    ]


def hand_over_services(arguments: Any) -> None:
    """Give a handler its services as they are, from now on; takes the model of its arguments."""
    if services := _taken_out(arguments):
        arguments.extractors.append(_Put(services))


class _Put:
    """Puts services among the values of a request."""

    __slots__ = ("_services",)

    def __init__(self, services: Mapping[str, object]) -> None:
        self._services = services

    async def __call__(self, values: dict[str, Any], _connection: Any) -> None:
        values.update(self._services)


def _taken_out(arguments: Any) -> dict[str, object]:
    """Return the services among the dependencies of a handler, which are none from now on."""
    services: dict[str, object] = {}
    rest: list[set[Any]] = []
    for batch in arguments.dependency_batches:
        called = {each.key: each.provide.dependency for each in batch}
        found = {key: call.service for key, call in called.items() if isinstance(call, _Service)}
        services |= found
        rest.append({each for each in batch if each.key not in found})
    arguments.dependency_batches = [batch for batch in rest if batch]
    return services


def _named(
    handler: ControllerRouterHandler, provided: Mapping[type, Provide]
) -> dict[str, Provide]:
    classes = getattr(handler, "__mro__", ())
    members = [value for each in classes for value in vars(each).values()]
    named = {}
    for member in (handler, *members):
        if not isinstance(member, BaseRouteHandler):
            continue
        for name, annotation in member.fn.__annotations__.items():
            kind, *marks = get_args(annotation) or (None,)
            if kind in provided and any(isinstance(mark, Dependency) for mark in marks):
                named[name] = provided[kind]
    return named
