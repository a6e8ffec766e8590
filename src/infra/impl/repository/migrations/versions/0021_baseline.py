"""All tables of the first release: what alembic wrote of them, in a file beside the package."""

from pathlib import Path

from alembic import context

from infra.impl.repository.migrations import statements

revision = "0021_baseline"
down_revision = None
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    connection = context.get_bind()
    made = (Path(__file__).parents[1] / f"{revision}.sql").read_text(encoding="utf-8")
    statements.execute(connection, statements.spelled(made, connection.dialect.name))
