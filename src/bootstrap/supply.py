"""Gives each handler the dependencies that it names, and no others."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import Any

from litestar import Controller
from litestar.di import Provide
from litestar.handlers import BaseRouteHandler
from litestar.types import ControllerRouterHandler


def supplied(
    handlers: Sequence[ControllerRouterHandler], provided: Mapping[str, Provide]
) -> Sequence[ControllerRouterHandler]:
    """Return the same handlers and controllers, each with its own part of ``provided``.

    Dependencies of the application would do the same, but Litestar resolves, compares and keeps
    all of them for each handler: with sixty for hundreds of handlers that was a quarter of the
    start. The originals stay as they are, for other applications in the process.
    """
    return [_supplied(each, provided) for each in handlers]


def _supplied(
    handler: ControllerRouterHandler, provided: Mapping[str, Provide]
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
    handlers: Iterable[BaseRouteHandler], provided: Mapping[str, Provide]
) -> dict[str, Provide]:
    names = {name for handler in handlers for name in handler.fn.__annotations__}
    return {name: provided[name] for name in sorted(names & provided.keys())}
