"""Global variables of one canvas whose uses disagree, where nobody declares their type."""

from collections.abc import Iterator
from dataclasses import dataclass

from domain.workflow import graph
from domain.workflow.engine.state import named
from domain.workflow.lint.data import Fit, Globals, fit, parts
from domain.workflow.lint.diagnostic import Report, Severity
from domain.workflow.node.control.variable_assign import VariableAssignConfig
from domain.workflow.value import OBJECT, TEXTS, Type, TypeKind

_WALKED = frozenset({TypeKind.OBJECT, TypeKind.LIST, TypeKind.ANY})
"""What a path can lead into; a list contributes its first element."""


@dataclass(frozen=True, slots=True)
class _Use:
    """A node that takes a variable for something of a type."""

    node: graph.Node
    type: Type
    pointer: str
    is_assigned: bool = False
    is_walked: bool = False
    """A path leads into the value, so that it must be an object or a list of them."""


def check_variables(program: graph.Program, report: Report, known: Globals) -> None:
    """Compare the uses of each variable with the first that says its type: one that assigns it.

    No type that an application could declare would suit both. What can never become the other is
    an error of variables of applications; values of users are texts that their agents declare.
    """
    kept = {each.field.name for each in program.globals}
    uses: dict[tuple[graph.GlobalKind, str], list[_Use]] = {}
    for node in graph.walk_nodes(program):
        for key, use in _uses(node):
            field = None if known is None else known.get(key)
            is_declared = field is not None and field.type.kind is not TypeKind.ANY
            if not is_declared and key[1] not in kept and use.type.kind is not TypeKind.ANY:
                uses.setdefault(key, []).append(use)
    for (kind, name), found in uses.items():
        first = next((each for each in found if each.is_assigned), found[0])
        for each in found:
            clash = _clash(first, each)
            if clash is Fit.NEVER or (clash > Fit.UNKNOWN and kind is graph.GlobalKind.APP):
                is_error = clash is Fit.NEVER and kind is graph.GlobalKind.APP
                where = named(first.node.title, first.node.canvas_id)
                report.add(
                    "WF307",
                    f"The variable {name[:80]} is of type {first.type} in {where}, "
                    f"and of type {each.type} here.",
                    node_id=each.node.canvas_id,
                    pointer=each.pointer,
                    severity=None if is_error else Severity.WARNING,
                    related=(first.node.canvas_id,),
                )


def _uses(node: graph.Node) -> Iterator[tuple[tuple[graph.GlobalKind, str], _Use]]:
    if isinstance(node.config, VariableAssignConfig):
        for each in node.config.assignments:
            binding = node.input(each.value)
            pointer = binding.pointer if binding is not None else ""
            use = _Use(node, each.type, pointer, is_assigned=True)
            yield (each.target.kind, str(each.target.path[0])), use
    for binding in node.inputs:
        for part in parts(binding):
            match part.expr:
                case graph.GlobalVariable(
                    kind=graph.GlobalKind.APP | graph.GlobalKind.USER as kind,
                    path=(str(name), *rest),
                ):
                    wanted = OBJECT if rest else part.type
                    yield (kind, name), _Use(node, wanted, part.pointer, is_walked=bool(rest))
                case _:
                    pass


def _clash(first: _Use, other: _Use) -> Fit:
    """Tell how badly two uses fit: better than ``LOSSY``, and they do not disagree."""
    kinds = {first.type.kind, other.type.kind}
    if first.is_walked and other.is_walked:
        return Fit.EXACT
    if first.is_walked or other.is_walked:
        plain = other if first.is_walked else first
        return Fit.EXACT if plain.type.kind in _WALKED else Fit.NEVER
    if first.is_assigned and not other.is_assigned:
        return fit(first.type, other.type)
    best = min(fit(first.type, other.type), fit(other.type, first.type))
    if other.is_assigned and best < Fit.UNKNOWN and not (len(kinds) == 1 or kinds <= TEXTS):
        return Fit.LOSSY  # one of them assigns what the other would have to convert
    return best
