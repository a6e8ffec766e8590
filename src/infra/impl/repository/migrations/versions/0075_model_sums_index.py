"""How calls are found that are in all sums but those by model alone."""

import sqlalchemy as sa

from infra.impl.repository.migrations.beside import create_index

revision = "0075_model_sums_index"
down_revision = "0074_model_sums"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    condition = sa.text("has_later_sums AND NOT has_model_sums")
    create_index(
        "ix_model_call_lacking_models",
        "model_call",
        ["slot"],
        sqlite_where=condition,
        postgresql_where=condition,
    )
