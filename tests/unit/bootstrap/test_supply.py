"""Handlers get the dependencies that they name, beside those they bring."""

from litestar import Controller, Litestar, get
from litestar.di import NamedDependency, Provide
from litestar.handlers import HTTPRouteHandler
from litestar.testing import TestClient

from bootstrap.supply import supplied


def given(value: str) -> Provide:
    return Provide(lambda: value, sync_to_thread=False)


class Own(Controller):
    """Brings one dependency and names one of the application's."""

    path = "/own"
    dependencies = {"brought": given("brought")}  # noqa: RUF012 - as the library declares it

    @get("/")
    async def both(self, brought: NamedDependency[str], first: NamedDependency[str]) -> str:
        return f"{brought} {first}"


class Derived(Own):
    path = "/derived"


@get("/alone")
async def alone(second: NamedDependency[str]) -> str:
    return second


@get("/none")
async def none() -> str:
    return "none"


PROVIDED = {"first": given("first"), "second": given("second")}


def test_each_handler_is_called_with_what_it_names() -> None:
    app = Litestar(supplied([Own, Derived, alone, none], PROVIDED), openapi_config=None)

    with TestClient(app) as client:
        answers = [client.get(path).text for path in ("/own", "/derived", "/alone", "/none")]

    assert answers == ["brought first", "brought first", "second", "none"]


def test_nobody_gets_more_and_the_originals_stay_as_they_were() -> None:
    _, lonely = supplied([Own, alone], PROVIDED)
    app = Litestar(supplied([Own, alone], PROVIDED), openapi_config=None)

    (handler,) = (
        handler
        for route in app.routes
        if route.path == "/own"
        for handler in getattr(route, "route_handlers", ())
        if "GET" in handler.http_methods
    )
    assert set(handler.resolve_dependencies()) == {"brought", "first"}
    assert isinstance(lonely, HTTPRouteHandler)
    assert set(lonely.dependencies or ()) == {"second"}
    assert alone.dependencies is None
    assert set(Own.__dict__["dependencies"]) == {"brought"}
