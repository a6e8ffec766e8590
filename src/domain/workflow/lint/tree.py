"""Findings in the shape of the editor's ``validate_tree``."""

from collections.abc import Iterable
from typing import Final, Literal

import msgspec

from domain.workflow.lint.diagnostic import Diagnostic, Severity

_PATH_RULES: Final = frozenset({"WF105", "WF106", "WF107", "WF108", "WF109", "WF110", "WF111"})


class NodeProblem(msgspec.Struct, frozen=True, kw_only=True):
    """The node a problem is about."""

    node_id: str


class PathProblem(msgspec.Struct, frozen=True, kw_only=True):
    """The edge or path a problem is about."""

    start: str
    end: str
    path: tuple[str, ...] = ()


class TreeProblem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """``type`` 1 is a problem of a node, 2 one of an edge or a path."""

    message: str
    type: Literal[1, 2]
    node_error: NodeProblem | None = None
    path_error: PathProblem | None = None


def tree_problems(diagnostics: Iterable[Diagnostic]) -> tuple[TreeProblem, ...]:
    """Translate the errors among the findings; the editor shows nothing weaker."""
    return tuple(_translate(each) for each in diagnostics if each.severity is Severity.ERROR)


def _translate(finding: Diagnostic) -> TreeProblem:
    message = str(finding)
    if finding.code not in _PATH_RULES:
        return TreeProblem(message=message, type=1, node_error=NodeProblem(node_id=finding.node_id))
    edge = finding.edge
    return TreeProblem(
        message=message,
        type=2,
        path_error=PathProblem(
            start=edge.source if edge is not None else finding.node_id,
            end=edge.target if edge is not None else "",
            path=finding.related,
        ),
    )
