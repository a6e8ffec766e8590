"""Facts of workflow runs for those who take part in their settlement."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from domain.shared.account import current_origin
from domain.shared.chat import Usage
from domain.shared.settlement import RunEnd, RunFacts
from domain.shared.tracing.span import SpanStatus
from domain.workflow.run.workflow_run import RunPhase, WorkflowRun

SPAN_STATUSES: Final[Mapping[str, SpanStatus]] = {
    "success": SpanStatus.OK,
    "failed": SpanStatus.ERROR,
    "cancelled": SpanStatus.CANCELLED,
    "interrupted": SpanStatus.INTERRUPTED,
}
_STATUSES: Final[Mapping[RunPhase, Any]] = {
    RunPhase.CREATED: "interrupted",
    RunPhase.RUNNING: "interrupted",
    RunPhase.INTERRUPTED: "interrupted",
    RunPhase.SUCCESS: "completed",
    RunPhase.FAILED: "failed",
    RunPhase.CANCELLED: "cancelled",
}
"""A run that another worker goes on with is as one that waits."""


def facts_of(run: WorkflowRun, *, is_resumed: bool) -> RunFacts:
    """Return what the row of a run tells; any process may go on with it."""
    origin = run.origin or current_origin()
    return RunFacts(
        run_id=run.id,
        kind="workflow",
        space_id=run.space_id,
        creator_id=run.creator_id,
        source=(origin.of_draft() if run.is_debug else origin).source,
        agent_id=run.agent_id,
        workflow_id=run.workflow_id,
        version=run.version,
        connector_id=run.connector_id,
        end_user_id=run.end_user_id,
        conversation_id=run.conversation_id,
        created_at=run.created_at,
        is_resumed=is_resumed,
        at_most=origin.trace,
        traceparent=origin.traceparent,
        tags=origin.tags,
    )


def end_of(run: WorkflowRun, *, now: datetime) -> RunEnd:
    """Tell how a stretch of a run ended."""
    return RunEnd(
        status=_STATUSES[run.phase],
        ended_at=now,
        usage=Usage(input_tokens=run.input_tokens, output_tokens=run.output_tokens),
        error_code=run.fault.code if run.fault else 0,
        error=run.fault.message if run.fault else "",
    )
