"""Runs can be repeated from a node on, node by node, and to the letter."""

from typing import Any

import pytest

from domain.workflow.engine.debug import divergence, fork, recorded_effects, single_node
from domain.workflow.engine.event import NodeBegan
from domain.workflow.error import NotCompilable
from domain.workflow.node import NODE_TYPES
from domain.workflow.node.control.unsupported import UNSUPPORTED
from tests.support.workflow.canvas import (
    ENTRY,
    Json,
    canvas,
    check,
    exit_,
    field,
    list_ref,
    lit,
    loop,
    model,
    param,
    ref,
    text,
)
from tests.support.workflow.world import MemoryJournal, ScriptedModels, World


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
