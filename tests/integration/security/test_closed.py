"""T02: without credentials nothing answers, nothing changes, and nothing is called."""

from collections.abc import Awaitable, Callable
from functools import partial
from itertools import product
from typing import Any, Final

import pytest
from litestar import Litestar

from api.entry.route import public_paths
from bootstrap.server.app import create_app
from tests.integration.security.operations import CALLS, filled, perform
from tests.integration.security.tenants import Tenant
from tests.support.process.in_process import Answer, Deployment, multipart
from tests.support.wait import until_so
from tests.upstream.fixture import RunningUpstream

FORM: Final = [("content-type", "multipart/form-data; boundary=b")]
DOCUMENT: Final = {
    "bot_id": "1",
    "canvas": {},
    "code": "print(1)",
    "data": {},
    "model": "1",
    "nodes": [],
    "plugin": {},
    "url": "http://127.0.0.1:1/",
    "workflow": {},
}
"""What a caller might hope to have run instead of what is stored."""


def _endpoints(app: Litestar) -> list[tuple[str, str, str]]:
    """Method, template as in the list of public routes, and a path with numbers for ids."""
    found: list[tuple[str, str, str]] = []
    for route in app.routes:
        template = route.path_format
        parts = ["7" if part.startswith("{") else part for part in template.strip("/").split("/")]
        path = "/" + "/".join(parts)
        for handler in getattr(route, "route_handlers", []):
            found += [(method, template, path) for method in sorted(handler.http_methods)]
    return found


def _variants(path: str) -> list[str]:
    """Other spellings of a path that a router might take for the same one."""
    first, _, rest = path[1:].partition("/")
    found = [
        path + "/",
        path + "//",
        "/" + path,
        path.replace("/", "//"),
        path.upper(),
        "/" + first.capitalize() + ("/" + rest if rest else ""),
        path + ";a=b",
        path + "%2f",
        path + "/.",
        path + "?access_token=x",
        "/healthz/.." + path,
        "/healthz%2f.." + path,
        "/icons/.." + path,
    ]
    if rest:
        found += [f"/{first}%2f{rest}", f"/{first}/./{rest}", f"/x/../{first}/{rest}"]
    return found


async def test_no_route_answers_without_credentials(
    deployment: Deployment, alice: Tenant, upstream: RunningUpstream
) -> None:
    before, calls_before = deployment.rows(), len(upstream.requests())
    app = create_app(deployment.container)
    endpoints, public = _endpoints(app), public_paths(app)
    assert len(endpoints) > 100
    open_routes: list[str] = []
    for method, template, path in endpoints:
        if method == "OPTIONS" or template in public:
            continue
        bodies: list[dict[str, Any]] = [{}, {"document": DOCUMENT}]
        if method == "POST":
            bodies += [
                {"body": multipart(b"x"), "headers": FORM},
                {
                    "body": b"\xff{",
                },
            ]
        for body in bodies:
            answer = await deployment.send(method, path, **body)
            if answer.status != 401 or answer.headers.get("www-authenticate") != "Bearer":
                open_routes.append(f"{method} {path}: {answer}")

    assert not open_routes, "\n".join(open_routes)
    assert deployment.rows() == before
    assert len(upstream.requests()) == calls_before


async def test_no_other_spelling_of_a_path_is_open(deployment: Deployment) -> None:
    before = deployment.rows()
    app = create_app(deployment.container)
    public = public_paths(app)
    endpoints = {
        (method, path)
        for method, template, path in _endpoints(app)
        if method != "OPTIONS" and template not in public
    }
    wrong: list[str] = []
    for method, path in sorted(endpoints):
        for variant in _variants(path):
            answer = await deployment.send(method, variant)
            if answer.status not in {401, 404, 405}:
                wrong.append(f"{method} {variant}: {answer}")
    assert not wrong, "\n".join(wrong[:40])
    assert deployment.rows() == before


@pytest.mark.parametrize(
    "operation", [name for name, calls in CALLS.items() if calls[0].method != "GET"]
)
async def test_a_valid_request_needs_credentials_all_the_same(
    operation: str, deployment: Deployment, alice: Tenant
) -> None:
    before = deployment.rows()
    for call in CALLS[operation]:
        answer = await perform(deployment, filled(call, alice.ids), token=None)
        assert answer.status == 401, str(answer)
        assert answer.headers["x-tt-logid"]
        assert answer.headers["coterie-version"] == deployment.container.version()
    assert deployment.rows() == before


async def until_served(ask: Callable[[], Awaitable[Answer]]) -> Answer:
    """Ask until the answer is no failure of the server."""
    answers: list[Answer] = []

    async def is_served() -> bool:
        answers.append(await ask())
        return answers[-1].status < 500 or answers[-1].status == 501

    await until_so(is_served, "an answer")
    return answers[-1]


async def test_public_routes_ignore_what_a_body_says(
    deployment: Deployment, upstream: RunningUpstream
) -> None:
    before, calls_before = deployment.rows(), len(upstream.requests())
    app = create_app(deployment.container)
    templates = public_paths(app)
    public = [
        (method, path)
        for method, template, path in _endpoints(app)
        if template in templates and method != "OPTIONS"
    ]
    for method, path in public:
        # A machine that is too busy at the moment is not live, or not ready.
        plain = await until_served(partial(deployment.send, method, path))
        loaded = await until_served(partial(deployment.send, method, path, document=DOCUMENT))
        assert plain.status == loaded.status, f"{method} {path}: {loaded}"
    assert deployment.rows() == before
    assert len(upstream.requests()) == calls_before


async def test_a_method_cannot_be_overridden(deployment: Deployment, alice: Tenant) -> None:
    before = deployment.rows()
    names = ("x-http-method-override", "x-http-method", "x-method-override")
    for name, method in product(names, ("DELETE", "PATCH", "PUT")):
        answer = await deployment.send(
            "GET",
            f"/admin/v1/agents/{alice.ids['agent']}?_method={method}",
            token=alice.token,
            headers=[(name, method)],
        )
        assert answer.status == 200
    assert deployment.rows() == before


async def test_forwarding_headers_do_not_choose_the_path(deployment: Deployment) -> None:
    for name in ("x-original-url", "x-rewrite-url", "x-forwarded-uri", "x-forwarded-prefix"):
        answer = await deployment.send("GET", "/admin/v1/users", headers=[(name, "/healthz")])
        assert answer.status == 401
