"""Handlers get the services that they name, by their types, beside those they bring."""

from litestar import Controller, Litestar, get
from litestar.di import NamedDependency, Provide
from litestar.testing import TestClient

from bootstrap.server.app import with_services


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
    app = Litestar(with_services([Own, Derived, alone, none], SERVICES), openapi_config=None)

    with TestClient(app) as client:
        answers = [client.get(path).text for path in ("/own", "/derived", "/alone", "/none")]

    assert answers == ["brought first", "brought first", "second", "none"]


def test_nobody_gets_more_and_the_originals_stay_as_they_were() -> None:
    app = Litestar(with_services([Own, alone], SERVICES), openapi_config=None)

    given = {
        route.path: set(handler.resolve_dependencies())
        for route in app.routes
        for handler in getattr(route, "route_handlers", ())
        if "GET" in handler.http_methods
    }
    assert given == {"/own": {"brought", "mine"}, "/alone": {"any_name"}}
    assert alone.dependencies is None
    assert set(Own.__dict__["dependencies"]) == {"brought"}


def test_applications_in_one_process_have_services_of_their_own() -> None:
    apps = [
        Litestar(with_services([Own, alone], [First(each), Second(each)]), openapi_config=None)
        for each in ("a", "b")
    ]

    for app, expected in zip(apps, ("a", "b"), strict=True):
        with TestClient(app) as client:
            assert client.get("/alone").text == expected
            assert client.get("/own").text == f"brought {expected}"
