"""Rows of runs of workflows: one mapping in each direction."""

from typing import Any

import sqlalchemy as sa

from domain.shared.ids import RunId, SpaceId, UserId
from domain.workflow.run_repository import LogBatch, Snapshot
from domain.workflow.workflow_run import RunKind, RunMode, RunPhase, WorkflowRun


def to_row(run: WorkflowRun) -> dict[str, Any]:
    """Everything but ``cancel_requested_at``, which others write beside the worker."""
    return {
        "id": run.id,
        "space_id": run.space_id,
        "workflow_id": run.workflow_id,
        "version": run.version,
        "version_hash": run.version_hash,
        "canvas_digest": run.canvas_digest,
        "kind": run.kind,
        "mode": run.mode,
        "node_id": run.node_id,
        "creator_id": run.creator_id,
        "end_user_id": run.end_user_id,
        "connector_id": run.connector_id,
        "app_id": run.app_id,
        "agent_id": run.agent_id,
        "conversation_id": run.conversation_id,
        "log_id": run.log_id,
        "egress_hosts": run.egress_hosts,
        "input": run.input,
        "answers": run.answers,
        "phase": run.phase,
        "output": run.output,
        "fault": run.fault,
        "pending": run.pending,
        "executed": run.executed,
        "input_tokens": run.input_tokens,
        "output_tokens": run.output_tokens,
        "lease_owner": run.lease_owner,
        "lease_until": run.lease_until,
        "attempt": run.attempt,
        "deadline_at": run.deadline_at,
        "remaining_s": run.remaining_s,
        "expires_at": run.expires_at,
        "created_at": run.created_at,
        "started_at": run.started_at,
        "updated_at": run.updated_at,
        "finished_at": run.finished_at,
    }


def to_run(row: sa.RowMapping) -> WorkflowRun:
    """Build the aggregate from its row."""
    return WorkflowRun(
        id=RunId(row["id"]),
        space_id=SpaceId(row["space_id"]),
        workflow_id=row["workflow_id"],
        version=row["version"],
        version_hash=row["version_hash"],
        canvas_digest=row["canvas_digest"],
        kind=RunKind(row["kind"]),
        mode=RunMode(row["mode"]),
        node_id=row["node_id"],
        creator_id=UserId(row["creator_id"]),
        end_user_id=row["end_user_id"],
        connector_id=row["connector_id"],
        app_id=row["app_id"],
        agent_id=row["agent_id"],
        conversation_id=row["conversation_id"],
        log_id=row["log_id"],
        egress_hosts=row["egress_hosts"],
        input=row["input"],
        answers=row["answers"],
        phase=RunPhase(row["phase"]),
        output=row["output"],
        fault=row["fault"],
        pending=row["pending"],
        executed=row["executed"],
        input_tokens=row["input_tokens"],
        output_tokens=row["output_tokens"],
        lease_owner=row["lease_owner"],
        lease_until=row["lease_until"],
        attempt=row["attempt"],
        deadline_at=row["deadline_at"],
        remaining_s=row["remaining_s"],
        expires_at=row["expires_at"],
        created_at=row["created_at"],
        started_at=row["started_at"],
        updated_at=row["updated_at"],
        finished_at=row["finished_at"],
        revision=row["revision"],
    )


def batch_row(run_id: RunId, space_id: SpaceId, batch: LogBatch) -> dict[str, Any]:
    """Row of a batch of the log."""
    return {
        "run_id": run_id,
        "number": batch.number,
        "space_id": space_id,
        "entries_after": batch.entries_after,
        "entries_to": batch.entries_to,
        "entries": batch.entries,
        "first_seq": batch.first_seq,
        "last_seq": batch.last_seq,
        "events": batch.events,
    }


def snapshot_row(run_id: RunId, space_id: SpaceId, snapshot: Snapshot) -> dict[str, Any]:
    """Row of a snapshot."""
    return {
        "run_id": run_id,
        "space_id": space_id,
        "sequence": snapshot.sequence,
        "state": snapshot.state,
    }
