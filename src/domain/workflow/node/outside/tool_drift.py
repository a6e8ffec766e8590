"""How a tool differs from what a canvas was saved with."""

from collections.abc import Iterable
from typing import Final

from domain.workflow.graph import Node
from domain.workflow.node import Check
from domain.workflow.value import Schema, TypeKind

_AS_TEXT: Final = frozenset({TypeKind.STRING, TypeKind.FILE, TypeKind.TIME})
_NUMBERS: Final = frozenset({TypeKind.INTEGER, TypeKind.FLOAT})


def check_outputs(node: Node, declared: Schema, actual: Schema, check: Check) -> None:
    """Report declared outputs that the tool does not return any more, or in another type."""
    kinds = {field.name: field.type.kind for field in actual}
    for field in declared:
        kind = kinds.get(field.name)
        if kind is None or not _fits(kind, field.type.kind):
            check.add("WF423", node, f"The tool no longer returns {field.name} as {field.type}.")


def check_names(node: Node, name: str, used: Iterable[str], actual: Schema, check: Check) -> None:
    """Report parameters that the canvas sets and the tool does not know any more."""
    known = {field.name for field in actual}
    for each in used:
        if each not in known:
            check.add("WF423", node, f"The tool {name} has no parameter {each} any more.", at=each)


def check_required(
    node: Node, name: str, used: Iterable[str], actual: Schema, check: Check
) -> None:
    """Report parameters that the tool needs by now and the canvas does not set."""
    given = frozenset(used)
    for field in actual:
        if field.is_required and field.name not in given:
            text = f"The tool {name} requires the parameter {field.name}."
            check.add("WF423", node, text, at="inputs")


def _fits(actual: TypeKind, declared: TypeKind) -> bool:
    """Files and times are texts on the wire; a number is a number."""
    if actual is declared or TypeKind.ANY in {actual, declared}:
        return True
    return {actual, declared} <= _AS_TEXT or {actual, declared} <= _NUMBERS
