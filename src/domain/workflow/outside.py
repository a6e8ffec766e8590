"""Effects of a whole workflow outside this deployment."""

from domain.workflow.graph import Program, walk_nodes
from domain.workflow.node import NODE_TYPES
from domain.workflow.node.effect import Outside, strongest


def outside_of(program: Program) -> Outside:
    """Return what the nodes of a program do outside, those of its composites and tools, too."""
    found = [NODE_TYPES.get(node.kind).outside(node) for node in walk_nodes(program)]
    uses = dict.fromkeys(use for each in found for use in each.uses)
    return Outside(effect=strongest(*(each.effect for each in found)), uses=tuple(uses))
