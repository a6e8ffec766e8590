"""Where the time of a workflow run went, for whoever may see workflows."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from api.admin.workflow.run_shape import run_duration_ms
from application.trace.dto import TraceTree
from application.trace.service import TraceService
from application.workflow.run.dto import WorkflowRunView
from application.workflow.run.event import node_type_key
from application.workflow.run.query import RunProcess, RunQueries
from domain.shared.access import Principal
from domain.shared.ids import parse_id
from domain.shared.tracing.span import SpanKind, SpanStatus
from domain.trace.value import TreeSpan

_SPAN_WORDS: Final[Mapping[SpanStatus, str]] = {
    SpanStatus.OK: "success",
    SpanStatus.ERROR: "failed",
    SpanStatus.CANCELLED: "cancelled",
    SpanStatus.INTERRUPTED: "interrupted",
    SpanStatus.LOST: "lost",
}
_FACTS: Final = {"node_id": "id"}


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
        run_id = str(run.id)
        ids = {node.path: node.id for node in found.nodes}
        spans = [_root(run)]
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
                    parent_span_id=ids.get(node.path[:-2], run_id),
                    name=node.title,
                    kind="node",
                    status=node.status,
                    start_ms=node.started_at_ms,
                    duration_ms=round(node.duration_ms, 3),
                    attributes=attributes,
                )
            )
        return cls(run.log_id or run_id, spans)

    @classmethod
    def of_stored(cls, run: WorkflowRunView, trace: TraceTree) -> "AdminTrace":
        """Return the stored trace of a run; all its stretches are one span."""
        run_id = str(run.id)
        began_ms = int(trace.summary.started_at.timestamp() * 1000)
        tops = {each.id for each in trace.spans if not each.parent and each.run_id == run.id}
        spans = [_root(run)]
        for each in trace.spans:
            if each.id in tops and each.span.kind is SpanKind.WORKFLOW:
                continue
            above = each.parent if each.parent not in tops else run_id
            spans.append(_stored(each, above or run_id, began_ms))
        return cls(run.log_id or run_id, spans)


def _root(run: WorkflowRunView) -> Span:
    return Span(
        span_id=str(run.id),
        parent_span_id="",
        name="workflow.run",
        kind="run",
        status=run.phase.value,
        start_ms=int((run.started_at or run.created_at).timestamp() * 1000),
        duration_ms=float(run_duration_ms(run)),
        attributes={
            "workflow.id": str(run.workflow_id),
            "workflow.version": run.version,
            "tokens.input": run.input_tokens,
            "tokens.output": run.output_tokens,
            "log.id": run.log_id,
        },
    )


def _stored(told: TreeSpan, above: str, began_ms: int) -> Span:
    span = told.span
    attributes: dict[str, Any] = {
        f"{span.kind.value}.{_FACTS.get(name, name)}": fact
        for name, fact in span.attributes.items()
    }
    if span.kind is SpanKind.NODE:
        attributes.setdefault("node.port", "")
        attributes["node.kind"] = node_type_key(str(span.attributes.get("kind", "")))
    attributes |= {
        "tokens.input": span.usage.input_tokens,
        "tokens.output": span.usage.output_tokens,
        "tokens.estimated": span.usage.estimated,
    }
    if span.status is SpanStatus.ERROR:
        attributes |= {"error.code": span.error_code, "error.message": span.error}
    return Span(
        span_id=told.id,
        parent_span_id=above,
        name=span.name,
        kind=span.kind.value,
        status=_SPAN_WORDS[span.status],
        start_ms=began_ms + span.start_us // 1000,
        duration_ms=round(span.duration_us / 1000, 3),
        attributes=attributes,
    )


class AdminWorkflowTraceController(Controller):
    """The trace of one run."""

    path = "/admin/v1/workflow-runs/{execute_id:str}/trace"

    @get(operation_id="admin.workflow_runs.get_trace")
    async def trace(
        self,
        *,
        execute_id: FromPath[str],
        principal: NamedDependency[Principal],
        workflow_run_queries: NamedDependency[RunQueries],
        trace: NamedDependency[TraceService],
    ) -> AdminTrace:
        """Return where the time of a run went, as spans without what was said.

        It is the stored trace of the run; of one that goes on, or left none, what its events tell.
        """
        wanted = parse_id(execute_id, field="execute_id")
        run = await workflow_run_queries.get(principal, wanted)
        if run.is_over:
            told = await trace.of_run(principal, run.id, run.space_id)
            if told is not None:
                return AdminTrace.of_stored(run, told)
        return AdminTrace.of(await workflow_run_queries.trace(principal, wanted))
