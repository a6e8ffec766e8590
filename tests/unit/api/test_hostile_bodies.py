"""Hostile bodies of many shapes on every class of route: refused, or bounded when decoded."""

from typing import Any

import httpx
import pytest
from litestar import Litestar, post
from litestar.datastructures import State
from litestar.params import JSONBody

from api.body.limit import body_limit
from api.body.request import ApiRequest, RequestBodies
from api.error import EXCEPTION_HANDLERS
from application.operation.http_metrics import HttpMetrics
from bench.bodies import SHAPES
from domain.shared.limits import MIB, Limits
from infra.contract.observability.metrics import Metrics

LIMITS = Limits()
ROUTES = {
    "ordinary": "/v1/variables",
    "large": "/v3/chat",
    "canvas": "/admin/v1/workflows/{workflow_id:str}/canvas",
    "message": "/mcp/{space_id:str}",
    "document": "/open_api/knowledge/document/create",
}


def values_of(value: Any) -> int:
    """Count values as the limits do."""
    found, waiting = 0, [value]
    while waiting:
        each = waiting.pop()
        found += 1
        if isinstance(each, list):
            waiting += each
        elif isinstance(each, dict):
            waiting += each.values()
    return found


@post([*ROUTES.values()], status_code=200, request_max_body_size=None)
async def count(data: JSONBody[dict[str, Any]]) -> int:
    return values_of(data)


def application() -> Any:
    return Litestar(
        [count],
        exception_handlers=dict(EXCEPTION_HANDLERS),
        request_class=ApiRequest,
        state=State(
            {
                "limits": LIMITS,
                "http_metrics": HttpMetrics(Metrics()),
                "bodies": RequestBodies(LIMITS),
            }
        ),
        openapi_config=None,
        logging_config=None,
    )


APPLICATION = application()


async def sent(path: str, body: bytes, *, piece: int) -> httpx.Response:
    """Send a body in pieces, as a socket does."""

    async def pieces() -> Any:
        for at in range(0, len(body), piece):
            yield body[at : at + piece]

    transport = httpx.ASGITransport(app=APPLICATION)
    headers = {"content-type": "application/json", "content-length": str(len(body))}
    async with httpx.AsyncClient(transport=transport, base_url="http://x") as http:
        return await http.post(path, content=pieces(), headers=headers, timeout=60)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", ROUTES)
async def test_a_hostile_body_is_refused_or_bounded(name: str, shape: str) -> None:
    limit = body_limit(ROUTES[name].replace(":str", ""), LIMITS)
    value = SHAPES[shape](limit.json_bytes - 100)

    answer = await sent(ROUTES[name].replace(":str", ""), b'{"x":' + value + b"}", piece=256 * 1024)

    assert answer.status_code in {200, 400, 413}, answer.text
    if answer.status_code == 200:
        assert answer.json() <= limit.bounds.values
    room = APPLICATION.state.bodies.share
    assert room.free == LIMITS.bodies_bytes


@pytest.mark.parametrize("name", ROUTES)
async def test_a_body_of_the_length_that_is_allowed_is_taken(name: str) -> None:
    route = ROUTES[name].replace(":str", "")
    limit = body_limit(route, LIMITS)
    start, end = b'{"x":"', b'"}'
    whole = start + b"a" * (limit.json_bytes - len(start) - len(end)) + end

    taken = await sent(route, whole, piece=MIB)
    longer = await sent(route, whole + b" ", piece=MIB)

    assert (taken.status_code, longer.status_code) == (200, 413)
    assert longer.json()["code"] == 4000
