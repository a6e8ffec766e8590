"""The agent that is active in a section."""

import sqlalchemy as sa
from alembic import op

revision = "0014_agent_team"
down_revision = "0013_agent_memory"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "section_agent",
        sa.Column("section_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("agent_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("conversation_id", sa.BigInteger(), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("section_id", "agent_id", name=op.f("pk_section_agent")),
    )
    op.create_index("ix_section_agent_conversation_id", "section_agent", ["conversation_id"])
