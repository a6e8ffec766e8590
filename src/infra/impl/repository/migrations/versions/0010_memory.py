"""Variables and database tables."""

revision = "0010_memory"
down_revision = "0009_workflow_chat"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    pass
