"""What the relay has published."""

revision = "0015_delivery"
down_revision = "0014_agent_team"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    """Nothing yet."""


def downgrade() -> None:
    """Nothing yet."""
