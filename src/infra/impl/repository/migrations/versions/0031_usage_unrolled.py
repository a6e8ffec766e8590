"""How usage is found that no sum holds yet."""

import sqlalchemy as sa

from infra.impl.repository.migrations.beside import create_index

revision = "0031_usage_unrolled"
down_revision = "0030_usage_account"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    condition = sa.text("NOT is_rolled")
    create_index(
        "ix_model_call_unrolled",
        "model_call",
        ["slot"],
        sqlite_where=condition,
        postgresql_where=condition,
    )
