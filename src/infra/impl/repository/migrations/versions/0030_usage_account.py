"""Accounts, prices and money of usage."""

import sqlalchemy as sa
from alembic import op

revision = "0030_usage_account"
down_revision = "0029_stored_response"
branch_labels = None
depends_on = None
phase = "expand"

_TABLE = "model_call"
_IDS = ("app", "agent", "workflow", "dataset", "member", "token", "share_link")
_TEXTS = {"source": 16, "version": 64, "end_user_id": 256, "currency": 3, "price_version": 16}
_MONEY = sa.Numeric(20, 8).with_variant(sa.String(32), "sqlite")


def upgrade() -> None:
    for name in _IDS:
        op.add_column(
            _TABLE, sa.Column(f"{name}_id", sa.BigInteger(), server_default="0", nullable=False)
        )
    for name, size in _TEXTS.items():
        op.add_column(_TABLE, sa.Column(name, sa.String(size), server_default="", nullable=False))
    for name in ("pages", "slot"):
        op.add_column(_TABLE, sa.Column(name, sa.Integer(), server_default="0", nullable=False))
    for name in ("has_points", "is_rolled"):
        op.add_column(
            _TABLE, sa.Column(name, sa.Boolean(), server_default=sa.false(), nullable=False)
        )
    op.add_column(_TABLE, sa.Column("money", _MONEY, nullable=True))
    op.add_column("workflow_run", sa.Column("origin", sa.Text(), nullable=True))
