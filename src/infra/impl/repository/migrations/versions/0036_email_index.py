"""How accounts are found by their e-mail address."""

from infra.impl.repository.migrations.beside import create_index

revision = "0036_email_index"
down_revision = "0035_browser_session"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    create_index("uq_user_account_email_key", "user_account", ["email_key"], unique=True)
