"""The official MCP client uses agents, workflows and the admin API over every transport."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from tests.support.client.seed import Seed
from tests.support.client.workflow import Flows, example
from tests.support.process.server import RunningServer
from tests.support.workflow.canvas import ENTRY, canvas, exit_, field, ref

WAYS = ("auto", "legacy", "sse")
ONE_EVENT = 900_000
"""Bytes of a list of tools, below the megabyte that clients take as one event of a stream."""


@asynccontextmanager
async def connected(
    server: RunningServer, path: str, way: str, token: str = ""
) -> AsyncGenerator[Client, None]:
    headers = {"Authorization": f"Bearer {token or server.token}"}
    url = f"{server.url}/mcp/{path}"
    if way == "sse":
        async with Client(sse_client(f"{url}/sse", headers=headers), mode="legacy") as client:
            yield client
        return
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport, mode=way) as client:
            yield client


@pytest.mark.parametrize("way", WAYS)
async def test_an_agent_answers_as_a_tool(server: RunningServer, seed: Seed, way: str) -> None:
    agent_id = seed.agent("echo")
    async with connected(server, seed.workspace_id, way) as client:
        listed = await client.list_tools()
        (name,) = [tool.name for tool in listed.tools if tool.name.endswith(f"_{agent_id}")]
        first = await client.call_tool(name, {"question": "What is said?"})
        assert first.structured_content is not None
        again = await client.call_tool(
            name,
            {
                "question": "And again?",
                "conversation_id": first.structured_content["conversation_id"],
            },
        )
        wrong = await client.call_tool(name, {})

    assert not first.is_error
    assert "What is said?" in first.structured_content["answer"]
    assert again.structured_content is not None
    assert (
        again.structured_content["conversation_id"] == first.structured_content["conversation_id"]
    )
    assert wrong.is_error


@pytest.mark.parametrize("way", WAYS)
async def test_a_workflow_runs_as_a_tool(
    server: RunningServer, seed: Seed, client: httpx.Client, way: str
) -> None:
    flows = Flows(client)
    plain = flows.publish(f"mcp_{way}", example("ex01_entry_exit"))
    asking = flows.publish(f"mcp_asks_{way}", example("ex05_question_form"))
    async with connected(server, seed.workspace_id, way) as mcp:
        tools = {tool.name: tool for tool in (await mcp.list_tools()).tools}
        done = await mcp.call_tool(f"mcp_{way}_workflow_{plain}", {"first": "Mia"})
        asked = await mcp.call_tool(f"workflow_{asking}", {})

    assert tools[f"mcp_{way}_workflow_{plain}"].input_schema["type"] == "object"
    assert not done.is_error
    assert done.structured_content == {"name": "Mia", "age_text": "30"}
    assert asked.is_error


async def test_every_tool_tells_what_it_gives(
    server: RunningServer, seed: Seed, client: httpx.Client
) -> None:
    """Of each type, set and null; the client itself holds results to the schema."""
    inner = {"schema": [field("a", "string"), field("b", "integer")]}
    shapes: dict[str, tuple[str, dict[str, object]]] = {
        "s": ("string", {}),
        "n": ("integer", {}),
        "o": ("object", dict(inner)),
        "l": ("list", {"schema": {"type": "integer"}}),
        "t": ("boolean", {}),
        "f": ("float", {}),
    }
    fields = [field(name, kind, **rest) for name, (kind, rest) in shapes.items()]
    returned = {name: ref(ENTRY, name, kind, **rest) for name, (kind, rest) in shapes.items()}
    flow = Flows(client).publish("Weather_Report", canvas(exit_(**returned), entry=fields))
    agent_id = seed.agent("echo")
    given = {"s": "x", "n": 1, "o": {"a": "y", "b": 2}, "l": [1, 2], "t": True, "f": 1.5}
    async with connected(server, seed.workspace_id, "auto") as mcp:
        tools = {tool.name: tool for tool in (await mcp.list_tools()).tools}
        name = f"weather_report_workflow_{flow}"
        whole = await mcp.call_tool(name, given)
        empty = await mcp.call_tool(name, {"o": {"a": None}})

    assert tools[name].title == "Weather_Report"
    assert whole.structured_content == given
    assert empty.structured_content is not None
    assert empty.structured_content["o"] == {"a": None, "b": None}
    assert all(tool.output_schema for tool in tools.values())
    (agent,) = [tool for found, tool in tools.items() if found.endswith(f"agent_{agent_id}")]
    assert agent.output_schema is not None
    assert set(agent.output_schema["properties"]) == {"answer", "conversation_id"}


@pytest.mark.parametrize("way", WAYS)
async def test_the_admin_api_is_offered_as_tools(
    server: RunningServer, seed: Seed, way: str
) -> None:
    async with connected(server, "admin", way) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        made = await client.call_tool(
            "agents_create",
            {"workspace_id": seed.workspace_id, "body": {"name": "Made by MCP"}},
        )
        refused = await client.call_tool("agents_get", {"agent_id": "7"})

    assert len(tools) > 50
    assert sum(len(tool.model_dump_json()) for tool in tools.values()) < ONE_EVENT
    assert "$defs" in tools["agents_create"].input_schema
    assert "prompt" in str(tools["agents_create"].output_schema)
    assert tools["agents_delete"].output_schema is None
    assert made.structured_content is not None
    assert made.structured_content["name"] == "Made by MCP"
    assert refused.is_error


async def test_others_reach_nothing(server: RunningServer, seed: Seed) -> None:
    agent_id = seed.agent("echo")
    _, token = seed.user("mcp-stranger")
    url = f"{server.url}/mcp/{seed.workspace_id}"
    async with httpx.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as stranger:
        foreign = await stranger.post(url, json=_ask("tools/list"))
        missing = await stranger.post(f"{server.url}/mcp/7", json=_ask("tools/list"))
        own = (await stranger.get(f"{server.url}/v1/workspaces")).json()["data"]["workspaces"]
        call = _ask("tools/call", name=f"agent_{agent_id}", arguments={"question": "Hi"})
        stolen = await stranger.post(f"{server.url}/mcp/{own[0]['id']}", json=call)
        page = await stranger.post(
            f"{server.url}/mcp/{own[0]['id']}",
            json=_ask("ping"),
            headers={"Origin": "http://evil.example"},
        )
        stream = await stranger.post(
            f"{server.url}/mcp/{own[0]['id']}/sse?session_id=x", json=_ask("ping")
        )
    async with httpx.AsyncClient() as nobody:
        closed = [
            await nobody.post(url, json=_ask("tools/list")),
            await nobody.get(f"{url}/sse"),
            await nobody.post(f"{server.url}/mcp/admin", json=_ask("tools/list")),
        ]

    assert foreign.status_code == missing.status_code == 404
    assert stolen.json()["error"]["code"] == -32602
    assert page.status_code == 403
    assert stream.status_code == 404
    assert [each.status_code for each in closed] == [401, 401, 401]


def test_requests_that_contradict_themselves_are_refused(
    server: RunningServer, seed: Seed, client: httpx.Client
) -> None:
    url = f"/mcp/{seed.workspace_id}"
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    headers = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list"}

    fine = client.post(url, json=_ask("tools/list", _meta=meta), headers=headers)
    other = client.post(url, json=_ask("server/discover", _meta=meta), headers=headers)
    newer = {**meta, "io.modelcontextprotocol/protocolVersion": "2099-01-01"}
    unknown = client.post(
        url,
        json=_ask("tools/list", _meta=newer),
        headers={**headers, "MCP-Protocol-Version": "2099-01-01"},
    )
    broken = client.post(url, content=b"{", headers={"Content-Type": "application/json"})
    batch = client.post(url, json=[_ask("ping")])
    notice = client.post(url, json={"jsonrpc": "2.0", "method": "notifications/initialized"})
    streamed = client.get(url)

    assert fine.json()["result"]["resultType"] == "complete"
    assert (other.status_code, other.json()["error"]["code"]) == (400, -32020)
    assert unknown.status_code == 400
    assert "2025-11-25" in unknown.json()["error"]["data"]["supported"]
    assert (broken.status_code, broken.json()["error"]["code"]) == (400, -32700)
    assert (batch.status_code, batch.json()["error"]["code"]) == (400, -32600)
    assert (notice.status_code, notice.content) == (202, b"")
    assert streamed.status_code == 405


def _ask(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
