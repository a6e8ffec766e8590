"""Conversations of workflows."""

revision = "0009_workflow_chat"
down_revision = "0008_answer_citations"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    pass
