"""A run that dies at any moment goes on from its journal to the same end."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest

from crossdomain.memory.contract import VariableHolder
from domain.shared.access import TenantScope
from domain.workflow.engine.checkpoint import decode_state, encode_state, fold
from domain.workflow.engine.event import JournalEntry, NodeFinished
from domain.workflow.engine.execution import RunOptions
from domain.workflow.engine.state import RunState
from domain.workflow.graph import (
    SCOPE_END,
    SCOPE_START,
    Binding,
    Collected,
    Const,
    Edge,
    Element,
    LoopVariable,
    Node,
    OnNode,
    Program,
    Ref,
    Scope,
)
from domain.workflow.node.control.batch import BatchConfig
from domain.workflow.node.control.loop import LoopConfig, LoopVariableSetting
from domain.workflow.node.control.set_variable import LoopAssignment, SetVariableConfig
from domain.workflow.plan import Plan, compile_program
from domain.workflow.value import STRING, list_of
from tests.support.workflow.world import MemoryJournal, MemoryVariables, World
from tests.unit.domain.workflow.engine.graphs import (
    END,
    START,
    assign_node,
    bind,
    entry,
    exit_node,
    program,
    text_node,
)

ITEMS: list[object] = ["a", "b", "c"]


def long_program(seed: int) -> Program:
    """Fifty nodes that wait for one another at random; every fifth one has an effect."""
    random = Random(seed)  # noqa: S311 - repeatable on purpose
    nodes, edges = [entry()], []
    for number in range(48):
        node_id = f"n{number:02}"
        source = random.choice(nodes)
        value = Ref(source.id, ("x" if source.id == START else "output",))
        if number % 5 == 4:
            nodes.append(assign_node(node_id, node_id, value))
        else:
            nodes.append(text_node(node_id, f"{number}{{{{v}}}}", bind("v", value)))
        edges.append(Edge(source=source.id, target=node_id))
        extra = random.choice(nodes[:-1]).id
        if extra != source.id:
            edges.append(Edge(source=extra, target=node_id))
    texts = [node.id for node in nodes if node.kind == "text"]
    nodes.append(exit_node(*(bind(each, Ref(each, ("output",))) for each in texts)))
    edges += [Edge(source=node.id, target=END) for node in nodes[:-1]]
    return program(nodes, edges, f"long{seed}")


def _body(composite: str, *, is_loop: bool) -> Scope:
    element = bind("item", Element(composite, "items"))
    inner = [text_node("inner", "{{item}}!", element), assign_node("effect", "e", Ref("inner", ()))]
    row = [SCOPE_START, "inner", "effect", SCOPE_END]
    collected = [_collected("texts", Ref("inner", ("output",)))]
    if is_loop:
        target = LoopVariable(composite, "all")
        inner.append(text_node("joined", "{{all}}{{item}}", bind("all", target), element))
        config = SetVariableConfig(
            assignments=(LoopAssignment(target=target, type=STRING, value="$right.0"),)
        )
        inner.append(
            Node(
                id="set",
                kind="set_variable",
                title="set",
                config=config,
                inputs=(bind("$right.0", Ref("joined", ("output",))),),
            )
        )
        row = [SCOPE_START, "inner", "effect", "joined", "set", SCOPE_END]
        collected.append(Collected(name="all", expr=target, type=STRING))
    edges = tuple(Edge(source=source, target=target) for source, target in pairwise(row))
    return Scope(
        id=composite,
        nodes=tuple(inner),
        edges=edges,
        start=SCOPE_START,
        end=OnNode(SCOPE_END),
        collected=tuple(collected),
    )


def _collected(name: str, expr: Ref) -> Collected:
    return Collected(name=name, expr=expr, type=list_of(STRING))


def composite_program(*, is_loop: bool) -> Program:
    items = Binding(name="items", expr=Const(ITEMS), type=list_of(STRING))  # type: ignore[arg-type]
    inputs = (items, bind("$variable.all", Const("")))
    config = (
        LoopConfig(
            mode="array",
            lists=("items",),
            variables=(LoopVariableSetting(name="all", type=STRING, initial="$variable.all"),),
        )
        if is_loop
        else BatchConfig(lists=("items",))
    )
    many = Node(
        id="many",
        kind="loop" if is_loop else "batch",
        title="many",
        config=config,
        inputs=inputs,
        body=_body("many", is_loop=is_loop),
        zero_fill=True,
    )
    texts = Binding(name="texts", expr=Ref("many", ("texts",)), type=list_of(STRING))
    nodes = [entry(), many, exit_node(texts, bind("all", Ref("many", ("all",))))]
    edges = [Edge(source=START, target="many"), Edge(source="many", target=END)]
    return program(nodes, edges, f"composite{is_loop}")


def rebuilt(world: World, plan: Plan, entries: list[JournalEntry]) -> RunState:
    """Continue from bytes alone."""
    return decode_state(encode_state(fold(world.state(plan, {"x": "go"}), entries)))


@pytest.mark.parametrize(
    "made",
    [
        long_program(1),
        long_program(2),
        composite_program(is_loop=True),
        composite_program(is_loop=False),
    ],
    ids=["long 1", "long 2", "loop", "batch"],
)
async def test_a_run_killed_anywhere_ends_as_if_it_had_not_been(made: Program) -> None:
    plan = compile_program(made)
    world, journal = World(), MemoryJournal()
    state = world.state(plan, {"x": "go"})
    expected = await world.run(plan, state=state, journal=journal)
    assert expected.status == "success"
    entries = journal.decoded()
    assert rebuilt(world, plan, entries) == state
    effects = Counter(world.variables.written)

    for stop in range(len(entries)):
        again, rest = World(), MemoryJournal()
        before = {each.path for each in entries[:stop] if isinstance(each, NodeFinished)}
        result = await again.run(plan, state=rebuilt(again, plan, entries[:stop]), journal=rest)

        assert result.output == expected.output, stop
        after = [each.path for each in rest.decoded() if isinstance(each, NodeFinished)]
        assert len(set(after)) == len(after)
        assert not before & set(after)
        assert Counter(again.variables.written) <= effects
        done = sum(is_effect(path[-1]) for path in before)
        assert len(again.variables.written) == effects.total() - done


def is_effect(node_id: str) -> bool:
    return node_id == "effect" or (node_id[1:].isdigit() and int(node_id[1:]) % 5 == 4)


async def test_effects_wait_until_what_they_follow_is_durable() -> None:
    plan = compile_program(long_program(3))
    journal = MemoryJournal()
    seen: list[bool] = []

    class Watching(MemoryVariables):
        async def set_variables(
            self, scope: TenantScope, holder: VariableHolder, values: Sequence[tuple[str, str]]
        ) -> tuple[str, ...]:
            seen.append(journal.durable > 0)
            return ()

    await World(variables=Watching()).run(plan, {"x": "go"}, journal=journal)

    assert seen
    assert all(seen)


async def test_sync_durability_flushes_after_every_node() -> None:
    plan = compile_program(long_program(4))
    world, journal = World(), MemoryJournal()

    await world.run(plan, {"x": "go"}, journal=journal, options=RunOptions(durability="sync"))

    assert journal.durable == len(journal.entries)
