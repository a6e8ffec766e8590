"""Runs can be repeated from a node on, node by node, and to the letter."""

import re
from typing import Any

import pytest

from domain.shared.error import InvalidRequest
from domain.workflow.engine.checkpoint import decode_state, encode_state
from domain.workflow.engine.debug import (
    divergence,
    fork,
    recorded_effects,
    require_known,
    require_mockable,
    single_node,
)
from domain.workflow.engine.event import NodeBegan
from domain.workflow.error import NotCompilable
from domain.workflow.graph import Program
from domain.workflow.node import NODE_TYPES
from domain.workflow.node.control.unsupported import UNSUPPORTED
from tests.support.workflow.canvas import (
    ENTRY,
    Json,
    canvas,
    check,
    condition,
    edge,
    exit_,
    field,
    list_ref,
    lit,
    loop,
    model,
    node,
    param,
    ref,
    selector,
    text,
)
from tests.support.workflow.world import FilePrograms, MemoryJournal, ScriptedModels, World
from tests.unit.domain.workflow.engine.test_absent import PROBE, PROBES


def three_steps() -> Json:
    return canvas(
        text("15", "{{a}}1", a=ref(ENTRY, "q")),
        model("3", "{{a}}", inputs={"a": ref("15", "output")}),
        text("16", "{{a}}3", a=ref("3", "output")),
        exit_(v=ref("16", "output")),
    )


def began(world: World) -> list[str]:
    return [each.node_id for each in world.recorder.events if isinstance(each, NodeBegan)]


async def test_a_fork_repeats_only_what_follows_the_node() -> None:
    plan = check(three_steps()).compile()
    first = World(models=ScriptedModels(["M"]))
    state = first.state(plan, {"q": "x"})
    await first.run(plan, state=state)

    again = World()
    edited = fork(plan, state, run_id="2", node_id="16", inputs={"a": "edited"})
    result = await again.run(plan, state=edited)

    assert result.output == {"v": "edited3"}
    assert began(again) == ["16", "900001"]


async def test_a_fork_takes_edited_results_of_earlier_nodes() -> None:
    plan = check(three_steps()).compile()
    first = World(models=ScriptedModels(["M"]))
    state = first.state(plan, {"q": "x"})
    await first.run(plan, state=state)

    edited = fork(plan, state, run_id="2", node_id="16", outputs={"3": {"output": "other"}})
    result = await World().run(plan, state=edited)

    assert result.output == {"v": "other3"}


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"inputs": {"b": "x", "a": "y"}}, "inputs: the node 16 does not read b; it reads a."),
        ({"inputs": {"3.output": "x"}}, "does not read 3.output; it reads a."),
        ({"outputs": {"3": {}, "99": {}}}, "outputs: there is no node 99 at the top level."),
    ],
)
def test_a_fork_takes_nothing_that_it_would_not_use(changed: dict[str, Any], told: str) -> None:
    plan = check(three_steps()).compile()
    state = World().state(plan, {"q": "x"})

    with pytest.raises(InvalidRequest) as refused:
        fork(plan, state, run_id="2", node_id="16", **changed)

    assert told in refused.value.message


async def test_a_failed_run_goes_on_from_the_failed_node() -> None:
    plan = check(three_steps()).compile()
    first = World(models=ScriptedModels([]))
    state = first.state(plan, {"q": "x"})
    assert (await first.run(plan, state=state)).status == "failed"

    again = World(models=ScriptedModels(["M"]))
    result = await again.run(plan, state=fork(plan, state, run_id="2", node_id="3"))

    assert result.output == {"v": "M3"}
    assert began(again) == ["3", "16", "900001"]


async def test_a_single_node_runs_with_the_inputs_given() -> None:
    program = check(three_steps()).program
    assert program is not None
    for name in ("a", "3.output"):
        plan, state = single_node(program, "16", {name: "y"})
        result = await World().run(plan, state=state)
        assert result.output == {"output": "y3"}


async def test_a_single_composite_runs_with_its_whole_body() -> None:
    body = text("15", "{{i}}{{q}}", i=ref("21", "index", "integer"), q=ref(ENTRY, "q"))
    made = loop("21", body)
    made["data"]["outputs"] = [param("all", list_ref("15", "output"))]  # type: ignore[index]
    program = check(canvas(made, exit_(all=list_ref("21", "all")))).program
    assert program is not None

    plan, state = single_node(program, "21", {f"{ENTRY}.q": "z"})
    result = await World().run(plan, state=state)

    assert result.output == {"all": ["0z", "1z", "2z"]}


def in_a_loop() -> Json:
    """A loop with a variable around a text and another loop that read all it has."""
    item = {"type": "object", "schema": [field("title", "string")]}
    inner = loop(
        "22",
        text("16", "{{o}}{{i}}", o=ref("21", "word.title"), i=ref("22", "index", "integer")),
        loopCount=lit("2", "integer"),
        outputs=[param("all", list_ref("16", "output"))],
    )
    reading = text(
        "15",
        "{{t}}|{{i}}|{{v}}|{{p.t}}",
        t=ref("21", "word.title"),
        i=ref("21", "index", "integer"),
        v=ref("21", "v"),
        p={
            "type": "object",
            "schema": [param("t", ref("21", "word.title"))],
            "value": {"type": "object_ref"},
        },
    )
    return loop(
        "21",
        reading,
        inner,
        loopType="array",
        inputParameters=[param("word", lit("[]", "list", schema=item))],
        variableParameters=[param("v", lit("x"))],
    )


@pytest.mark.parametrize("word", [{"21.word": {"title": "T"}}, {"21.word.title": "T"}])
async def test_a_node_of_a_loop_runs_with_the_values_of_the_loop(word: dict[str, Any]) -> None:
    program = check(canvas(in_a_loop())).program
    assert program is not None
    world = World()
    outputs = []
    for index in (4, 5):
        given = {**word, "21.index": index, "21.v": "V"}
        for node_id in ("15", "22"):
            plan, state = single_node(program, node_id, given)
            result = await world.run(plan, state=state)
            outputs.append(result.output)

    assert outputs == [
        {"output": "T|4|V|T"},
        {"all": ["T0", "T1"]},
        {"output": "T|5|V|T"},
        {"all": ["T0", "T1"]},
    ]


async def test_what_a_loop_was_not_given_is_null() -> None:
    program = check(canvas(in_a_loop())).program
    assert program is not None

    plan, state = single_node(program, "15", {"t": "by name"})
    result = await World().run(plan, state=state)

    assert result.output == {"output": "by name|0||"}


async def test_an_unknown_node_cannot_be_run() -> None:
    program = check(three_steps()).program
    assert program is not None

    with pytest.raises(NotCompilable):
        single_node(program, "99", {})


def program_of(*nodes: Json) -> Program:
    program = check(canvas(*nodes, entry=[field("q", "string")])).program
    assert program is not None
    return program


def offered_by(program: Program, node_id: str) -> list[str]:
    """Names that the refusal of an unknown one says there are."""
    with pytest.raises(InvalidRequest) as refused:
        require_known(program, node_id, ["neither"])
    assert "neither" in refused.value.message
    _, listed = refused.value.message.rstrip(".").split("; it reads ")
    return [] if listed == "nothing" else listed.split(", ")


@pytest.mark.parametrize("kind", [*PROBES, "entry"])
def test_a_single_node_is_given_nothing_that_it_does_not_read(kind: str) -> None:
    probe = PROBES[kind]() if kind in PROBES else text("15", "x")
    program = program_of(probe)
    inner = probe["id"] == "21" and kind != "loop"
    node_id = {"entry": ENTRY}.get(kind, PROBE if inner else str(probe["id"]))
    offered = offered_by(program, node_id)

    for name in offered:
        require_known(program, node_id, [name])
        plan, state = single_node(program, node_id, {name: "given"})
        read = state.input if kind == "entry" else state.root.open[node_id].inputs
        is_read = "given" in str(read) or (plan.root.nodes[0].node.body is not None)
        assert is_read, name
        assert b"given" in encode_state(state), name
    for name in ("x y", "99.q", "99", f"{ENTRY}.other", f"{ENTRY}.q2", *(f"{o}x" for o in offered)):
        with pytest.raises(InvalidRequest) as refused:
            require_known(program, node_id, [*offered, name])
        assert f"does not read {name}; it reads " in refused.value.message


async def test_a_node_that_puts_values_together_is_given_their_parts() -> None:
    parts: Json = {
        "type": "object",
        "schema": [param("b", ref(ENTRY, "q")), param("c", lit("fixed"))],
        "value": {"type": "object_ref"},
    }
    program = program_of(text("15", "{{a.b}}{{a.c}}", a=parts))

    ways: list[dict[str, Any]] = [{f"{ENTRY}.q": "x"}, {"a": {"b": "x", "c": "fixed"}}]
    for given in ways:
        require_known(program, "15", given)
        plan, state = single_node(program, "15", given)
        result = await World().run(plan, state=state)
        assert result.output == {"output": "xfixed"}


async def test_a_node_in_batch_mode_is_given_its_lists_and_its_parameters() -> None:
    lists = {
        "batchEnable": True,
        "inputLists": [param("item", list_ref(ENTRY, "q"))],
    }
    outputs = [
        {
            **field("outputList", "list"),
            "schema": {"type": "object", "schema": [field("output", "string")]},
        }
    ]
    inputs = {"one": ref("3", "item"), "a": ref(ENTRY, "q")}
    program = program_of(model("3", "{{one}}{{a}}", inputs=inputs, batch=lists, outputs=outputs))
    world = World(models=ScriptedModels(["1", "2"]))

    given: dict[str, Any] = {"item": ["p", "q"], "a": "!"}
    require_known(program, "3", given)
    plan, state = single_node(program, "3", given)
    result = await world.run(plan, state=state)

    assert result.status == "success", result.error
    assert sorted(each.messages[-1].text for each in world.models.requests) == ["p!", "q!"]


async def test_an_entry_is_given_its_fields() -> None:
    plan, state = single_node(program_of(text("15", "x")), ENTRY, {"q": "given"})

    result = await World().run(plan, state=state)

    assert result.output == {"q": "given"}


async def test_a_replay_with_recorded_effects_does_not_diverge() -> None:
    plan = check(three_steps()).compile()
    first, journal = World(models=ScriptedModels(["M"])), MemoryJournal()
    state = first.state(plan, {"q": "x"})
    await first.run(plan, state=state, journal=journal)

    replay, repeated = World(), MemoryJournal()
    start = recorded_effects(plan, state, journal.decoded(), run_id="2")
    result = await replay.run(plan, state=start, journal=repeated)

    assert result.output == {"v": "M3"}
    model_entry = [each for each in journal.decoded() if getattr(each, "path", ()) == ("3",)]
    assert divergence(journal.decoded(), [*model_entry, *repeated.decoded()]) is None
    assert divergence(journal.decoded(), repeated.decoded()) == ("3",)


def test_every_kind_has_a_runner_but_comments_and_what_is_only_named() -> None:
    named = {kind for kind in NODE_TYPES.names() if not NODE_TYPES.get(kind).is_runnable}

    assert named == {"comment", *UNSUPPORTED}


async def mocked(
    world: World, flow: Json, mocks: dict[str, dict[str, Any]], values: dict[str, Any]
) -> dict[str, Any] | None:
    """Run a canvas of which some nodes have fixed outputs, from a state that was stored."""
    plan = check(flow).compile()
    require_mockable(plan.program, mocks)
    state = world.state(plan, values)
    state.mocks = mocks
    result = await world.run(plan, state=decode_state(encode_state(state)))
    return result.output


async def test_a_mocked_node_is_not_run_and_what_follows_reads_its_outputs() -> None:
    world = World(models=ScriptedModels([]))

    output = await mocked(world, three_steps(), {"3": {"output": "fixed"}}, {"q": "x"})

    assert output == {"v": "fixed3"}
    assert began(world) == [ENTRY, "15", "3", "16", "900001"]


async def test_what_a_mock_leaves_out_is_null() -> None:
    output = await mocked(World(models=ScriptedModels([])), three_steps(), {"3": {}}, {"q": "x"})

    assert output == {"v": "3"}


async def test_a_mock_inside_a_loop_counts_in_each_iteration() -> None:
    body = loop("21", model("3"), loopCount=lit("2", "integer"))
    body["data"]["outputs"] = [param("all", list_ref("3", "output"))]  # type: ignore[index]
    flow = canvas(body, exit_(v=list_ref("21", "all")))

    output = await mocked(
        World(models=ScriptedModels([])), flow, {"3": {"output": "m"}}, {"q": "x"}
    )

    assert output == {"v": ["m", "m"]}


async def test_mocks_do_not_reach_into_other_workflows_with_the_same_ids() -> None:
    child = canvas(text("15", "child"), exit_(a=ref("15", "output")))
    calls = node(
        "9",
        "9",
        outputs=[field("a", "string")],
        workflowId="5",
        type=0,
        inputParameters=[param("q", ref(ENTRY, "q"))],
    )
    flow = canvas(calls, text("15", "own"), exit_(a=ref("9", "a"), b=ref("15", "output")))
    world = World(programs=FilePrograms(texts={"5": check(child).text}))

    output = await mocked(world, flow, {"15": {"output": "fixed"}}, {"q": "x"})

    assert output == {"a": "child", "b": "fixed"}


async def test_a_fork_keeps_the_mocks() -> None:
    plan = check(three_steps()).compile()
    first = World(models=ScriptedModels([]))
    state = first.state(plan, {"q": "x"})
    state.mocks = {"3": {"output": "fixed"}}
    await first.run(plan, state=state)

    again = fork(plan, state, run_id="2", node_id="3")
    result = await World(models=ScriptedModels([])).run(plan, state=again)

    assert result.output == {"v": "fixed3"}


@pytest.mark.parametrize(
    ("mocks", "told"),
    [
        ({"nowhere": {}}, "there is no node nowhere"),
        ({ENTRY: {"q": "x"}}, "begins or ends the workflow"),
        ({"900001": {}}, "begins or ends the workflow"),
        ({"8": {}}, "chooses a branch"),
        ({"15": {"other": 1}}, "has no output other; it has output."),
    ],
)
def test_what_cannot_be_mocked_is_refused(mocks: dict[str, dict[str, Any]], told: str) -> None:
    flow = canvas(
        selector("8", condition(1, ref(ENTRY, "q"), lit("x"))),
        text("15"),
        exit_(v=ref("15", "output")),
        edges=[
            edge(ENTRY, "8"),
            edge("8", "15", "true"),
            edge("8", "15", "false"),
            edge("15", "900001"),
        ],
    )

    with pytest.raises(InvalidRequest, match=re.escape(told)):
        require_mockable(check(flow).compile().program, mocks)
