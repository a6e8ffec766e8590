"""FastGPT flows become the same graph."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.workflow.fastgpt.flow import ITEMS
from domain.workflow.fastgpt.kind import FLOW_KINDS, STRUCTURE
from domain.workflow.graph import (
    DEFAULT_PORT,
    ERROR_PORT,
    SCOPE_END,
    SCOPE_START,
    Element,
    GlobalKind,
    GlobalVariable,
    Index,
    ListOf,
    OnQuiescence,
    Ref,
)
from domain.workflow.lint.check import Reading
from domain.workflow.node.control.emitter import EmitterConfig
from domain.workflow.node.control.selector import SelectorConfig
from domain.workflow.node.model.model import ModelConfig
from tests.support.workflow.flow import START, check, flow_node, link, read, the, value


def answer(node_id: str, text: str, *, about: str = "") -> dict[str, object]:
    return flow_node(node_id, "answerNode", inputs=[value("text", text)], toolDescription=about)


def chat(node_id: str, *, catches: bool = False) -> dict[str, object]:
    inputs = [
        value("model", "gpt"),
        value("systemPrompt", "You answer {{name}}."),
        value("userChatInput", [START, "userChatInput"]),
        value("history", 4, "chatHistory"),
    ]
    return flow_node(node_id, "chatNode", inputs=inputs, outputs=["answerText"], catchError=catches)


def codes(reading: Reading) -> set[str]:
    return {each.code for each in reading.diagnostics if each.blocks_run}


def test_a_simple_application_becomes_entry_model_and_message() -> None:
    reading = read(chat("m"), answer("a", "Said: {{$m.answerText$}}"), variables=[value("key", "")])

    assert reading.can_run
    assert reading.program is not None
    assert [each.kind for each in reading.program.root.nodes] == ["entry", "model", "emitter"]
    assert isinstance(reading.program.root.end, OnQuiescence)
    assert reading.program.max_concurrent_nodes == 10
    config = the(reading, "m").config
    assert isinstance(config, ModelConfig)
    assert config.text_output == "answerText"
    assert config.history_rounds == 4
    reading.compile()


def test_variables_in_texts_become_inputs() -> None:
    reading = read(
        chat("m"),
        answer("a", "{{$m.answerText$}} {{key}} {{userId}} {{nobody}}"),
        variables=[{"key": "key", "valueType": "string"}],
    )
    node = the(reading, "a")

    assert isinstance(node.config, EmitterConfig)
    assert [each.expr for each in node.inputs] == [
        Ref("m", ("answerText",)),
        GlobalVariable(GlobalKind.APP, ("key",)),
        GlobalVariable(GlobalKind.RUN, ("user",)),
    ]
    assert node.config.content.parts[-2:] == (" ", "{{nobody}}")


def test_a_mixed_text_is_put_together_by_a_node_before() -> None:
    reading = read(
        flow_node(
            "c",
            "code",
            inputs=[
                value("codeType", "py"),
                value("code", "def main(x):\n    return {}"),
                value("x", "Hello {{$start.userChatInput$}}"),
            ],
        )
    )

    assert reading.program is not None
    assert [each.id for each in reading.program.root.nodes] == [START, "c$text0", "c"]
    assert the(reading, "c").inputs[0].expr == Ref("c$text0", ("output",))
    edges = [(each.source, each.target) for each in reading.program.root.edges]
    assert edges == [("c$text0", "c"), (START, "c$text0")]


def test_branches_lead_to_ports() -> None:
    condition = {"variable": [START, "userChatInput"], "condition": "equalTo", "value": "x"}
    reading = read(
        flow_node(
            "s",
            "ifElseNode",
            inputs=[
                value(
                    "ifElseList",
                    [
                        {"condition": "AND", "list": [condition]},
                        {"condition": "OR", "list": [{**condition, "condition": "isEmpty"}]},
                    ],
                )
            ],
        ),
        answer("a", "1"),
        answer("b", "2"),
        answer("c", "3"),
        edges=[
            link(START, "s"),
            link("s", "a", "IF"),
            link("s", "b", "ELSE IF 1"),
            link("s", "c", "ELSE"),
        ],
    )

    assert reading.program is not None
    assert {each.target: each.port for each in reading.program.root.edges} == {
        "s": "",
        "a": "branch_0",
        "b": "branch_1",
        "c": DEFAULT_PORT,
    }
    config = the(reading, "s").config
    assert isinstance(config, SelectorConfig)
    assert [each.logic for each in config.branches] == ["and", "or"]
    assert reading.can_run


def test_a_caught_error_has_its_own_port() -> None:
    reading = read(
        chat("m", catches=True),
        answer("a", "ok"),
        answer("b", "sorry"),
        edges=[
            link(START, "m"),
            link("m", "a"),
            {"source": "m", "target": "b", "sourceHandle": "m-source_catch-right"},
        ],
    )

    assert reading.program is not None
    ports = {each.target: each.port for each in reading.program.root.edges}
    assert ports == {"m": "", "a": DEFAULT_PORT, "b": ERROR_PORT}
    assert the(reading, "m").ports == (DEFAULT_PORT, ERROR_PORT)


def test_cycles_are_allowed_and_their_edges_grouped() -> None:
    reading = read(
        chat("m"),
        answer("a", "again"),
        edges=[link(START, "m"), link("m", "a"), link("a", "m")],
    )

    assert reading.can_run
    assert reading.program is not None
    assert reading.program.root.is_cyclic
    groups = {(each.source, each.target): each.group for each in reading.program.root.edges}
    assert groups == {(START, "m"): 0, ("m", "a"): 1, ("a", "m"): 1}
    plan = reading.compile()
    assert len(plan.root.nodes[plan.root.index_of["m"]].groups) == 2


def test_a_loop_takes_its_children_as_body() -> None:
    reading = read(
        flow_node("l", "loop", inputs=[value("loopInputArray", [START, "userFiles"])]),
        flow_node("b", "loopStart", parentNodeId="l"),
        flow_node(
            "t",
            "textEditor",
            parentNodeId="l",
            inputs=[value("system_textareaInput", "{{$b.loopStartInput$}} {{$b.loopStartIndex$}}")],
            outputs=["system_text"],
        ),
        flow_node(
            "e",
            "loopEnd",
            parentNodeId="l",
            inputs=[value("loopEndInput", ["t", "system_text"])],
        ),
        edges=[link(START, "l"), link("b", "t"), link("t", "e")],
    )

    assert reading.can_run, reading.diagnostics
    body = the(reading, "l").body
    assert body is not None
    assert [(each.source, each.target) for each in body.edges] == [
        (SCOPE_START, "t"),
        ("t", SCOPE_END),
    ]
    assert [each.expr for each in the(reading, "t").inputs] == [Element("l", ITEMS), Index("l")]
    assert body.collected[0].expr == Ref("t", ("output",))
    assert [each.name for each in the(reading, "l").outputs] == ["loopArray"]


def test_a_list_of_references_is_put_together() -> None:
    reading = read(
        flow_node(
            "l",
            "loop",
            inputs=[value("loopInputArray", [[START, "userChatInput"], [START, "userFiles"]])],
        )
    )

    binding = the(reading, "l").inputs[0]
    assert binding.expr == ListOf(
        (Ref(START, ("userChatInput",)), Ref(START, ("userFiles",))), is_flat=True
    )


@pytest.mark.parametrize("name", ["somethingNew", "gateway"])
def test_kinds_without_equivalent_are_named(name: str) -> None:
    reading = read(flow_node("x", name))

    (finding,) = [each for each in reading.diagnostics if each.code == "WF114"]
    assert name in finding.message
    assert not reading.can_run


def test_a_flow_comes_back_as_it_was() -> None:
    source = json.dumps({"nodes": [], "edges": [], "extra": {"kept": True}}, indent=3)

    assert check(source).export() == source


KEYS = [
    "text", "userChatInput", "ifElseList", "list", "variable", "condition", "value", "agents",
    "loopInputArray", "updateList", "system_httpReqUrl", "userSelectOptions", "key",
]  # fmt: skip
NAMES = st.sampled_from(["start", "a", "b", "c", "", "VARIABLE_NODE_ID"])
CONTENT = st.recursive(
    st.none() | st.integers(-2, 9) | NAMES | st.just("{{$a.x$}} {{b}}"),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3)
    ),
    max_leaves=8,
)


_TYPES = st.sampled_from([*FLOW_KINDS.names(), *STRUCTURE, "loopStart", "loopEnd", "?"])
_INPUTS = st.lists(
    st.fixed_dictionaries({"key": st.sampled_from(KEYS), "value": CONTENT}), max_size=4
)


@given(data=st.data())
def test_reading_never_raises(data: st.DataObject) -> None:
    nodes = [
        {
            "nodeId": data.draw(NAMES),
            "flowNodeType": data.draw(_TYPES),
            "parentNodeId": data.draw(NAMES),
            "inputs": data.draw(_INPUTS),
            "catchError": data.draw(st.booleans()),
        }
        for _ in range(data.draw(st.integers(0, 5)))
    ]
    edges = [link(data.draw(NAMES), data.draw(NAMES)) for _ in range(data.draw(st.integers(0, 5)))]

    reading = check(json.dumps({"nodes": nodes, "edges": edges}))

    assert reading.program is not None
    if reading.can_run:
        reading.compile()
