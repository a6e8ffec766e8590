"""Facts of chats for those who take part in their settlement."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from application.conversation.run.job import RunJob
from domain.conversation.run import Run
from domain.conversation.value import RunStatus
from domain.shared.account import Origin
from domain.shared.settlement import RunEnd, RunFacts

_STATUSES: Final[Mapping[RunStatus, Any]] = {
    RunStatus.COMPLETED: "completed",
    RunStatus.FAILED: "failed",
    RunStatus.CANCELED: "cancelled",
    RunStatus.REQUIRES_ACTION: "interrupted",
}


def facts_of(job: RunJob) -> RunFacts:
    """Return what is known of a run that begins, or goes on."""
    definition = job.definition
    is_resumed = job.resumed_from is not None
    return replace(
        facts_of_run(job.run, origin=job.origin, is_resumed=is_resumed),
        name=definition.name,
        workflow_id=definition.workflow_id,
    )


def facts_of_run(run: Run, *, is_resumed: bool, origin: Origin | None = None) -> RunFacts:
    """Return what the row of a run tells, and the request that goes on with it if there is one."""
    origin = origin or run.request.origin
    return RunFacts(
        run_id=run.id,
        kind="chat",
        space_id=run.space_id,
        creator_id=run.creator_id,
        source=(origin.of_draft() if run.request.is_draft else origin).source,
        agent_id=run.agent_id,
        version=run.agent_version,
        connector_id=run.connector_id,
        end_user_id=run.end_user_id,
        conversation_id=run.conversation_id,
        created_at=run.created_at,
        is_resumed=is_resumed,
        at_most=origin.trace,
        traceparent=(run.request.origin if is_resumed else origin).traceparent,
        tags=origin.tags,
    )


def end_of(run: Run, *, now: datetime) -> RunEnd:
    """Tell how a run ended or waits, as it is about to be stored."""
    return RunEnd(
        status=_STATUSES[run.status],
        ended_at=now,
        usage=run.usage,
        error_code=run.error.code,
        error=run.error.message,
        first_token_at=run.first_token_at,
    )
