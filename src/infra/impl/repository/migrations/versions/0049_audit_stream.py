"""How far the audit log was sent to another machine."""

import sqlalchemy as sa
from alembic import op

revision = "0049_audit_stream"
down_revision = "0048_data_rights"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "audit_stream",
        sa.Column("target", sa.String(300), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("target", name="pk_audit_stream"),
    )
