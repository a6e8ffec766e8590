"""Where edges form cycles, nodes run again when control comes back to them."""

from domain.workflow.engine.checkpoint import decode_state, encode_state, fold
from domain.workflow.engine.event import NodeBegan
from domain.workflow.graph import (
    Binding,
    Edge,
    Flags,
    GlobalKind,
    GlobalVariable,
    Node,
    OnNode,
    OnQuiescence,
    Program,
    Ref,
    Scope,
)
from domain.workflow.limit import WorkflowLimits
from domain.workflow.node.control.variable_assign import GlobalAssignment, VariableAssignConfig
from domain.workflow.plan import Plan, compile_program
from domain.workflow.value import STRING
from tests.support.workflow.world import MemoryJournal, World
from tests.unit.domain.workflow.engine.graphs import (
    END,
    START,
    bind,
    entry,
    exit_node,
    selector_node,
    text_node,
)

WORD = GlobalVariable(GlobalKind.APP, ("word",))


def assign(node_id: str, value: Binding) -> Node:
    assignment = GlobalAssignment(target=WORD, type=STRING, value=value.name)
    return Node(
        id=node_id,
        kind="variable_assign",
        title=node_id,
        config=VariableAssignConfig(assignments=(assignment,)),
        inputs=(value,),
    )


def growing(wanted: str) -> Plan:
    """Add a letter until the word is long enough, then leave."""
    nodes = (
        entry(),
        text_node("grow", "{{w}}a", bind("w", WORD)),
        assign("keep", bind("$right.0", Ref("grow", ("output",)))),
        selector_node("enough", bind("w", WORD), wanted),
        exit_node(bind("word", WORD)),
    )
    edges = (
        Edge(source=START, target="grow"),
        Edge(source="grow", target="keep", group=1),
        Edge(source="keep", target="enough", group=1),
        Edge(source="enough", target="grow", port="default", group=1),
        Edge(source="enough", target=END, port="branch_0"),
    )
    scope = Scope(id="", nodes=nodes, edges=edges, start=START, end=OnNode(END), is_cyclic=True)
    return compile_program(
        Program(dialect="fastgpt", version_hash=f"g{wanted}", root=scope, flags=Flags())
    )


async def test_a_cycle_runs_until_its_branch_leaves_it() -> None:
    world = World()

    result = await world.run(growing("aaaa"), {"x": ""})

    assert result.output == {"word": "aaaa"}
    began = [each.node_id for each in world.recorder.events if isinstance(each, NodeBegan)]
    assert began.count("grow") == 4


async def test_an_endless_cycle_ends_at_the_budget() -> None:
    world = World(limits=WorkflowLimits(node_executions=50))

    result = await world.run(growing("never"), {"x": ""})

    assert result.error is not None
    assert result.error.code == 720799002


async def test_a_cycle_goes_on_after_a_crash_at_any_moment() -> None:
    plan, world, journal = growing("aaa"), World(), MemoryJournal()
    state = world.state(plan, {"x": ""})
    await world.run(plan, state=state, journal=journal)
    entries = journal.decoded()
    assert fold(world.state(plan, {"x": ""}), entries) == state

    for stop in range(len(entries)):
        saved = encode_state(fold(world.state(plan, {"x": ""}), entries[:stop]))
        result = await World().run(plan, state=decode_state(saved))
        assert result.output == {"word": "aaa"}, stop


async def test_a_scope_without_an_end_is_over_when_nothing_is_left() -> None:
    nodes = (
        entry(),
        text_node("a", "1"),
        selector_node("s", bind("w", Ref("a", ("output",))), "2"),
        text_node("b", "2"),
        text_node("c", "3"),
    )
    edges = (
        Edge(source=START, target="a"),
        Edge(source="a", target="s"),
        Edge(source="s", target="b", port="branch_0"),
        Edge(source="b", target="c"),
    )
    for is_cyclic in (False, True):
        scope = Scope(
            id="",
            nodes=nodes,
            edges=edges,
            start=START,
            end=OnQuiescence(),
            is_cyclic=is_cyclic,
        )
        world = World()
        made = Program(dialect="fastgpt", version_hash=f"q{is_cyclic}", root=scope)

        result = await world.run(compile_program(made), {"x": ""})

        began = [each.node_id for each in world.recorder.events if isinstance(each, NodeBegan)]
        assert result.status == "success"
        assert began == [START, "a", "s"]


async def test_nodes_that_nothing_leads_to_do_not_keep_a_scope_open() -> None:
    nodes = (entry(), text_node("a", "1"), text_node("lost", "2"), text_node("after", "3"))
    edges = (Edge(source=START, target="a"), Edge(source="lost", target="after"))
    scope = Scope(id="", nodes=nodes, edges=edges, start=START, end=OnQuiescence())
    world = World()
    made = Program(dialect="fastgpt", version_hash="lost", root=scope)

    result = await world.run(compile_program(made), {"x": ""})

    began = [each.node_id for each in world.recorder.events if isinstance(each, NodeBegan)]
    assert result.status == "success"
    assert began == [START, "a"]
