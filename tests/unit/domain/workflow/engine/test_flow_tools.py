"""What is attached to a node of a flow runs as a tool of the model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest

from crossdomain.plugin.contract import (
    PluginCall,
    PluginResult,
    PluginToolDescription,
    PluginToolRef,
)
from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.workflow.engine.interrupt import InterruptKind
from domain.workflow.engine.state import RunState
from domain.workflow.fastgpt.flow import TOOL_SET
from domain.workflow.fastgpt.kind import FLOW_KINDS
from domain.workflow.graph import Node, walk_nodes
from domain.workflow.lint.check import Reading
from domain.workflow.lint.surroundings import Surroundings
from domain.workflow.port import Ports
from infra.contract.egress import EgressResponse
from tests.support.clock import FrozenClock
from tests.support.workflow.flow import START, flow_node, link, read, the, value
from tests.support.workflow.world import Script, ScriptedModels, World, compiled

Json = dict[str, Any]


def written(key: str, content: object = None, type_: str = "string", **more: object) -> Json:
    """An input that the model fills in."""
    return {**value(key, content, type_), "toolDescription": f"The {key}.", **more}


def agent(node_id: str = "m", **more: Any) -> Json:
    inputs = [value("model", "gpt"), value("userChatInput", [START, "userChatInput"])]
    return flow_node(node_id, "tools", inputs=inputs, outputs=["answerText"], **more)


def text(node_id: str, content: str, *inputs: Json, **more: Any) -> Json:
    return flow_node(
        node_id,
        "textEditor",
        inputs=[*inputs, value("system_textareaInput", content)],
        outputs=["system_text"],
        **more,
    )


def answer(node_id: str, content: str, **more: Any) -> Json:
    return flow_node(node_id, "answerNode", inputs=[value("text", content)], **more)


def attached(source: str, target: str) -> Json:
    return {
        "source": source,
        "target": target,
        "sourceHandle": "selectedTools",
        "targetHandle": "selectedTools",
    }


def flow(*nodes: Json, tools: dict[str, list[str]], edges: list[Json] | None = None) -> Reading:
    between = [attached(source, each) for source, found in tools.items() for each in found]
    return read(*nodes, edges=[link(START, "m"), *between, *(edges or [])])


async def ask(world: World, reading: Reading) -> RunState:
    plan = compiled(reading)
    state = world.state(plan, {"userChatInput": "How warm is it?"})
    await world.run(plan, state=state)
    return state


def said(state: RunState, node_id: str = "m") -> str:
    outcome = state.root.outcomes[node_id]
    assert outcome.error is None
    return str(outcome.output["answerText"])


def told(world: World, number: int = -1) -> list[str]:
    """What the model was told by its tools."""
    return [each.text for each in world.models.requests[number].messages if each.role == "tool"]


def reply(status: int, body: bytes) -> EgressResponse:
    return EgressResponse(status=status, headers={}, body=body, url="")


def calls(*tool_calls: tuple[str, str], text: str = "") -> Script:
    return Script(tool_calls=tool_calls, reply=text)


REQUEST = flow_node(
    "weather",
    "httpRequest468",
    intro="Tells the weather.",
    inputs=[
        written("city", required=True),
        written("days", 3, "number"),
        value("system_httpMethod", "GET"),
        value("system_httpReqUrl", "https://weather.example/{{city}}/{{days}}"),
    ],
    outputs=["httpRawResponse"],
)


async def test_a_tool_takes_what_the_model_writes_and_tells_what_it_did() -> None:
    world = World()
    world.models.scripts = [calls(("weather", '{"city": "Turin"}')), Script(reply="Warm.")]
    world.server.answers = [reply(200, b"21 degrees")]
    reading = flow(agent(), REQUEST, tools={"m": ["weather"]})

    result = await ask(world, reading)

    assert world.server.requests[0].url == "https://weather.example/Turin/3"
    (spec,) = world.models.requests[0].tools
    assert (spec.name, spec.description) == ("weather", "Tells the weather.")
    assert spec.parameters == {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "The city."},
            "days": {"type": "number", "description": "The days."},
        },
        "required": ["city"],
    }
    assert told(world) == ["21 degrees"]
    assert said(result) == "Warm."


def test_tools_run_only_when_they_are_called() -> None:
    reading = flow(
        agent(),
        REQUEST,
        text("after", "{{$weather.httpRawResponse$}}"),
        tools={"m": ["weather"]},
        edges=[link("weather", "after")],
    )

    assert reading.program is not None
    assert [each.id for each in reading.program.root.nodes] == [START, "m"]
    assert {each.canvas_id for each in walk_nodes(reading.program)} == {
        START,
        "m",
        "weather",
        "after",
    }


async def test_a_tool_reads_what_is_around_it_and_runs_what_follows_it() -> None:
    world = World()
    world.models.scripts = [calls(("p", '{"who": "Ada"}'), text="Wait. "), Script(reply="Done.")]
    reading = flow(
        text("before", "Hello"),
        agent(),
        flow_node(
            "p",
            "toolParams",
            inputs=[written("who")],
            outputs=["who"],
            toolDescription="Greets somebody.",
        ),
        answer("say", "{{$before.system_text$}} {{$p.who$}}, {{$start.userChatInput$}}"),
        tools={"m": ["p"]},
        edges=[link(START, "before"), link("before", "m"), link("p", "say")],
    )

    result = await ask(world, reading)

    assert world.recorder.messages() == [
        ("m", "Wait. "),
        ("say", "Hello Ada, How warm is it?"),
        ("m", "Done."),
    ]
    assert told(world) == ["none"]
    assert result.root.said == ["Wait. \nHello Ada, How warm is it?\nDone."]
    assert said(result) == "Wait. Done."


async def test_a_stop_ends_the_dialogue_with_what_was_written_so_far() -> None:
    world = World()
    world.models.scripts = [calls(("p", "{}"), text="I look it up.")]
    reading = flow(
        agent(),
        flow_node("p", "toolParams", inputs=[], outputs=[]),
        answer("say", "Here it is."),
        flow_node("end", "stopTool"),
        tools={"m": ["p"]},
        edges=[link("p", "say"), link("say", "end")],
    )

    result = await ask(world, reading)

    assert len(world.models.requests) == 1
    assert said(result) == "I look it up."


async def test_a_node_that_calls_tools_is_a_tool() -> None:
    world = World()
    inner = agent("inner", intro="Knows more.")
    inner["inputs"] = [value("model", "gpt"), written("userChatInput")]
    world.models.scripts = [
        calls(("inner", '{"userChatInput": "the sky"}')),
        calls(("word", "{}")),
        Script(reply="Blue."),
        Script(reply="The sky is blue."),
    ]
    reading = flow(
        agent(),
        inner,
        text("word", "{{$start.userChatInput$}}!"),
        tools={"m": ["inner"], "inner": ["word"]},
    )

    result = await ask(world, reading)

    assert world.models.requests[1].messages[-1].text == "the sky"
    assert told(world, 2) == ["none"]
    assert told(world) == ["Blue."]
    assert said(result) == "The sky is blue."


async def test_the_model_is_told_of_failures_and_of_tools_that_do_not_exist() -> None:
    world = World()
    world.models.scripts = [
        calls(("weather", '{"city": "x"}'), ("nothing", "{}")),
        Script(reply="Nobody knows."),
    ]
    world.server.answers = [reply(500, b"broken")]
    reading = flow(agent(), REQUEST, tools={"m": ["weather"]})

    result = await ask(world, reading)

    assert said(result) == "Nobody knows."
    failed, missing = told(world)
    assert "status 500" in failed
    assert missing == "There is no tool nothing."


async def test_the_rounds_are_those_of_flows_or_of_the_node() -> None:
    node = agent()
    node["inputs"].append(value("maxRunToolTimes", 1, "number"))
    for made, rounds in ((agent(), 5), (node, 1)):
        world = World()
        world.models.scripts = [calls(("t", "{}"))] * rounds + [Script(reply="Enough.")]
        result = await ask(world, flow(made, text("t", "again"), tools={"m": ["t"]}))

        assert said(result) == "Enough."
        assert len(world.models.requests) == rounds + 1
        assert not world.models.requests[-1].tools


async def test_a_question_of_a_tool_waits_for_its_answer() -> None:
    world = World()
    world.models.scripts = [calls(("choose", "{}")), Script(reply="As you like.")]
    options = [{"key": "a", "value": "Tea"}, {"key": "b", "value": "Coffee"}]
    choose = flow_node(
        "choose",
        "userSelect",
        inputs=[value("description", "Which?"), value("userSelectOptions", options, "any")],
        outputs=["selectResult"],
    )
    reading = flow(agent(), choose, tools={"m": ["choose"]})

    state = await ask(world, reading)
    (asked,) = state.pending
    assert (asked.node_id, asked.kind) == ("choose", InterruptKind.QUESTION)
    world.engine.answer(state, asked.id, "Coffee")
    await world.run(compiled(reading), state=state)

    assert told(world) == ["Coffee"]
    assert said(state) == "As you like."


async def test_a_tool_inside_of_a_loop_reads_the_current_element() -> None:
    world = World()
    world.models.scripts = [calls(("t", "{}")), Script(reply="1"), calls(("t", "{}"))]
    world.models.scripts.append(Script(reply="2"))
    inner = agent(parentNodeId="l")
    say = answer("t", "{{$b.loopStartInput$}}", parentNodeId="l")
    reading = read(
        flow_node("l", "loop", inputs=[value("loopInputArray", ["x", "y"], "arrayString")]),
        flow_node("b", "loopStart", parentNodeId="l"),
        inner,
        say,
        flow_node(
            "e", "loopEnd", parentNodeId="l", inputs=[value("loopEndInput", ["m", "answerText"])]
        ),
        edges=[link(START, "l"), link("b", "m"), link("m", "e"), attached("m", "t")],
    )

    state = await ask(world, reading)

    assert [each for _, each in world.recorder.messages()] == ["x", "1", "y", "2"]
    assert state.root.outcomes["l"].output["loopArray"] == ["1", "2"]


def findings(reading: Reading, code: str) -> list[str]:
    return [each.node_id for each in reading.diagnostics if each.code == code]


@pytest.mark.parametrize("name", FLOW_KINDS.names())
def test_every_kind_is_a_tool_or_a_finding(name: str) -> None:
    kind = FLOW_KINDS.get(name)
    reading = flow(agent(), flow_node("t", name), tools={"m": ["t"]})

    node: Node = the(reading, "m")
    is_single = kind.is_tool and name != TOOL_SET
    assert [each.name for each in node.tools] == (["t"] if is_single else [])
    assert findings(reading, "WF117") == ([] if kind.is_tool else ["t"])


def test_what_cannot_run_as_a_tool_is_a_finding() -> None:
    circle = flow(agent(), agent("n"), tools={"m": ["n"], "n": ["m"]})
    back = flow(agent(), text("t", "x"), tools={"m": ["t"]}, edges=[link("t", "m")])
    foreign = flow(agent(), text("t", "x"), flow_node("f", "newKind"), tools={"m": ["t"]},
                   edges=[link("t", "f")])  # fmt: skip
    plain = flow(flow_node("m", "chatNode"), text("t", "x"), tools={"m": ["t"]})

    assert findings(circle, "WF117") == ["m"]
    assert findings(back, "WF117") == ["t"]
    assert findings(foreign, "WF114") == ["f"]
    assert findings(plain, "WF117") == ["m"]
    assert not any(each.can_run for each in (circle, back, foreign, plain))


def test_what_the_model_writes_in_vain_is_a_finding() -> None:
    tool = flow_node("s", "stopTool", inputs=[written("reason")])

    assert findings(flow(agent(), tool, tools={"m": ["s"]}), "WF118") == ["s"]


def test_tools_of_tools_are_bounded() -> None:
    """Each level doubles what is built; the limit of nodes holds for all of it."""
    levels = [(f"a{number}", f"b{number}") for number in range(12)]
    nodes = [agent(each) for pair in levels for each in pair]
    tools = {"m": [*levels[0]]}
    for pair, following in pairwise(levels):
        tools |= {each: [*following] for each in pair}

    assert findings(flow(agent(), *nodes, tools=tools), "WF501") == [""]


@dataclass
class Server:
    """A plugin with two tools."""

    called: list[tuple[str, Json]] = field(default_factory=list)

    async def tools(
        self, scope: TenantScope, plugin_id: int, *, is_draft: bool = False
    ) -> Sequence[int]:
        assert plugin_id == 753
        return (1, 2)

    async def latest(self, scope: TenantScope, plugin_ids: Sequence[int]) -> Mapping[int, str]:
        return dict.fromkeys(plugin_ids, "v1")

    async def existing(self, *_: object) -> frozenset[tuple[int, int]]:
        raise NotImplementedError

    async def describe(
        self, scope: TenantScope, ref: PluginToolRef, *, preset: Sequence[str] = ()
    ) -> PluginToolDescription:
        return PluginToolDescription(
            plugin_id=ref.plugin_id,
            tool_id=ref.tool_id,
            version="v1",
            plugin_name="plugin",
            name=f"tool_{ref.tool_id}",
            description="A tool.",
            parameters={"type": "object", "properties": {}},
            result={"type": "object", "properties": {}},
        )

    async def call(self, context: CallContext, call: PluginCall) -> PluginResult:
        self.called.append((str(call.ref.tool_id), dict(call.arguments)))
        return PluginResult(output={}, text="It is warm.")


PLACES: dict[str, Json] = {
    "pluginId": {"pluginId": "753"},
    "MCP": {"toolConfig": {"mcpToolSet": {"toolId": "753", "toolList": []}}},
    "HTTP": {"toolConfig": {"httpToolSet": {"toolId": "753", "toolList": []}}},
}


@pytest.mark.parametrize("place", PLACES)
async def test_all_tools_of_a_set_are_offered(place: str) -> None:
    server = Server()
    models = ScriptedModels([calls(("tool_2", "{}"), text="Wait. "), Script(reply="Warm.")])
    clock = FrozenClock(datetime(2030, 5, 1, tzinfo=UTC))
    world = World(ports=Ports(clock=clock, models=models, plugins=server))
    reading = flow(agent(), flow_node("set", "toolSet", **PLACES[place]), tools={"m": ["set"]})

    state = await ask(world, reading)

    assert [each.name for each in models.requests[0].tools] == ["tool_1", "tool_2"]
    assert server.called == [("2", {})]
    assert [each.text for each in models.requests[1].messages if each.role == "tool"] == [
        "It is warm."
    ]
    assert said(state) == "Wait. Warm."


def test_a_set_that_nothing_stands_for_is_a_finding_with_its_address() -> None:
    config = {"mcpToolSet": {"toolId": "mcp-1", "url": "https://mcp.example/"}}
    reading = flow(agent(), flow_node("set", "toolSet", toolConfig=config), tools={"m": ["set"]})

    (finding,) = [each for each in reading.diagnostics if each.node_id == "set"]
    assert "mcp-1" in finding.message
    assert "https://mcp.example/" in finding.message
    assert not reading.can_run


def test_a_set_of_a_plugin_that_is_not_here_is_a_finding() -> None:
    around = Surroundings(plugins=frozenset({("9", "")}))
    tools = flow_node("set", "toolSet", pluginId="753")
    reading = read(agent(), tools, edges=[link(START, "m"), attached("m", "set")], around=around)

    assert findings(reading, "WF460") == ["m"]
