"""Handlers are made ready by their first requests, and serve what a plain application serves."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from litestar import Controller, Litestar, WebSocket, get, post, websocket
from litestar.connection import ASGIConnection
from litestar.exceptions import ImproperlyConfiguredException, PermissionDeniedException
from litestar.handlers import BaseRouteHandler
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.testing import TestClient
from litestar.types import ControllerRouterHandler

from bootstrap.server.on_demand import OnDemandLitestar, Room


class Things(Controller):
    path = "/things"

    @get("/{number:int}")
    async def one(self, number: FromPath[int], word: FromQuery[str] = "no") -> str:
        return f"{number} {word}"

    @post("/")
    async def create(self, data: JSONBody[dict[str, int]]) -> dict[str, int]:
        return data

    @get("/")
    async def each(self) -> list[int]:
        return [1]


@get("/plain", sync_to_thread=True)
def plain() -> str:
    return "sync"


@get("/broken")
async def broken() -> "Missing":  # type: ignore[name-defined]  # noqa: F821
    return None


HANDLERS: list[ControllerRouterHandler] = [Things, plain]
REQUESTS = (
    ("GET", "/things/7?word=yes"),
    ("GET", "/things/x"),
    ("GET", "/things/7?number=8"),
    ("GET", "/things"),
    ("POST", "/things"),
    ("OPTIONS", "/things"),
    ("PUT", "/things"),
    ("GET", "/plain"),
    ("GET", "/nothing"),
)


def test_requests_are_answered_as_by_a_plain_application() -> None:
    answers = []
    for kind in (Litestar, OnDemandLitestar):
        app = kind(route_handlers=HANDLERS, openapi_config=None)
        with TestClient(app) as client:
            found = [
                client.request(method, path, json={"a": 1} if method == "POST" else None)
                for method, path in REQUESTS * 2
            ]
            answers.append([_comparable(each) for each in found])

    assert answers[0] == answers[1]
    assert {status for status, _, _ in answers[0]} == {200, 201, 204, 404, 405}


def _comparable(answer: httpx.Response) -> tuple[int, str, dict[str, str]]:
    headers = dict(answer.headers)
    if "allow" in headers:  # comes from a set
        headers["allow"] = ", ".join(sorted(headers["allow"].split(", ")))
    return answer.status_code, answer.text, headers


def test_a_handler_is_made_ready_once_and_no_other_with_it() -> None:
    app = OnDemandLitestar(route_handlers=HANDLERS, openapi_config=None)

    def ready() -> dict[str, object]:
        found: dict[str, object] = {}
        for route in app.routes:
            handlers: Any = getattr(route, "route_handler_map", {})
            for method, (_, arguments) in handlers.items():
                if arguments is not None:
                    found[f"{method} {route.path}"] = arguments
        return found

    before = ready()
    with TestClient(app) as client:
        client.get("/things")
        first = ready()
        client.get("/things")

    assert before == {}
    assert set(first) == {"GET /things"}
    assert ready() == first


def test_a_mistake_in_a_handler_shows_where_the_interface_is_described() -> None:
    app = OnDemandLitestar(route_handlers=[broken], openapi_config=None)

    with TestClient(app) as client:
        assert client.get("/broken").status_code == 500
    with pytest.raises((NameError, ImproperlyConfiguredException)):
        Litestar(route_handlers=[broken], openapi_config=None)


def test_a_room_is_entered_by_the_first_request_with_its_mark() -> None:
    loaded: list[str] = []

    def load() -> Any:
        loaded.append("things")
        return lambda: [Things]

    rooms = [Room(marks=("/no", "/things"), load=load)]
    app = OnDemandLitestar(route_handlers=[plain], openapi_config=None, rooms=rooms)

    with TestClient(app) as client:
        assert client.get("/plain").text == "sync"
        assert loaded == []
        with ThreadPoolExecutor() as pool:
            several = list(pool.map(client.get, ["/things", "/things/7", "/nothing/things"]))

    assert [each.status_code for each in several] == [200, 200, 404]
    assert loaded == ["things"]


def test_a_room_that_cannot_be_imported_is_tried_again() -> None:
    tries: list[int] = []

    def load() -> Any:
        tries.append(1)
        if len(tries) == 1:
            raise ImportError
        return lambda: [Things]

    rooms = [Room(marks=("/no", "/things"), load=load)]
    app = OnDemandLitestar(route_handlers=[], openapi_config=None, rooms=rooms)

    with TestClient(app, raise_server_exceptions=False) as client:
        assert [client.get("/things").status_code for _ in range(2)] == [500, 200]


def test_all_rooms_can_be_opened_at_once() -> None:
    rooms = [Room(marks=("/things",), load=lambda: lambda: [Things])]
    app = OnDemandLitestar(route_handlers=[plain], openapi_config=None, rooms=rooms)

    app.open_rooms()

    assert {route.path for route in app.routes} >= {"/things", "/plain"}


def test_what_is_no_route_of_http_is_refused() -> None:
    @websocket("/socket")
    async def handler(socket: WebSocket[Any, Any, Any]) -> None: ...

    with pytest.raises(TypeError, match="/socket"):
        OnDemandLitestar(route_handlers=[handler], openapi_config=None)


def test_guards_are_shown_the_handler_itself() -> None:
    shown = []

    def no_posts(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
        shown.append(handler)
        if connection.scope["method"] == "POST":  # type: ignore[typeddict-item]
            raise PermissionDeniedException

    app = OnDemandLitestar(route_handlers=HANDLERS, openapi_config=None, guards=[no_posts])
    with TestClient(app) as client:
        assert [client.get("/things").status_code, client.get("/things").status_code] == [200, 200]
        assert client.post("/things", json={}).status_code == 403
    assert shown[0] is shown[1]
    assert shown[0].fn is not shown[2].fn
