"""How traces of an agent or a workflow are found: only those that have one are in the index."""

import sqlalchemy as sa

from infra.impl.repository.migrations.beside import create_index

revision = "0072_trace_index"
down_revision = "0071_budget_charge"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    has_agent, has_workflow = sa.text("agent_id <> 0"), sa.text("workflow_id <> 0")
    create_index(
        "ix_trace_of_agent",
        "trace",
        ["agent_id", "started_at"],
        sqlite_where=has_agent,
        postgresql_where=has_agent,
    )
    create_index(
        "ix_trace_of_workflow",
        "trace",
        ["workflow_id", "started_at"],
        sqlite_where=has_workflow,
        postgresql_where=has_workflow,
    )
