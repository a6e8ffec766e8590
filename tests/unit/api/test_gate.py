"""What holds for every request: names, limits, refusals, CORS, draining, authentication."""

import re
from typing import Any

import httpx
import pytest
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler

from api.coze.unsupported import UNSUPPORTED_PATHS
from api.entry.auth import split_agent_suffix
from api.entry.gate import Gate
from api.entry.route import PUBLIC_PATHS
from domain.shared.limits import Limits
from tests.unit.api.harness import AGENT_ID, RUN_ID, TOKEN, Surface

CHAT: dict[str, Any] = {"bot_id": str(AGENT_ID), "user_id": "u", "stream": True}


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/v3/chat"), ("GET", "/nowhere"), ("GET", "/v1/defect"), ("PATCH", "/v3/chat")],
)
async def test_every_response_carries_its_log_id_and_the_version(method: str, path: str) -> None:
    async with Surface().client() as client:
        response = await client.request(method, path, json=CHAT)

    log_id = response.headers["x-tt-logid"]
    assert re.fullmatch(r"\d{14}[0-9A-F]{20}", log_id)
    assert response.headers["x-log-id"] == log_id
    assert response.headers["coterie-version"] == "1.2.3"
    if response.headers["content-type"].startswith("application/json"):
        assert response.json()["detail"]["logid"] == log_id


async def test_requests_have_different_log_ids() -> None:
    async with Surface().client() as client:
        found = {(await client.get("/v1/models")).headers["x-request-id"] for _ in range(20)}

    assert len(found) == 20


async def test_a_trailing_slash_makes_no_difference_and_no_redirect() -> None:
    async with Surface().client() as client:
        response = await client.post("/v3/chat/", json={**CHAT, "stream": False})

    assert response.status_code == 200


async def test_head_answers_like_get_without_a_body() -> None:
    async with Surface().client() as client:
        head, whole = await client.head("/v1/models"), await client.get("/v1/models")

    assert head.status_code == 200
    assert head.content == b""
    assert head.headers["content-length"] == whole.headers["content-length"]


async def test_a_defect_is_logged_and_not_told(caplog: pytest.LogCaptureFixture) -> None:
    async with Surface().client() as client:
        response = await client.get("/v1/defect")

    assert (response.status_code, response.json()["code"]) == (500, 5000)
    assert "inside" not in response.text
    assert response.headers["x-tt-logid"] in response.json()["msg"]
    assert "the cause stays inside" in caplog.text


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/v1/models?x=" + "a" * 9000, {}, 414),
        ("/v1/models", {"x-long": "a" * 17000}, 431),
        ("/v1/models?x=%00", {}, 400),
        ("/v1/models/%00", {}, 400),
        ("/v1/models/%0a", {}, 400),
    ],
)
async def test_oversized_or_malformed_targets_are_refused(
    path: str, headers: dict[str, str], status: int
) -> None:
    async with Surface().client() as client:
        response = await client.get(path, headers=headers)

    assert response.status_code == status
    assert response.json()["error"]["type"] == "invalid_request_error"


async def test_a_body_over_the_limit_is_refused() -> None:
    async with Surface(limits=Limits(large_body_bytes=100)).client() as client:
        response = await client.post("/v3/chat", json={**CHAT, "user_id": "u" * 200})

    assert (response.status_code, response.json()["code"]) == (413, 4000)


async def test_a_draining_process_takes_no_new_work_but_answers_questions() -> None:
    surface = Surface()
    surface.is_draining = True
    async with surface.client() as client:
        refused = await client.post("/v3/chat", json=CHAT)
        answered = await client.get("/v1/models")

    assert (refused.status_code, refused.json()["code"]) == (503, 5002)
    assert int(refused.headers["retry-after"]) >= 1
    assert answered.status_code == 200


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "http://good.example",
        "https://good.example.evil",
        "https://evilgood.example",
        "https://good.example:8443",
        "https://good.example.",
        "https://GOOD.example",
        "https://xn--god-hla.example",
    ],
)
async def test_foreign_origins_are_never_named_back(origin: str) -> None:
    preflight = {"origin": origin, "access-control-request-method": "POST"}
    async with Surface().client() as client:
        simple = await client.get("/v1/models", headers={"origin": origin})
        asked = await client.options("/v3/chat", headers=preflight)

    assert "access-control-allow-origin" not in simple.headers
    assert "access-control-allow-origin" not in asked.headers


async def test_a_listed_origin_may_call_with_a_token_but_never_with_cookies() -> None:
    headers = {"origin": "https://good.example", "access-control-request-method": "POST"}
    async with Surface().client(token=None) as client:
        response = await client.options("/v3/chat", headers=headers)

    assert response.status_code == 200
    assert response.headers["access-control-allow-origin"] == "https://good.example"
    assert "Authorization" in response.headers["access-control-allow-headers"]
    assert "access-control-allow-credentials" not in response.headers


def test_a_wildcard_is_no_origin() -> None:
    with pytest.raises(ValueError, match="one by one"):
        Gate(Litestar([]), limits=Limits(), cors_origins=["*"])


def guarded(app: Litestar) -> list[tuple[str, str]]:
    return [
        (method, route.path_format)
        for route in app.routes
        for handler in getattr(route, "route_handlers", [])
        if isinstance(handler, HTTPRouteHandler)
        for method in handler.http_methods
        if method != "OPTIONS" and route.path_format not in PUBLIC_PATHS
    ]


def test_the_public_routes_under_test_are_known_ones() -> None:
    found = {route.path_format for route in Surface().litestar.routes}

    assert {path for path in found if path in PUBLIC_PATHS and "oauth2" not in path} == {
        "/schema/openapi.json"
    }


async def test_every_route_is_closed_without_a_token_before_its_body_is_read() -> None:
    surface = Surface()
    async with surface.client(token=None) as client:
        for method, template in guarded(surface.litestar):
            path = re.sub(r"\{[^}]*\}", "1", template)
            response = await client.request(method, path, content=b"\xff not json")
            assert response.status_code == 401, (method, template)
            assert response.headers["www-authenticate"] == "Bearer"

    assert not surface.runs.started


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [("authorization", "Bearer")],
        [("authorization", "Bearer null")],
        [("authorization", TOKEN)],
        [("authorization", f"Bearer {TOKEN}\x00")],
        [("authorization", f"Bearer {TOKEN}-")],
        [("authorization", f"Bearer {TOKEN}-x")],
        [("authorization", f"Bearer {TOKEN}-9223372036854775808")],
        [("authorization", f"Bearer {TOKEN}"), ("authorization", f"Bearer {TOKEN}")],
        [("x-api-key", TOKEN)],
        [("cookie", f"token={TOKEN}")],
    ],
)
@pytest.mark.parametrize("path", ["/v1/models", "/v1/models/", "//v1/models", "/v1//models"])
async def test_no_variant_of_path_or_credential_slips_through(
    path: str, headers: list[tuple[str, str]]
) -> None:
    async with Surface().client(token=None) as client:
        response = await client.get(f"http://coterie{path}?token={TOKEN}", headers=headers)

    assert response.status_code == 401


@pytest.mark.parametrize("path", UNSUPPORTED_PATHS)
async def test_known_endpoints_that_are_missing_say_so_by_name(path: str) -> None:
    async with Surface().client() as client:
        response = await client.post(re.sub(r"\{[^}]*\}", "7", path))

    assert (response.status_code, response.json()["code"]) == (501, 4201)
    assert path.replace(":str", "") in response.json()["msg"]


def test_only_a_decimal_suffix_of_a_key_names_an_application() -> None:
    assert split_agent_suffix("Bearer k-7") == ("Bearer k", 7)
    for key in ("Bearer k", "Bearer k-", "Bearer k-x", "Bearer k-0", f"Bearer k-{2**63}"):
        assert split_agent_suffix(key) == (key, None)


async def test_a_slow_reader_of_its_own_run_is_served_over_the_whole_stack() -> None:
    async with (
        Surface().client() as client,
        client.stream("GET", f"/v1/runs/{RUN_ID}/events") as response,
    ):
        lines = [line async for line in response.aiter_lines()]

    assert isinstance(response, httpx.Response)
    assert lines[0] == "id: 1"
