import asyncio
from collections import Counter
from dataclasses import dataclass, field
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from crossdomain.memory.contract import VariableHolder, VariableValue
from domain.shared.access import TenantScope
from domain.workflow.engine.event import NodeBegan
from domain.workflow.limit import WorkflowLimits
from domain.workflow.plan import compile_program
from tests.support.workflow.world import MemoryVariables, World
from tests.unit.domain.workflow.engine.graphs import END, START, Drawn, evaluate, graphs


@dataclass
class SlowVariables(MemoryVariables):
    """Answers after a random number of turns, so that nodes end in a random order."""

    random: Random = field(default_factory=Random)

    async def get_variables(
        self, scope: TenantScope, holder: VariableHolder
    ) -> tuple[VariableValue, ...]:
        for _ in range(self.random.randrange(6)):
            await asyncio.sleep(0)
        return ()


def run(drawn: Drawn, seed: int, *, concurrent: int = 64) -> World:
    async def go() -> World:
        world = World(
            variables=SlowVariables(random=Random(seed)),  # noqa: S311 - repeatable on purpose
            limits=WorkflowLimits(concurrent_nodes=concurrent),
        )
        world.result = await world.run(compile_program(drawn.program), {"x": "ax"})
        return world

    return asyncio.run(go())


@given(drawn=graphs(), seed=st.integers(0, 2**32))
def test_a_graph_gives_what_its_rules_say_in_any_order(drawn: Drawn, seed: int) -> None:
    expected = evaluate(drawn, "ax")

    world = run(drawn, seed)

    assert world.result is not None
    assert world.result.status == "success", world.result.error
    wanted = {name: expected.get(name) or "" for name in drawn.sources[END]}
    assert world.result.output == wanted
    began = Counter(each.path for each in world.recorder.events if isinstance(each, NodeBegan))
    assert set(began.values()) == {1}
    nodes = {node.id for node in drawn.program.root.nodes}
    ran = {path[0] for path in began}
    chosen = {name for name in nodes - {START, END} if name in expected}
    selectors = {node.id for node in drawn.program.root.nodes if node.kind == "selector"}
    assert ran - selectors == chosen | {START, END}


@given(drawn=graphs(), seed=st.integers(0, 2**32))
def test_a_cap_on_concurrent_nodes_changes_nothing(drawn: Drawn, seed: int) -> None:
    free, tight = run(drawn, seed), run(drawn, seed + 1, concurrent=1)

    assert free.result is not None
    assert tight.result is not None
    assert free.result.output == tight.result.output
