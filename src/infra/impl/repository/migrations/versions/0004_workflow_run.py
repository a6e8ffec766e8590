"""Runs of workflows: states, journals and events."""

revision = "0004_workflow_run"
down_revision = "0003_workflow"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    pass
