"""Table and image knowledge."""

revision = "0005_knowledge_table"
down_revision = "0004_workflow_run"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    pass
