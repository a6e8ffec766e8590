"""Tables of runs of workflows."""

from typing import Any, Final

import sqlalchemy as sa

from domain.workflow.interrupt import Interrupt
from domain.workflow.workflow_run import RunFault
from infra.impl.repository.sql.schema import Instant, Json, id_column, metadata, only_where

workflow_runs: Final = sa.Table(
    "workflow_run",
    metadata,
    id_column(),
    sa.Column("space_id", sa.BigInteger, nullable=False),
    sa.Column("workflow_id", sa.BigInteger, nullable=False),
    sa.Column("version", sa.String(32), nullable=False),
    sa.Column("version_hash", sa.String(200), nullable=False),
    sa.Column("canvas_digest", sa.String(64), nullable=False),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("mode", sa.SmallInteger, nullable=False),
    sa.Column("node_id", sa.String(200), nullable=False),
    sa.Column("creator_id", sa.BigInteger, nullable=False),
    sa.Column("end_user_id", sa.String(256), nullable=False),
    sa.Column("connector_id", sa.BigInteger, nullable=False),
    sa.Column("app_id", sa.BigInteger, nullable=False),
    sa.Column("agent_id", sa.BigInteger, nullable=False),
    sa.Column("conversation_id", sa.BigInteger, nullable=False),
    sa.Column("log_id", sa.String(64), nullable=False),
    sa.Column("egress_hosts", Json(frozenset[str])),
    sa.Column("input", Json(dict[str, Any]), nullable=False),
    sa.Column("answers", sa.Boolean, nullable=False),
    sa.Column("phase", sa.String(12), nullable=False),
    sa.Column("output", sa.Text, nullable=False),
    sa.Column("fault", Json(RunFault)),
    sa.Column("pending", Json(tuple[Interrupt, ...]), nullable=False),
    sa.Column("executed", sa.BigInteger, nullable=False),
    sa.Column("input_tokens", sa.BigInteger, nullable=False),
    sa.Column("output_tokens", sa.BigInteger, nullable=False),
    sa.Column("lease_owner", sa.String(32), nullable=False),
    sa.Column("lease_until", Instant),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("deadline_at", Instant),
    sa.Column("remaining_s", sa.Float(53), nullable=False),
    sa.Column("expires_at", Instant),
    sa.Column("cancel_requested_at", Instant),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("started_at", Instant),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Column("finished_at", Instant),
    sa.Column("purged_at", Instant),
    sa.Column("revision", sa.Integer, nullable=False),
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
)

run_log: Final = sa.Table(
    "workflow_run_log",
    metadata,
    id_column("run_id", primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("space_id", sa.BigInteger, nullable=False),
    sa.Column("entries_after", sa.BigInteger, nullable=False),
    sa.Column("entries_to", sa.BigInteger, nullable=False),
    sa.Column("entries", sa.LargeBinary, nullable=False),
    sa.Column("first_seq", sa.BigInteger, nullable=False),
    sa.Column("last_seq", sa.BigInteger, nullable=False),
    sa.Column("events", sa.LargeBinary, nullable=False),
)

run_states: Final = sa.Table(
    "workflow_run_state",
    metadata,
    id_column("run_id", primary_key=True),
    sa.Column("space_id", sa.BigInteger, nullable=False),
    sa.Column("sequence", sa.BigInteger, nullable=False),
    sa.Column("state", sa.LargeBinary, nullable=False),
)

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
