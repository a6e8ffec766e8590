"""Node kinds that only flows have: what they make of their inputs, and the findings of others."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest

from domain.shared.call import CallContext
from domain.shared.chat import ChatMessage
from domain.shared.error import NotFound
from domain.workflow.fastgpt.flow import TOOL_SET
from domain.workflow.fastgpt.kind import FLOW_KINDS
from domain.workflow.node import NODE_TYPES
from domain.workflow.node.outside.plugin import PluginConfig
from domain.workflow.port import Ports
from domain.workflow.value import Value
from tests.support.clock import FrozenClock
from tests.support.workflow.flow import START, flow_node, link, read, the, value
from tests.support.workflow.world import Script, ScriptedModels, World, compiled
from tests.unit.domain.workflow.engine.test_ports import FakeTools

Json = dict[str, Any]


@dataclass
class Wordings:
    """Words every question in two other ways."""

    asked: list[tuple[str, str, str, int]] = field(default_factory=list)

    async def wordings(
        self,
        context: CallContext,
        question: str,
        *,
        model: str,
        background: str,
        history: Sequence[ChatMessage],
        count: int,
    ) -> Sequence[str]:
        self.asked.append((question, model, background, count))
        return (f"{question} really", "other")


@dataclass
class Documents:
    """Texts by address."""

    texts: dict[str, str]

    async def read(self, context: CallContext, url: str, *, name: str, max_bytes: int) -> str:
        if url not in self.texts:
            raise NotFound("There is no such file.")
        return self.texts[url]


def world(**ports: Any) -> World:
    clock = FrozenClock(datetime(2030, 5, 1, tzinfo=UTC))
    return World(ports=Ports(**{"clock": clock, "models": ScriptedModels(), **ports}))


async def run(place: World, *nodes: Json, values: dict[str, Value] | None = None) -> Value:
    reading = read(*nodes)
    result = await place.run(compiled(reading), values or {"userChatInput": "What is oil?"})
    assert result.status == "success", result.error
    (ended,) = place.recorder.ended(str(nodes[0]["nodeId"]))
    output: Value = ended.output
    return output


def say(text: str) -> Json:
    return flow_node("a", "answerNode", inputs=[value("text", text)])


async def test_a_question_is_put_in_other_words() -> None:
    writer = Wordings()
    place = world(questions=writer)
    node = flow_node(
        "q",
        "cfr",
        inputs=[
            value("model", "gpt"),
            value("systemPrompt", "About {{$start.userChatInput$}}"),
            value("history", 6, "chatHistory"),
            value("userChatInput", [START, "userChatInput"]),
        ],
        outputs=["system_text"],
    )

    await run(place, node, say("{{$q.system_text$}}"))

    assert writer.asked == [("What is oil?", "gpt", "About What is oil?", 3)]
    ((_, text),) = place.recorder.messages()
    assert json.loads(text) == ["What is oil?", "What is oil? really", "other"]


async def test_documents_are_read_and_those_that_cannot_be_say_why() -> None:
    place = world(documents=Documents({"https://x.example/a.pdf": "Text of a."}))
    node = flow_node(
        "r",
        "readFiles",
        inputs=[value("fileUrlList", [[START, "userFiles"]], "arrayString")],
        outputs=["system_text", "system_rawResponse"],
    )
    files: Value = [
        "https://x.example/a.pdf",
        "https://x.example/p.png",
        "https://x.example/gone.md?x-wf-file_name=n%C3%B6.md",
    ]

    await run(
        place,
        node,
        say("{{$r.system_text$}}"),
        values={"userChatInput": "?", "userFiles": files},
    )

    ((_, text),) = place.recorder.messages()
    assert text == (
        "File: a.pdf\n<Content>\nText of a.\n</Content>\n******\n"
        "File: nö.md\n<Content>\nThere is no such file.\n</Content>"
    )


def quotes(*texts: str) -> list[Json]:
    return [{"output": each, "documentId": "1"} for each in texts]


@pytest.mark.parametrize(
    ("limit", "texts"), [(5000, ["b", "a", "c"]), (2, ["b", "a"]), (0, ["b", "a", "c"])]
)
async def test_findings_are_put_together_by_their_ranks(limit: int, texts: list[str]) -> None:
    node = flow_node(
        "c",
        "datasetConcatNode",
        inputs=[
            value("limit", limit, "number"),
            value("first", quotes("a", "b"), "datasetQuote"),
            value("second", quotes("b", "c"), "datasetQuote"),
        ],
        outputs=["quoteQA"],
    )

    output = await run(world(), node)

    assert isinstance(output, dict)
    assert output["outputList"] == quotes(*texts)


def test_feedback_is_a_text_of_the_run() -> None:
    reading = read(
        flow_node("f", "customFeedback", inputs=[value("system_textareaInput", "Good.")])
    )

    assert [each.code for each in reading.diagnostics if each.node_id == "f"] == []
    assert reading.can_be_published
    assert the(reading, "f").kind == "text"


def tool(plugin: str, **more: Any) -> Json:
    schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    return flow_node(
        "t",
        "tool",
        inputs=[{"key": "system_toolData", "value": {"inputSchema": schema}}, *more.pop("own", [])],
        outputs=["system_rawResponse"],
        pluginId=plugin,
        **more,
    )


async def test_a_tool_of_a_plugin_is_called_by_the_flow() -> None:
    tools = FakeTools(is_granted=True)
    place = world(plugins=tools)

    await run(place, tool("7/8", own=[value("city", "Turin")]), say("{{$t.system_rawResponse$}}"))

    assert tools.calls == [("7", "8", {"city": "Turin"})]
    assert place.recorder.messages() == [("a", '{"n":"3"}')]


async def test_a_tool_of_a_plugin_is_called_by_the_model_with_its_own_schema() -> None:
    tools = FakeTools(is_granted=True)
    models = ScriptedModels()
    place = world(plugins=tools, models=models)
    models.scripts = [Script(tool_calls=(("t", '{"city": "Turin"}'),)), Script(reply="Warm.")]
    agent = flow_node(
        "m",
        "tools",
        inputs=[value("model", "gpt"), value("userChatInput", [START, "userChatInput"])],
        outputs=["answerText"],
    )
    edges: list[Json] = [
        link(START, "m"),
        {"source": "m", "target": "t", "sourceHandle": "selectedTools"},
    ]
    reading = read(agent, tool("7/8", intro="Knows the weather."), edges=edges)

    await place.run(compiled(reading), {"userChatInput": "?"})

    (spec,) = models.requests[0].tools
    assert spec.parameters["required"] == ["city"]
    assert tools.calls == [("7", "8", {"city": "Turin"})]
    assert [each.text for each in models.requests[1].messages if each.role == "tool"] == [
        '{"n":"3"}'
    ]


@pytest.mark.parametrize("place", ["pluginId", "mcpTool", "systemTool", "httpTool"])
def test_a_tool_of_another_system_is_a_finding_with_its_name(place: str) -> None:
    more: Json = {} if place == "pluginId" else {"toolConfig": {place: {"toolId": "mcp-1/weather"}}}
    reading = read(tool("mcp-1/weather" if place == "pluginId" else "", **more))

    (finding,) = [each for each in reading.diagnostics if each.node_id == "t"]
    assert "mcp-1/weather" in finding.message
    assert not reading.can_run
    assert isinstance(the(reading, "t").config, PluginConfig)


def test_every_kind_of_a_flow_runs_except_sets_which_are_attached() -> None:
    for name in FLOW_KINDS.names():
        is_runnable = NODE_TYPES.get(FLOW_KINDS.get(name).kind).is_runnable
        assert is_runnable is (name != TOOL_SET), name


def test_a_set_of_tools_that_is_no_tool_is_a_finding() -> None:
    reading = read(flow_node("x", TOOL_SET))

    found = [each.code for each in reading.diagnostics if each.node_id == "x"]
    assert found == ["WF117"]
    assert not reading.can_run


def test_a_set_of_tools_that_nothing_leads_to_is_left_out() -> None:
    assert read(flow_node("x", TOOL_SET), edges=[]).can_run
