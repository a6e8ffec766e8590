"""Services for handlers: each gets those that it names, found by their types."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import Any, get_args

from litestar import Controller
from litestar.di import Dependency, Provide
from litestar.handlers import BaseRouteHandler
from litestar.types import ControllerRouterHandler


def supplied(
    handlers: Sequence[ControllerRouterHandler], services: Iterable[object]
) -> Sequence[ControllerRouterHandler]:
    """Return the same handlers and controllers, each with those of the services that it names.

    Dependencies of the application would do the same, but Litestar resolves, compares and keeps
    all of them for each handler: with sixty for hundreds of handlers that was a quarter of the
    start. The originals stay as they are, for other applications in the process.
    """
    by_type = {type(each): _given(each) for each in services}
    return [_supplied(each, by_type) for each in handlers]


def _given(service: object) -> Provide:
    def resolve() -> Any:
        return service

    return Provide(resolve, sync_to_thread=False, use_cache=True)


def _supplied(
    handler: ControllerRouterHandler, provided: Mapping[type, Provide]
) -> ControllerRouterHandler:
    if isinstance(handler, BaseRouteHandler):
        alone = copy(handler)
        alone.dependencies = {**_named([handler], provided), **(handler.dependencies or {})}
        return alone
    if isinstance(handler, type) and issubclass(handler, Controller):
        needed = {**_named(_handlers_of(handler), provided), **_own_of(handler)}
        origin = {"__module__": handler.__module__, "__doc__": handler.__doc__}
        return type(handler.__name__, (handler,), {**origin, "dependencies": needed})
    raise TypeError(f"{handler!r} is neither a controller nor a handler.")


def _own_of(controller: type[Controller]) -> Mapping[str, Any]:
    for base in controller.__mro__:
        found = vars(base).get("dependencies")
        if isinstance(found, Mapping):  # the library's own class has a slot there
            return found
    return {}


def _handlers_of(controller: type[Controller]) -> Iterator[BaseRouteHandler]:
    for base in controller.__mro__:
        for value in vars(base).values():
            if isinstance(value, BaseRouteHandler):
                yield value


def _named(
    handlers: Iterable[BaseRouteHandler], provided: Mapping[type, Provide]
) -> dict[str, Provide]:
    named = {}
    for handler in handlers:
        for name, annotation in handler.fn.__annotations__.items():
            kind, *marks = get_args(annotation) or (None,)
            if kind in provided and any(isinstance(mark, Dependency) for mark in marks):
                named[name] = provided[kind]
    return named
