"""MCP servers as plugins of agents: what works, and servers that die, lie, flood and hang."""

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from cozepy import ChatEventType, Coze, MessageType, SyncHTTPClient, TokenAuth, ToolOutput

from tests.mcp_servers.hostile import SECRET, HostileServer, listening
from tests.support.client.plugin import Plugins, ask, is_completed, text_of
from tests.support.client.seed import Seed
from tests.support.client.workflow import Flows
from tests.support.process.server import RunningServer, run_command, running_server
from tests.upstream.fixture import RunningUpstream

_PROGRAMS = """
[[mcp_programs]]
name = "reference"
command = "{python}"
args = ["{script}", "stdio"]
env = {{ PYTHONPATH = "{path}" }}
folders = {{ {folders} }}

[[mcp_programs]]
name = "for-all"
command = "{python}"
args = ["{script}", "stdio"]
env = {{ PYTHONPATH = "{path}" }}
folders = {{ {folders} }}
workspaces = ["*"]
"""


@dataclass
class World:
    """A server, an MCP server beside it, and the official client."""

    server: RunningServer
    plugins: Plugins
    mcp: HostileServer
    coze: Coze


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, upstream: RunningUpstream) -> Iterator[World]:
    data = tmp_path_factory.mktemp("plugin_mcp")
    script = Path("tests/mcp_servers/reference.py").resolve()
    paths = dict.fromkeys(each for each in sys.path if Path(each).is_absolute())
    path = ":".join(paths)
    folders = ", ".join(
        f'"{each}" = "read"' for each in dict.fromkeys([*paths, str(script.parent)])
    )
    text = _PROGRAMS.format(python=sys.executable, script=script, path=path, folders=folders)
    (data / "coterie.toml").write_text(text, "utf-8")
    transport = SyncHTTPClient()  # type: ignore[no-untyped-call]
    with listening() as mcp:
        environ = {
            "OPENAI_BASE_URL": upstream.base_url,
            "OPENAI_MODEL": "echo",
            "COTERIE_EGRESS__ALLOW_PRIVATE": mcp.host,
            "COTERIE_LIMITS__MCP_LIST_CACHE_S": "0",
        }
        with running_server(data, environ) as server:
            seed = Seed(server, upstream)
            coze = Coze(auth=TokenAuth(server.token), base_url=server.url, http_client=transport)
            yield World(server, Plugins(seed), mcp, coze)
            seed.close()
    transport.close()


def test_an_agent_calls_a_tool_of_a_server(world: World) -> None:
    headers = {"header": [{"name": "X-Weather-Key", "value": SECRET, "secret": True}]}
    plugin, tools = world.plugins.mcp(world.mcp.url("good"), common_params=headers)
    version = world.plugins.publish(plugin)
    agent = world.plugins.agent(plugin, tools["weather"])

    said, events = ask(world.coze, agent)

    assert is_completed(events)
    assert '"degrees":17' in said.replace(" ", "")
    assert SECRET not in said, "the server echoes the key; nobody sees it"
    assert world.mcp.headers[-1]["x-weather-key"] == SECRET
    assert world.mcp.calls[-1]["arguments"] == {"city": "Paris", "note": "How is it?"}
    kinds = [
        each.message.type
        for each in events
        if each.event == ChatEventType.CONVERSATION_MESSAGE_COMPLETED and each.message
    ]
    assert MessageType.FUNCTION_CALL in kinds
    assert MessageType.TOOL_RESPONSE in kinds
    shown = world.coze.bots.retrieve(bot_id=agent)
    assert version == "v1.0.0"
    assert shown.plugin_info_list
    (info,) = shown.plugin_info_list
    assert (info.plugin_id, info.name) == (plugin, "Weather server")
    assert [each.api_id for each in info.api_info_list] == [tools["weather"]]
    assert [each.name for each in info.api_info_list] == ["weather"]
    shown_tool = world.plugins.seed.call("GET", f"/plugins/{plugin}/tools")["items"][0]
    assert (shown_tool["effect"], shown_tool["needs_approval"]) == ("read", False)
    assert SECRET not in str(world.plugins.seed.call("GET", f"/plugins/{plugin}"))


def test_a_server_that_the_agent_does_not_name_is_not_asked(world: World) -> None:
    plugin, tools = world.plugins.mcp(world.mcp.url("good"))
    world.plugins.publish(plugin)
    seed = world.plugins.seed
    bound = {"plugin_id": plugin, "tool_id": tools["weather"]}
    called = []
    for hosts in (["weather.example"], ["weather.example", "127.0.0.1"]):
        agent = seed.new_agent(
            "Held back",
            model={"model_id": seed.model("tool-call")},
            plugins=[bound],
            egress_hosts=hosts,
        )
        before = len(world.mcp.calls)
        said, _ = ask(world.coze, agent)
        called.append((len(world.mcp.calls) - before, "not among the hosts" in said))
    assert called == [(0, True), (1, False)]


@pytest.mark.parametrize(
    ("verdict", "sent", "told"),
    [
        ({"approved": True}, {"city": "Oslo", "note": "How is it?"}, "degrees"),
        (
            {"approved": True, "arguments": {"city": "Rome", "note": 5}},
            {"city": "Oslo", "note": "5"},
            "degrees",
        ),
        ({"approved": True, "arguments": {"note": {"a": 1}}}, None, "type string is needed"),
        ({"approved": False}, None, "did not consent"),
    ],
)
def test_risky_tools_need_consent_and_take_edits(
    world: World, verdict: dict[str, Any], sent: dict[str, str] | None, told: str
) -> None:
    """The developer fixed the city: neither the model's nor the user's counts."""
    plugin, tools = world.plugins.mcp(world.mcp.url("risky"))
    (tool,) = world.plugins.seed.call("GET", f"/plugins/{plugin}/tools")["items"]
    assert (tool["effect"], tool["needs_approval"]) == ("irreversible", True)
    world.plugins.publish(plugin)
    agent = world.plugins.agent(plugin, tools["weather"], defaults={"city": "Oslo"})
    _, events = ask(world.coze, agent)
    chat = [each.chat for each in events if each.chat is not None][-1]
    assert chat.required_action
    assert chat.required_action.submit_tool_outputs
    (call,) = chat.required_action.submit_tool_outputs.tool_calls
    called = len(world.mcp.calls)

    answered = list(
        world.coze.chat.submit_tool_outputs(
            conversation_id=chat.conversation_id,
            chat_id=chat.id,
            tool_outputs=[ToolOutput(tool_call_id=call.id, output=json.dumps(verdict))],
            stream=True,
        )
    )

    assert told in text_of(answered)
    assert [each["arguments"] for each in world.mcp.calls[called:]] == ([sent] if sent else [])


def test_a_changed_tool_is_refused_until_it_is_accepted_again(world: World) -> None:
    plugin, tools = world.plugins.mcp(world.mcp.url("changing"))
    world.plugins.publish(plugin)
    agent = world.plugins.agent(plugin, tools["weather"])
    assert "17" in ask(world.coze, agent)[0]
    called = len(world.mcp.calls)
    world.mcp.edition += 1

    said, events = ask(world.coze, agent)

    assert is_completed(events)
    assert "has changed" in said
    assert plugin in said, "who reads it knows where to look"
    assert len(world.mcp.calls) == called, "nothing was called"
    listed = world.plugins.inspect(plugin)
    (tool,) = listed["items"]
    assert (listed["is_changed"], tool["change"]) == (True, "changed")
    assert tool["before"]["description"] == "Weather, edition 1."
    assert tool["now"]["description"] == "Weather, edition 2."
    world.plugins.accept(plugin)
    assert "has changed" in ask(world.coze, agent)[0], "published agents keep what they had"
    world.plugins.publish(plugin)
    world.plugins.seed.publish(agent)
    assert "17" in ask(world.coze, agent)[0]


def test_a_list_is_accepted_only_as_it_was_seen(world: World) -> None:
    plugin = world.plugins.create(name="Stale", type="mcp", server_url=world.mcp.url("changing"))
    seen = world.plugins.inspect(plugin)
    world.mcp.edition += 1
    with pytest.raises(AssertionError, match="409"):
        world.plugins.seed.call(
            "POST", f"/plugins/{plugin}/server-tools:accept", {"digest": seen["digest"]}
        )


@pytest.mark.parametrize(
    ("way", "reason"),
    [
        ("dies", "could not be read"),
        ("garbage", "MCP server"),
        ("flood", "could not be read"),
        ("hangs", "did not answer within 5 s"),
        ("fails", "out of order"),
    ],
)
def test_a_bad_server_ends_with_a_useful_answer(world: World, way: str, reason: str) -> None:
    limit_s = 5 if way == "hangs" else 0  # seconds of silence; 0: the deployment's
    plugin, tools = world.plugins.mcp(world.mcp.url(way), mcp={"call_timeout_s": limit_s})
    world.plugins.publish(plugin)
    agent = world.plugins.agent(plugin, tools["weather"])

    said, events = ask(world.coze, agent)

    assert is_completed(events), "the run ends well; the model knows what went wrong"
    assert "The tool said: " in said
    assert reason in said


def test_an_endless_list_ends(world: World) -> None:
    before = world.mcp.lists
    _, tools = world.plugins.mcp(world.mcp.url("pages"))
    assert len(tools) == 20
    assert world.mcp.lists - before == 40, "twenty pages to look, twenty to accept"


def test_programs_of_the_operator_are_plugins_too(world: World) -> None:
    plugin = world.plugins.create(name="Program", type="mcp", mcp={"program": "reference"})
    tools = world.plugins.accept(plugin)
    added = world.plugins.debug(plugin, tools["add"], a="20", b=22)
    assert added["success"], added
    assert added["response"] == {"result": 42}
    failed = world.plugins.debug(plugin, tools["fail"])
    assert not failed["success"]
    assert "The MCP tool answered with an error" in failed["reason"]
    for mcp in ({"program": "missing"}, {"command": "/bin/sh"}, {"program": "a", "args": ["-c"]}):
        with pytest.raises(AssertionError, match=r"40[04]"):
            world.plugins.mcp("", mcp=mcp)


def test_who_may_not_use_a_program_does_not_find_it(world: World) -> None:
    """At every place that reaches it, from the moment when somebody else joins the workspace."""
    seed = world.plugins.seed
    space = seed.workspace("Shared")
    theirs = Plugins(seed, workspace_id=space)
    mine = theirs.create(name="Mine", type="mcp", mcp={"program": "reference"})
    tools = theirs.accept(mine)
    theirs.publish(mine)
    assert theirs.debug(mine, tools["add"], a=1, b=2)["success"]
    open_to_all = theirs.create(name="All", type="mcp", mcp={"program": "for-all"})
    digest = theirs.inspect(mine)["digest"]
    user, _ = seed.user("bystander")

    seed.call("POST", f"/workspaces/{space}/members", {"user_id": user, "role": "editor"})

    fields = {"name": "New", "type": "mcp", "mcp": {"program": "reference"}}
    places: list[Callable[[], object]] = [
        lambda: theirs.create(**fields),
        lambda: seed.call("PATCH", f"/plugins/{open_to_all}", {"mcp": fields["mcp"]}),
        lambda: theirs.inspect(mine),
        lambda: seed.call("POST", f"/plugins/{mine}/server-tools:accept", {"digest": digest}),
    ]
    for place in places:
        with pytest.raises(AssertionError, match=r"404.*is offered to this workspace"):
            place()
    with pytest.raises(AssertionError, match=r"404.*is offered to this workspace"):
        theirs.create(name="None", type="mcp", mcp={"program": "missing"})
    debugged = theirs.debug(mine, tools["add"], a=1, b=2)
    assert not debugged["success"]
    assert "is offered to this workspace" in debugged["reason"]
    assert theirs.accept(open_to_all)


def test_workflows_call_tools_of_a_server(world: World) -> None:
    plugin, tools = world.plugins.mcp(world.mcp.url("good"))
    version = world.plugins.publish(plugin)
    constants = {"pluginID": plugin, "apiID": tools["weather"], "pluginVersion": version}
    content = {"source": "block-output", "blockID": "2", "name": "degrees"}
    degrees = {"type": "ref", "content": content}
    result = {"name": "degrees", "input": {"type": "integer", "value": degrees}}
    call = {
        "apiParam": [literal(name, value) for name, value in constants.items()],
        "inputParameters": [literal("city", "Oslo")],
    }
    canvas = {
        "nodes": [
            {"id": "100001", "type": "1", "data": {"outputs": []}},
            {
                "id": "2",
                "type": "4",
                "data": {"inputs": call, "outputs": [{"name": "degrees", "type": "integer"}]},
            },
            {
                "id": "900001",
                "type": "2",
                "data": {
                    "inputs": {"terminatePlan": "returnVariables", "inputParameters": [result]}
                },
            },
        ],
        "edges": [
            {"sourceNodeID": "100001", "targetNodeID": "2"},
            {"sourceNodeID": "2", "targetNodeID": "900001"},
        ],
    }
    with httpx.Client(base_url=world.server.url, headers=world.server.headers, timeout=60) as http:
        flow = Flows(http).publish("mcp_weather", canvas)
    done = world.coze.workflows.runs.create(workflow_id=flow)
    assert json.loads(done.data or "") == {"degrees": 17}


def literal(name: str, text: str) -> dict[str, Any]:
    return {
        "name": name,
        "input": {"type": "string", "value": {"type": "literal", "content": text}},
    }


def test_the_command_line_reviews_and_accepts(world: World) -> None:
    environ = {"COTERIE_EGRESS__ALLOW_PRIVATE": world.mcp.host}
    made = run_command(
        world.server.data,
        *("plugin", "add-mcp", "Shell", "--url", world.mcp.url("good")),
        *("--header", f"X-Weather-Key={SECRET}", "--accept", "--publish"),
        environ=environ,
    )
    assert made.returncode == 0, made.stderr
    assert "added    weather [only reads]: Weather." in made.stdout
    assert "Published as v1.0.0." in made.stdout
    failed = run_command(
        world.server.data, *("plugin", "add-mcp", "Inner", "--url", "http://10.0.0.1/mcp")
    )
    assert (failed.returncode, "not allowed" in failed.stderr) == (1, True)
    listed = run_command(world.server.data, "plugin", "list")
    assert "Shell" in listed.stdout
    assert "Inner" not in listed.stdout
