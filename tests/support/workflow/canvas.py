"""Builds small canvases in the format of Coze Studio."""

import json
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Final

from domain.workflow.graph import Flags
from domain.workflow.limit import WorkflowLimits
from domain.workflow.lint.check import Checker, Reading
from domain.workflow.lint.surroundings import NOTHING_KNOWN, Surroundings

FIXTURES: Final = Path(__file__).parents[2] / "fixtures" / "workflow"
Json = dict[str, object]
ENTRY: Final = "100001"
EXIT: Final = "900001"


def check(
    canvas: Json | str,
    *,
    surroundings: Surroundings = NOTHING_KNOWN,
    limits: WorkflowLimits | None = None,
    flags: Flags | None = None,
) -> Reading:
    text = canvas if isinstance(canvas, str) else json.dumps(canvas)
    checker = Checker(limits=limits or WorkflowLimits(), flags=flags or Flags())
    return checker.check(text, surroundings=surroundings)


def found(reading: Reading, code: str) -> list[str]:
    """Ids of the nodes that a rule speaks about."""
    return [each.node_id for each in reading.diagnostics if each.code == code]


def canvas(*nodes: Json, edges: list[Json] | None = None, entry: list[Json] | None = None) -> Json:
    """Entry, ``nodes`` in a row, and an exit; or connected by ``edges``."""
    declared = [field("q", "string")] if entry is None else entry
    first: Json = {"id": ENTRY, "type": "1", "data": {"outputs": declared}}
    has_exit = any(node["type"] == "2" for node in nodes)
    everything = [first, *nodes, *([] if has_exit else [exit_()])]
    ids = [str(node["id"]) for node in everything]
    row = [edge(a, b) for a, b in pairwise(ids)]
    return {"nodes": everything, "edges": row if edges is None else edges, "versions": {}}


def exit_(**inputs: Json) -> Json:
    parameters = [param(name, value) for name, value in inputs.items()]
    return node(EXIT, "2", terminatePlan="returnVariables", inputParameters=parameters)


def answering(content: str, **inputs: Json) -> Json:
    """An exit that answers with a text."""
    return node(
        EXIT,
        "2",
        terminatePlan="useAnswerContent",
        streamingOutput=True,
        content=lit(content),
        inputParameters=[param(name, value) for name, value in inputs.items()],
    )


def node(node_id: str, type_: str, *, outputs: object = None, **inputs: object) -> Json:
    data: Json = {"nodeMeta": {"title": f"Node {node_id}"}, "inputs": inputs}
    if outputs is not None:
        data["outputs"] = outputs
    return {"id": node_id, "type": type_, "data": data}


def composite(
    node_id: str, type_: str, blocks: list[Json], edges: list[Json], **rest: object
) -> Json:
    outputs = rest.pop("outputs", [])
    made = node(node_id, type_, **rest)
    made["data"]["outputs"] = outputs  # type: ignore[index]
    return {**made, "blocks": blocks, "edges": edges}


def edge(source: str, target: str, port: str = "", into: str = "") -> Json:
    made: Json = {"sourceNodeID": source, "targetNodeID": target}
    if port:
        made["sourcePortID"] = port
    if into:
        made["targetPortID"] = into
    return made


def inside(loop: str, *row: str, kind: str = "loop") -> list[Json]:
    """Edges of a body that runs the nodes of ``row`` one after the other."""
    ends = [
        edge(loop, row[0], f"{kind}-function-inline-output"),
        edge(row[-1], loop, into=f"{kind}-function-inline-input"),
    ]
    return [ends[0], *(edge(a, b) for a, b in pairwise(row)), ends[1]]


def field(name: str, type_: str, **rest: object) -> Json:
    return {"name": name, "type": type_, **rest}


def param(name: str, value: Json) -> Json:
    return {"name": name, "input": value}


def ref(node_id: str, path: str, type_: str = "string", **rest: object) -> Json:
    content = {"source": "block-output", "blockID": node_id, "name": path}
    return {"type": type_, **rest, "value": {"type": "ref", "content": content}}


def glob(kind: str, *path: str, type_: str = "string") -> Json:
    content = {"source": f"global_variable_{kind}", "path": [*path], "blockID": "", "name": ""}
    return {"type": type_, "value": {"type": "ref", "content": content}}


def lit(content: object, type_: str = "string", **rest: object) -> Json:
    return {"type": type_, **rest, "value": {"type": "literal", "content": content}}


def list_ref(node_id: str, path: str, item: str = "string") -> Json:
    return ref(node_id, path, "list", schema={"type": item})


def text(node_id: str, template: str = "hi", **inputs: Json) -> Json:
    return node(
        node_id,
        "15",
        outputs=[field("output", "string")],
        method="concat",
        inputParameters=[param(name, value) for name, value in inputs.items()],
        concatParams=[param("concatResult", lit(template))],
    )


def selector(node_id: str, *conditions: Json) -> Json:
    branches = [{"condition": {"logic": 2, "conditions": [each]}} for each in conditions]
    return node(node_id, "8", branches=branches)


def condition(operator: int, left: Json, right: Json | None = None) -> Json:
    made: Json = {"operator": operator, "left": {"input": left}}
    return made if right is None else {**made, "right": {"input": right}}


def model(node_id: str, prompt: str = "hi", **rest: object) -> Json:
    inputs = rest.pop("inputs", {})
    assert isinstance(inputs, Mapping)
    outputs = rest.pop("outputs", [field("output", "string")])
    constants = {"modelType": "100", "modleName": "m", "prompt": prompt}
    made = node(
        node_id,
        "3",
        inputParameters=[param(name, value) for name, value in inputs.items()],
        llmParam=[param(name, lit(value)) for name, value in constants.items()],
        **rest,
    )
    made["data"]["outputs"] = outputs  # type: ignore[index]
    return made


def loop(node_id: str, *blocks: Json, edges: list[Json] | None = None, **inputs: object) -> Json:
    row = [str(block["id"]) for block in blocks]
    settings: Json = {"loopType": "count", "loopCount": lit("3", "integer"), **inputs}
    return composite(node_id, "21", [*blocks], edges or inside(node_id, *row), **settings)


def batch(node_id: str, *blocks: Json, **inputs: object) -> Json:
    row = [str(block["id"]) for block in blocks]
    settings: Json = {
        "inputParameters": [param("item", lit('["a","b"]', "list", schema={"type": "string"}))],
        **inputs,
    }
    return composite(node_id, "28", [*blocks], inside(node_id, *row, kind="batch"), **settings)
