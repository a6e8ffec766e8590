"""Rules about control: reachability, cycles, missing and forbidden connections."""

from collections.abc import Iterable, Mapping
from typing import Final

from domain.workflow import graph
from domain.workflow.engine.state import named
from domain.workflow.lint.diagnostic import EdgeName, Report
from domain.workflow.node import NODE_TYPES

_LOOP_ONLY: Final = frozenset({"break", "continue", "set_variable"})
_NEEDS_NO_SUCCESSOR: Final = frozenset({"exit", "break", "continue"})

Successors = Mapping[str, list[str]]


def check_flow(root: graph.Scope, report: Report) -> None:
    """Apply the rules to every scope."""
    composites = {
        node.id: node for scope in graph.walk_scopes(root) for node in scope.nodes if node.body
    }
    for scope in graph.walk_scopes(root):
        successors: dict[str, list[str]] = {}
        predecessors: dict[str, list[str]] = {}
        for edge in scope.edges:
            successors.setdefault(edge.source, []).append(edge.target)
            predecessors.setdefault(edge.target, []).append(edge.source)
        is_root = scope is root
        _check_ports(scope, report, is_root=is_root)
        if not scope.is_cyclic:
            _check_cycles(scope, successors, report)
        if is_root:
            _check_ends(scope, successors, predecessors, report)
            _check_loop_only(scope, None, report)
        else:
            composite = composites[scope.id]
            _check_body(scope, composite, successors, report)
            _check_loop_only(scope, composite, report)


def reached(start: Iterable[str], neighbours: Successors) -> set[str]:
    """Everything that can be reached from ``start``, itself included."""
    found = set(start)
    waiting = list(found)
    while waiting:
        for neighbour in neighbours.get(waiting.pop(), ()):
            if neighbour not in found:
                found.add(neighbour)
                waiting.append(neighbour)
    return found


def cycles(nodes: Iterable[str], successors: Successors) -> list[tuple[str, ...]]:
    """Find one cycle in each knot of nodes that lead to each other."""
    return [
        _cycle_in(component, successors)
        for component in components(nodes, successors)
        if len(component) > 1 or component[0] in successors.get(component[0], ())
    ]


def components(nodes: Iterable[str], successors: Successors) -> list[list[str]]:
    """Strongly connected components (Tarjan 1972), without recursion."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    found: list[list[str]] = []
    for root in nodes:
        if root in number:
            continue
        work = [(root, iter(successors.get(root, ())))]
        number[root] = lowest[root] = len(number)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, neighbours = work[-1]
            following = next(neighbours, None)
            if following is None:
                work.pop()
                if work:
                    lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[node])
                if lowest[node] == number[node]:
                    component = _pop_until(stack, node)
                    on_stack.difference_update(component)
                    found.append(component)
            elif following not in number:
                number[following] = lowest[following] = len(number)
                stack.append(following)
                on_stack.add(following)
                work.append((following, iter(successors.get(following, ()))))
            elif following in on_stack:
                lowest[node] = min(lowest[node], number[following])
    return found


def _pop_until(stack: list[str], node: str) -> list[str]:
    popped = [stack.pop()]
    while popped[-1] != node:
        popped.append(stack.pop())
    return popped


def _cycle_in(component: list[str], successors: Successors) -> tuple[str, ...]:
    """Follow edges inside a component until a node comes again."""
    members = set(component)
    path: list[str] = []
    place: dict[str, int] = {}
    node = component[0]
    while node not in place:
        place[node] = len(path)
        path.append(node)
        node = next(each for each in successors[node] if each in members)
    return tuple(path[place[node] :])


def _check_cycles(scope: graph.Scope, successors: Successors, report: Report) -> None:
    by_id = {node.id: node for node in scope.nodes}
    for cycle in cycles(by_id, successors):
        names = [named(by_id[each].title, each) for each in (*cycle[:20], cycle[0])]
        shown = " → ".join((*names[:-1], *(("…",) if len(cycle) > 20 else ()), names[-1]))  # noqa: PLR2004
        first = by_id[cycle[0]]
        report.add(
            "WF110",
            f"Control runs in a circle: {shown}.",
            node_id=first.canvas_id,
            pointer=first.source.pointer,
            related=cycle[:20],
        )


def _check_ports(scope: graph.Scope, report: Report, *, is_root: bool) -> None:
    if isinstance(scope.end, graph.OnQuiescence):
        return
    used: dict[str, set[str]] = {}
    for edge in scope.edges:
        used.setdefault(edge.source, set()).add(edge.port)
    for node in scope.nodes:
        if node.kind in _NEEDS_NO_SUCCESSOR:
            continue
        ports = used.get(node.id, set())
        if graph.PLAIN_PORT in ports:
            continue
        if not node.ports:
            if is_root:
                _report_port(node, "", "Nothing follows this node.", report)
            continue
        for port in node.ports:
            if port not in ports:
                name = _port_name(node, port)
                _report_port(node, name, _nothing_follows(node, port, name), report)


def _nothing_follows(node: graph.Node, port: str, name: str) -> str:
    """Say which branch leads nowhere as editors call it, numbered from 1, and as canvases do."""
    if port == graph.ERROR_PORT:
        return f"Nothing follows the branch for failures ({name})."
    if set(node.ports) == {graph.DEFAULT_PORT, graph.ERROR_PORT}:
        return f"Nothing follows the branch for success ({name})."
    if port == graph.DEFAULT_PORT:
        return f"Nothing follows the branch “otherwise” ({name})."
    number = port.removeprefix(graph.branch_port(0)[:-1])
    if not number.isdecimal():
        return f"Nothing follows the branch {name}."
    return f"Nothing follows branch {int(number) + 1} ({name})."


def _port_name(node: graph.Node, port: str) -> str:
    """Name a port as the canvas does."""
    return "branch_error" if port == graph.ERROR_PORT else NODE_TYPES.get(node.kind).port_name(port)


def _report_port(node: graph.Node, port: str, message: str, report: Report) -> None:
    report.add("WF106", message, node_id=node.canvas_id, pointer=node.source.pointer, port=port)


def _check_ends(
    root: graph.Scope, successors: Successors, predecessors: Successors, report: Report
) -> None:
    if not isinstance(root.end, graph.OnNode):
        return
    ids = {node.id for node in root.nodes}
    end = root.end.node
    if root.start not in ids or end not in ids:
        return
    running = reached((root.start,), successors)
    useful = reached((end,), predecessors)
    if end not in running:
        report.add(
            "WF111",
            "No path leads from the entry to the exit.",
            node_id=end,
            edge=EdgeName(source=root.start, target=end),
        )
    for node in root.nodes:
        if node.id in running and node.id not in useful:
            report.add(
                "WF108",
                "No path leads from this node to the exit.",
                node_id=node.canvas_id,
                pointer=node.source.pointer,
            )


def _check_body(
    scope: graph.Scope, composite: graph.Node, successors: Successors, report: Report
) -> None:
    if scope.end == graph.OnNode(graph.SCOPE_END) and graph.SCOPE_END not in reached(
        (graph.SCOPE_START,), successors
    ):
        report.add(
            "WF115",
            "No path leads from the start of the iteration to its end.",
            node_id=composite.canvas_id,
            pointer=composite.source.pointer,
        )


def _check_loop_only(scope: graph.Scope, composite: graph.Node | None, report: Report) -> None:
    if composite is not None and composite.kind == "loop":
        return
    for node in scope.nodes:
        is_tolerated = node.kind == "continue" and composite is not None
        if node.kind in _LOOP_ONLY and not is_tolerated:
            where = "a batch" if composite is not None else "the top level"
            report.add(
                "WF112",
                f"{node.kind} does not work in {where}.",
                node_id=node.canvas_id,
                pointer=node.source.pointer,
            )
