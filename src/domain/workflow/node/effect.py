"""Effects of nodes outside this deployment, as the consent of users needs to know them."""

from dataclasses import dataclass
from typing import Final, Literal

from domain.workflow.graph import Node

OutsideEffect = Literal["read", "external_write", "irreversible"]
_STRENGTH: Final[tuple[OutsideEffect, ...]] = ("read", "external_write", "irreversible")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse:
    """A tool of a plugin that is called: any without an id, the newest without a version."""

    plugin_id: str
    tool_id: str
    version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowUse:
    """Another workflow that is run; an empty version is the newest."""

    workflow_id: str
    version: str = ""


Use = ToolUse | WorkflowUse


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """What a node changes outside by itself, and what it calls."""

    effect: OutsideEffect = "read"
    uses: tuple[Use, ...] = ()


def strongest(*effects: str) -> OutsideEffect:
    """Return the strongest effect; one that is not known counts as a write."""
    known = (each if each in _STRENGTH else "external_write" for each in effects)
    return _STRENGTH[max((_STRENGTH.index(each) for each in known), default=0)]


def by_effects(node: Node) -> Outside:
    """Take whatever a node writes for a write outside: the rule for kinds that say nothing."""
    return Outside(effect="external_write" if node.effects == "write" else "read")


def stays_inside(_: Node) -> Outside:
    """Of kinds that write into the stores of their own workspace alone."""
    return Outside()
