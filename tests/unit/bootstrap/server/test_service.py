"""Handlers get the services that they name, by their types, beside those they bring."""

import asyncio
import threading
from typing import Any

from litestar import Controller, Litestar, Request, get
from litestar.di import NamedDependency, Provide
from litestar.routes import HTTPRoute
from litestar.testing import TestClient

from bootstrap.server.on_demand import OnDemandLitestar
from bootstrap.server.service import with_services


class First(str):
    __slots__ = ()


class Second(str):
    """As services do, it holds what cannot be copied."""

    def __init__(self, _: str) -> None:
        self.lock = threading.Lock()


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


def test_services_are_handed_over_without_tasks_and_what_needs_one_of_them_gets_it() -> None:
    begun: list[asyncio.Task[Any]] = []

    def brought(second: NamedDependency[Second]) -> str:
        return f"from {second}"

    @get("/tasks")
    async def both(
        first: NamedDependency[First],
        second: NamedDependency[Second],
        brought: NamedDependency[str],
        request: Request[Any, Any, Any],
    ) -> list[str]:
        return [first, second, brought, request.query_params["q"]]

    def task(loop: asyncio.AbstractEventLoop, coro: Any, **options: Any) -> asyncio.Task[Any]:
        begun.append(asyncio.Task(coro, loop=loop, **options))
        return begun[-1]

    async def called(scope: Any, receive: Any, send: Any) -> None:
        loop = asyncio.get_running_loop()
        loop.set_task_factory(task)
        try:
            await app(scope, receive, send)
        finally:
            loop.set_task_factory(None)

    app = OnDemandLitestar(
        route_handlers=with_services([both], SERVICES),
        dependencies={"brought": Provide(brought, sync_to_thread=False)},
        openapi_config=None,
    )

    answer = TestClient(called).get("/tasks?q=x")

    assert answer.json() == ["first", "second", "from second", "x"]
    assert not begun


def test_no_handler_of_an_application_waits_for_a_group_of_dependencies() -> None:
    app = OnDemandLitestar(
        route_handlers=with_services([Own, Derived, alone, none], SERVICES), openapi_config=None
    )

    batches = [
        batch
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for method in route.route_handler_map
        for batch in route.route_handler_map[method][1].dependency_batches
    ]
    assert [{each.key for each in batch} for batch in batches] == [{"brought"}, {"brought"}]
