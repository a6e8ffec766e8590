"""Flows of FastGPT run: answers, variables, failures, and what a crash leaves of them."""

import json
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import pytest

from domain.shared.call import CallContext
from domain.shared.chat import ImagePart, TextPart
from domain.shared.error import InvalidRequest
from domain.shared.ids import RunId
from domain.workflow.convert import named_file_url, split_file_url
from domain.workflow.engine.checkpoint import decode_state, encode_state, fold
from domain.workflow.engine.debug import require_known, single_node
from domain.workflow.engine.global_variable import RUN_FACTS
from domain.workflow.engine.state import RunState
from domain.workflow.fastgpt.kind import FLOW_KINDS, STRUCTURE
from domain.workflow.lint.check import Reading
from domain.workflow.lint.diagnostic import Severity
from domain.workflow.plan import Plan
from domain.workflow.port import Child, Ports, RunContext
from tests.support.clock import FrozenClock
from tests.support.workflow.flow import START, flow_node, link, read, value
from tests.support.workflow.world import CALL, MemoryJournal, Script, World, compiled

Json = dict[str, Any]
GLOBAL = "VARIABLE_NODE_ID"
QUESTION = [START, "userChatInput"]

NODE_TYPES = (
    "emptyNode", "userGuide", "systemConfig", "pluginConfig", "globalVariable", "comment",
    "workflowStart", "chatNode", "datasetSearchNode", "datasetConcatNode", "answerNode",
    "classifyQuestion", "contentExtract", "httpRequest468", "pluginInput", "pluginOutput", "cfr",
    "agent", "tools", "stopTool", "toolParams", "lafModule", "ifElseNode", "variableUpdate",
    "code", "textEditor", "customFeedback", "readFiles", "userSelect", "loop", "loopStart",
    "loopEnd", "loopRun", "loopRunStart", "loopRunBreak", "parallelRun", "formInput", "tool",
    "toolSet", "appModule", "pluginModule", "app",
)  # fmt: skip
"""Every type that FastGPT exports, from the first workflows on."""


def answer(node_id: str, content: str, **more: Any) -> Json:
    return flow_node(node_id, "answerNode", inputs=[value("text", content)], **more)


def text(node_id: str, content: str, **more: Any) -> Json:
    inputs = [value("system_textareaInput", content)]
    return flow_node(node_id, "textEditor", inputs=inputs, outputs=["system_text"], **more)


def chat(node_id: str, **more: Any) -> Json:
    inputs = [value("model", "gpt"), value("userChatInput", QUESTION)]
    inputs += [value(key, content) for key, content in more.pop("settings", {}).items()]
    return flow_node(node_id, "chatNode", inputs=inputs, outputs=["answerText"], **more)


def update(node_id: str, name: str, content: str, type_: str = "string") -> Json:
    item = {"variable": [GLOBAL, name], "value": ["", content], "valueType": type_}
    return flow_node(node_id, "variableUpdate", inputs=[value("updateList", [item], "any")])


def variable(key: str, default: object = None, **more: object) -> Json:
    return {"key": key, "valueType": "string", "defaultValue": default, **more}


@dataclass
class Flows:
    """Flows that others call, by id."""

    readings: dict[str, Reading] = field(default_factory=dict)

    async def load(self, context: RunContext, workflow_id: str, version: str) -> Child:
        program = self.readings[workflow_id].program
        assert program is not None
        return Child(program=program, name=workflow_id)


def world_of(**children: Reading) -> World:
    world = World()
    clock = FrozenClock(datetime(2030, 5, 1, tzinfo=UTC))
    return World(
        models=world.models,
        ports=Ports(clock=clock, models=world.models, load_child=Flows(children).load),
    )


async def test_answers_are_the_output_in_the_order_in_which_they_were_given() -> None:
    world = World()
    world.models.scripts = [Script(pieces=("One ", "two.")), Script(reply="psst")]
    silent = {"isResponseAnswerText": False}
    reading = read(
        chat("m"),
        answer("a", "Said {{$m.answerText$}}"),
        chat("s", settings=silent),
        answer("b", "b"),
    )

    result = await world.run(compiled(reading), {"userChatInput": "Go"})

    assert result.output == {"output": "One two.\nSaid One two.\nb"}
    assert world.recorder.messages() == [("m", "One two."), ("a", "Said One two."), ("b", "b")]


@pytest.mark.parametrize("shows", [True, False])
async def test_thoughts_are_told_apart_from_the_answer(shows: bool) -> None:
    reading = read(chat("m", settings={"aiChatReasoning": shows}))
    assert reading.program is not None
    node = reading.program.root.nodes[1]

    assert getattr(node.config, "shows_reasoning") is shows  # noqa: B009 - of one kind only
    assert getattr(node.config, "thought_tags") == ("think",)  # noqa: B009


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({}, "Oslo 3"),
        ({"city": "Bergen", "count": "5"}, "Bergen 5"),
        ({"city": None, "count": 0}, "Oslo 0"),
    ],
)
async def test_variables_begin_with_the_request_or_their_default(given: Json, wanted: str) -> None:
    world = World()
    variables = [variable("city", "Oslo"), variable("count", 3, valueType="number")]
    reading = read(answer("a", "{{city}} {{$VARIABLE_NODE_ID.count$}}"), variables=variables)

    result = await world.run(compiled(reading), given)

    assert result.output == {"output": wanted}


async def test_a_single_node_is_given_variables_by_their_names() -> None:
    variables = [variable("city", "Oslo"), variable("count", 3, valueType="number")]
    reading = read(text("a", "{{city}} {{$VARIABLE_NODE_ID.count$}}"), variables=variables)
    program = reading.program
    assert program is not None

    for given, wanted in (({}, "Oslo 3"), ({"count": "5"}, "Oslo 5")):
        require_known(program, "a", given)
        plan, state = single_node(program, "a", given)
        result = await World().run(plan, state=state)
        assert wanted in (result.output or {}).values(), result
    with pytest.raises(InvalidRequest):
        require_known(program, "a", ["town"])


async def test_every_fact_about_a_run_has_a_value() -> None:
    world = World(
        context=RunContext(call=replace(CALL, run_id=RunId(77)), agent_id="5", conversation_id="6")
    )
    names = ["userId", "chatId", "appId", "responseChatItemId", "cTime", "histories"]
    reading = read(answer("a", "|".join(f"{{{{{name}}}}}" for name in names)))

    result = await world.run(compiled(reading), {})

    assert len(names) == len(RUN_FACTS)
    assert result.output == {"output": "1|6|5|77|2030-05-01 00:00:00 Wednesday|[]"}


async def test_a_failure_that_nothing_catches_ends_the_run_after_the_other_branches() -> None:
    world = World()
    world.models.scripts = [Script(error="Too hot.")]
    reading = read(
        chat("m"),
        answer("never", "never"),
        answer("other", "other"),
        edges=[link(START, "m"), link("m", "never"), link(START, "other")],
    )

    result = await world.run(compiled(reading), {"userChatInput": "Go"})

    assert result.status == "failed"
    assert result.error is not None
    assert (result.error.node_id, result.error.node_title) == ("m", "m")
    assert "Too hot." in result.error.message
    assert world.recorder.messages() == [("other", "other")]


async def test_a_failure_inside_of_a_loop_or_a_child_is_one_of_the_run() -> None:
    world = world_of(child=read(chat("m")))
    world.models.scripts = [Script(error="Too hot.")]
    reading = read(flow_node("c", "appModule", pluginId="child"), answer("a", "never"))

    result = await world.run(compiled(reading), {"userChatInput": "Go"})

    assert result.status == "failed"
    assert result.error is not None
    assert "Too hot." in result.error.message
    assert world.recorder.messages() == []


async def test_lists_of_references_are_flat_and_without_gaps() -> None:
    world = World()
    parts = [[START, "userFiles"], QUESTION, [START, "nothing"]]
    reading = read(
        flow_node(
            "t",
            "textEditor",
            inputs=[
                value("files", parts, "arrayString"),
                value("system_textareaInput", "{{files}}"),
            ],
            outputs=["system_text"],
        ),
        answer("a", "{{$t.system_text$}}"),
    )
    given: Json = {"userFiles": ["x", "y"], "userChatInput": "z"}

    result = await world.run(compiled(reading), given)

    assert result.output == {"output": '["x","y","z"]'}


@dataclass
class Documents:
    """Documents that say their names."""

    async def read(self, context: CallContext, url: str, *, name: str, max_bytes: int) -> str:
        return f"This is {name}."


async def test_files_of_the_question_are_shown_to_the_model() -> None:
    world = World()
    assert world.ports is not None
    world = World(models=world.models, ports=replace(world.ports, documents=Documents()))
    world.models.scripts = [Script(reply="I see.")]
    reading = read(chat("m", settings={"fileUrlList": [[START, "userFiles"]]}))
    files = ["https://x/a.png", "https://x/b.pdf", "https://x/c?x-wf-file_name=d.jpg"]
    given: Json = {"userChatInput": "Look", "userFiles": files}

    await world.run(compiled(reading), given)

    shown = world.models.requests[0].messages[-1].parts
    assert shown == (
        TextPart(text="Look"),
        ImagePart(url="https://x/a.png"),
        ImagePart(url="https://x/c"),
    )
    assert "This is b.pdf." in world.models.requests[0].messages[0].text


@pytest.mark.parametrize("is_silent", [False, True])
async def test_a_child_speaks_unless_its_node_keeps_it_silent(is_silent: bool) -> None:
    world = world_of(child=read(chat("m"), answer("say", "said {{$start.userFiles$}}")))
    world.models.scripts = [Script(reply="thought")]
    inputs = [
        value("userChatInput", QUESTION),
        value("fileUrlList", [[START, "userFiles"]], "arrayString"),
        value("system_forbid_stream", is_silent, "boolean"),
    ]
    reading = read(
        flow_node("c", "appModule", pluginId="child", inputs=inputs, outputs=["answerText"]),
        answer("a", "[{{$c.answerText$}}]"),
    )
    given: Json = {"userChatInput": "Go", "userFiles": ["x"]}

    result = await world.run(compiled(reading), given)

    last = '[thought\nsaid ["x"]]'
    spoken = [] if is_silent else [("m", "thought"), ("say", 'said ["x"]')]
    assert world.recorder.messages() == [*spoken, ("a", last)]
    assert result.output == {"output": "\n".join([*(text for _, text in spoken), last])}


@pytest.mark.parametrize(
    ("url", "name", "wanted"),
    [
        ("https://x/a.pdf", "a.pdf", "https://x/a.pdf"),
        ("https://x/t?k=1#p", "a b.pdf", "https://x/t?k=1&x-wf-file_name=a+b.pdf#p"),
        ("https://x/t", "a.pdf", "https://x/t?x-wf-file_name=a.pdf"),
        ("https://x/t?x-wf-file_name=b", "a.pdf", "https://x/t?x-wf-file_name=b"),
        ("https://x/t", "", "https://x/t"),
        ("data:image/png;base64,AA==", "a.png", "data:image/png;base64,AA=="),
    ],
)
def test_addresses_of_files_carry_their_names(url: str, name: str, wanted: str) -> None:
    named = named_file_url(url, name)

    assert named == wanted
    if named != url:
        assert split_file_url(named) == (url, name)


@pytest.mark.parametrize("text", ["Zoë", "你好", "\N{ROCKET}"])
async def test_a_header_that_http_cannot_carry_says_so(text: str) -> None:
    world = World()
    header = {"key": "X-Name", "type": "string", "value": text}
    settings = {"system_httpReqUrl": "https://example.com", "system_httpHeader": [header]}
    inputs = [value(key, content, "any") for key, content in settings.items()]
    reading = read(flow_node("h", "httpRequest468", inputs=inputs))

    result = await world.run(compiled(reading), {"userChatInput": "Go"})

    assert result.error is not None
    assert "X-Name" in result.error.message
    assert "encode" in result.error.message
    assert not world.server.requests


def whole() -> tuple[World, Plan]:
    """A flow with a loop that answers, variables, and a child with variables of its own."""
    child = read(
        update("u", "name", "{{name}}!"),
        answer("say", "child {{name}}"),
        variables=[variable("name", "nobody")],
    )
    reading = read(
        update("u1", "name", "{{name}}+"),
        flow_node("l", "loop", inputs=[value("loopInputArray", ["x", "y"], "arrayString")]),
        flow_node("b", "loopStart", parentNodeId="l"),
        answer("in", "{{$b.loopStartInput$}} {{name}}", parentNodeId="l"),
        flow_node("e", "loopEnd", parentNodeId="l"),
        flow_node("c", "pluginModule", pluginId="child", inputs=[value("name", "Eve")]),
        answer("last", "{{name}}"),
        edges=[
            link(START, "u1"),
            link("u1", "l"),
            link("b", "in"),
            link("in", "e"),
            link("l", "c"),
            link("c", "last"),
        ],
        variables=[variable("name", "Ada")],
    )
    return world_of(child=child), compiled(reading)


async def test_a_flow_goes_on_after_a_crash_as_if_nothing_had_happened() -> None:
    world, plan = whole()
    journal = MemoryJournal()
    first = await world.run(plan, {}, journal=journal)
    wanted = {"output": "x Ada+\ny Ada+\nchild Eve!\nAda+"}

    assert first.output == wanted
    assert ("say", "child Eve!") in world.recorder.messages()
    for done in range(len(journal.entries)):
        world, plan = whole()
        state = fold(world.state(plan, {}), journal.decoded()[:done])
        again: RunState = decode_state(encode_state(state))
        result = await world.run(plan, state=again)
        assert result.output == wanted, done
        assert again.app_variables == {"name": "Ada+"}


@pytest.mark.parametrize(
    ("kind", "key"), [("loop", "loopInputArray"), ("parallelRun", "loopInputArray")]
)
@pytest.mark.parametrize(
    ("collected", "wanted"),
    [
        ([GLOBAL, "name"], ["a", "ab"]),
        ([GLOBAL, "kept"], ["Ada", "Ada"]),
        ([GLOBAL, "appId"], ["7", "7"]),
        (["b", "loopStartInput"], ["a", "b"]),
        (["in", "system_text"], ["[a]", "[b]"]),
    ],
)
async def test_a_loop_gathers_whatever_its_end_names(
    kind: str, key: str, collected: Json, wanted: list[str]
) -> None:
    reading = read(
        flow_node(
            "l",
            kind,
            inputs=[value(key, ["a", "b"], "arrayString"), value("parallelRunMaxConcurrency", 1)],
        ),
        flow_node("b", "loopStart", parentNodeId="l"),
        {**update("u", "name", "{{name}}{{$b.loopStartInput$}}"), "parentNodeId": "l"},
        text("in", "[{{$b.loopStartInput$}}]", parentNodeId="l"),
        flow_node("e", "loopEnd", parentNodeId="l", inputs=[value("loopEndInput", collected)]),
        answer("last", "{{$l.loopArray$}}"),
        edges=[
            link(START, "l"),
            link("b", "u"),
            link("u", "in"),
            link("in", "e"),
            link("l", "last"),
        ],
        variables=[variable("name", ""), variable("kept", "Ada")],
    )
    world = World(context=RunContext(call=CALL, workflow_id="7"))

    result = await world.run(compiled(reading), {})

    assert json.loads(str((result.output or {})["output"])) == wanted


def everything() -> set[str]:
    return {*FLOW_KINDS.names(), *STRUCTURE, "loopStart", "loopEnd", "loopRunStart"}


def test_the_list_of_types_is_complete() -> None:
    assert everything() <= set(NODE_TYPES)


@pytest.mark.parametrize("name", NODE_TYPES)
@pytest.mark.parametrize("catches", [False, True])
async def test_every_type_runs_or_says_at_import_why_not(name: str, catches: bool) -> None:
    world = world_of()
    world.models.scripts = [Script(reply="{}") for _ in range(4)]
    node, edges = flow_node("x", name, catchError=catches), [link(START, "x"), link("x", "a")]
    if name in STRUCTURE:
        edges = [link(START, "a")]
    after = [] if name == "pluginOutput" else [answer("a", "end")]
    reading = read(node, *after, edges=edges[: len(after) + 1])
    errors = [each for each in reading.diagnostics if each.severity is Severity.ERROR]

    if errors:
        assert all(each.message for each in errors)
        assert any(each.node_id == "x" for each in errors), errors
        return
    result = await world.run(compiled(reading), {"userChatInput": "Go"})
    assert result.status in {"success", "interrupted"}, result.error
