"""Batch: runs its body for many items at once."""

from typing import Final

from domain.workflow.canvas.blank import blank, literal, param, unset
from domain.workflow.canvas.node_reader import NodeReader
from domain.workflow.graph import Const, Node, NodeConfig
from domain.workflow.node import Check, NodeType, Runner, config_of
from domain.workflow.node.control.loop import check_lists

SIZE: Final = "$size"
CONCURRENCY: Final = "$concurrency"


class BatchConfig(NodeConfig, frozen=True, kw_only=True):
    """Names of inputs; an empty name, 0 or null mean the defaults of the deployment."""

    lists: tuple[str, ...]
    size: str = ""
    concurrency: str = ""
    is_node_batch: bool = False
    """Made from a node in batch mode; the only inner node is ``<id>_inner``."""


def _read(reader: NodeReader) -> NodeConfig:
    reader.mark("lists", reader.inputs["inputParameters"])
    reader.parameters()
    lists = tuple(binding.name for binding in reader.bindings)
    return BatchConfig(
        lists=lists,
        size=reader.bind(SIZE, reader.inputs["batchSize"], is_optional=True),
        concurrency=reader.bind(CONCURRENCY, reader.inputs["concurrentSize"], is_optional=True),
    )


def _check(node: Node, check: Check) -> None:
    config = config_of(node, BatchConfig)
    if not config.lists:
        check.add("WF411", node, "The batch has no list to go through.", at="lists")
    check_lists(node, config.lists, check)
    limits = check.limits
    for name, maximum in (
        (config.size, limits.batch_size_max),
        (config.concurrency, limits.batch_concurrency_max),
    ):
        binding = node.input(name) if name else None
        if binding is None or not isinstance(binding.expr, Const):
            continue
        value = binding.expr.value
        if isinstance(value, int) and (value < 0 or (maximum and value > maximum)):
            check.add("WF402", node, f"{value} is not between 0 and {maximum}.", at=name)


NodeType(
    kind="batch",
    type_id="28",
    key="Batch",
    names={"en": "Batch", "zh": "批处理"},
    blank=blank(
        inputs={
            "batchSize": literal("integer", "100"),
            "concurrentSize": literal("integer", "10"),
            "inputParameters": [param("input", unset("list", schema={"type": "string"}))],
        },
        outputs=[],
    ),
    group="logic",
    read=_read,
    check=_check,
    config=BatchConfig,
    zero_fill=True,
    null_fill=True,
    is_composite=True,
    runner=Runner(composite="batch"),
).register()
