"""Prompts, apps, shortcuts and templates."""

revision = "0012_library"
down_revision = "0011_plugin"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    pass
