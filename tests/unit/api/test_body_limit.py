"""How large bodies may be: a small size by default, more on the routes that need it."""

from typing import Final

import pytest
from litestar import Router

from api.admin.on_demand import TRACE_CONTROLLERS
from api.body.limit import BodyLimit, body_limit
from bootstrap.server.routes import routes
from domain.shared.limits import MIB, Limits
from tests.unit.api.harness import Surface

LIMITS: Final = Limits()
LARGE: Final = {
    "/v3/chat",
    "/v1/workflow/run",
    "/v1/workflow/stream_run",
    "/v1/workflow/stream_resume",
    "/v1/workflows/chat",
    "/v1/chat/completions",
    "/api/v1/chat/completions",
    "/v1/responses",
    "/api/v1/responses",
    "/v1/conversation/create",
    "/v1/conversation/message/create",
    "/admin/v1/workspaces/{workspace_id}/workflows",
    "/admin/v1/workspaces/{workspace_id}/agents:import",
    "/admin/v1/workspaces/{workspace_id}/workflows:import",
    "/admin/v1/workspaces/{workspace_id}/workflows:review",
    "/admin/v1/workspaces/{workspace_id}/plugins:import",
    "/admin/v1/workspaces/{workspace_id}/plugins:review",
    "/admin/v1/databases/{database_id}/records:insert",
    "/admin/v1/previews/{preview_id}",
}
LARGE_BELOW: Final = ("/admin/v1/workflows/", "/admin/v1/workflow-runs/", "/v1/workflow/")
DOCUMENTS: Final = {
    "/open_api/knowledge/document/create",
    "/admin/v1/datasets/{dataset_id}/previews",
    "/admin/v1/datasets/{dataset_id}/table-schema:infer",
    "/admin/v1/datasets/{dataset_id}/table-schema:validate",
}


def limit_of(route: str) -> BodyLimit:
    return body_limit(route, LIMITS)


ROUTES: Final = sorted(
    {
        route.path_format
        for route in Router("/", route_handlers=[*routes(), *TRACE_CONTROLLERS]).routes
        for handler in getattr(route, "route_handlers", ())
        if handler.http_methods & {"POST", "PUT", "PATCH", "DELETE"}
    }
)


def test_the_larger_routes_exist() -> None:
    assert set(ROUTES) >= LARGE | DOCUMENTS


@pytest.mark.parametrize("route", ROUTES)
def test_every_other_route_takes_a_small_body(route: str) -> None:
    limit = limit_of(route)
    if route in DOCUMENTS:
        assert (limit.total_bytes, limit.json_bytes) == (140 * MIB, 20 * MIB)
    elif route.startswith("/mcp/"):
        assert limit.total_bytes == LIMITS.mcp_message_bytes
    elif route in LARGE or route.startswith(LARGE_BELOW) or "/previews/" in route:
        assert limit.total_bytes == 20 * MIB
    elif route != "/admin/v1/workflows:batch-delete":
        assert limit.total_bytes == MIB


@pytest.mark.parametrize("route", ROUTES)
def test_values_and_nesting_are_bounded_everywhere(route: str) -> None:
    bounds = limit_of(route).bounds

    assert bounds.values <= 300_000
    assert bounds.depth <= 512


@pytest.mark.parametrize(
    ("path", "size", "status"),
    [
        ("/v3/chat/submit_tool_outputs?conversation_id=1&chat_id=2", MIB + 1, 413),
        ("/v3/chat", 20 * MIB + 1, 413),
        ("/v3/chat", 2 * MIB, 400),
    ],
)
async def test_a_route_refuses_what_is_longer(path: str, size: int, status: int) -> None:
    body = b'{"x":"' + b"a" * (size - 8) + b'"}'
    async with Surface().client() as client:
        answer = await client.post(path, content=body, headers={"content-type": "application/json"})

    assert answer.status_code == status
