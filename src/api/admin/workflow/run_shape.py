"""Runs of workflows on the admin surface."""

from collections.abc import Iterable
from typing import Annotated, Any, Final

import msgspec

from api.shape import IdOrEmpty, Shape
from application.shared.projection import After, At, By
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


class AdminRunFault(Shape):
    """Why a run or a node failed; ``code`` is the number in records."""

    code: Annotated[int, At("internal_code")]
    message: str
    node_id: str = ""


def _tokens(told: WorkflowRunView | NodeResult) -> RunTokens:
    given, taken = told.input_tokens, told.output_tokens
    return RunTokens(given, taken, given + taken)


def run_duration_ms(run: WorkflowRunView) -> int:
    """Return how long a run took, or has taken so far."""
    end, begin = run.finished_at or run.updated_at, run.started_at or run.created_at
    return max(int((end - begin).total_seconds() * 1000), 0)


def _level(node: NodeResult) -> str:
    return _LEVELS.get(node.status, "Warn" if node.warnings or node.error else "")


def _fault(node: NodeResult) -> AdminRunFault | None:
    error = node.error
    if error is None:
        return None
    return AdminRunFault(code=error.code, message=error.seen_from(node.path), node_id=error.node_id)


def _inside(node: NodeResult) -> str:
    return node.id if node.node_type in {"SubWorkflow", "LLM"} else ""


def _rounded(duration_ms: float) -> float:
    return round(duration_ms, 3)


def _cost(duration_ms: float) -> str:
    return f"{duration_ms / 1000:.3f}s"


def _instances(nodes: Iterable[NodeResult]) -> "list[AdminNodeRun]":
    return [AdminNodeRun.of(each, batch=[]) for each in nodes]


class AdminInterrupt(msgspec.Struct, frozen=True, kw_only=True):
    """A question that is open; ``id`` goes into the answer as ``event_id``."""

    id: str
    type: int
    node_id: str
    schema_node_id: str
    node_title: str
    node_icon: str = ""
    data: str


class AdminWorkflowRun(
    Shape,
    of=WorkflowRunView,
    only=(
        "id",
        "workflow_id",
        "space_id",
        "version",
        "kind",
        "mode",
        "phase",
        "node_id",
        "input",
        "output",
        "fault",
        "executed",
        "conversation_id",
        "log_id",
        "created_at",
        "updated_at",
        "finished_at",
    ),
    rename={
        "id": "execute_id",
        "mode": "run_mode",
        "fault": "error",
        "executed": "node_count",
        "log_id": "logid",
    },
):
    """A run without its nodes; times in Unix seconds."""

    kind: str
    status: Annotated[int, At("phase"), By(STATUS_NUMBERS.__getitem__), After("mode")]
    phase: str
    input: dict[str, Any]
    fault: AdminRunFault | None
    conversation_id: IdOrEmpty
    tokens: Annotated[RunTokens, At(""), By(_tokens), After("fault")]
    duration_ms: Annotated[int, At(""), By(run_duration_ms)]


class AdminWorkflowRunList(msgspec.Struct, frozen=True):
    """One page of runs, newest first; pass ``next_cursor`` as ``cursor`` for the next one."""

    items: list[AdminWorkflowRun]
    next_cursor: str | None


class AdminNodeRun(
    Shape,
    of=NodeResult,
    only=(
        "id",
        "node_id",
        "node_type",
        "title",
        "status",
        "input",
        "output",
        "raw_output",
        "port",
        "error",
        "warnings",
        "index",
        "parent_node_id",
        "extra",
        "started_at_ms",
        "duration_ms",
        "batch",
    ),
    rename={"node_type": "type", "title": "name"},
):
    """What one instance of a node did; ``status`` 1 waiting, 2 running, 3 success, 4 failed.

    ``sub_execute_id`` asks for the nodes inside, where the node runs another workflow. ``batch``:
    the instances of a node inside a loop or batch.
    """

    status: Annotated[int, By(_NODE_NUMBERS.__getitem__)]
    input: dict[str, Any]
    output: dict[str, Any] | None
    error: Annotated[AdminRunFault | None, At(""), By(_fault)]
    error_level: Annotated[str, At(""), By(_level), After("error")]
    warnings: list[str]
    cost: Annotated[str, At("duration_ms"), By(_cost), After("warnings")]
    tokens: Annotated[RunTokens, At(""), By(_tokens), After("cost")]
    sub_execute_id: Annotated[str, At(""), By(_inside), After("parent_node_id")]
    extra: dict[str, Any]
    duration_ms: Annotated[float, By(_rounded)]
    batch: Annotated[list["AdminNodeRun"], By(_instances)] = msgspec.field(default_factory=list)


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
        run, nodes = found.run, found.nodes
        done = sum(node.is_finished for node in nodes)
        fault = None if run.fault is None else AdminRunFault.of(run.fault)
        return cls(
            execute_id=str(run.id),
            workflow_id=str(run.workflow_id),
            status=STATUS_NUMBERS[run.phase],
            nodes=AdminNodeRun.each(nodes),
            rate="1.00" if run.phase.is_final else f"{done / max(len(nodes), 1):.2f}",
            cost=_cost(run_duration_ms(run)),
            tokens=_tokens(run),
            reason=fault.message if fault else "",
            error=fault,
            last_node_id=nodes[-1].node_id if nodes else "",
            logid=run.log_id,
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
                for each in run.pending
            ],
        )
