"""Debugging of runs: from a node on again, a single node, and the same once more."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any, Final

import msgspec

from domain.shared.error import InvalidRequest
from domain.workflow import graph
from domain.workflow.engine.checkpoint import decode_state, encode_state
from domain.workflow.engine.event import JournalEntry, NodeFinished
from domain.workflow.engine.global_variable import own_variables
from domain.workflow.engine.scope_input import (
    ABSENT,
    Absent,
    Found,
    Globals,
    Place,
    compile_expression,
    walk,
)
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
        InvalidRequest: it reads nothing of the name of an input, or an output is of no node there.
    """
    root = plan.root
    if node_id not in root.index_of:
        raise NotCompilable(f"There is no node {node_id} at the top level.")
    read = [binding.name for binding in root.nodes[root.index_of[node_id]].node.inputs]
    _refuse_unknown(node_id, set(inputs or ()) - set(read), read, field="inputs")
    if elsewhere := sorted(set(outputs or ()) - set(root.index_of)):
        raise InvalidRequest(
            f"outputs: there is no node {_enumerated(elsewhere)} at the top level.", field="outputs"
        )
    # A copy down to the last value: each of the two runs goes on to change its own.
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
        mocks=copy.mocks,
    )


def keep_effects(plan: Plan, before: RunState, state: RunState) -> tuple[str, ...]:
    """Give nodes that change something outside the results that they had, so that none runs again.

    Return the titles of those without: the run before did not come to them.
    """
    unknown = []
    for each in plan.root.nodes:
        node = each.node
        if node.id in state.root.outcomes or not _changes_outside(node):
            continue
        outcome = before.root.outcomes.get(node.id)
        if outcome is None:
            unknown.append(node.title or node.id)
        else:
            state.root.outcomes[node.id] = outcome
    return tuple(unknown)


def _changes_outside(node: graph.Node) -> bool:
    inside = [*(node.body.nodes if node.body is not None else ())]
    for tool in node.tools:
        inside += tool.program.root.nodes
    return node.effects == "write" or any(map(_changes_outside, inside))


def single_node(
    program: graph.Program, node_id: str, inputs: Mapping[str, Value]
) -> tuple[Plan, RunState]:
    """Make a program of one node, and a state that gives it its inputs.

    ``inputs``: by the name of the parameter, or by the reference ``node.path`` it comes from,
    which is also how bodies of composites get what they read outside. A loop around the node is
    referred to in the same way: ``loop.list`` (the current element), ``loop.index`` and
    ``loop.variable``. Of an entry they are the fields, and variables that a program keeps by
    itself have their names.

    Raises:
        NotCompilable: there is no such node.
    """
    original = _node(program, node_id)
    given = _Given(inputs)
    node = _settled(original, given, frozenset(), frozenset())
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
    fields = _Readable(program, original).fields
    named = {name: value for name, value in inputs.items() if name in fields}
    own = own_variables(program, named)
    values = {
        (each.kind, name): own[name] for each in program.globals if (name := each.field.name) in own
    }
    record = ScopeRecord(outcomes=given.outcomes)
    record.open[node.id] = NodeProgress(
        inputs={
            binding.name: found
            for binding in node.inputs
            if not isinstance(found := given.value_of(binding, values), Absent)
        }
    )
    state = RunState(run_id="", version_hash=alone.version_hash, input=named, root=record)
    return compile_program(alone), state


def require_known(program: graph.Program, node_id: str, names: Iterable[str]) -> None:
    """Refuse inputs for a single node that it would not read.

    Raises:
        NotCompilable: there is no such node.
        InvalidRequest: it reads nothing of a name; the message tells what it reads.
    """
    readable = _Readable(program, _node(program, node_id))
    unknown = {name for name in names if not readable.has(name)}
    _refuse_unknown(node_id, unknown, readable.offered, field="input")


def require_mockable(program: graph.Program, mocks: Mapping[str, Mapping[str, Value]]) -> None:
    """Refuse outputs for nodes that cannot be replaced by them.

    Raises:
        InvalidRequest: there is no such node, it begins or ends the workflow, chooses a branch, or
            has no output of such a name; the message tells which.
    """
    nodes = _mockable(program)
    for node_id, output in mocks.items():
        node = nodes.get(node_id)
        if node is None:
            raise InvalidRequest(
                f"mocks: there is no node {_enumerated([node_id])} in this draft.", field="mocks"
            )
        name = f"{node.title or node.kind} ({node_id})"
        if node.kind in {"entry", "exit"}:
            raise InvalidRequest(
                f"mocks: {name} begins or ends the workflow; give inputs instead.", field="mocks"
            )
        if set(node.ports) - {graph.DEFAULT_PORT, graph.ERROR_PORT}:
            raise InvalidRequest(
                f"mocks: {name} chooses a branch; mock what it reads instead.", field="mocks"
            )
        declared = [each.name for each in node.outputs]
        if unknown := sorted(set(output) - set(declared)):
            offered = f"it has {_enumerated(declared)}." if declared else "it has none."
            raise InvalidRequest(
                f"mocks: {name} has no output {_enumerated(unknown)}; {offered}", field="mocks"
            )


def _mockable(program: graph.Program) -> dict[str, graph.Node]:
    """Name the nodes of a canvas by their ids; of a node in batch mode the whole of it."""
    found: dict[str, graph.Node] = {}
    for scope in graph.walk_scopes(program.root):
        for node in scope.nodes:
            found.setdefault(node.canvas_id, node)
            for tool in node.tools:
                found |= _mockable(tool.program) | found
    return found


def _refuse_unknown(
    node_id: str, unknown: Collection[str], read: Sequence[str], *, field: str
) -> None:
    if not unknown:
        return
    named = [name for name in read if not name.startswith("$")]
    reads = f"it reads {_enumerated(named)}." if named else "it reads nothing."
    raise InvalidRequest(
        f"{field}: the node {node_id} does not read {_enumerated(sorted(unknown))}; {reads}",
        field=field,
    )


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


def _node(program: graph.Program, node_id: str) -> graph.Node:
    for scope in graph.walk_scopes(program.root):
        found = scope.node(node_id)
        if found is not None:
            return found
    raise NotCompilable(f"There is no node {node_id}.")


def _digest(inputs: Mapping[str, Value]) -> str:
    """Tell programs apart that differ by what their nodes were given."""
    data = msgspec.json.encode({**inputs}, order="sorted")
    return hashlib.sha256(data).hexdigest()[:16]


_SHOWN_NAMES: Final = 20
_SHOWN_CHARS: Final = 80


def _enumerated(names: Sequence[str]) -> str:
    more = len(names) - _SHOWN_NAMES
    shown = ", ".join(name[:_SHOWN_CHARS] for name in names[:_SHOWN_NAMES])
    return f"{shown} and {more} more" if more > 0 else shown


class _Readable:
    """What a node reads that runs by itself, and by which names it can be given.

    ``fields``: of an entry, and variables that the program keeps by itself.
    """

    def __init__(self, program: graph.Program, node: graph.Node) -> None:
        own = {each.field.name for each in program.globals if each.is_input}
        self.fields = {each.name for each in node.outputs} if node.kind == "entry" else set()
        self._parameters: dict[str, None] = {}
        self._references: dict[str, None] = {}
        inside: set[str] = set()
        reading: list[graph.Expr] = []
        waiting = [node]
        while waiting:
            each = waiting.pop()
            if each is node or _is_batched(node, each):
                self._parameters.update(dict.fromkeys(binding.name for binding in each.inputs))
            reading += [binding.expr for binding in each.inputs]
            if each.body is not None:
                inside |= {each.id, *(inner.id for inner in each.body.nodes)}
                reading += [collected.expr for collected in each.body.collected]
                waiting += reversed(each.body.nodes)
        for leaf in (leaf for expr in reading for leaf in graph.leaves(expr)):
            source = _source_of(leaf)
            if source is not None and source[0] not in inside:
                self._references[_reference(*source)] = None
            if isinstance(leaf, graph.GlobalVariable) and str(leaf.path[0]) in own:
                self.fields.add(str(leaf.path[0]))

    @property
    def offered(self) -> list[str]:
        """Names that it can be given: of parameters, and where the values come from."""
        return [*sorted(self.fields), *self._parameters, *self._references]

    def has(self, name: str) -> bool:
        """Tell whether the node would read something of that name, the whole of it or a part."""
        if name in self.fields or name in self._parameters or name in self._references:
            return True
        return "." in name and any(
            known.startswith(f"{name}.") or name.startswith(f"{known}.")
            for known in self._references
        )


def _source_of(leaf: graph.Expr) -> tuple[str, Path] | None:
    """Name the node or composite that a value comes from, and the way into what it has."""
    match leaf:
        case graph.Ref(node=node, path=path):
            return node, path
        case graph.Element(composite=composite, list=name, path=path):
            return composite, (name, *path)
        case graph.LoopVariable(composite=composite, name=name, path=path):
            return composite, (name, *path)
        case graph.Index(composite=composite):
            return composite, ("index",)
        case _:
            return None


def _reference(node_id: str, path: Path) -> str:
    return ".".join((node_id, *map(str, path)))


def _is_batched(node: graph.Node, inner: graph.Node) -> bool:
    """Tell whether ``inner`` is the step of a node in batch mode, and so is the same to people."""
    return inner is not node and inner.canvas_id == node.canvas_id


class _Given:
    """Values for a single node, by name or by reference; it looks like a scope that has them."""

    outer: Place | None = None
    elements: Mapping[str, Value] = {}
    index = 0
    loop: NodeProgress | None = None

    def __init__(self, values: Mapping[str, Value]) -> None:
        self.values = values
        self.outcomes = _outside(values)

    def find(self, node_id: str, path: Path) -> Found:
        """Return what was given for a reference: as such, or with more or less of its path."""
        whole = _reference(node_id, path)
        if whole in self.values:
            return self.values[whole]
        outcome = self.outcomes.get(node_id)
        found = walk(outcome.output, path, node_id, graph.Flags()) if outcome else None
        return ABSENT if found is None else found

    def value_of(self, binding: graph.Binding, values: Globals) -> Found:
        """Return what an input reads: what has its name, or is known of what it is made from."""
        if binding.name in self.values:
            return self.values[binding.name]
        match binding.expr:
            case graph.Const(value=value):
                return value
            case graph.Ref(node=node_id, path=path):
                return self.find(node_id, path)
            case expr:
                found = compile_expression(expr, graph.Flags())(self, values)
                return ABSENT if found is None else found


def _settled(
    node: graph.Node, given: _Given, own: frozenset[str], replaced: frozenset[str]
) -> graph.Node:
    """Replace what a node reads of composites around it by what was given for it, or null.

    ``own``: the composites around the node that are run with it; ``replaced``: its parameters that
    are replaced by values.
    """
    bindings = tuple(
        msgspec.structs.replace(each, expr=graph.Const(given.values[each.name]))
        if each.name in replaced
        else _settled_binding(each, given, own)
        for each in node.inputs
    )
    body = node.body
    if body is not None:
        own |= {node.id}
        lists = {each.name for each in node.inputs}
        body = msgspec.structs.replace(
            body,
            nodes=tuple(
                _settled(
                    each,
                    given,
                    own,
                    frozenset(set(given.values) - lists if _is_batched(node, each) else ()),
                )
                for each in body.nodes
            ),
            collected=tuple(
                msgspec.structs.replace(each, expr=_settled_expr(each.expr, given, own))
                for each in body.collected
            ),
        )
    return msgspec.structs.replace(node, inputs=bindings, body=body)


def _settled_binding(binding: graph.Binding, given: _Given, own: frozenset[str]) -> graph.Binding:
    return msgspec.structs.replace(binding, expr=_settled_expr(binding.expr, given, own))


def _settled_expr(expr: graph.Expr, given: _Given, own: frozenset[str]) -> graph.Expr:
    match expr:
        case graph.ObjectOf(members=members):
            parts = tuple(_settled_binding(each, given, own) for each in members)
            known = {
                each.name: each.expr.value for each in parts if isinstance(each.expr, graph.Const)
            }
            return graph.Const(known) if len(known) == len(parts) else graph.ObjectOf(parts)
        case graph.ListOf(items=items):
            settled = tuple(_settled_expr(each, given, own) for each in items)
            return msgspec.structs.replace(expr, items=settled)
        case graph.Element() | graph.LoopVariable() | graph.Index() if expr.composite not in own:
            source = _source_of(expr)
            found = given.find(*source) if source else ABSENT
            return graph.Const(None if isinstance(found, Absent) else found)
        case _:
            return expr


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
            place[path[-1]] = deepcopy(value)
    return {node_id: Outcome(output=output) for node_id, output in outputs.items()}
