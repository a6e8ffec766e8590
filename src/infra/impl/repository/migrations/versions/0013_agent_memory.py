"""Summaries of conversations and what agents remember of their users."""

revision = "0013_agent_memory"
down_revision = "0012_library"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    """Nothing yet."""


def downgrade() -> None:
    """Nothing yet."""
