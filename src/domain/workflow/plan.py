"""Programs made ready to run: who waits for whom, which branches there are, what streams."""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from domain.workflow import graph
from domain.workflow.value import TEXTS, TypeKind

BOUNDARY: Final = -1
"""Index that stands for the begin of a scope (as a source) or its end (as a target)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgePlan:
    """A control edge between nodes, given by their indexes in the scope."""

    index: int
    source: int
    target: int
    port: str
    group: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamSource:
    """Where a streamed input comes from: a node of the same scope and its output."""

    node: int
    output: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NodePlan:
    """A node and its neighbours; all numbers are indexes into the plan of its scope.

    ``groups``: incoming edges, those of one cycle together. ``edges_by_port``: outgoing edges.
    ``sources``: nodes whose outputs the node or its body reads; ``readers`` the other way round.
    ``streams``: inputs that arrive in pieces, by name of the binding.
    """

    index: int
    node: graph.Node
    incoming: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]
    outgoing: tuple[int, ...]
    edges_by_port: Mapping[str, tuple[int, ...]]
    sources: tuple[int, ...]
    readers: tuple[int, ...]
    streams: Mapping[str, StreamSource]
    streaming_outputs: frozenset[str]
    body: "ScopePlan | None"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopePlan:
    """One level of a program. Nodes are in the order of the canvas, in which they start.

    ``start``: index of the node the scope begins with, ``BOUNDARY`` for a body; ``start_edges``
    leave it. ``end``: index of the node that ends the scope, ``BOUNDARY`` for the end of an
    iteration, None for a scope that ends when nothing is left to run; ``end_edges`` lead to it.
    ``awaited``: nodes of which something is collected; an iteration waits for them.
    """

    scope: graph.Scope
    nodes: tuple[NodePlan, ...]
    edges: tuple[EdgePlan, ...]
    index_of: Mapping[str, int]
    start: int
    start_edges: tuple[int, ...]
    end: int | None
    end_edges: tuple[int, ...]
    awaited: tuple[int, ...]
    depth: int

    @property
    def collected(self) -> tuple[graph.Collected, ...]:
        return self.scope.collected


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A compiled program; immutable, so that one serves all runs of a version."""

    program: graph.Program
    root: ScopePlan
    depth: int
    node_count: int

    @property
    def version_hash(self) -> str:
        return self.program.version_hash


def compile_program(program: graph.Program) -> Plan:
    """Compile a program that the check lets run; linear in its size."""
    root = _compile_scope(program.root, depth=1)
    count = depth = 0
    waiting = [root]
    while waiting:
        scope = waiting.pop()
        count += len(scope.nodes)
        depth = max(depth, scope.depth)
        waiting.extend(node.body for node in scope.nodes if node.body is not None)
    return Plan(program=program, root=root, depth=depth, node_count=count)


def reads(node: graph.Node) -> Iterator[tuple[str, graph.Ref]]:
    """List the references of a node itself: (name of the binding, reference)."""
    for binding in node.inputs:
        for leaf in graph.leaves(binding.expr):
            if isinstance(leaf, graph.Ref):
                yield binding.name, leaf


def outer_reads(scope: graph.Scope) -> Iterator[graph.Ref]:
    """List what a body reads outside of it, as references that its composite could make."""
    for node in scope.nodes:
        for _, ref in reads(node):
            if ref.hops > 0:
                yield graph.Ref(ref.node, ref.path, ref.hops - 1)
        if node.body is not None:
            for ref in outer_reads(node.body):
                if ref.hops > 0:
                    yield graph.Ref(ref.node, ref.path, ref.hops - 1)


def _compile_scope(scope: graph.Scope, *, depth: int) -> ScopePlan:
    index_of = {node.id: index for index, node in enumerate(scope.nodes)}
    edges = _edges(scope, index_of)
    incoming: list[list[int]] = [[] for _ in scope.nodes]
    outgoing: list[list[int]] = [[] for _ in scope.nodes]
    for edge in edges:
        if edge.target != BOUNDARY:
            incoming[edge.target].append(edge.index)
        if edge.source != BOUNDARY:
            outgoing[edge.source].append(edge.index)
    sources = [_sources(node, index_of) for node in scope.nodes]
    readers: list[list[int]] = [[] for _ in scope.nodes]
    for index, found in enumerate(sources):
        for source in found:
            readers[source].append(index)
    streaming, streams = _streams(scope, index_of, edges, sources)
    end = index_of.get(scope.end.node, BOUNDARY) if isinstance(scope.end, graph.OnNode) else None
    start = index_of.get(scope.start, BOUNDARY)
    nodes = tuple(
        NodePlan(
            index=index,
            node=node,
            incoming=tuple(incoming[index]),
            groups=_groups(edges, incoming[index]),
            outgoing=tuple(outgoing[index]),
            edges_by_port=_by_port(edges, outgoing[index]),
            sources=sources[index],
            readers=tuple(readers[index]),
            streams=streams[index],
            streaming_outputs=streaming[index],
            body=None if node.body is None else _compile_scope(node.body, depth=depth + 1),
        )
        for index, node in enumerate(scope.nodes)
    )
    return ScopePlan(
        scope=scope,
        nodes=nodes,
        edges=edges,
        index_of=index_of,
        start=start,
        start_edges=tuple(edge.index for edge in edges if edge.source == start),
        end=end,
        end_edges=tuple(edge.index for edge in edges if edge.target == end),
        awaited=_awaited(scope, index_of),
        depth=depth,
    )


def _edges(scope: graph.Scope, index_of: Mapping[str, int]) -> tuple[EdgePlan, ...]:
    ends = (scope.start, scope.end.node if isinstance(scope.end, graph.OnNode) else "")
    known = {**dict.fromkeys(ends, BOUNDARY), **index_of}
    usable = [edge for edge in scope.edges if edge.source in known and edge.target in known]
    return tuple(
        EdgePlan(
            index=index,
            source=known[edge.source],
            target=known[edge.target],
            port=edge.port,
            group=edge.group,
        )
        for index, edge in enumerate(usable)
    )


def _sources(node: graph.Node, index_of: Mapping[str, int]) -> tuple[int, ...]:
    own = (ref for _, ref in reads(node))
    inner = outer_reads(node.body) if node.body is not None else iter(())
    found = {
        index_of[ref.node]: None
        for refs in (own, inner)
        for ref in refs
        if ref.hops == 0 and ref.node in index_of
    }
    return tuple(found)


def _groups(edges: tuple[EdgePlan, ...], incoming: list[int]) -> tuple[tuple[int, ...], ...]:
    groups: dict[int, list[int]] = {}
    for index in incoming:
        groups.setdefault(edges[index].group, []).append(index)
    return tuple(tuple(group) for group in groups.values())


def _by_port(edges: tuple[EdgePlan, ...], outgoing: list[int]) -> dict[str, tuple[int, ...]]:
    ports: dict[str, list[int]] = {graph.PLAIN_PORT: []}
    for index in outgoing:
        ports.setdefault(edges[index].port, []).append(index)
    return {port: tuple(found) for port, found in ports.items()}


def _awaited(scope: graph.Scope, index_of: Mapping[str, int]) -> tuple[int, ...]:
    found = {
        index_of[leaf.node]: None
        for collected in scope.collected
        for leaf in graph.leaves(collected.expr)
        if isinstance(leaf, graph.Ref) and leaf.hops == 0 and leaf.node in index_of
    }
    return tuple(found)


def _streams(
    scope: graph.Scope,
    index_of: Mapping[str, int],
    edges: tuple[EdgePlan, ...],
    sources: list[tuple[int, ...]],
) -> tuple[list[frozenset[str]], list[dict[str, StreamSource]]]:
    """Find the outputs that stream, through nodes that forward streams, and who reads them so."""
    streaming = [frozenset(node.streams.produces) for node in scope.nodes]
    streams: list[dict[str, StreamSource]] = [{} for _ in scope.nodes]
    for index in _topological(len(scope.nodes), edges, sources):
        node = scope.nodes[index]
        consumed = frozenset(node.streams.consumes)
        for binding in node.inputs if consumed else ():
            expr = binding.expr
            if binding.name not in consumed or not isinstance(expr, graph.Ref) or expr.hops:
                continue
            source = index_of.get(expr.node)
            is_text = binding.type.kind in TEXTS or binding.type.kind is TypeKind.ANY
            if source is None or source == index or len(expr.path) != 1 or not is_text:
                continue
            output = str(expr.path[0])
            if output in streaming[source]:
                streams[index][binding.name] = StreamSource(node=source, output=output)
        forwarded = {out for name, out in node.streams.forwards if name in streams[index]}
        if forwarded:
            streaming[index] |= forwarded
    return streaming, streams


def _topological(
    count: int, edges: tuple[EdgePlan, ...], sources: list[tuple[int, ...]]
) -> Iterator[int]:
    """Yield nodes after those they depend on; nodes of a cycle are left out."""
    waiting_for = [0] * count
    followers: list[list[int]] = [[] for _ in range(count)]
    pairs = [(edge.source, edge.target) for edge in edges]
    pairs += [(source, index) for index, found in enumerate(sources) for source in found]
    for source, target in pairs:
        if BOUNDARY not in (source, target):
            followers[source].append(target)
            waiting_for[target] += 1
    ready = deque(index for index in range(count) if not waiting_for[index])
    while ready:
        index = ready.popleft()
        yield index
        for follower in followers[index]:
            waiting_for[follower] -= 1
            if not waiting_for[follower]:
                ready.append(follower)
