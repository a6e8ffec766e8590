"""How calls are found that sums of releases before hold alone."""

import sqlalchemy as sa

from infra.impl.repository.migrations.beside import create_index

revision = "0067_later_sums_index"
down_revision = "0066_later_sums"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    condition = sa.text("is_rolled AND NOT has_later_sums")
    create_index(
        "ix_model_call_lacking",
        "model_call",
        ["slot"],
        sqlite_where=condition,
        postgresql_where=condition,
    )
