"""Plugins from a document to a call, through the real deployment and a service on a socket."""

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.integration.plugin_world import HARBOUR, World
from tests.integration.security.test_egress import FORMS, HOSTS, Trap
from tests.support.process.in_process import ADMIN, running
from tests.support.web.harbour import KEY, PluginService
from tests.upstream.fixture import running_upstream


@pytest.fixture(scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[World, None]:
    async with PluginService().listening() as service:
        with running_upstream() as upstream:
            environ = {
                "OPENAI_BASE_URL": upstream.base_url,
                "OPENAI_API_KEY": "sk-x",
                "OPENAI_MODEL": "tool-call",
                "COTERIE_EGRESS__ALLOW_PRIVATE": service.host,
            }
            async with running(tmp_path_factory.mktemp("plugins"), environ) as deployment:
                found = await deployment.call("GET", "/v1/workspaces", token=ADMIN)
                yield World(deployment, service, found["data"]["workspaces"][0]["id"])


async def test_three_operations_of_an_imported_document(world: World) -> None:
    plugin, tools = await world.bring()
    assert len(tools) == 34
    shown = await world.call(
        "PUT",
        f"/plugins/{plugin}/auth",
        {"type": "service", "key": "X-Harbour-Key", "token": KEY},
    )
    assert shown["auth"]["credential"] == "…bour"

    listed = await world.debug(
        plugin, tools["listBoats"], limit="5", filter={"status": "free"}, sort=["name", "price"]
    )
    assert listed["success"], listed
    assert listed["response"] == {
        "total": 1,
        "items": [{"id": "7", "name": "Möwe"}],
    }, "only what is declared"
    asked = world.service.seen[-1]
    assert asked.query == {"limit": ["5"], "filter[status]": ["free"], "sort": ["name|price"]}
    assert asked.headers["x-harbour-key"] == KEY
    assert KEY not in json.dumps(listed), "the service echoes the key; nobody sees it"

    made = await world.debug(plugin, tools["createBoat"], name="Kormoran", price={"cents": "900"})
    assert made["response"] == {
        "id": "8",
        "name": "Kormoran",
        "price": {"cents": 900, "currency": "EUR"},
    }
    weather = tools["get_weather_place_day"]
    wind = await world.debug(plugin, weather, place="Sylt", day="2026-05-01")
    assert wind["response"] == {"wind": 9.5, "waves": None}
    failed = await world.debug(plugin, tools["getBoat"], id="9")
    assert (failed["success"], failed["status"]) == (False, 404)
    assert "HTTP 404" in failed["reason"]
    assert KEY not in json.dumps(failed)
    wrong = await world.debug(plugin, tools["createBoat"])
    assert wrong["reason"] == "arguments.name: this value is required."

    refused = await world.deployment.send(
        "POST", f"/admin/v1/plugins/{plugin}/publish", token=ADMIN, document={}
    )
    assert refused.code == 4000
    assert "createCustomer" in refused.json["msg"] or "createBerth" in refused.json["msg"]
    assert KEY.encode() not in world.deployment.dump()


async def test_a_document_is_reviewed_and_its_plugin_made_of_what_was_kept(world: World) -> None:
    before = await world.call("GET", f"/workspaces/{world.space}/plugins")
    review = await world.call(
        "POST",
        f"/workspaces/{world.space}/plugins:review",
        {"openapi": HARBOUR, "manifest": {"server_url": f"http://{world.service.host}/v2"}},
    )
    assert len(review["tools"]) == 34
    assert await world.call("GET", f"/workspaces/{world.space}/plugins") == before, "nothing stored"

    kept = [each for each in review["tools"] if each["name"] in {"listBoats", "createBoat"}]
    kept[0] |= {"description": "Boats that can be hired", "needs_approval": True}
    body = {key: review[key] for key in ("name", "description", "server_url")}
    made = await world.call(
        "POST", f"/workspaces/{world.space}/plugins", body | {"tools": kept}, status=201
    )
    assert made["tool_count"] == 2
    tools = (await world.call("GET", f"/plugins/{made['id']}/tools"))["items"]
    assert [
        {key: tool[key] for key in form} for tool, form in zip(tools, kept, strict=True)
    ] == kept
    listed = await world.debug(made["id"], tools[0]["id"], limit="5")
    assert listed["success"], listed


async def test_a_plugin_with_a_tool_that_cannot_be_is_not_made_at_all(world: World) -> None:
    path = f"/admin/v1/workspaces/{world.space}/plugins"
    one = {"name": "find", "description": "Finds", "path": "/find"}
    before = await world.call("GET", f"/workspaces/{world.space}/plugins")
    for tools in ([one, one], [one | {"path": "find"}], [one | {"workflow_id": "7"}]):
        body = {"name": "Broken", "server_url": "https://api.example", "tools": tools}
        refused = await world.deployment.send("POST", path, token=ADMIN, document=body)
        assert refused.status == 400, tools
    assert await world.call("GET", f"/workspaces/{world.space}/plugins") == before


async def test_a_document_is_fetched_through_the_gate(world: World) -> None:
    path = f"/admin/v1/workspaces/{world.space}/plugins:review"
    found = await world.call(
        "POST",
        f"/workspaces/{world.space}/plugins:review",
        {"url": f"http://{world.service.host}/docs/openapi.json"},
    )
    assert [each["name"] for each in found["tools"]] == ["ping"]
    assert found["server_url"] == f"http://{world.service.host}/v2", "counted from the document"
    for url in ("http://127.0.0.1:1/openapi.json", "file:///etc/passwd", "http://[::1]/x"):
        refused = await world.deployment.send("POST", path, token=ADMIN, document={"url": url})
        assert refused.status == 400, url
    missing = await world.deployment.send(
        "POST", path, token=ADMIN, document={"url": f"http://{world.service.host}/nothing"}
    )
    assert (missing.status, missing.code) == (400, 4000)
    assert "answers 404" in missing.json["msg"]


async def test_reading_calls_are_repeated_writing_ones_are_not(world: World) -> None:
    plugin, tools = await world.bring()
    world.service.failures = 1
    assert (await world.debug(plugin, tools["listBoats"]))["success"]
    world.service.failures = 1
    before = len(world.service.seen)
    failed = await world.debug(plugin, tools["createBoat"], name="x")
    assert (failed["success"], len(world.service.seen) - before) == (False, 1)


async def test_lists_tell_who_uses_a_plugin_and_how_its_last_call_went(world: World) -> None:
    plugin, tools = await world.bring()
    shown = await world.call("GET", f"/plugins/{plugin}")
    assert (shown["last_call"], shown["agent_count"]) == (None, 0)
    await world.debug(plugin, tools["createBoat"])  # refused before it is sent
    assert (await world.call("GET", f"/plugins/{plugin}"))["last_call"] is None
    await world.debug(plugin, tools["get_weather_place_day"], place="Sylt", day="2026-05-01")
    failed = await world.debug(plugin, tools["getBoat"], id="9")
    assert failed["status"] in {401, 404}
    bound = {"plugin_id": plugin, "tool_id": tools["getBoat"]}
    await world.call(
        "POST",
        f"/workspaces/{world.space}/agents",
        {"name": "Skipper", "plugins": [bound, bound | {"tool_id": tools["listBoats"]}]},
        status=201,
    )
    page = await world.call("GET", f"/workspaces/{world.space}/plugins")
    [listed] = [each for each in page["items"] if each["id"] == plugin]
    assert listed["agent_count"] == 1
    last = listed["last_call"]
    assert (last["tool"], last["success"], last["status"]) == ("getBoat", False, failed["status"])
    assert listed["revision"] == shown["revision"], "whoever edits it goes on"


async def test_an_answer_is_chosen_as_the_example(world: World) -> None:
    plugin, tools = await world.bring()
    path = f"/plugins/{plugin}/tools/{tools['get_weather_place_day']}"
    tried = await world.debug(
        plugin, tools["get_weather_place_day"], place="Sylt", day="2026-05-01"
    )
    assert json.loads(tried["text"]) == tried["response"], "nothing had to be cut"
    assert (await world.call("GET", path))["example"] == tried["response"]
    chosen = await world.call("PATCH", path, {"example": {"wind": 3}})
    assert (chosen["example"], chosen["debugged"]) == ({"wind": 3}, True)
    await world.debug(plugin, tools["get_weather_place_day"], place="Sylt", day="2026-05-02")
    assert (await world.call("GET", path))["example"] == {"wind": 3}, "it is not replaced unasked"
    removed = await world.call("PATCH", path, {"example": None})
    assert (removed["example"], removed["debugged"]) == (None, True)
    await world.call("PATCH", path, {"example": "x" * 20_000}, status=400)


async def test_versions_bind_agents_until_they_are_published_again(world: World) -> None:
    plugin, tools = await world.bring()
    for name, tool in tools.items():
        if name != "get_weather_place_day":
            await world.call("DELETE", f"/plugins/{plugin}/tools/{tool}", status=204)
    tool = tools["get_weather_place_day"]
    agent = await world.call(
        "POST",
        f"/workspaces/{world.space}/agents",
        {
            "name": "Weather",
            "plugins": [
                {
                    "plugin_id": plugin,
                    "tool_id": tool,
                    "defaults": {"place": "Sylt", "day": "2026-05-01"},
                }
            ],
        },
        status=201,
    )
    refused = await world.deployment.send(
        "POST", f"/admin/v1/agents/{agent['id']}/publish", token=ADMIN, document={}
    )
    assert "is not published" in refused.json["msg"]

    await world.debug(plugin, tool, place="Sylt", day="2026-05-01")
    made = await world.call("POST", f"/plugins/{plugin}/publish", {}, status=201)
    assert made["version_name"] == "v1.0.0"
    await world.call("POST", f"/agents/{agent['id']}/publish", {})
    await world.call("PATCH", f"/plugins/{plugin}/tools/{tool}", {"path": "/gone/{place}/{day}"})
    changes = await world.call("GET", f"/plugins/{plugin}/changes")
    assert [(each["tool_id"], each["change"]) for each in changes["items"]] == [(tool, "changed")]

    chat = await world.deployment.send(
        "POST",
        "/v3/chat",
        token=ADMIN,
        document={
            "bot_id": agent["id"],
            "user_id": "u",
            "stream": True,
            "additional_messages": [
                {"role": "user", "content": '{"place": "Berlin"}', "content_type": "text"}
            ],
        },
    )
    assert world.service.seen[-1].path == "/v2/weather/Sylt/2026-05-01", "old version, fixed values"
    assert world.service.seen[-1].headers["x-aiplugin-bot-id"] == agent["id"]
    assert "9.5" in chat.text


@pytest.mark.parametrize(
    ("output", "is_made"),
    [
        ('{"approved": true}', True),
        ('{"approved": true, "arguments": {}}', True),
        ('{"approved": false}', False),
        ("approved", False),
    ],
)
async def test_a_risky_call_needs_consent(world: World, output: str, *, is_made: bool) -> None:
    plugin, tools = await world.bring()
    tool = tools["get_weather_place_day"]
    await world.call("PATCH", f"/plugins/{plugin}/tools/{tool}", {"needs_approval": True})
    fixed = {"place": "Sylt", "day": "2026-05-01"}
    agent = await world.call(
        "POST",
        f"/workspaces/{world.space}/agents",
        {
            "name": "Careful",
            "plugins": [{"plugin_id": plugin, "tool_id": tool, "defaults": fixed}],
        },
        status=201,
    )
    called = len(world.service.seen)
    question = {
        "bot_id": agent["id"],
        "user_id": "u",
        "publish_status": "unpublished_draft",
        "stream": True,
        "additional_messages": [{"role": "user", "content": "Wind?", "content_type": "text"}],
    }

    async def ask(path: str, document: object) -> str:
        sent = await world.deployment.send("POST", path, token=ADMIN, document=document)
        return sent.text

    unasked = await ask("/v3/chat", {**question, "auto_save_history": False})
    assert "cannot be asked for here" in unasked
    waiting = await ask("/v3/chat", question)
    chat = next(
        json.loads(line[6:])
        for line in waiting.splitlines()
        if line.startswith("data: ") and '"required_action"' in line
    )
    (call,) = chat["required_action"]["submit_tool_outputs"]["tool_calls"]
    assert json.loads(call["function"]["arguments"])["note"] == "Wind?", "the exact call"
    assert len(world.service.seen) == called, "nothing is called before consent"

    ids = f"conversation_id={chat['conversation_id']}&chat_id={chat['id']}"
    ended = await ask(
        f"/v3/chat/submit_tool_outputs?{ids}",
        {"stream": True, "tool_outputs": [{"tool_call_id": call["id"], "output": output}]},
    )
    assert "conversation.chat.completed" in ended
    assert len(world.service.seen) - called == is_made
    assert ("9.5" in ended) is is_made
    assert ("did not consent" in ended) is not is_made


def _codes(saved: Any) -> set[str]:
    return {each["code"] for each in saved["findings"]["diagnostics"]}


async def test_workflows_call_tools(world: World) -> None:
    plugin, tools = await world.bring()
    tool = tools["get_weather_place_day"]

    def literal(name: str, text: str) -> dict[str, Any]:
        value = {"type": "literal", "content": text}
        return {"name": name, "input": {"type": "string", "value": value}}

    wind = {
        "name": "wind",
        "input": {
            "type": "float",
            "value": {
                "type": "ref",
                "content": {"source": "block-output", "blockID": "2", "name": "wind"},
            },
        },
    }
    canvas = {
        "nodes": [
            {"id": "100001", "type": "1", "data": {"outputs": []}},
            {
                "id": "2",
                "type": "4",
                "data": {
                    "inputs": {
                        "apiParam": [literal("pluginID", plugin), literal("apiID", tool)],
                        "inputParameters": [
                            literal("place", "Sylt"),
                            literal("day", "2026-05-01"),
                        ],
                    },
                    "outputs": [{"name": "wind", "type": "float"}],
                },
            },
            {
                "id": "900001",
                "type": "2",
                "data": {"inputs": {"terminatePlan": "returnVariables", "inputParameters": [wind]}},
            },
        ],
        "edges": [
            {"sourceNodeID": "100001", "targetNodeID": "2"},
            {"sourceNodeID": "2", "targetNodeID": "900001"},
        ],
    }
    made = await world.call(
        "POST", f"/workspaces/{world.space}/workflows", {"name": "Wind"}, status=201
    )
    saved = await world.call("PUT", f"/workflows/{made['id']}/canvas", {"schema": canvas})
    assert not _codes(saved) & {"WF460", "WF423"}
    started = await world.call("POST", f"/workflows/{made['id']}/test-runs", {}, status=202)
    async with asyncio.timeout(60):
        while True:
            run = await world.call("GET", f"/workflow-runs/{started['execute_id']}")
            if run["status"] != 1:
                break
            await asyncio.sleep(0.05)
    assert run["nodes"][-1]["output"] == {"wind": 9.5}, run

    known = await world.call("GET", f"/plugins/{plugin}/tools/{tool}")
    spot = {**known["parameters"][0], "name": "spot"}
    gusts = [{"name": "gusts", "type": 3}]
    changed = {"path": "/weather/{spot}/{day}", "parameters": [spot, known["parameters"][1]]}
    await world.call("PATCH", f"/plugins/{plugin}/tools/{tool}", {**changed, "responses": gusts})
    again = await world.call("PUT", f"/workflows/{made['id']}/canvas", {"schema": canvas})
    told = [each["message"] for each in again["findings"]["diagnostics"] if each["code"] == "WF423"]
    assert [each for each in told if "no parameter place any more" in each]
    assert [each for each in told if "requires the parameter spot" in each]
    assert [each for each in told if "no longer returns wind" in each]


async def test_a_user_gives_access_once(world: World) -> None:
    plugin, tools = await world.bring()
    server = f"http://{world.service.host}"
    await world.call(
        "PUT",
        f"/plugins/{plugin}/auth",
        {
            "type": "oauth_authorization_code",
            "client_id": "harbour",
            "client_secret": "geheim-client",
            "client_url": f"{server}/token",
            "authorization_url": f"{server}/authorize",
            "scope": "boats",
        },
    )
    needed = await world.debug(plugin, tools["listBoats"])
    assert not needed["success"]
    query = parse_qs(urlsplit(needed["authorize_url"]).query)
    assert query["code_challenge_method"] == ["S256"]
    assert query["redirect_uri"][0].endswith("/oauth/callback")

    back = f"/oauth/callback?state={query['state'][0]}&code=abc"
    answer = await world.deployment.send("GET", back)
    assert (answer.status, "Access was given" in answer.text) == (200, True)
    form = parse_qs(world.service.seen[-1].body.decode())
    assert (form["grant_type"], form["code"]) == (["authorization_code"], ["abc"])
    assert (await world.deployment.send("GET", back)).status == 400, "a state is good once"
    state = await world.call("GET", f"/plugins/{plugin}/oauth")
    assert state == {"authorized": True, "authorize_url": ""}
    assert (await world.debug(plugin, tools["listBoats"]))["success"]
    assert world.service.seen[-1].headers["authorization"].startswith("Bearer geheim-access-")
    other = await world.call("GET", f"/plugins/{plugin}/oauth?end_user_id=somebody")
    assert not other["authorized"], "access belongs to who gave it"
    await world.call("DELETE", f"/plugins/{plugin}/oauth", status=204)
    assert not (await world.debug(plugin, tools["listBoats"]))["success"]
    assert b"geheim" not in world.deployment.dump().replace(b"geheim-x", b"")


async def test_the_plugin_itself_gets_a_token_once(world: World) -> None:
    plugin, tools = await world.bring()
    auth = {
        "type": "oauth_client_credentials",
        "client_id": "harbour",
        "client_secret": "geheim-client",
        "client_url": f"http://{world.service.host}/token",
    }
    await world.call("PUT", f"/plugins/{plugin}/auth", auth)
    before = world.service.tokens
    for _ in range(2):
        assert (await world.debug(plugin, tools["listBoats"]))["success"]
    assert world.service.tokens - before == 1
    await world.call("PUT", f"/plugins/{plugin}/auth", {**auth, "client_secret": "geheim-wrong"})
    await world.call("DELETE", f"/plugins/{plugin}/oauth", status=204)
    failed = await world.debug(plugin, tools["listBoats"])
    assert failed["reason"] == "The provider refused to issue a token (HTTP 401)."


async def test_credentials_do_not_follow_to_another_server(world: World) -> None:
    plugin, _ = await world.bring()
    await world.call("PUT", f"/plugins/{plugin}/auth", {"type": "service", "token": KEY})
    moved = await world.call("PATCH", f"/plugins/{plugin}", {"server_url": "https://evil.example"})
    assert (moved["auth"]["type"], moved["auth"]["credential"]) == ("none", "")


async def test_no_plugin_reaches_the_inner_network(world: World) -> None:
    """T05: stored addresses are refused when saved or, at the latest, before anything is sent."""
    async with Trap().listening() as trap:
        addresses = [f"http://{host}:{trap.port}" for host in HOSTS]
        addresses += [form.format(port=trap.port) for form in FORMS]
        for address in addresses:
            made = await world.deployment.send(
                "POST",
                f"/admin/v1/workspaces/{world.space}/plugins",
                token=ADMIN,
                document={"name": "Trap", "server_url": address},
            )
            if made.status != 201:
                assert made.code == 4000, f"{address}: {made}"
                continue
            plugin = made.json["id"]
            tool = await world.call("POST", f"/plugins/{plugin}/tools", {"name": "t"}, status=201)
            report = await world.debug(plugin, tool["id"])
            assert not report["success"], address
            assert (report["status"], report["raw_response"]) == (0, ""), address
        assert trap.calls == 0


async def test_a_workspace_names_the_hosts_its_plugins_may_call(world: World) -> None:
    plugin, tools = await world.bring()
    path = f"/workspaces/{world.space}/plugin-hosts"
    await world.call("PUT", path, {"hosts": ["API.example."]})
    assert await world.call("GET", path) == {"hosts": ["api.example"]}
    before = len(world.service.seen)
    assert "not among those allowed" in (await world.debug(plugin, tools["listBoats"]))["reason"]
    assert len(world.service.seen) == before
    await world.call("PUT", path, {"hosts": []})
    assert (await world.debug(plugin, tools["listBoats"]))["success"]
