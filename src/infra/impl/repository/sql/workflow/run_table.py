"""Tables of runs of workflows."""

from typing import Final

import sqlalchemy as sa

from domain.privacy.value import Aging, Section
from domain.workflow.run.repository import LogBatch, Snapshot
from domain.workflow.run.workflow_run import WorkflowRun
from infra.impl.repository.sql.conversation.table import conversations
from infra.impl.repository.sql.mapping.column import Instant, id_column, metadata, only_where
from infra.impl.repository.sql.mapping.personal import PERSONAL, PersonalTable
from infra.impl.repository.sql.mapping.row_mapper import RowMapper

WORKFLOW_RUNS: Final = RowMapper(
    WorkflowRun,
    "workflow_run",
    sa.Index("ix_workflow_run_workflow_id_id", "workflow_id", "id"),
    sa.Index(
        "ix_workflow_run_canvas_digest",
        "canvas_digest",
        **only_where(sa.text("canvas_digest <> ''")),
    ),
    sa.Index(
        "ix_workflow_run_live",
        "lease_until",
        **only_where(sa.text("phase IN ('created', 'running')")),
    ),
    sa.Index(
        "ix_workflow_run_expires_at",
        "expires_at",
        **only_where(sa.text("expires_at IS NOT NULL")),
    ),
    sa.Index(
        "ix_workflow_run_finished_at",
        "finished_at",
        **only_where(sa.text("purged_at IS NULL")),
    ),
    columns={
        "workflow_id": sa.BigInteger,
        "version": sa.String(32),
        "version_hash": sa.String(200),
        "canvas_digest": sa.String(64),
        "kind": sa.String(10),
        "node_id": sa.String(200),
        "end_user_id": sa.String(256),
        "connector_id": sa.BigInteger,
        "app_id": sa.BigInteger,
        "agent_id": sa.BigInteger,
        "conversation_id": sa.BigInteger,
        "log_id": sa.String(64),
        "phase": sa.String(12),
        "executed": sa.BigInteger,
        "input_tokens": sa.BigInteger,
        "output_tokens": sa.BigInteger,
        "lease_owner": sa.String(32),
    },
    # Others write these beside the worker.
    extra=[sa.Column("cancel_requested_at", Instant), sa.Column("purged_at", Instant)],
)
LOG: Final = RowMapper(
    LogBatch,
    "workflow_run_log",
    key=("run_id", "number"),
    columns=dict.fromkeys(("entries_after", "entries_to", "first_seq", "last_seq"), sa.BigInteger),
    extra=[id_column("run_id"), id_column("space_id", nullable=False)],
)
STATES: Final = RowMapper(
    Snapshot,
    "workflow_run_state",
    key=("run_id",),
    columns={"sequence": sa.BigInteger},
    extra=[id_column("run_id"), id_column("space_id", nullable=False)],
)
workflow_runs: Final = WORKFLOW_RUNS.table
run_log: Final = LOG.table
run_states: Final = STATES.table

run_requests: Final = sa.Table(
    "workflow_run_request",
    metadata,
    id_column("creator_id", primary_key=True),
    sa.Column("key", sa.String(255), primary_key=True),
    sa.Column("space_id", sa.BigInteger, nullable=False),
    sa.Column("run_id", sa.BigInteger, nullable=False, index=True),
    sa.Column("digest", sa.String(64), nullable=False),
    sa.Column("created_at", Instant, nullable=False),
)

run_canvases: Final = sa.Table(
    "workflow_run_canvas",
    metadata,
    id_column("space_id", primary_key=True),
    sa.Column("digest", sa.String(64), primary_key=True),
    sa.Column("dialect", sa.String(16), nullable=False),
    sa.Column("text", sa.Text, nullable=False),
)
PERSONAL.add(
    PersonalTable(
        table=workflow_runs,
        section=Section.RUNS,
        end_user=(workflow_runs.c.end_user_id,),
        account=workflow_runs.c.creator_id,
        aging=Aging.LOGS,
        since=workflow_runs.c.finished_at,
        through=((workflow_runs.c.conversation_id, conversations.c.id),),
    )
)
PERSONAL.add(
    PersonalTable(
        table=run_log,
        section=Section.RUNS,
        through=((run_log.c.run_id, workflow_runs.c.id),),
    )
)
PERSONAL.add(
    PersonalTable(
        table=run_states,
        section=Section.RUNS,
        through=((run_states.c.run_id, workflow_runs.c.id),),
        is_shown=False,
    )
)
PERSONAL.add(
    PersonalTable(
        table=run_requests,
        section=Section.ACCESS,
        through=((run_requests.c.run_id, workflow_runs.c.id),),
        is_shown=False,
    )
)
