"""Bodies that carry files: more of them than others may have, few at a time, none too slowly."""

import asyncio
import base64
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import msgspec
import pytest
from litestar import Litestar, post
from litestar.datastructures import State
from litestar.params import JSONBody

from api.body.large_request import LargeRequest
from api.body.request import RequestBodies
from api.coze.knowledge.document_request import decode_base64
from api.error import EXCEPTION_HANDLERS
from application.identity.following import Followers
from application.operation.http_metrics import HttpMetrics
from domain.knowledge.error import ContentTooLarge
from domain.shared.error import InvalidRequest
from domain.shared.limits import Limits
from infra.contract.observability.metrics import Metrics

LIMITS = Limits(
    json_body_bytes=50,
    large_body_bytes=1000,
    document_body_bytes=1200,
    bodies_bytes=600,
    body_wait_s=0.05,
    upload_idle_s=0.2,
)
PATH = "/open_api/knowledge/document/create"
JSON = {"content-type": "application/json"}


@post(PATH, request_class=LargeRequest, request_max_body_size=None, status_code=200)
async def echo(data: JSONBody[dict[str, Any]]) -> dict[str, int]:
    return {name: len(str(value)) for name, value in data.items()}


def application(limits: Limits = LIMITS) -> Any:
    return Litestar(
        [echo],
        exception_handlers=dict(EXCEPTION_HANDLERS),
        state=State(
            {
                "limits": limits,
                "http_metrics": HttpMetrics(Metrics()),
                "bodies": RequestBodies(limits),
                "followers": Followers(),
            }
        ),
        openapi_config=None,
        logging_config=None,
    )


@asynccontextmanager
async def client() -> AsyncGenerator[httpx.AsyncClient, None]:
    transport = httpx.ASGITransport(app=application())
    async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
        yield client


def body(size: int) -> bytes:
    return b'{"a":"%s"}' % (b"x" * (size - 8))


async def unannounced_body(size: int) -> AsyncIterator[bytes]:
    yield body(size)


@pytest.mark.parametrize("size", [50, 101, 1000])
async def test_announced_bodies_are_taken_up_to_the_larger_limit(size: int) -> None:
    async with client() as http:
        answer = await http.post(PATH, content=body(size), headers=JSON)

    assert answer.json() == {"a": size - 8}


async def test_longer_ones_and_long_ones_that_are_not_announced_are_refused() -> None:
    async with client() as http:
        longer = await http.post(PATH, content=body(1201), headers=JSON)
        unannounced = await http.post(PATH, content=unannounced_body(1001), headers=JSON)
        wrong = await http.post(PATH, content=body(500), headers={"content-type": "text/plain"})

    assert (longer.status_code, longer.json()["code"]) == (413, 4000)
    assert "source_file_id" in longer.json()["msg"]
    assert (unannounced.status_code, unannounced.json()["code"]) == (413, 4000)
    assert wrong.status_code == 415


async def send(app: Any, *parts: bytes, ready: asyncio.Event, announced: int) -> tuple[int, Any]:
    """Send the first part at once and the others when it is time; return status and body."""
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": PATH,
        "raw_path": PATH.encode(),
        "query_string": b"",
        "headers": [
            (b"content-type", b"application/json"),
            (b"content-length", str(announced).encode()),
        ],
        "server": ("x", 80),
        "client": ("y", 80),
        "state": {},
    }
    left, sent = list(parts), []

    async def receive() -> dict[str, Any]:
        if len(left) < len(parts):
            await ready.wait()
        part = left.pop(0)
        return {"type": "http.request", "body": part, "more_body": bool(left)}

    async def keep(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, keep)
    return sent[0]["status"], json.loads(sent[1]["body"])


async def test_one_waits_for_the_other() -> None:
    long, now, later = body(500), asyncio.Event(), asyncio.Event()
    now.set()
    app = application(msgspec.structs.replace(LIMITS, upload_idle_s=60.0))
    async with asyncio.TaskGroup() as group:
        slow = group.create_task(send(app, long[:9], long[9:], ready=later, announced=500))
        await asyncio.sleep(0)
        crowded = await send(app, long[:9], long[9:], ready=now, announced=500)
        small = await send(app, body(50), ready=now, announced=50)
        later.set()
    after = await send(app, long, ready=now, announced=500)

    assert (crowded[0], crowded[1]["code"]) == (429, 4013)
    assert [small[0], slow.result()[0], after[0]] == [200, 200, 200]


async def test_a_stalled_body_is_given_up() -> None:
    never, now, app = asyncio.Event(), asyncio.Event(), application()
    now.set()
    stalled = await send(app, b'{"a":', b"1}", ready=never, announced=500)
    after = await send(app, body(500), ready=now, announced=500)

    assert (stalled[0], "slowly" in stalled[1]["msg"]) == (400, True)
    assert after[0] == 200


@pytest.mark.parametrize("size", [0, 1, 2, 3, 196_608, 196_609, 400_000])
def test_base64_of_any_length_is_decoded(size: int) -> None:
    data = bytes(n % 251 for n in range(size))
    text = base64.b64encode(data).decode()

    assert decode_base64(text, field="f", max_bytes=size) == data
    wrapped = "\r\n".join(text[at : at + 76] for at in range(0, len(text), 76))
    assert decode_base64(wrapped, field="f", max_bytes=size) == data


@pytest.mark.parametrize(
    "text", ["a", "aGk", "aGk=aGk=", "%%%%", "汉字汉字", "A" * 262_142 + "==" + "AAAA"]
)
def test_what_is_no_base64_is_refused(text: str) -> None:
    with pytest.raises(InvalidRequest, match="not valid base64"):
        decode_base64(text, field="f", max_bytes=1_000_000)


def test_too_much_is_refused_before_it_is_decoded() -> None:
    with pytest.raises(ContentTooLarge):
        decode_base64("%" * 100, field="f", max_bytes=10)
