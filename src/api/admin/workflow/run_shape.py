"""Runs of workflows on the admin surface."""

from typing import Any, Final

import msgspec

from api.wire import seconds
from application.workflow.run.dto import RunPhase, WorkflowRunView
from application.workflow.run.process import NodeResult
from application.workflow.run.query import RunProcess

STATUS_NUMBERS: Final = {
    RunPhase.CREATED: 1,
    RunPhase.RUNNING: 1,
    RunPhase.SUCCESS: 2,
    RunPhase.FAILED: 3,
    RunPhase.CANCELLED: 4,
    RunPhase.INTERRUPTED: 5,
}
_NODE_NUMBERS: Final = {
    "interrupted": 1,
    "running": 2,
    "success": 3,
    "failed": 4,
    "cancelled": 4,
}
_LEVELS: Final = {"interrupted": "Pending", "cancelled": "Cancel", "failed": "Error"}


class StartedRun(msgspec.Struct, frozen=True):
    """Names a run that goes on in the background."""

    execute_id: str


class RunTokens(msgspec.Struct, frozen=True):
    """Tokens that models took and gave."""

    input: int
    output: int
    total: int


class AdminRunFault(msgspec.Struct, frozen=True, kw_only=True):
    """Why a run or a node failed; ``code`` is the number in records."""

    code: int
    message: str
    node_id: str = ""


class AdminInterrupt(msgspec.Struct, frozen=True, kw_only=True):
    """A question that is open; ``id`` goes into the answer as ``event_id``."""

    id: str
    type: int
    node_id: str
    schema_node_id: str
    node_title: str
    node_icon: str = ""
    data: str


class AdminWorkflowRun(msgspec.Struct, frozen=True, kw_only=True):
    """A run without its nodes; times in Unix seconds."""

    execute_id: str
    workflow_id: str
    workspace_id: str
    version: str
    kind: str
    run_mode: int
    status: int
    phase: str
    node_id: str
    input: dict[str, Any]
    output: str
    error: AdminRunFault | None
    tokens: RunTokens
    node_count: int
    logid: str
    created_at: int
    updated_at: int
    finished_at: int | None
    duration_ms: int

    @classmethod
    def of(cls, run: WorkflowRunView) -> "AdminWorkflowRun":
        fault = run.fault
        end = run.finished_at or run.updated_at
        begin = run.started_at or run.created_at
        return cls(
            execute_id=str(run.id),
            workflow_id=str(run.workflow_id),
            workspace_id=str(run.space_id),
            version=run.version,
            kind=run.kind.value,
            run_mode=int(run.mode),
            status=STATUS_NUMBERS[run.phase],
            phase=run.phase.value,
            node_id=run.node_id,
            input=dict(run.input),
            output=run.output,
            error=None
            if fault is None
            else AdminRunFault(
                code=fault.internal_code, message=fault.message, node_id=fault.node_id
            ),
            tokens=_tokens(run.input_tokens, run.output_tokens),
            node_count=run.executed,
            logid=run.log_id,
            created_at=seconds(run.created_at),
            updated_at=seconds(run.updated_at),
            finished_at=seconds(run.finished_at) if run.finished_at else None,
            duration_ms=max(int((end - begin).total_seconds() * 1000), 0),
        )


class AdminWorkflowRunList(msgspec.Struct, frozen=True):
    """One page of runs, newest first; pass ``next_cursor`` as ``cursor`` for the next one."""

    items: list[AdminWorkflowRun]
    next_cursor: str | None


class AdminNodeRun(msgspec.Struct, frozen=True, kw_only=True):
    """What one instance of a node did; ``status`` 1 waiting, 2 running, 3 success, 4 failed.

    ``sub_execute_id`` asks for the nodes inside, where the node runs another workflow. ``batch``:
    the instances of a node inside a loop or batch.
    """

    id: str
    node_id: str
    type: str
    name: str
    status: int
    input: dict[str, Any]
    output: dict[str, Any] | None
    raw_output: str
    port: str
    error: AdminRunFault | None
    error_level: str
    warnings: list[str]
    cost: str
    tokens: RunTokens
    index: int | None
    parent_node_id: str
    sub_execute_id: str
    extra: dict[str, Any]
    started_at_ms: int
    duration_ms: float
    batch: list["AdminNodeRun"] = []

    @classmethod
    def of(cls, node: NodeResult, *, with_batch: bool = True) -> "AdminNodeRun":
        error = node.error
        level = _LEVELS.get(node.status, "Warn" if node.warnings or error else "")
        is_parent = node.node_type in {"SubWorkflow", "LLM"}
        return cls(
            id=node.id,
            node_id=node.node_id,
            type=node.node_type,
            name=node.title,
            status=_NODE_NUMBERS[node.status],
            input=dict(node.input),
            output=None if node.output is None else dict(node.output),
            raw_output=node.raw_output,
            port=node.port,
            error=None
            if error is None
            else AdminRunFault(
                code=error.code, message=error.seen_from(node.path), node_id=error.node_id
            ),
            error_level=level,
            warnings=list(node.warnings),
            cost=f"{node.duration_ms / 1000:.3f}s",
            tokens=_tokens(node.input_tokens, node.output_tokens),
            index=node.index,
            parent_node_id=node.parent_node_id,
            sub_execute_id=node.id if is_parent else "",
            extra=dict(node.extra),
            started_at_ms=node.started_at_ms,
            duration_ms=round(node.duration_ms, 3),
            batch=[cls.of(each, with_batch=False) for each in node.batch] if with_batch else [],
        )


class AdminNodeRunList(msgspec.Struct, frozen=True):
    """Results of one node, in the order in which they began."""

    items: list[AdminNodeRun]


class AdminProcess(msgspec.Struct, frozen=True, kw_only=True):
    """A run with its nodes: 1 running, 2 success, 3 failed, 4 cancelled, 5 waits for answers.

    ``rate`` is the share of the nodes begun that are done, ``cost`` the time.
    """

    execute_id: str
    workflow_id: str
    status: int
    nodes: list[AdminNodeRun]
    rate: str
    cost: str
    tokens: RunTokens
    reason: str
    error: AdminRunFault | None
    last_node_id: str
    logid: str
    output: str
    interrupts: list[AdminInterrupt]

    @classmethod
    def of(cls, found: RunProcess) -> "AdminProcess":
        run = AdminWorkflowRun.of(found.run)
        nodes = found.nodes
        done = sum(node.is_finished for node in nodes)
        is_final = found.run.phase.is_final
        return cls(
            execute_id=run.execute_id,
            workflow_id=run.workflow_id,
            status=run.status,
            nodes=[AdminNodeRun.of(node) for node in nodes],
            rate="1.00" if is_final else f"{done / max(len(nodes), 1):.2f}",
            cost=f"{run.duration_ms / 1000:.3f}s",
            tokens=run.tokens,
            reason=run.error.message if run.error else "",
            error=run.error,
            last_node_id=nodes[-1].node_id if nodes else "",
            logid=run.logid,
            output=run.output,
            interrupts=[
                AdminInterrupt(
                    id=each.id,
                    type=int(each.kind),
                    node_id=each.tool_path[-1] if each.tool_path else each.node_id,
                    schema_node_id=each.path[0],
                    node_title=each.node_title,
                    data=each.data,
                )
                for each in found.run.pending
            ],
        )


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of time of a run: the run itself, or one instance of a node."""

    span_id: str
    parent_span_id: str
    name: str
    kind: str
    status: str
    start_ms: int
    duration_ms: float
    attributes: dict[str, Any]


class AdminTrace(msgspec.Struct, frozen=True):
    """Spans of a run, the run first."""

    trace_id: str
    spans: list[Span]

    @classmethod
    def of(cls, found: RunProcess) -> "AdminTrace":
        run = found.run
        shown = AdminWorkflowRun.of(run)
        ids = {node.path: node.id for node in found.nodes}
        root = Span(
            span_id=shown.execute_id,
            parent_span_id="",
            name="workflow.run",
            kind="run",
            status=run.phase.value,
            start_ms=int((run.started_at or run.created_at).timestamp() * 1000),
            duration_ms=float(shown.duration_ms),
            attributes={
                "workflow.id": shown.workflow_id,
                "workflow.version": run.version,
                "tokens.input": run.input_tokens,
                "tokens.output": run.output_tokens,
                "log.id": run.log_id,
            },
        )
        spans = [root]
        for node in found.nodes:
            attributes: dict[str, Any] = {
                "node.id": node.node_id,
                "node.kind": node.node_type,
                "node.path": list(node.path),
                "node.port": node.port,
                "tokens.input": node.input_tokens,
                "tokens.output": node.output_tokens,
                "tokens.estimated": node.is_estimated,
            }
            if node.index is not None:
                attributes["node.index"] = node.index
            if node.error is not None:
                attributes["error.code"] = node.error.code
                attributes["error.message"] = node.error.seen_from(node.path)
            spans.append(
                Span(
                    span_id=node.id,
                    parent_span_id=ids.get(node.path[:-2], shown.execute_id),
                    name=node.title,
                    kind="node",
                    status=node.status,
                    start_ms=node.started_at_ms,
                    duration_ms=round(node.duration_ms, 3),
                    attributes=attributes,
                )
            )
        return cls(run.log_id or shown.execute_id, spans)


def _tokens(given: int, taken: int) -> RunTokens:
    return RunTokens(given, taken, given + taken)
