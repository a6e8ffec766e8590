"""Builds small flows in the format of FastGPT."""

import json
from collections.abc import Sequence
from itertools import pairwise

from domain.workflow.fastgpt.reader import FastGptReader
from domain.workflow.graph import Flags, Node
from domain.workflow.limit import WorkflowLimits
from domain.workflow.lint.check import Checker, Reading
from domain.workflow.lint.surroundings import Surroundings

Json = dict[str, object]
START = "start"
UNKNOWN = Surroundings()


def read(
    *nodes: Json,
    edges: list[Json] | None = None,
    variables: list[Json] | None = None,
    around: Surroundings = UNKNOWN,
) -> Reading:
    first = flow_node(START, "workflowStart")
    row = [START, *(str(each["nodeId"]) for each in nodes if "parentNodeId" not in each)]
    made = {
        "nodes": [first, *nodes],
        "edges": [link(a, b) for a, b in pairwise(row)] if edges is None else edges,
        "chatConfig": {"variables": variables or []},
    }
    return check(json.dumps(made), around=around)


def check(text: str, *, around: Surroundings = UNKNOWN) -> Reading:
    limits, flags = WorkflowLimits(), Flags()
    reader = FastGptReader(limits=limits, flags=flags)
    return Checker(limits=limits, flags=flags, readers={"fastgpt": reader}).check(
        text, dialect="fastgpt", surroundings=around
    )


def flow_node(node_id: str, type_: str, *, outputs: Sequence[str] = (), **rest: object) -> Json:
    made: Json = {"nodeId": node_id, "flowNodeType": type_, "name": node_id, "inputs": []}
    if outputs:
        made["outputs"] = [{"id": each, "key": each, "valueType": "string"} for each in outputs]
    return {**made, **rest}


def value(key: str, content: object, type_: str = "string") -> Json:
    return {"key": key, "value": content, "valueType": type_}


def link(source: str, target: str, branch: str = "right") -> Json:
    return {
        "source": source,
        "target": target,
        "sourceHandle": f"{source}-source-{branch}",
        "targetHandle": f"{target}-target-left",
    }


def the(reading: Reading, node_id: str) -> Node:
    assert reading.program is not None
    waiting = [reading.program.root]
    while waiting:
        for each in waiting.pop().nodes:
            if each.id == node_id:
                return each
            if each.body is not None:
                waiting.append(each.body)
    raise AssertionError(node_id)
