"""Short bodies of traces in the row of their trace."""

import sqlalchemy as sa
from alembic import op

revision = "0070_trace_row"
down_revision = "0069_oauth_app_disabled"
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:
    op.add_column("trace", sa.Column("body", sa.LargeBinary(), nullable=True))
