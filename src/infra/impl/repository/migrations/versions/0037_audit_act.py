"""Who did what from where, in each row of the audit log, and the chain of its rows."""

import sqlalchemy as sa
from alembic import op

revision = "0037_audit_act"
down_revision = "0036_email_index"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column("audit_log", sa.Column("token_id", sa.BigInteger(), nullable=True))
    op.add_column("audit_log", sa.Column("session_id", sa.BigInteger(), nullable=True))
    op.add_column("audit_log", sa.Column("address", sa.String(64), nullable=True))
    op.add_column("audit_log", sa.Column("resource_name", sa.Text(), nullable=True))
    op.add_column("audit_log", sa.Column("changes", sa.Text(), nullable=True))
    op.add_column("audit_log", sa.Column("position", sa.BigInteger(), nullable=True))
    op.add_column("audit_log", sa.Column("digest", sa.LargeBinary(), nullable=True))
    op.create_table(
        "audit_chain",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("cut_position", sa.BigInteger(), nullable=False),
        sa.Column("cut_digest", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
