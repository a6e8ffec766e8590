"""The workflow engine against LangGraph on the same graphs: trivial nodes, no model."""

import asyncio
import itertools
import statistics
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from time import perf_counter, process_time
from typing import Annotated, Any, Final, TypedDict

from langgraph.graph import END as LG_END
from langgraph.graph import START as LG_START
from langgraph.graph import StateGraph

from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import SpaceId, UserId
from domain.workflow.engine.checkpoint import encode_entry
from domain.workflow.engine.event import JournalEntry
from domain.workflow.engine.execution import Durability, Engine, RunOptions
from domain.workflow.graph import (
    SCOPE_END,
    SCOPE_START,
    Binding,
    Collected,
    Const,
    Edge,
    Expr,
    Index,
    Node,
    OnNode,
    Program,
    Ref,
    Scope,
)
from domain.workflow.limit import WorkflowLimits
from domain.workflow.node.control.entry import EntryConfig
from domain.workflow.node.control.exit import ExitConfig
from domain.workflow.node.control.loop import LoopConfig
from domain.workflow.node.data.text import TextConfig
from domain.workflow.plan import Plan, compile_program
from domain.workflow.port import Ports, RunContext
from domain.workflow.template import compile_template
from domain.workflow.value import ANY, INTEGER, STRING, Field, list_of

CHAIN: Final = 50
FAN: Final = 100
LOOP: Final = 1000
_ROUNDS: Final = 7
_DURABILITIES: Final[tuple[Durability, ...]] = ("off", "batched")
_ENTRY: Final = "in"
_EXIT: Final = "out"


@dataclass(frozen=True)
class Row:
    """Milliseconds of one run, the median of several: on the clock, and of the processor."""

    graph: str
    engine: str
    ms: float
    cpu_ms: float
    times_faster: float = 1.0


class _Clock:
    def now(self) -> datetime:
        return datetime.fromtimestamp(0, UTC)


class _Ids(IdGenerator):
    def next_id(self) -> int:
        return 1


class _Journal:
    """Encodes entries as a store would get them, and forgets them."""

    def record(self, *entries: JournalEntry) -> None:
        for entry in entries:
            encode_entry(entry)

    async def flush(self) -> None:
        await asyncio.sleep(0)


def _bind(name: str, expr: Expr) -> Binding:
    return Binding(name=name, expr=expr, type=STRING)


def _entry() -> Node:
    return Node(
        id=_ENTRY,
        kind="entry",
        title=_ENTRY,
        config=EntryConfig(defaults={}),
        outputs=(Field(name="output", type=STRING),),
        null_fill=True,
    )


def _exit(*bindings: Binding) -> Node:
    return Node(
        id=_EXIT, kind="exit", title=_EXIT, config=ExitConfig(), inputs=bindings, zero_fill=True
    )


def _text(node_id: str, expr: Expr) -> Node:
    return Node(
        id=node_id,
        kind="text",
        title=node_id,
        config=TextConfig(method="concat", template=compile_template("{{v}}", ["v"])),
        inputs=(_bind("v", expr),),
        outputs=(Field(name="output", type=STRING),),
        zero_fill=True,
    )


def _plan(name: str, nodes: list[Node], edges: list[tuple[str, str]]) -> Plan:
    scope = Scope(
        id="",
        nodes=tuple(nodes),
        edges=tuple(Edge(source=source, target=target) for source, target in edges),
        start=_ENTRY,
        end=OnNode(_EXIT),
    )
    return compile_program(Program(dialect="coze", version_hash=name, root=scope))


def chain_plan() -> Plan:
    """Nodes in a row, each copying the text of the one before."""
    ids = [_ENTRY, *(f"n{number}" for number in range(CHAIN))]
    nodes = [_entry()]
    nodes += [
        _text(node_id, Ref(before, ("output",))) for before, node_id in itertools.pairwise(ids)
    ]
    nodes.append(_exit(_bind("v", Ref(ids[-1], ("output",)))))
    order = [*ids, _EXIT]
    return _plan("chain", nodes, list(itertools.pairwise(order)))


def fan_plan() -> Plan:
    """Nodes side by side, all read by the last one."""
    ids = [f"n{number}" for number in range(FAN)]
    nodes = [_entry(), *(_text(node_id, Ref(_ENTRY, ("output",))) for node_id in ids)]
    nodes.append(_exit(*(_bind(node_id, Ref(node_id, ("output",))) for node_id in ids)))
    edges = [(_ENTRY, node_id) for node_id in ids] + [(node_id, _EXIT) for node_id in ids]
    return _plan("fan", nodes, edges)


def loop_plan() -> Plan:
    """One trivial node again and again, its outputs collected."""
    inner = Node(
        id="inner",
        kind="text",
        title="inner",
        config=TextConfig(method="concat", template=compile_template("{{v}}", ["v"])),
        inputs=(Binding(name="v", expr=Index("loop"), type=INTEGER),),
        outputs=(Field(name="output", type=STRING),),
        zero_fill=True,
    )
    all_texts = Collected(name="all", expr=Ref("inner", ("output",)), type=list_of(STRING))
    body = Scope(
        id="loop",
        nodes=(inner,),
        edges=(
            Edge(source=SCOPE_START, target="inner"),
            Edge(source="inner", target=SCOPE_END),
        ),
        start=SCOPE_START,
        end=OnNode(SCOPE_END),
        collected=(all_texts,),
    )
    loop = Node(
        id="loop",
        kind="loop",
        title="loop",
        config=LoopConfig(mode="count", count="$count"),
        inputs=(Binding(name="$count", expr=Const(LOOP), type=INTEGER),),
        outputs=(Field(name="all", type=list_of(STRING)),),
        body=body,
        zero_fill=True,
    )
    last = _exit(Binding(name="all", expr=Ref("loop", ("all",)), type=ANY))
    return _plan("loop", [_entry(), loop, last], [(_ENTRY, "loop"), ("loop", _EXIT)])


def ours(plan: Plan, durability: Durability) -> Callable[[], Awaitable[int]]:
    """Run a plan; returns the size of its output."""
    engine = Engine(ports=Ports(clock=_Clock()), ids=_Ids(clock=_Clock()), limits=WorkflowLimits())
    space = SpaceId(1)
    call = CallContext(
        scope=TenantScope(UserId(1), frozenset({space})), space_id=space, connector_id=1
    )
    options = RunOptions(durability=durability)

    async def run() -> int:
        state = engine.new_state(plan, run_id="1", values={"output": "x"})
        journal = None if durability == "off" else _Journal()
        execution = engine.start(
            plan, state, RunContext(call=call), options=options, journal=journal
        )
        result = await execution.run()
        assert result.output is not None, result.error
        first = next(iter(result.output.values()))
        return len(first) if isinstance(first, list) else len(result.output)

    return run


def _merge(left: dict[str, str], right: dict[str, str]) -> dict[str, str]:
    return {**left, **right}


class _Texts(TypedDict):
    values: Annotated[dict[str, str], _merge]


class _Count(TypedDict):
    index: int
    all: list[str]


def _copy(source: str, target: str) -> Callable[[Any], Any]:
    def step(state: _Texts) -> dict[str, dict[str, str]]:
        return {"values": {target: str(state["values"][source])}}

    return step


def langgraph_chain() -> Callable[[], Awaitable[int]]:
    """The same chain."""
    graph: Any = StateGraph(_Texts)
    ids = [_ENTRY, *(f"n{number}" for number in range(CHAIN))]
    order = [LG_START, *ids[1:], LG_END]
    for before, node_id in itertools.pairwise(ids):
        graph.add_node(node_id, _copy(before, node_id))
    for source, target in itertools.pairwise(order):
        graph.add_edge(source, target)
    return _invoke(graph.compile(), {"values": {_ENTRY: "x"}}, CHAIN + 10, lambda out: 1)


def langgraph_fan() -> Callable[[], Awaitable[int]]:
    """The same fan: all nodes in one superstep."""
    graph: Any = StateGraph(_Texts)
    for number in range(FAN):
        graph.add_node(f"n{number}", _copy(_ENTRY, f"n{number}"))
        graph.add_edge(LG_START, f"n{number}")
        graph.add_edge(f"n{number}", LG_END)
    return _invoke(graph.compile(), {"values": {_ENTRY: "x"}}, 10, lambda out: len(out["values"]))


def langgraph_loop() -> Callable[[], Awaitable[int]]:
    """The same loop, as its users write it: a conditional edge back to the node."""

    def step(state: _Count) -> _Count:
        return {"index": state["index"] + 1, "all": [*state["all"], str(state["index"])]}

    def route(state: _Count) -> str:
        return "again" if state["index"] < LOOP else "done"

    graph: Any = StateGraph(_Count)
    graph.add_node("inner", step)
    graph.add_edge(LG_START, "inner")
    graph.add_conditional_edges("inner", route, {"again": "inner", "done": LG_END})
    start = {"index": 0, "all": []}
    return _invoke(graph.compile(), start, LOOP + 10, lambda out: len(out["all"]))


def _invoke(
    graph: Any, start: dict[str, Any], limit: int, size: Callable[[Any], int]
) -> Callable[[], Awaitable[int]]:
    async def run() -> int:
        return size(await graph.ainvoke(start, {"recursion_limit": limit}))

    return run


def measure(run: Callable[[], Awaitable[int]], *, rounds: int = _ROUNDS) -> tuple[float, float]:
    """Median milliseconds of a run, on the clock and of the processor, after one to warm up."""

    async def go() -> tuple[float, float]:
        await run()
        times, busy = [], []
        for _ in range(rounds):
            started, worked = perf_counter(), process_time()
            await run()
            times.append((perf_counter() - started) * 1000)
            busy.append((process_time() - worked) * 1000)
        return statistics.median(times), statistics.median(busy)

    return asyncio.run(go())


def compare() -> list[Row]:
    """All graphs on all engines, in turn."""
    rows: list[Row] = []
    for name, plan, other in (
        (f"chain of {CHAIN}", chain_plan(), langgraph_chain()),
        (f"fan-out of {FAN}", fan_plan(), langgraph_fan()),
        (f"loop of {LOOP}", loop_plan(), langgraph_loop()),
    ):
        reference, busy = measure(other)
        rows.append(Row(graph=name, engine="langgraph", ms=reference, cpu_ms=busy))
        for durability in _DURABILITIES:
            ms, busy = measure(ours(plan, durability))
            label = "coterie" if durability == "off" else "coterie, journal"
            rows.append(
                Row(graph=name, engine=label, ms=ms, cpu_ms=busy, times_faster=reference / ms)
            )
    return rows


def main() -> None:
    """Print the comparison."""
    for row in compare():
        print(
            f"{row.graph:16} {row.engine:17} {row.ms:9.2f} ms {row.cpu_ms:9.2f} ms cpu"
            f" {row.times_faster:7.1f} x"
        )


if __name__ == "__main__":
    main()
