"""How long nodes may take."""

from domain.workflow.graph import Node
from domain.workflow.limit import WorkflowLimits
from domain.workflow.node import NODE_TYPES


def time_limit_s(node: Node, limits: WorkflowLimits) -> float | None:
    """Seconds for all attempts of a node together; None for no limit."""
    if node.policy.timeout_ms > 0:
        return node.policy.timeout_ms / 1000
    defaults = {
        "model": limits.model_node_s,
        "remote": limits.remote_node_s,
        "code": limits.code_node_s,
    }
    kind = NODE_TYPES.get(node.kind).time_limit
    return defaults.get(kind, 0.0) or None
