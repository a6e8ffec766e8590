"""How files are found whose time is over."""

from infra.impl.repository.migrations.beside import create_index

revision = "0026_file_expiry_index"
down_revision = "0025_file_expiry"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    create_index("ix_file_expires_at", "file", ["expires_at"])
