"""Handlers get the services that they name, by their types, beside those they bring."""

from litestar import Controller, Litestar, get
from litestar.di import NamedDependency, Provide
from litestar.handlers import HTTPRouteHandler
from litestar.testing import TestClient

from bootstrap.server.supply import supplied


class First(str):
    __slots__ = ()


class Second(str):
    __slots__ = ()


class Own(Controller):
    """Brings one dependency and names one of the services."""

    path = "/own"
    dependencies = {  # noqa: RUF012 - as the library declares it
        "brought": Provide(lambda: "brought", sync_to_thread=False)
    }

    @get("/")
    async def both(self, brought: NamedDependency[str], mine: NamedDependency[First]) -> str:
        return f"{brought} {mine}"


class Derived(Own):
    path = "/derived"


@get("/alone")
async def alone(any_name: NamedDependency[Second]) -> str:
    return any_name


@get("/none")
async def none() -> str:
    return "none"


SERVICES = (First("first"), Second("second"))


def test_each_handler_is_called_with_what_it_names() -> None:
    app = Litestar(supplied([Own, Derived, alone, none], SERVICES), openapi_config=None)

    with TestClient(app) as client:
        answers = [client.get(path).text for path in ("/own", "/derived", "/alone", "/none")]

    assert answers == ["brought first", "brought first", "second", "none"]


def test_nobody_gets_more_and_the_originals_stay_as_they_were() -> None:
    _, lonely = supplied([Own, alone], SERVICES)
    app = Litestar(supplied([Own, alone], SERVICES), openapi_config=None)

    (handler,) = (
        handler
        for route in app.routes
        if route.path == "/own"
        for handler in getattr(route, "route_handlers", ())
        if "GET" in handler.http_methods
    )
    assert set(handler.resolve_dependencies()) == {"brought", "mine"}
    assert isinstance(lonely, HTTPRouteHandler)
    assert set(lonely.dependencies or ()) == {"any_name"}
    assert alone.dependencies is None
    assert set(Own.__dict__["dependencies"]) == {"brought"}
