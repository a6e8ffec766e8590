"""Workflows: drafts and versions."""

revision = "0003_workflow"
down_revision = "0002_knowledge"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    pass
