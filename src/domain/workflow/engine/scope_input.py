"""Inputs of nodes, compiled: each expression becomes a function from a scope to a value."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Protocol

from domain.workflow import graph
from domain.workflow.convert import convert, zero_fill
from domain.workflow.engine.error import MissingInput
from domain.workflow.engine.state import NodeProgress, Outcome
from domain.workflow.error import PathIntoScalar
from domain.workflow.text import BrokenJson, decode_json
from domain.workflow.value import TEXTS, Path, Type, TypeKind, Value, kind_of


class Absent:
    """Class of the one value that stands for "the source was skipped"."""

    __slots__ = ()


ABSENT: Final = Absent()

Found = Value | Absent
GlobalKey = tuple[graph.GlobalKind, str]
Globals = Mapping[GlobalKey, Value]


class Place(Protocol):
    """A scope instance, as far as expressions look at it."""

    outer: "Place | None"
    outcomes: dict[str, Outcome]
    elements: Mapping[str, Value]
    index: int
    loop: NodeProgress | None


Reader = Callable[[Place, Globals], Found]


def compile_expression(expr: graph.Expr, flags: graph.Flags) -> Reader:  # noqa: PLR0911 - one case each
    """Turn an expression into a function; it does no I/O and copies nothing."""
    match expr:
        case graph.Const(value=value):
            return lambda _, __: value
        case graph.Ref(node=node, path=path, hops=hops):
            return _reference(node, path, hops, flags)
        case graph.Element(list=name, path=path, hops=hops):
            where = f"{expr.composite}.{name}"
            return lambda scope, _: walk(
                _outwards(scope, hops).elements.get(name), path, where, flags
            )
        case graph.Index(hops=hops):
            return lambda scope, _: _outwards(scope, hops).index
        case graph.LoopVariable(name=name, path=path, hops=hops):
            where = f"{expr.composite}.{name}"
            return lambda scope, _: walk(_variable(scope, hops, name), path, where, flags)
        case graph.GlobalVariable(kind=kind, path=(first, *rest)):
            key = (kind, str(first))
            tail = tuple(rest)
            if tail:
                return lambda _, values: walk(_opened(values.get(key)), tail, str(first), flags)
            return lambda _, values: values.get(key)
        case graph.ObjectOf(members=members):
            return _object(compile_bindings(members, flags))
        case graph.ListOf(items=items, is_flat=True):
            return _flat(tuple(compile_expression(item, flags) for item in items))
        case graph.ListOf(items=items):
            readers = tuple(compile_expression(item, flags) for item in items)
            return lambda scope, values: [
                None if isinstance(found := read(scope, values), Absent) else found
                for read in readers
            ]
        case graph.GlobalVariable() | graph.Unresolved():
            return lambda _, __: None


def walk(value: Value, path: Path, where: str, flags: graph.Flags) -> Value:
    """Follow a path into a value: lists contribute their first element, null stays null.

    Raises:
        PathIntoScalar: the path goes through a text, a number or a boolean; in strict mode also
            through null or an empty list.
    """
    for position, segment in enumerate(path):
        if isinstance(segment, int):
            if isinstance(value, list):
                value = value[segment] if segment < len(value) else None
                continue
        else:
            while isinstance(value, list):
                value = value[0] if value else None
            if isinstance(value, dict):
                value = value.get(segment)
                continue
        if value is None and not flags.strict_paths:
            return None
        way = ".".join((where, *map(str, path[:position])))
        raise PathIntoScalar(f"{way} is {kind_of(value)}, so it has no {segment}.", path=way)
    return value


class InputPlan:
    """One binding, compiled. ``exact``: class of values that need no conversion, if there is."""

    __slots__ = ("exact", "is_structured", "name", "on_absent", "read", "type")

    def __init__(self, binding: graph.Binding, flags: graph.Flags) -> None:
        self.name = binding.name
        self.type = binding.type
        self.on_absent = binding.on_absent
        self.read = compile_expression(binding.expr, flags)
        self.exact = _EXACT.get(binding.type.kind)
        self.is_structured = binding.type.kind in {TypeKind.OBJECT, TypeKind.LIST}


def compile_bindings(
    bindings: Sequence[graph.Binding], flags: graph.Flags
) -> tuple[InputPlan, ...]:
    """Compile the inputs of a node or the members of an object."""
    return tuple(InputPlan(binding, flags) for binding in bindings)


def collect(
    plans: Sequence[InputPlan], scope: Place, values: Globals, warnings: list[str]
) -> dict[str, Value]:
    """Read and convert inputs leniently; what was skipped and may be absent is left out.

    Raises:
        MissingInput: a source that must not be skipped was.
        PathIntoScalar: a reference leads into a scalar.
    """
    given: dict[str, Value] = {}
    for plan in plans:
        found = plan.read(scope, values)
        if found.__class__ is not plan.exact:
            if isinstance(found, Absent):
                if plan.on_absent == "error":
                    raise MissingInput(f"The source of {plan.name} was skipped.")
                continue
            if found is not None and plan.type.kind is not TypeKind.ANY:
                conversion = convert(found, plan.type, path=plan.name)
                found = conversion.value
                if conversion.problems:
                    warnings.extend(map(str, conversion.problems))
        given[plan.name] = found  # type: ignore[assignment]  # an exact class is never Absent
    return given


def complete(
    plans: Sequence[InputPlan], given: dict[str, Value], *, fills_zero: bool
) -> dict[str, Value]:
    """Add what was left out as null where the kind wants it, and replace null by zeros."""
    inputs = given
    for plan in plans:
        name = plan.name
        value = given.get(name)
        if value is None:
            is_missing = name not in given
            if is_missing and not fills_zero and plan.on_absent == "absent":
                continue
            if inputs is given:
                inputs = dict(given)
            filled = plan.on_absent == "absent" and is_missing
            inputs[name] = zero_fill(None, plan.type, is_missing=filled) if fills_zero else None
        elif fills_zero and plan.is_structured and _has_inner(plan.type):
            if inputs is given:
                inputs = dict(given)
            inputs[name] = zero_fill(value, plan.type)
    return inputs


def shown(
    plans: Sequence[InputPlan], given: dict[str, Value], inputs: dict[str, Value]
) -> dict[str, Value]:
    """Values as templates show them: filled, but what was skipped stays out.

    The zero of a number or a boolean is worth showing; any other null stays null, so that texts,
    lists and objects show nothing.
    """
    if inputs is given:
        return given
    zeros = {plan.name for plan in plans if plan.type.kind in _SHOWN_ZEROS}
    return {
        name: None if value is None and name not in zeros else inputs.get(name, value)
        for name, value in given.items()
    }


def global_keys(expressions: Iterable[graph.Expr]) -> tuple[GlobalKey, ...]:
    """List the global variables that expressions read, each once."""
    found: dict[GlobalKey, None] = {}
    for expression in expressions:
        for leaf in graph.leaves(expression):
            if isinstance(leaf, graph.GlobalVariable) and leaf.path:
                found[leaf.kind, str(leaf.path[0])] = None
    return tuple(found)


_EXACT: Final[Mapping[TypeKind, type]] = {
    TypeKind.STRING: str,
    TypeKind.TIME: str,
    TypeKind.INTEGER: int,
    TypeKind.FLOAT: float,
    TypeKind.BOOLEAN: bool,
}
"""Files are texts too, but their name has to be taken out of the address."""

_SHOWN_ZEROS: Final = frozenset({TypeKind.INTEGER, TypeKind.FLOAT, TypeKind.BOOLEAN})


def takes_text(wanted: Type) -> bool:
    """Tell whether a binding of this type can be read piece by piece."""
    return wanted.kind is TypeKind.ANY or (wanted.kind in TEXTS and wanted.kind != TypeKind.FILE)


def _has_inner(wanted: Type) -> bool:
    return bool(wanted.fields) or wanted.item is not None


def _outwards(scope: Place, hops: int) -> Place:
    for _ in range(hops):
        if scope.outer is None:
            break
        scope = scope.outer
    return scope


def _variable(scope: Place, hops: int, name: str) -> Value:
    loop = _outwards(scope, hops).loop
    value: Value = None if loop is None else loop.variables.get(name)
    return value


def _opened(value: Value) -> Value:
    """Read what a variable holds: outside of runs objects and lists are kept as texts of JSON."""
    if not isinstance(value, str):
        return value
    try:
        inner = decode_json(value) if value else None
    except BrokenJson:
        return value
    return inner if inner is None or isinstance(inner, dict | list) else value


def _reference(node: str, path: Path, hops: int, flags: graph.Flags) -> Reader:
    if hops == 0 and len(path) == 1 and isinstance(path[0], str):
        name = path[0]

        def read_output(scope: Place, _: Globals) -> Found:
            outcome = scope.outcomes.get(node)
            return ABSENT if outcome is None else outcome.output.get(name)

        return read_output

    def read(scope: Place, _: Globals) -> Found:
        outcome = _outwards(scope, hops).outcomes.get(node)
        return ABSENT if outcome is None else walk(outcome.output, path, node, flags)

    return read


def _flat(readers: tuple[Reader, ...]) -> Reader:
    def read(scope: Place, values: Globals) -> Found:
        found: list[Value] = []
        for part in readers:
            value = part(scope, values)
            if isinstance(value, list):
                found.extend(value)
            elif value is not None and not isinstance(value, Absent):
                found.append(value)
        return found

    return read


def _object(members: tuple[InputPlan, ...]) -> Reader:
    def read(scope: Place, values: Globals) -> Found:
        found = collect(members, scope, values, [])
        return ABSENT if members and not found else found

    return read
