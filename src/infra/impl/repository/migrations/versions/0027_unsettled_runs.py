"""An index of the runs of a conversation that are not over: there is hardly ever one."""

import sqlalchemy as sa

from infra.impl.repository.migrations import beside

revision = "0027_unsettled_runs"
down_revision = "0026_file_expiry_index"
branch_labels = None
depends_on = None
phase = "expand"

_CONDITION = sa.text("status IN ('created', 'in_progress', 'requires_action')")


def upgrade() -> None:
    beside.create_index(
        "ix_run_unsettled",
        "run",
        ["conversation_id"],
        sqlite_where=_CONDITION,
        postgresql_where=_CONDITION,
    )
