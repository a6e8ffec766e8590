"""Static types: what a reference delivers, and whether it can become what is wanted."""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Final, Literal

import msgspec

from domain.workflow.graph import (
    Const,
    Element,
    Expr,
    GlobalKind,
    GlobalVariable,
    Index,
    ListOf,
    LoopVariable,
    Node,
    ObjectOf,
    Ref,
    Scope,
    Unresolved,
)
from domain.workflow.node import NODE_TYPES
from domain.workflow.node.control.loop import LoopConfig
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


Chain = Sequence[tuple[Scope, Mapping[str, Node], Node | None]]
"""Scopes from the reader outwards, each with its nodes by id and its composite."""


def outputs_of(node: Node) -> dict[str, Field]:
    """Everything a reference to a node can name: declared, fixed, and implicit on errors."""
    fixed = NODE_TYPES.get(node.kind).outputs
    implicit = _ERROR_FIELDS if node.policy.on_error != "throw" else ()
    return {field.name: field for field in (*implicit, *fixed, *node.outputs)}


def type_of(
    expr: Expr, chain: Chain, known: Mapping[tuple[GlobalKind, str], Field] | None
) -> Typed:
    """Infer the type of an expression from declarations."""
    match expr:
        case Ref(node=node_id, path=path, hops=hops):
            node = chain[hops][1].get(node_id) if hops < len(chain) else None
            return Typed() if node is None else _output(node, path)
        case Element(list=name, path=path, hops=hops):
            composite = _composite(chain, hops)
            binding = composite.input(name) if composite is not None else None
            wanted = binding.type.item if binding is not None else None
            return walk(wanted or ANY, path)
        case Index():
            return Typed(type=INTEGER)
        case LoopVariable(name=name, path=path, hops=hops):
            return walk(_variable(_composite(chain, hops), name), path)
        case GlobalVariable(kind=kind, path=(str(name), *rest)) if known is not None:
            field = known.get((kind, name))
            return Typed() if field is None else walk(field.type, tuple(rest))
        case GlobalVariable() | Const() | Unresolved() | ListOf() | ObjectOf():
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


def _output(node: Node, path: Path) -> Typed:
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


def _composite(chain: Chain, hops: int) -> Node | None:
    return chain[hops][2] if hops < len(chain) else None


def _variable(composite: Node | None, name: str) -> Type:
    config = composite.config if composite is not None else None
    if not isinstance(config, LoopConfig):
        return ANY
    return next((each.type for each in config.variables if each.name == name), ANY)


def _shown(path: Path) -> str:
    return ".".join(str(segment) for segment in path)
