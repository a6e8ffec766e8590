"""Debugging of runs: from a node on again, a single node, and the same once more."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from domain.workflow import graph
from domain.workflow.engine.checkpoint import decode_state, encode_state
from domain.workflow.engine.event import JournalEntry, NodeFinished
from domain.workflow.engine.scope_input import walk
from domain.workflow.engine.state import NodePath, NodeProgress, Outcome, RunState, ScopeRecord
from domain.workflow.error import NotCompilable
from domain.workflow.plan import BOUNDARY, Plan, ScopePlan, compile_program
from domain.workflow.value import Path, Value


def fork(
    plan: Plan,
    state: RunState,
    *,
    run_id: str,
    node_id: str,
    inputs: Mapping[str, Value] | None = None,
    outputs: Mapping[str, Mapping[str, Value]] | None = None,
) -> RunState:
    """Make the state of a new run that repeats a node of the top level and what follows it.

    Everything before keeps its results. ``inputs`` replace what the node would read, ``outputs``
    the results of nodes that are kept, by their id.

    Raises:
        NotCompilable: the program has no such node at its top level.
    """
    root = plan.root
    if node_id not in root.index_of:
        raise NotCompilable(f"There is no node {node_id} at the top level.")
    copy = decode_state(encode_state(state))
    repeated = _followers(root, root.index_of[node_id])
    kept: dict[str, Outcome] = {}
    for name, outcome in copy.root.outcomes.items():
        if name in repeated:
            continue
        edited = (outputs or {}).get(name)
        changed = outcome if edited is None else msgspec.structs.replace(outcome, output={**edited})
        kept[name] = changed
    record = ScopeRecord(outcomes=kept)
    if inputs is not None:
        record.open[node_id] = NodeProgress(inputs={**inputs})
    return RunState(
        run_id=run_id,
        version_hash=state.version_hash,
        input=copy.input,
        root=record,
        app_variables=copy.app_variables,
    )


def single_node(
    program: graph.Program, node_id: str, inputs: Mapping[str, Value]
) -> tuple[Plan, RunState]:
    """Make a program of one node, and a state that gives it its inputs.

    ``inputs``: by the name of the parameter, or by the reference ``node.path`` it comes from,
    which is also how bodies of composites get what they read outside. A loop around the node is
    referred to in the same way: ``loop.list`` (the current element), ``loop.index`` and
    ``loop.variable``.

    Raises:
        NotCompilable: there is no such node.
    """
    node = _find(program.root, node_id)
    if node is None:
        raise NotCompilable(f"There is no node {node_id}.")
    node = _settled(node, inputs, frozenset())
    scope = graph.Scope(
        id=program.root.id,
        nodes=(node,),
        edges=(graph.Edge(source=graph.SCOPE_START, target=node.id),),
        start=graph.SCOPE_START,
        end=graph.OnNode(node.id),
    )
    alone = msgspec.structs.replace(
        program, root=scope, version_hash=f"{program.version_hash}/{node_id}/{_digest(inputs)}"
    )
    given: dict[str, Any] = {}
    for binding in node.inputs:
        if isinstance(binding.expr, graph.Const):
            given[binding.name] = binding.expr.value
        names = [binding.name]
        if isinstance(binding.expr, graph.Ref):
            names.append(".".join((binding.expr.node, *map(str, binding.expr.path))))
        for name in names:
            if name in inputs:
                given[binding.name] = inputs[name]
    record = ScopeRecord(outcomes=_outside(inputs))
    record.open[node.id] = NodeProgress(inputs=given)
    state = RunState(run_id="", version_hash=alone.version_hash, input={}, root=record)
    return compile_program(alone), state


def divergence(
    recorded: Iterable[JournalEntry], repeated: Iterable[JournalEntry]
) -> NodePath | None:
    """Compare two journals of a run node by node; return the first node that differs."""
    before = _outcomes(recorded)
    after = _outcomes(repeated)
    for path, outcome in before.items():
        if after.get(path) != outcome:
            return path
    return next((path for path in after if path not in before), None)


def recorded_effects(
    plan: Plan, state: RunState, entries: Iterable[JournalEntry], *, run_id: str
) -> RunState:
    """Make a state in which all nodes that touch the outside are done, to replay the others."""
    replay = RunState(run_id=run_id, version_hash=state.version_hash, input=dict(state.input))
    has_effects = _effectful(plan.program.root)
    for entry in entries:
        if isinstance(entry, NodeFinished) and len(entry.path) == 1 and has_effects(entry.path[0]):
            replay.root.outcomes[entry.path[0]] = entry.outcome
    return replay


def _effectful(scope: graph.Scope) -> Callable[[str], bool]:
    nodes = {node.id: node for node in scope.nodes}

    def has_effects(node_id: str) -> bool:
        waiting = [nodes[node_id]] if node_id in nodes else []
        while waiting:
            node = waiting.pop()
            if node.effects != "none" or node.interrupts or node.kind in {"code", "sub_workflow"}:
                return True
            waiting.extend(node.body.nodes if node.body is not None else ())
        return False

    return has_effects


def _outcomes(entries: Iterable[JournalEntry]) -> dict[NodePath, Outcome]:
    return {entry.path: entry.outcome for entry in entries if isinstance(entry, NodeFinished)}


def _followers(scope: ScopePlan, start: int) -> set[str]:
    """Name a node and everything that takes control or data from it."""
    found, waiting = {start}, [start]
    while waiting:
        node = scope.nodes[waiting.pop()]
        following = {scope.edges[number].target for number in node.outgoing} | set(node.readers)
        for target in following - found - {BOUNDARY}:
            found.add(target)
            waiting.append(target)
    return {scope.nodes[position].node.id for position in found}


def _find(root: graph.Scope, node_id: str) -> graph.Node | None:
    waiting = [root]
    while waiting:
        scope = waiting.pop()
        for node in scope.nodes:
            if node.id == node_id:
                return node
            if node.body is not None:
                waiting.append(node.body)
    return None


def _digest(inputs: Mapping[str, Value]) -> str:
    """Tell programs apart that differ by what their nodes were given."""
    data = msgspec.json.encode({**inputs}, order="sorted")
    return hashlib.sha256(data).hexdigest()[:16]


def _settled(node: graph.Node, inputs: Mapping[str, Value], own: frozenset[str]) -> graph.Node:
    """Replace what a node reads of composites around it by what was given for it, or null.

    ``own``: the composites around the node that are run with it.
    """
    bindings = tuple(_settled_binding(each, inputs, own) for each in node.inputs)
    body = node.body
    if body is not None:
        own |= {node.id}
        body = msgspec.structs.replace(
            body,
            nodes=tuple(_settled(each, inputs, own) for each in body.nodes),
            collected=tuple(
                msgspec.structs.replace(each, expr=_settled_expr(each.expr, inputs, own))
                for each in body.collected
            ),
        )
    return msgspec.structs.replace(node, inputs=bindings, body=body)


def _settled_binding(
    binding: graph.Binding, inputs: Mapping[str, Value], own: frozenset[str]
) -> graph.Binding:
    return msgspec.structs.replace(binding, expr=_settled_expr(binding.expr, inputs, own))


def _settled_expr(expr: graph.Expr, inputs: Mapping[str, Value], own: frozenset[str]) -> graph.Expr:
    match expr:
        case graph.ObjectOf(members=members):
            parts = tuple(_settled_binding(each, inputs, own) for each in members)
            known = {
                each.name: each.expr.value for each in parts if isinstance(each.expr, graph.Const)
            }
            return graph.Const(known) if len(known) == len(parts) else graph.ObjectOf(parts)
        case graph.ListOf(items=items):
            return graph.ListOf(tuple(_settled_expr(each, inputs, own) for each in items))
        case graph.Element(composite=composite, list=name, path=path) if composite not in own:
            return graph.Const(_given(inputs, f"{composite}.{name}", path))
        case graph.LoopVariable(composite=composite, name=name, path=path) if composite not in own:
            return graph.Const(_given(inputs, f"{composite}.{name}", path))
        case graph.Index(composite=composite) if composite not in own:
            return graph.Const(_given(inputs, f"{composite}.index", ()))
        case _:
            return expr


def _given(inputs: Mapping[str, Value], name: str, path: Path) -> Value:
    """Find a value by its whole reference, or inside of the one that the reference begins with."""
    whole = ".".join((name, *map(str, path)))
    if whole in inputs:
        return inputs[whole]
    return walk(inputs.get(name), path, name, graph.Flags())


def _outside(inputs: Mapping[str, Value]) -> dict[str, Outcome]:
    """Put values given by reference together into outputs of the nodes they come from."""
    outputs: dict[str, dict[str, Any]] = {}
    for name, value in inputs.items():
        node_id, *path = name.split(".")
        if not path:
            continue
        place = outputs.setdefault(node_id, {})
        for segment in path[:-1]:
            inner = place.setdefault(segment, {})
            if not isinstance(inner, dict):
                break
            place = inner
        else:
            place[path[-1]] = value
    return {node_id: Outcome(output=output) for node_id, output in outputs.items()}
