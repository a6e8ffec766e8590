"""Rules about size: nodes, nesting, and how often nodes may run."""

from typing import Final

from domain.workflow.graph import Const, Node, Scope
from domain.workflow.limit import WorkflowLimits
from domain.workflow.lint.diagnostic import Report
from domain.workflow.node.control.batch import BatchConfig
from domain.workflow.node.control.loop import LoopConfig

_ENDLESS: Final = 10**30
"""Estimates are cut here."""


def check_cost(root: Scope, report: Report, *, limits: WorkflowLimits, budget: int) -> None:
    """Check nesting, and estimate the executions of a run in the worst case.

    Lists of unknown length count once in loops and with the batch size in batches.
    """
    waiting = [(root, 1, 1)]
    total = 0
    while waiting:
        scope, times, depth = waiting.pop()
        total = min(total + times * len(scope.nodes), _ENDLESS)
        for node in scope.nodes:
            if node.body is None:
                continue
            if limits.nesting and depth + 1 > limits.nesting:
                report.add(
                    "WF501",
                    f"Composites are nested deeper than {limits.nesting} levels.",
                    node_id=node.canvas_id,
                    pointer=node.source.pointer,
                )
            rounds = _rounds(node, limits)
            waiting.append((node.body, min(times * rounds, _ENDLESS), depth + 1))
    if budget and total > budget:
        report.add("WF502", f"A run may execute {total} nodes, more than {budget}.")


def _rounds(node: Node, limits: WorkflowLimits) -> int:
    config = node.config
    if isinstance(config, LoopConfig):
        if config.mode == "infinite":
            return max(limits.loop_iterations, 1)
        if config.mode == "count":
            return max(_constant(node, config.count, otherwise=1), 0)
        return _length(node, config.lists, otherwise=1)
    if isinstance(config, BatchConfig):
        size = _constant(node, config.size, otherwise=0) or limits.batch_size
        return min(size, _length(node, config.lists, otherwise=size))
    return 1


def _constant(node: Node, name: str, *, otherwise: int) -> int:
    binding = node.input(name) if name else None
    if binding is None or not isinstance(binding.expr, Const):
        return otherwise
    value = binding.expr.value
    return value if isinstance(value, int) else otherwise


def _length(node: Node, lists: tuple[str, ...], *, otherwise: int) -> int:
    lengths = []
    for name in lists:
        binding = node.input(name)
        if binding is None or not isinstance(binding.expr, Const):
            return otherwise
        if isinstance(binding.expr.value, list):
            lengths.append(len(binding.expr.value))
    return min(lengths, default=otherwise)
