"""Plugins and their tools."""

revision = "0011_plugin"
down_revision = "0010_memory"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    pass
