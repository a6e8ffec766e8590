"""Sums of usage, and versions of prices."""

import sqlalchemy as sa
from alembic import op

revision = "0039_usage_rollup"
down_revision = "0038_audit_position"
branch_labels = None
depends_on = None
phase = "expand"

_SUMS = (
    "calls",
    "failed_calls",
    "estimated_calls",
    "input_tokens",
    "output_tokens",
    "cached_tokens",
    "reasoning_tokens",
    "pages",
    "points_e8",
    "money_e8",
    "calls_without_points",
    "calls_without_money",
    "unsettled_calls",
    "unsettled_tokens",
    "unsettled_points_e8",
    "unsettled_money_e8",
)


def upgrade() -> None:
    op.create_table(
        "usage_rollup",
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("cube", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("grain", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("slot", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("key", sa.String(32), nullable=False),
        sa.Column("app_id", sa.BigInteger(), nullable=False),
        sa.Column("agent_id", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("workflow_id", sa.BigInteger(), nullable=False),
        sa.Column("dataset_id", sa.BigInteger(), nullable=False),
        sa.Column("model", sa.String(200), nullable=False),
        sa.Column("provider", sa.String(50), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("source", sa.String(16), nullable=False),
        sa.Column("token_id", sa.BigInteger(), nullable=False),
        sa.Column("share_link_id", sa.BigInteger(), nullable=False),
        sa.Column("end_user_id", sa.String(256), nullable=False),
        sa.Column("member_id", sa.BigInteger(), nullable=False),
        sa.Column("currency", sa.String(3), nullable=False),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in _SUMS),
        sa.PrimaryKeyConstraint("space_id", "cube", "grain", "slot", "key", name="pk_usage_rollup"),
    )
    op.create_table(
        "price_version",
        sa.Column("model", sa.String(200), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("version", sa.String(16), nullable=False),
        sa.Column("currency", sa.String(3), nullable=False),
        sa.Column("prices", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("created_by", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("model", "number", name="pk_price_version"),
    )
