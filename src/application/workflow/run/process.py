"""What each node of a run did, put together from the run's events."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from application.workflow.run.event import NodeBegan, NodeEnded, RunRecord, node_type_key
from domain.workflow.engine.state import NodeError, NodePath

NodeStatus = Literal["running", "success", "failed", "cancelled", "interrupted"]


@dataclass(slots=True, kw_only=True)
class NodeResult:
    """One instance of a node; ``id`` is its number on the wire, ``index`` its iteration.

    ``batch``: the instances of a node inside a composite, by index.
    """

    id: str
    path: NodePath
    node_id: str
    node_type: str
    title: str
    parent_node_id: str
    index: int | None
    status: NodeStatus
    input: Mapping[str, Any]
    output: Mapping[str, Any] | None = None
    raw_output: str = ""
    port: str = ""
    error: NodeError | None = None
    warnings: tuple[str, ...] = ()
    duration_ms: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0
    is_estimated: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)
    started_at_ms: int = 0
    updated_at_ms: int = 0
    batch: list["NodeResult"] = field(default_factory=list)

    @property
    def is_finished(self) -> bool:
        return self.status != "running"


def node_results(run_id: int, records: Iterable[RunRecord]) -> dict[NodePath, NodeResult]:
    """Fold events into one result for each instance of a node; the last attempt counts."""
    results: dict[NodePath, NodeResult] = {}
    for record in records:
        event = record.event
        if isinstance(event, NodeBegan):
            results[event.path] = NodeResult(
                id=instance_id(run_id, event.path),
                path=event.path,
                node_id=event.node_id,
                node_type=node_type_key(event.kind),
                title=event.node_title,
                parent_node_id=event.path[-3] if event.path[1:] else "",
                index=_index(event.path),
                status="running",
                input=event.inputs,
                started_at_ms=record.at_ms,
                updated_at_ms=record.at_ms,
            )
        elif isinstance(event, NodeEnded) and event.path in results:
            _end(results[event.path], event, record.at_ms)
    return results


def instance_id(run_id: int, path: NodePath) -> str:
    """Number an instance of a node: always the same for the same run and place."""
    digest = hashlib.sha256("\x1f".join((str(run_id), *path)).encode()).digest()
    # 63 bits and never 0: clients read ids as signed integers, and 0 as none.
    return str(int.from_bytes(digest[:8]) >> 1 or 1)


def in_scope(results: Mapping[NodePath, NodeResult], *, inside: NodePath = ()) -> list[NodeResult]:
    """Show one level: its nodes, and those inside its composites gathered by node.

    ``inside`` is the path of a node that runs another workflow; its nodes are shown then.
    """
    shown: dict[NodePath, NodeResult] = {}
    for path, result in results.items():
        if path[: len(inside)] != inside or len(path) == len(inside):
            continue
        rest = path[len(inside) + 1 :] if inside else path
        if not all(key.isdecimal() for key in rest[1::2]):
            continue
        place = rest[::2]
        known = shown.get(place)
        if known is None:
            shown[place] = result
            result.batch = [result] if len(rest) > 1 else []
        else:
            known.batch.append(result)
    return list(shown.values())


def _end(result: NodeResult, event: NodeEnded, at_ms: int) -> None:
    result.status = event.status
    result.output = event.output
    result.raw_output = event.raw_output
    result.port = event.port
    result.error = event.error
    result.warnings = event.warnings
    result.duration_ms = event.duration_ms
    result.input_tokens = event.input_tokens
    result.output_tokens = event.output_tokens
    result.is_estimated = event.is_estimated
    result.extra = event.extra
    result.updated_at_ms = at_ms


def _index(path: NodePath) -> int | None:
    if not path[1:] or not path[-2].isdecimal():
        return None
    return int(path[-2])
