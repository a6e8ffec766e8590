"""Workspaces of one server, and what their users and abusers do there."""

import asyncio
import base64
import json
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from functools import cache
from http import HTTPStatus
from itertools import pairwise
from typing import Any, Final

import aiohttp

from bench.ingest import one_pdf
from bench.server import Product

TEXT: Final = "The oil of pump {n} is changed every 500 hours. " * 20
_DEADLINE_S: Final = 120.0
_PDF_PAGES: Final = 60
_ROWS: Final = 300
_DOCUMENTS: Final = 10
_CODE_MS: Final = 5000
_QUICK_SQL: Final = "SELECT COUNT(*) AS n FROM things"
_ENDLESS_SQL: Final = (
    "SELECT COUNT(*) AS n FROM things a JOIN things b ON a.title >= b.title "
    "JOIN things c ON b.title >= c.title JOIN things d ON c.title >= d.title"
)
_QUICK_CODE: Final = "async def main(args):\n    return {'n': sum(range(1000))}"
_ENDLESS_CODE: Final = "async def main(args):\n    while True:\n        pass"


class Refused(Exception):
    """The server had no room; what a flood has to expect."""


@dataclass(slots=True)
class Tenant:
    """One workspace with something of everything."""

    space_id: str
    token: str
    """Of a service of this workspace, good for nothing else."""
    agent_id: str
    quick_code: str
    endless_code: str
    slow_http: str
    table_id: str
    dataset_id: str
    searching: str
    tokens: list[str] = field(default_factory=list)
    """Of visitors of the agent."""


Act = Callable[[aiohttp.ClientSession, Tenant], Coroutine[Any, Any, None]]


def _node(node_id: str, kind: str, **inputs: Any) -> dict[str, Any]:
    outputs = inputs.pop("outputs", [])
    meta = {"title": node_id}
    return {
        "id": node_id,
        "type": kind,
        "data": {"nodeMeta": meta, "inputs": inputs, "outputs": outputs},
    }


def _canvas(*middle: dict[str, Any]) -> str:
    entry = {"id": "100001", "type": "1", "data": {"nodeMeta": {"title": "Start"}, "outputs": []}}
    end = _node("900001", "2", terminatePlan="returnVariables", inputParameters=[])
    nodes = [entry, *middle, end]
    edges = [
        {"sourceNodeID": one["id"], "targetNodeID": other["id"]} for one, other in pairwise(nodes)
    ]
    return json.dumps({"nodes": nodes, "edges": edges, "versions": {"loop": "v2"}})


def _code(source: str) -> str:
    fields = [{"name": "n", "type": "integer"}]
    limit = {"timeoutMs": _CODE_MS}
    return _canvas(
        _node(
            "c",
            "5",
            code=source,
            language=3,
            inputParameters=[],
            outputs=fields,
            settingOnError=limit,
        )
    )


def _http(url: str) -> str:
    return _canvas(
        _node(
            "h",
            "45",
            apiInfo={"method": "GET", "url": url},
            setting={"timeout": 30, "retryTimes": 0},
            outputs=[{"name": "body", "type": "string"}],
        )
    )


def _search(dataset_id: str) -> str:
    def given(name: str, kind: str, value: object) -> dict[str, Any]:
        return {
            "name": name,
            "input": {"type": kind, "value": {"type": "literal", "content": value}},
        }

    settings = [
        given("datasetList", "list", [dataset_id]),
        given("topK", "integer", 5),
        given("strategy", "integer", 1),
    ]
    return _canvas(
        _node(
            "k",
            "6",
            datasetParam=settings,
            inputParameters=[given("Query", "string", "When is the oil of the pump changed?")],
            outputs=[{"name": "outputList", "type": "list", "schema": {"type": "object"}}],
        )
    )


def _publish(server: Product, space: str, name: str, canvas: str) -> str:
    made = server.call(
        "POST", f"/admin/v1/workspaces/{space}/workflows", {"name": name, "description": "A flow."}
    )["id"]
    server.call("PUT", f"/admin/v1/workflows/{made}/canvas", {"schema": canvas})
    body = {"version": "v0.0.1", "description": "first", "force": True}
    server.call("POST", f"/admin/v1/workflows/{made}/publish", body)
    return str(made)


def open_tenant(server: Product, number: int, *, model: str, slow_url: str) -> Tenant:
    """Make a workspace with an agent, workflows, a table and a knowledge base."""
    opened = server.call("POST", "/admin/v1/workspaces", {"name": f"tenant {number}"})
    space = str(opened["id"])
    agent = server.call(
        "POST",
        "/v1/bot/create",
        {"space_id": space, "name": "a", "model_info_config": {"model_id": model}},
    )["data"]["bot_id"]
    server.call("POST", "/v1/bot/publish", {"bot_id": agent, "connector_ids": ["1024"]})
    table = server.call(
        "POST",
        f"/admin/v1/workspaces/{space}/databases",
        {"table_name": "things", "fields": [{"name": "title", "type": 1, "desc": "Title"}]},
    )["id"]
    for _ in range(_ROWS // 100):
        server.call(
            "POST",
            f"/admin/v1/databases/{table}/records:insert",
            {"records": [{"title": "pump"} for _ in range(100)]},
        )
    base = server.call(
        "POST", "/v1/datasets", {"name": "base", "space_id": space, "format_type": 0}
    )["data"]["dataset_id"]
    texts = [
        {
            "name": f"{n}.txt",
            "source_info": {
                "file_base64": base64.b64encode(TEXT.format(n=n).encode()).decode(),
                "file_type": "txt",
            },
        }
        for n in range(_DOCUMENTS)
    ]
    server.call(
        "POST",
        "/open_api/knowledge/document/create",
        {"dataset_id": base, "document_bases": texts},
    )
    return Tenant(
        space_id=space,
        token=_token(server, space),
        agent_id=str(agent),
        quick_code=_publish(server, space, "quick", _code(_QUICK_CODE)),
        endless_code=_publish(server, space, "endless", _code(_ENDLESS_CODE)),
        slow_http=_publish(server, space, "calls", _http(slow_url)),
        table_id=str(table),
        dataset_id=str(base),
        searching=_publish(server, space, "searches", _search(str(base))),
    )


def _token(server: Product, space: str) -> str:
    body = {"name": f"service of {space}", "workspace_ids": [space]}
    made = server.call("POST", "/admin/v1/tokens", body)
    return str(made["token"])


def open_visits(server: Product, tenant: Tenant, count: int) -> None:
    """Give the tenant tokens of visitors."""
    for number in range(count):
        body = {"bot_ids": [tenant.agent_id], "user_id": f"visitor {number}"}
        body["duration_seconds"] = 3600  # type: ignore[assignment]
        made = server.call("POST", "/admin/v1/tokens:issue", body)
        tenant.tokens.append(str(made.get("token") or made["access_token"]))


async def _post(session: aiohttp.ClientSession, path: str, body: object, *, token: str) -> bytes:
    headers = {"authorization": f"Bearer {token}"}
    async with session.post(path, json=body, headers=headers) as response:
        data = await response.read()
    if response.status in {
        HTTPStatus.TOO_MANY_REQUESTS,
        HTTPStatus.SERVICE_UNAVAILABLE,
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        HTTPStatus.BAD_REQUEST,
    }:
        raise Refused(data[:300].decode(errors="replace"))
    if response.status >= HTTPStatus.BAD_REQUEST:
        raise RuntimeError(f"{path}: {response.status} {data[:300]!r}")
    return data


async def chat(session: aiohttp.ClientSession, tenant: Tenant, *, token: str = "") -> None:
    """Have a question answered, to the end of the stream."""
    body = {
        "bot_id": tenant.agent_id,
        "user_id": "bench",
        "stream": True,
        "additional_messages": [{"role": "user", "content": "go", "content_type": "text"}],
    }
    data = await _post(session, "/v3/chat", body, token=token or tenant.token)
    if b"conversation.chat.completed" not in data:
        raise Refused(data[-300:].decode(errors="replace"))


async def _run(session: aiohttp.ClientSession, tenant: Tenant, workflow: str) -> None:
    body = {"workflow_id": workflow}
    reply = json.loads(await _post(session, "/v1/workflow/run", body, token=tenant.token))
    if reply["code"]:
        raise Refused(str(reply["msg"]))


async def quick_code(session: aiohttp.ClientSession, tenant: Tenant) -> None:
    """Run a workflow with a small code node."""
    await _run(session, tenant, tenant.quick_code)


async def endless_code(session: aiohttp.ClientSession, tenant: Tenant) -> None:
    """Run code that never ends."""
    await _run(session, tenant, tenant.endless_code)


async def slow_http(session: aiohttp.ClientSession, tenant: Tenant) -> None:
    """Run a workflow that calls a server."""
    await _run(session, tenant, tenant.slow_http)


async def search(session: aiohttp.ClientSession, tenant: Tenant) -> None:
    """Run a workflow that searches the knowledge base."""
    await _run(session, tenant, tenant.searching)


async def _sql(session: aiohttp.ClientSession, tenant: Tenant, text: str) -> None:
    path = f"/admin/v1/databases/{tenant.table_id}/sql"
    await _post(session, path, {"sql": text}, token=tenant.token)


async def quick_sql(session: aiohttp.ClientSession, tenant: Tenant) -> None:
    """Count rows."""
    await _sql(session, tenant, _QUICK_SQL)


async def endless_sql(session: aiohttp.ClientSession, tenant: Tenant) -> None:
    """Run a statement that is stopped after its time."""
    await _sql(session, tenant, _ENDLESS_SQL)


async def _add(session: aiohttp.ClientSession, tenant: Tenant, data: bytes, kind: str) -> str:
    source = {"file_base64": base64.b64encode(data).decode(), "file_type": kind}
    body = {
        "dataset_id": tenant.dataset_id,
        "document_bases": [{"name": f"d.{kind}", "source_info": source}],
    }
    path = "/open_api/knowledge/document/create"
    reply = json.loads(await _post(session, path, body, token=tenant.token))
    return str(reply["document_infos"][0]["document_id"])


async def _indexed(session: aiohttp.ClientSession, tenant: Tenant, data: bytes, kind: str) -> None:
    made = await _add(session, tenant, data, kind)
    path = f"/v1/datasets/{tenant.dataset_id}/process"
    try:
        async with asyncio.timeout(_DEADLINE_S):
            while True:
                reply = json.loads(
                    await _post(session, path, {"document_ids": [made]}, token=tenant.token)
                )
                if reply["data"]["data"][0]["status"] != 0:
                    return
                await asyncio.sleep(0.02 if kind == "txt" else 0.5)
    except asyncio.CancelledError:  # what comes after a flood must not wait for all of it
        body = {"document_ids": [made]}
        await _post(session, "/open_api/knowledge/document/delete", body, token=tenant.token)
        raise


async def give_up(session: aiohttp.ClientSession, tenant: Tenant) -> None:
    """Cancel the runs that go on for clients that have left."""
    headers = {"authorization": f"Bearer {tenant.token}"}
    path = f"/admin/v1/workflows/{tenant.endless_code}/runs?status=running&limit=100"
    async with session.get(path, headers=headers) as response:
        running = json.loads(await response.read())["items"]
    await asyncio.gather(
        *(
            _post(
                session,
                f"/admin/v1/workflow-runs/{each['execute_id']}/cancel",
                {},
                token=tenant.token,
            )
            for each in running
        )
    )


async def small_document(session: aiohttp.ClientSession, tenant: Tenant) -> None:
    """Have a text indexed, and wait until it is."""
    await _indexed(session, tenant, TEXT.encode(), "txt")


async def large_document(session: aiohttp.ClientSession, tenant: Tenant) -> None:
    """Have a PDF with many pages indexed, and wait until it is."""
    await _indexed(session, tenant, _large_pdf(), "pdf")


@cache
def _large_pdf() -> bytes:
    return one_pdf(_PDF_PAGES)


@cache
def _deep_json(agent_id: str) -> bytes:
    filler = b"[]," * (19 * 1024 * 1024 // 3) + b"[]"
    return b'{"bot_id":"%b","user_id":"x","parameters":{"a":[%b]}}' % (agent_id.encode(), filler)


async def visit(session: aiohttp.ClientSession, tenant: Tenant) -> None:
    """Chat with one of the tokens that are in browsers."""
    token = tenant.tokens[id(asyncio.current_task()) // 64 % len(tenant.tokens)]
    await chat(session, tenant, token=token)


async def deep_body(session: aiohttp.ClientSession, tenant: Tenant) -> None:
    """Send millions of empty lists where a few values are expected."""
    headers = {"authorization": f"Bearer {tenant.token}", "content-type": "application/json"}
    async with session.post(
        "/v3/chat", data=_deep_json(tenant.agent_id), headers=headers
    ) as response:
        await response.read()
    raise Refused


async def unfinished_body(session: aiohttp.ClientSession, tenant: Tenant) -> None:
    """Announce a large body and send it a few bytes at a time."""

    async def drops() -> Any:
        yield b'{"bot_id":"' + b"1" * 1024 * 1024
        while True:
            await asyncio.sleep(1)
            yield b"1"

    headers = {
        "authorization": f"Bearer {tenant.token}",
        "content-type": "application/json",
        "content-length": str(15 * 1024 * 1024),
    }
    async with session.post("/v3/chat", data=drops(), headers=headers) as response:
        await response.read()
    raise Refused
