"""Aggregator: the first value of each group that is neither skipped nor null."""

from collections.abc import Mapping

from domain.workflow.execution_call import Call
from domain.workflow.graph import Node
from domain.workflow.node import config_of
from domain.workflow.node.aggregator import AggregatorConfig
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.value import Value


def _step(call: Call) -> Result:
    config = config_of(call.node, AggregatorConfig)
    has_value = {name: value is not None for name, value in call.inputs.items()}
    chosen = _choose(call.node, has_value)
    output: dict[str, Value] = {}
    positions: list[Value] = []
    for group in config.groups:
        name = chosen[group.name]
        output[group.name] = None if name is None else call.inputs[name]
        positions.append(None if name is None else group.candidates.index(name))
    call.extra["variable_select"] = positions
    return Result(output)


def _choose(node: Node, has_value: Mapping[str, bool]) -> dict[str, str | None]:
    return {
        group.name: next((name for name in group.candidates if has_value.get(name)), None)
        for group in config_of(node, AggregatorConfig).groups
    }


RUNNERS.register("aggregator")(Runner(step=_step, choose=_choose))
