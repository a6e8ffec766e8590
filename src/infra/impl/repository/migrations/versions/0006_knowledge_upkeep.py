"""Previews, rebuilds and caches of knowledge bases."""

revision = "0006_knowledge_upkeep"
down_revision = "0005_knowledge_table"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    pass
