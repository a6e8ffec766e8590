"""How conversations of an end user, and the end users of an agent, are found."""

from infra.impl.repository.migrations.beside import create_index

revision = "0056_end_user_index"
down_revision = "0055_saved_input"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    create_index(
        "ix_conversation_end_user", "conversation", ["space_id", "end_user_id", "agent_id"]
    )
