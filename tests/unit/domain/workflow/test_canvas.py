"""Reading canvases: spelling, normalisation, export, and canvases nobody should have written."""

import json
import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.workflow.error import NotCompilable
from domain.workflow.graph import (
    DEFAULT_PORT,
    ERROR_PORT,
    SCOPE_END,
    SCOPE_START,
    Const,
    Element,
    Index,
    LoopVariable,
    Node,
    ObjectOf,
    Ref,
)
from domain.workflow.node import NODE_TYPES, types_by_id
from domain.workflow.node.control.batch import BatchConfig
from domain.workflow.node.control.entry import EntryConfig
from domain.workflow.node.control.selector import SelectorConfig
from domain.workflow.node.outside.http import HttpConfig
from tests.support.effort import LINEAR, growth
from tests.support.workflow.canvas import (
    ENTRY,
    EXIT,
    FIXTURES,
    Json,
    canvas,
    check,
    composite,
    condition,
    edge,
    exit_,
    field,
    found,
    inside,
    lit,
    loop,
    model,
    node,
    param,
    ref,
    selector,
    text,
)


def fixture(name: str) -> str:
    return FIXTURES.joinpath(f"{name}.json").read_text("utf-8")


def the(made: Json | str, node_id: str) -> Node:
    program = check(made).program
    assert program is not None
    waiting = [program.root]
    while waiting:
        scope = waiting.pop()
        for each in scope.nodes:
            if each.id == node_id:
                return each
            if each.body is not None:
                waiting.append(each.body)
    raise AssertionError(node_id)


def swap_case(value: object) -> object:
    if isinstance(value, dict):
        return {key.swapcase(): swap_case(item) for key, item in value.items()}
    return [swap_case(item) for item in value] if isinstance(value, list) else value


def test_keys_are_read_regardless_of_their_case() -> None:
    source = json.loads(fixture("ex03_loop_variable_break"))
    plain, swapped = json.dumps(source), json.dumps(swap_case(source))

    assert not check(swapped).diagnostics
    for node_id in ("102001", "102002", "102004"):
        assert the(swapped, node_id).config == the(plain, node_id).config
        assert [each.expr for each in the(swapped, node_id).inputs] == [
            each.expr for each in the(plain, node_id).inputs
        ]


def test_ports_have_two_spellings() -> None:
    old = [edge("s", "a", "true"), edge("s", "a", "true_1"), edge("s", "b", "false")]
    new = [edge("s", "a", "branch_0"), edge("s", "a", "branch_1"), edge("s", "b", DEFAULT_PORT)]
    two = selector("s", condition(9, ref(ENTRY, "q")), condition(10, ref(ENTRY, "q")))
    rest = [edge(ENTRY, "s"), edge("a", EXIT), edge("b", EXIT)]

    readings = [
        check(canvas(two, text("a"), text("b"), edges=[*rest, *ports])) for ports in (old, new)
    ]

    assert not any(found(each, "WF109") or found(each, "WF106") for each in readings)
    programs = [each.program for each in readings]
    ports = [
        {(each.source, each.target, each.port) for each in program.root.edges}
        for program in programs
        if program is not None
    ]
    assert ports[0] == ports[1]


def test_an_error_branch_adds_ports() -> None:
    made = the(fixture("ex06_exception_branch"), "105001")

    assert made.ports == (DEFAULT_PORT, ERROR_PORT)
    assert made.policy.on_error == "branch"
    assert made.policy.default == {"output": {"id": 0}}


def test_default_data_that_is_no_json_fills_the_texts() -> None:
    made = canvas(
        model(
            "m",
            outputs=[field("a", "string"), field("n", "integer")],
            settingOnError={"processType": 2, "dataOnErr": "sorry"},
        )
    )

    assert the(made, "m").policy.default == {"a": "sorry", "n": 0}


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ({}, "throw"),
        ({"switch": True, "dataOnErr": "{}"}, "default"),
        ({"switch": False, "dataOnErr": "{}"}, "throw"),
        ({"switch": False, "processType": 2, "dataOnErr": "{}"}, "default"),
        ({"processType": 3}, "branch"),
    ],
)
def test_error_handling_follows_its_type_before_its_switch(setting: Json, expected: str) -> None:
    made = canvas(model("m", settingOnError=setting))

    assert the(made, "m").policy.on_error == expected


def test_attempts_count_the_first_one() -> None:
    made = canvas(model("m", settingOnError={"retryTimes": 2, "timeoutMs": 500}))

    assert the(made, "m").policy.attempts == 3
    assert the(made, "m").policy.timeout_ms == 500


def test_a_node_in_batch_mode_becomes_a_batch_around_it() -> None:
    outer = the(fixture("ex10_node_batch"), "109001")
    inner = the(fixture("ex10_node_batch"), "109001_inner")

    assert isinstance(outer.config, BatchConfig)
    assert outer.config.is_node_batch
    assert outer.config.lists == ("w",)
    assert inner.kind == "model"
    assert inner.canvas_id == "109001"
    assert inner.inputs[0].expr == Element("109001", "w")
    assert outer.body is not None
    assert outer.body.collected[0].expr == Ref("109001_inner", ())


def test_references_inside_a_loop_see_element_index_and_variables() -> None:
    body = text(
        "a",
        "{{e}}{{i}}{{v}}{{o}}",
        e=ref("l", "item.name"),
        i=ref("l", "index", "integer"),
        v=ref("l", "sum"),
        o=ref(ENTRY, "q"),
    )
    made = canvas(
        composite(
            "l",
            "21",
            [body],
            inside("l", "a"),
            loopType="array",
            inputParameters=[
                param("item", lit("[]", "list", schema={"type": "object", "schema": []}))
            ],
            variableParameters=[param("sum", lit("0"))],
        )
    )

    assert {each.name: each.expr for each in the(made, "a").inputs} == {
        "e": Element("l", "item", ("name",)),
        "i": Index("l"),
        "v": LoopVariable("l", "sum"),
        "o": Ref(ENTRY, ("q",), 1),
    }


def test_inline_ports_become_begin_and_end_of_the_body() -> None:
    body = the(canvas(loop("l", text("a"))), "l").body

    assert body is not None
    assert [(each.source, each.target) for each in body.edges] == [
        (SCOPE_START, "a"),
        ("a", SCOPE_END),
    ]


def test_break_leads_to_the_end_of_the_iteration_without_an_edge() -> None:
    body = the(fixture("ex03_loop_variable_break"), "102001").body

    assert body is not None
    assert ("102005", SCOPE_END) in {(each.source, each.target) for each in body.edges}


def test_an_assembled_object_keeps_its_parts() -> None:
    (binding,) = the(fixture("ex07_child_workflow"), "106002").inputs

    assert isinstance(binding.expr, ObjectOf)
    assert [each.name for each in binding.expr.members] == ["text", "fixed"]
    assert binding.expr.members[1].expr == Const(1)
    assert str(binding.type.fields[1].type) == "integer"


def test_entry_defaults_are_converted() -> None:
    config = the(fixture("ex01_entry_exit"), ENTRY).config

    assert isinstance(config, EntryConfig)
    assert config.defaults == {"age": 30}


def test_references_in_http_texts_become_inputs() -> None:
    made = the(fixture("ex09_http"), "108001")

    assert isinstance(made.config, HttpConfig)
    (slot,) = made.config.url.slots
    binding = made.input(slot.name)
    assert binding is not None
    assert binding.expr == Ref(ENTRY, ("q",))


def test_a_value_in_a_json_string_is_marked_for_escaping() -> None:
    body = '{"a": "{{block_output_100001.q}}", "b": {{block_output_100001.q}}}'
    made = the(
        canvas(
            node(
                "h",
                "45",
                apiInfo={"method": "POST", "url": "https://h"},
                body={"bodyType": "JSON", "bodyData": {"json": body}},
            )
        ),
        "h",
    )

    assert isinstance(made.config, HttpConfig)
    assert [each.is_quoted for each in made.config.text.slots] == [True, False]


def test_operands_are_inputs_named_by_the_conditions() -> None:
    made = the(fixture("ex02_selector_merge"), "101001")

    assert isinstance(made.config, SelectorConfig)
    (read,) = made.config.branches[0].conditions
    assert made.input(read.left) is not None
    assert made.input(read.right) is not None
    assert made.parameters == ()


def test_comments_are_dropped_and_unknown_kinds_kept() -> None:
    made = canvas(node("x", "4711"), edges=[edge(ENTRY, "x"), edge("x", EXIT)])
    made["nodes"].append({"id": "note", "type": "31", "data": {}})  # type: ignore[attr-defined]
    reading = check(made)

    assert reading.program is not None
    assert [each.id for each in reading.program.root.nodes] == [ENTRY, "x", EXIT]
    assert "4711" in reading.export()
    assert '"31"' in reading.export()


def test_what_cannot_run_does_not_compile() -> None:
    with pytest.raises(NotCompilable, match="WF104"):
        check(canvas(node("x", "4711"))).compile()


def test_every_kind_of_the_specification_is_registered() -> None:
    numbers = {int(each) for each in types_by_id()}

    assert numbers == {
        *range(1, 7),
        8,
        9,
        *range(11, 26),
        *range(27, 33),
        *range(37, 41),
        *range(42, 47),
        *range(51, 61),
    }
    assert all({"en", "zh"} <= set(NODE_TYPES.get(name).names) for name in NODE_TYPES.names())


def test_program_says_what_goes_in_and_out() -> None:
    program = check(fixture("ex01_entry_exit")).program

    assert program is not None
    assert [each.name for each in program.input] == ["first", "age"]
    assert [each.name for each in program.output] == ["name", "age_text"]


def test_equal_canvases_have_equal_hashes() -> None:
    source = json.loads(fixture("ex02_selector_merge"))
    shuffled = json.dumps(dict(reversed(source.items())), indent=3)
    hashes = {
        reading.program.version_hash
        for reading in (check(json.dumps(source)), check(shuffled))
        if reading.program is not None
    }

    assert len(hashes) == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=12,
)
TYPES = st.sampled_from([*(str(each) for each in range(1, 63)), "", "x"])
NAMES = st.sampled_from(["100001", "900001", "a", "b", "c", "$start", ""])


@given(data=st.data())
def test_export_returns_what_was_imported(data: st.DataObject) -> None:
    source = {"nodes": [], "edges": [], **data.draw(st.dictionaries(st.text(), JSON, max_size=4))}
    written = json.dumps(source)

    assert json.loads(check(written).export()) == json.loads(written)


_KEYS = [
    "inputs", "outputs", "inputParameters", "branches", "condition", "conditions", "left",
    "right", "input", "value", "content", "type", "schema", "llmParam", "settingOnError",
    "processType", "dataOnErr", "batch", "inputLists", "mergeGroups", "variables", "intents",
    "options", "blocks", "edges", "name", "source", "blockID", "path", "code", "sql",
    "apiInfo", "url", "body", "outputSchema", "concatParams", "variableParameters",
]  # fmt: skip
_SOME = st.recursive(
    st.none() | st.integers(-3, 60) | st.sampled_from(["ref", "literal", "list", "a", "{{a}}"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_KEYS), inner, max_size=5)
    ),
    max_leaves=25,
)


@given(data=st.data())
def test_checking_never_raises(data: st.DataObject) -> None:
    nodes = [
        {"id": data.draw(NAMES), "type": data.draw(TYPES), "data": data.draw(_SOME)}
        for _ in range(data.draw(st.integers(0, 4)))
    ]
    edges = [
        {
            "sourceNodeID": data.draw(NAMES),
            "targetNodeID": data.draw(NAMES),
            "sourcePortID": data.draw(st.sampled_from(["", "true", "true_1", "branch_error"])),
        }
        for _ in range(data.draw(st.integers(0, 6)))
    ]

    reading = check(json.dumps({"nodes": nodes, "edges": edges}))

    assert reading.program is not None
    if reading.can_run:
        reading.compile()


def mutated(value: object, chance: random.Random) -> object:
    if chance.random() < 0.02:
        return chance.choice([None, 7, "", "x", [], {}, True, -1.5])
    if isinstance(value, dict):
        return {key: mutated(item, chance) for key, item in value.items() if chance.random() > 0.01}
    return [mutated(item, chance) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("ex*.json")), ids=lambda path: path.stem)
def test_damaged_canvases_are_diagnosed(path: object) -> None:
    source = json.loads(FIXTURES.joinpath(str(path)).read_text("utf-8"))
    for seed in range(60):
        chance = random.Random(seed)  # noqa: S311  # repeatable, not secret
        reading = check(json.dumps(mutated(source, chance)))
        if reading.can_run:
            reading.compile()


def chain(length: int) -> Json:
    row = [
        text(f"t{n}", "{{x}}", x=ref(f"t{n - 1}" if n else ENTRY, "output" if n else "q"))
        for n in range(length)
    ]
    return canvas(*row, exit_(r=ref(f"t{length - 1}", "output")))


def fan(length: int) -> Json:
    row = [text(f"t{n}", "{{x}}", x=ref(ENTRY, "q")) for n in range(length)]
    edges = [edge(ENTRY, f"t{n}") for n in range(length)]
    edges += [edge(f"t{n}", EXIT) for n in range(length)]
    return canvas(*row, edges=edges)


def knot(length: int) -> Json:
    row = [text(f"t{n}") for n in range(length)]
    edges = [edge(ENTRY, "t0"), edge("t1", EXIT)]
    edges += [edge(f"t{n}", f"t{(n + 1) % length}") for n in range(length)]
    return canvas(*row, edges=edges)


def isolated(length: int) -> Json:
    return canvas(*(text(f"t{n}") for n in range(length)), edges=[edge(ENTRY, EXIT)])


@pytest.mark.parametrize("shape", [chain, fan, knot, isolated])
def test_the_work_for_too_many_nodes_is_linear(shape: Callable[[int], Json]) -> None:
    written = {length: json.dumps(shape(length)) for length in (1_100, 3_300)}

    def work(length: int) -> None:
        assert "WF501" in {each.code for each in check(written[length]).diagnostics}

    assert growth(work, small=1_100, times=3) < LINEAR


def test_the_work_for_permitted_nodes_is_linear() -> None:
    written = {length: json.dumps(chain(length)) for length in (60, 480)}

    def work(length: int) -> None:
        assert check(written[length]).can_be_published

    assert growth(work, small=60) < LINEAR


def nested(depth: int) -> Json:
    inner = text("leaf")
    for level in range(depth):
        inner = loop(f"l{level}", inner)
    return canvas(inner)


def test_deep_nesting_is_told() -> None:
    assert "WF501" in {each.code for each in check(nested(25)).diagnostics}
    assert "WF501" in {each.code for each in check(nested(60)).diagnostics}
    assert not check(nested(3)).diagnostics or found(check(nested(3)), "WF113")
