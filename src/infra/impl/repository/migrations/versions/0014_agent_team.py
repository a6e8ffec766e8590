"""The agent that is active in a section."""

revision = "0014_agent_team"
down_revision = "0013_agent_memory"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    """Nothing yet."""


def downgrade() -> None:
    """Nothing yet."""
