"""Index by which the chain of the audit log is followed, and what is not chained is found."""

from infra.impl.repository.migrations.beside import create_index

revision = "0038_audit_position"
down_revision = "0037_audit_act"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    create_index("ix_audit_log_position_id", "audit_log", ["position", "id"])
