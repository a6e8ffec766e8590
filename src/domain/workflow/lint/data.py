"""Rules about data: references that lead nowhere or too late, and types that do not fit."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import reduce
from operator import and_
from typing import Final, Literal

import msgspec

from domain.workflow import graph
from domain.workflow.engine.state import named
from domain.workflow.lint.diagnostic import Report, Severity
from domain.workflow.node import NODE_TYPES
from domain.workflow.node.control.loop import LoopConfig
from domain.workflow.plan import BOUNDARY, EdgePlan, ScopePlan
from domain.workflow.value import (
    ANY,
    BOOLEAN,
    INTEGER,
    STRING,
    TEXTS,
    Field,
    Path,
    Type,
    TypeKind,
    object_of,
)

_ERROR_FIELDS: Final = (
    Field(
        name="errorBody",
        type=object_of(
            Field(name="errorMessage", type=STRING), Field(name="errorCode", type=INTEGER)
        ),
    ),
    Field(name="isSuccess", type=BOOLEAN),
)
_OPEN_KINDS: Final = frozenset({"entry", "code"})
"""Fields that these kinds do not declare pass through."""


class Fit(IntEnum):
    """How well one type becomes another, worst last."""

    EXACT = 0
    LOSSLESS = 1
    UNKNOWN = 2
    LOSSY = 3
    MAY_FAIL = 4
    NEVER = 5


class Typed(msgspec.Struct, frozen=True, kw_only=True):
    """Type of an expression. ``gap`` is the first part of the path that nobody declares."""

    type: Type = ANY
    gap: str = ""
    is_open: bool = False
    """The gap is in an object that may have undeclared properties."""
    through: Path | None = None
    """Way to a list that the path goes through without an index."""


Chain = Sequence[tuple[graph.Scope, Mapping[str, graph.Node], graph.Node | None]]
"""Scopes from the reader outwards, each with its nodes by id and its composite."""


def outputs_of(node: graph.Node) -> dict[str, Field]:
    """Everything a reference to a node can name: declared, fixed, and implicit on errors."""
    fixed = NODE_TYPES.get(node.kind).outputs
    implicit = _ERROR_FIELDS if node.policy.on_error != "throw" else ()
    return {field.name: field for field in (*implicit, *fixed, *node.outputs)}


def type_of(
    expr: graph.Expr, chain: Chain, known: Mapping[tuple[graph.GlobalKind, str], Field] | None
) -> Typed:
    """Infer the type of an expression from declarations."""
    match expr:
        case graph.Ref(node=node_id, path=path, hops=hops):
            node = chain[hops][1].get(node_id) if hops < len(chain) else None
            return Typed() if node is None else _output(node, path)
        case graph.Element(list=name, path=path, hops=hops):
            composite = _composite(chain, hops)
            binding = composite.input(name) if composite is not None else None
            wanted = binding.type.item if binding is not None else None
            return walk(wanted or ANY, path)
        case graph.Index():
            return Typed(type=INTEGER)
        case graph.LoopVariable(name=name, path=path, hops=hops):
            return walk(_variable(_composite(chain, hops), name), path)
        case graph.GlobalVariable(kind=kind, path=(str(name), *rest)) if known is not None:
            field = known.get((kind, name))
            return Typed() if field is None else walk(field.type, tuple(rest))
        case (
            graph.GlobalVariable()
            | graph.Const()
            | graph.Unresolved()
            | graph.ListOf()
            | graph.ObjectOf()
        ):
            return Typed()


def walk(start: Type, path: Path) -> Typed:
    """Follow a path through declared types."""
    current = start
    through: Path | None = None
    for position, segment in enumerate(path):
        if current.kind is TypeKind.LIST:
            current = current.item or ANY
            if isinstance(segment, int):
                continue
            through = path[:position] if through is None else through
        if current.kind is TypeKind.ANY:
            return Typed(through=through)
        name = _shown(path[: position + 1])
        if current.kind is not TypeKind.OBJECT or isinstance(segment, int):
            return Typed(gap=name, through=through)
        field = current.field(segment)
        if field is None:
            return Typed(gap=name, is_open=not current.fields, through=through)
        current = field.type
    return Typed(type=current, through=through)


def fit(source: Type, wanted: Type) -> Fit:
    """Compare types as the conversion table does."""
    if TypeKind.ANY in {source.kind, wanted.kind}:
        return Fit.UNKNOWN
    if wanted.kind in TEXTS:
        return Fit.EXACT if source.kind in TEXTS else Fit.LOSSLESS
    if source.kind in TEXTS:
        return Fit.MAY_FAIL
    if source.kind is not wanted.kind:
        return _BETWEEN_NUMBERS.get((source.kind, wanted.kind), Fit.NEVER)
    return _fit_inside(source, wanted)


def _fit_inside(source: Type, wanted: Type) -> Fit:
    """Compare the elements of lists, and the properties that two objects both declare."""
    if wanted.kind is TypeKind.LIST:
        return fit(source.item or ANY, wanted.item or ANY)
    declared = {field.name: field.type for field in source.fields}
    fits = [
        fit(declared[field.name], field.type) for field in wanted.fields if field.name in declared
    ]
    return max(fits, default=Fit.EXACT)


_BETWEEN_NUMBERS: Final[Mapping[tuple[TypeKind, TypeKind], Literal[Fit.LOSSY, Fit.LOSSLESS]]] = {
    (TypeKind.FLOAT, TypeKind.INTEGER): Fit.LOSSY,
    (TypeKind.INTEGER, TypeKind.FLOAT): Fit.LOSSLESS,
}


def _output(node: graph.Node, path: Path) -> Typed:
    fields = outputs_of(node)
    if not path:
        return Typed(type=Type(TypeKind.OBJECT, fields=tuple(fields.values())))
    name = str(path[0])
    field = fields.get(name)
    if field is None:
        return Typed(gap=name, is_open=node.kind in _OPEN_KINDS)
    typed = walk(field.type, path[1:])
    return Typed(
        type=typed.type,
        gap=f"{name}.{typed.gap}" if typed.gap else "",
        is_open=typed.is_open or node.kind == "entry",
        through=None if typed.through is None else (name, *typed.through),
    )


def _composite(chain: Chain, hops: int) -> graph.Node | None:
    return chain[hops][2] if hops < len(chain) else None


def _variable(composite: graph.Node | None, name: str) -> Type:
    config = composite.config if composite is not None else None
    if not isinstance(config, LoopConfig):
        return ANY
    return next((each.type for each in config.variables if each.name == name), ANY)


def _shown(path: Path) -> str:
    return ".".join(str(segment) for segment in path)


class Order:
    """Ancestors and certainties of the nodes of one acyclic scope, as sets of bits.

    A node that runs implies that every target of its plain edges runs, and whatever runs on each
    of its ports; and whatever all of its incoming edges imply.
    """

    def __init__(self, plan: ScopePlan) -> None:
        self._plan = plan
        order = _topological(plan)
        self.is_complete = len(order) == len(plan.nodes)
        self._ancestors = self._find_ancestors(order)
        self._by_port: dict[tuple[int, str], int] = {}
        self._implied = self._find_implied(order)
        self._certain = self._find_certain(order)

    def comes_before(self, source: int, reader: int) -> bool:
        """Tell whether control can pass from one node to the other."""
        return bool(self._ancestors[reader] >> source & 1)

    def is_certain(self, source: int, reader: int) -> bool:
        """Tell whether ``source`` has run in every case in which ``reader`` runs."""
        return bool(self._certain[reader] >> source & 1)

    def _find_ancestors(self, order: list[int]) -> list[int]:
        found = [0] * len(self._plan.nodes)
        for index in order:
            for edge in self._incoming(index):
                found[index] |= found[edge.source] | 1 << edge.source
        return found

    def _find_implied(self, order: list[int]) -> list[int]:
        found = [0] * len(self._plan.nodes)
        for index in reversed(order):
            ports = self._plan.nodes[index].node.ports
            implied = 1 << index | self._on_port(found, index, graph.PLAIN_PORT)
            if ports:
                branches = [self._on_port(found, index, port) for port in ports]
                implied |= reduce(and_, branches)
            found[index] = implied
        return found

    def _find_certain(self, order: list[int]) -> list[int]:
        found = [0] * len(self._plan.nodes)
        for index in order:
            cases = [
                found[edge.source] | self._on_port(self._implied, edge.source, edge.port)
                for edge in self._incoming(index)
            ]
            found[index] = self._implied[index] | (reduce(and_, cases) if cases else 0)
        return found

    def _incoming(self, index: int) -> Iterable[EdgePlan]:
        edges = (self._plan.edges[edge] for edge in self._plan.nodes[index].incoming)
        return (edge for edge in edges if edge.source != BOUNDARY)

    def _on_port(self, implied: list[int], index: int, port: str) -> int:
        """What runs when the node chooses the port; asked once every target is known."""
        key = (index, port)
        if key not in self._by_port:
            found = 0
            for edge in self._plan.nodes[index].edges_by_port.get(port, ()):
                target = self._plan.edges[edge].target
                if target != BOUNDARY:
                    found |= implied[target]
            self._by_port[key] = found
        return self._by_port[key]


def can_be_ordered(scope: graph.Scope, *, limit: int) -> bool:
    """Tell whether the sets of bits of a scope stay small enough to be worth it."""
    return not scope.is_cyclic and len(scope.nodes) <= limit


def _topological(plan: ScopePlan) -> list[int]:
    waiting_for = [
        sum(plan.edges[edge].source != BOUNDARY for edge in node.incoming) for node in plan.nodes
    ]
    order = [index for index, count in enumerate(waiting_for) if not count]
    for index in order:
        for edge in plan.nodes[index].outgoing:
            target = plan.edges[edge].target
            if target != BOUNDARY:
                waiting_for[target] -= 1
                if not waiting_for[target]:
                    order.append(target)
    return order


_ORDER_NODES: Final = 20_000
"""Scopes with more nodes are far over every limit; their order is not looked into."""
_FORGIVING: Final = frozenset({"aggregator", "exit"})

Globals = Mapping[tuple[graph.GlobalKind, str], Field] | None


@dataclass(frozen=True, slots=True)
class _Level:
    """A scope on the way outwards, and the node in it that the reader is or stands in."""

    plan: ScopePlan
    by_id: Mapping[str, graph.Node]
    composite: graph.Node | None
    order: Order | None


def check_data(root: ScopePlan, report: Report, known: Globals) -> None:
    """Apply the rules to every input of every node."""
    waiting: list[tuple[_Level, ...]] = [(_level(root, None),)]
    while waiting:
        levels = waiting.pop()
        here = levels[0]
        for node_plan in here.plan.nodes:
            reader = _Reader(node_plan.node, levels, report, known)
            for binding in node_plan.node.inputs:
                reader.check(binding)
            if node_plan.body is not None:
                inner = _level(node_plan.body, node_plan.node)
                waiting.append((inner, *levels))
        if here.composite is not None:
            reader = _Reader(here.composite, levels, report, known)
            for collected in here.plan.scope.collected:
                reader.check_collected(collected.expr, collected.type, collected.pointer)


def _level(plan: ScopePlan, composite: graph.Node | None) -> _Level:
    return _Level(
        plan=plan,
        by_id={node.node.id: node.node for node in plan.nodes},
        composite=composite,
        order=Order(plan) if can_be_ordered(plan.scope, limit=_ORDER_NODES) else None,
    )


class _Reader:
    """A node that reads, and everything it can see."""

    def __init__(
        self, node: graph.Node, levels: tuple[_Level, ...], report: Report, known: Globals
    ) -> None:
        self._node = node
        self._levels = levels
        self._report = report
        self._known = known
        self._chain = [(level.plan.scope, level.by_id, level.composite) for level in levels]

    def check(self, binding: graph.Binding) -> None:
        for part in parts(binding):
            self._check_expression(part.expr, part.type, part.pointer)

    def check_collected(self, expr: graph.Expr, wanted: Type, pointer: str) -> None:
        """Check an output of a composite: its elements are those of the inner output."""
        element = wanted if isinstance(expr, graph.LoopVariable) else wanted.item or wanted
        typed = type_of(expr, self._chain, self._known)
        self._check_gap(typed, pointer)
        if not typed.gap:
            self._check_fit(typed.type, element, pointer)

    def _check_expression(self, expr: graph.Expr, wanted: Type, pointer: str) -> None:
        match expr:
            case graph.Unresolved():
                self._check_unresolved(expr, pointer)
            case graph.Ref():
                self._check_order(expr, pointer)
                self._check_typed(expr, wanted, pointer)
            case graph.Element() | graph.LoopVariable():
                self._check_typed(expr, wanted, pointer)
            case graph.GlobalVariable():
                self._check_global(expr, wanted, pointer)
            case _:
                pass

    def _check_unresolved(self, expr: graph.Unresolved, pointer: str) -> None:
        shown = ".".join(str(segment) for segment in expr.path)[:80]
        name = self._name(expr.node)
        messages = {
            "WF201": f"The node {name} does not exist.",
            "WF202": f"The composite {name} offers no {shown!r} to its inner nodes.",
            "WF203": f"The node {name} never runs.",
            "WF204": f"The node {name} is inside a composite.",
            "WF206": "A value is missing.",
        }
        self._add(
            expr.code, messages[expr.code], pointer, related=(expr.node,) if expr.node else ()
        )

    def _name(self, node_id: str) -> str:
        """Name another node as people know it."""
        for level in self._levels:
            if node_id in level.by_id:
                return named(level.by_id[node_id].title, node_id)
            if level.composite is not None and level.composite.id == node_id:
                return named(level.composite.title, node_id)
        return node_id[:80]

    def _check_order(self, ref: graph.Ref, pointer: str) -> None:
        level = self._levels[ref.hops]
        if level.order is None or not level.order.is_complete:
            return
        inside = self._node if not ref.hops else self._levels[ref.hops - 1].composite
        source = level.plan.index_of.get(ref.node)
        reader = level.plan.index_of.get(inside.id) if inside is not None else None
        if source is None or reader is None:
            return
        if not level.order.comes_before(source, reader):
            self._add(
                "WF203",
                f"The node {self._name(ref.node)} does not come before this one.",
                pointer,
                related=(ref.node,),
            )
        elif not level.order.is_certain(source, reader):
            is_forgiving = self._node.kind in _FORGIVING
            self._add(
                "WF205",
                f"The node {self._name(ref.node)} is skipped on some paths to this one.",
                pointer,
                severity=Severity.INFO if is_forgiving else None,
                related=(ref.node,),
            )

    def _check_typed(self, expr: graph.Expr, wanted: Type, pointer: str) -> None:
        typed = type_of(expr, self._chain, self._known)
        self._check_gap(typed, pointer)
        if typed.through is not None:
            way = ".".join(str(segment) for segment in typed.through) or "the element"
            self._add("WF209", f"{way} is a list, of which element 0 is used.", pointer)
        if not typed.gap:
            self._check_fit(typed.type, wanted, pointer)

    def _check_gap(self, typed: Typed, pointer: str) -> None:
        if typed.gap:
            self._add(
                "WF202",
                f"{typed.gap[:80]!r} is not declared.",
                pointer,
                severity=Severity.WARNING if typed.is_open else None,
            )

    def _check_fit(self, source: Type, wanted: Type, pointer: str) -> None:
        match fit(source, wanted):
            case Fit.NEVER:
                self._add("WF303", f"{source} can never become {wanted}.", pointer)
            case Fit.MAY_FAIL:
                self._add("WF306", f"{source} may not become {wanted}.", pointer)
            case Fit.LOSSY:
                self._add("WF306", f"{source} loses information as {wanted}.", pointer)
            case _:
                pass

    def _check_global(self, variable: graph.GlobalVariable, wanted: Type, pointer: str) -> None:
        typed = type_of(variable, self._chain, self._known)
        name = _shown(variable.path)[:80]
        if typed.gap and not typed.is_open:
            whole = type_of(_whole(variable), self._chain, self._known)
            declared = f"{str(variable.path[0])[:80]} is of type {whole.type}"
            self._add("WF307", f"There is no {name}, for {declared}.", pointer)
        elif fit(typed.type, wanted) > Fit.UNKNOWN:
            self._add("WF307", f"{name} is of type {typed.type}, not {wanted}.", pointer)

    def _add(
        self,
        code: str,
        message: str,
        pointer: str,
        *,
        severity: Severity | None = None,
        related: tuple[str, ...] = (),
    ) -> None:
        self._report.add(
            code,
            message,
            node_id=self._node.canvas_id,
            pointer=pointer,
            severity=severity,
            related=related,
        )


def _whole(variable: graph.GlobalVariable) -> graph.GlobalVariable:
    return graph.GlobalVariable(variable.kind, variable.path[:1])


def parts(binding: graph.Binding) -> Iterator[graph.Binding]:
    """Take a binding apart into those that are not put together from others."""
    waiting = [binding]
    while waiting:
        part = waiting.pop()
        match part.expr:
            case graph.ObjectOf(members=members):
                waiting.extend(reversed(members))
            case graph.ListOf(items=items):
                for item in reversed(items):
                    wanted = part.type.item or part.type
                    waiting.append(
                        graph.Binding(name=part.name, expr=item, type=wanted, pointer=part.pointer)
                    )
            case _:
                yield part
