"""Tables of accounts, spaces, tokens and the audit log."""

from typing import Final

import sqlalchemy as sa

from domain.shared.access import Permission
from infra.impl.repository.sql.schema import Instant, Json, id_column, metadata

users: Final = sa.Table(
    "user_account",
    metadata,
    id_column(),
    sa.Column("name", sa.String(20), nullable=False),
    sa.Column("name_key", sa.String(20), nullable=False, unique=True),
    sa.Column("nickname", sa.String(50), nullable=False),
    sa.Column("avatar_url", sa.String(2000), nullable=False),
    id_column("personal_space_id", nullable=False),
    sa.Column("is_admin", sa.Boolean, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("disabled_at", Instant),
    sa.Column("revision", sa.Integer, nullable=False),
)

spaces: Final = sa.Table(
    "space",
    metadata,
    id_column(),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("name", sa.String(50), nullable=False),
    sa.Column("description", sa.Text, nullable=False),
    sa.Column("icon_url", sa.String(2000), nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Column("deleted_at", Instant),
    sa.Column("revision", sa.Integer, nullable=False),
)

memberships: Final = sa.Table(
    "membership",
    metadata,
    id_column("space_id", primary_key=True),
    id_column("user_id", primary_key=True),
    sa.Column("role", sa.String(20), nullable=False),
    sa.Column("joined_at", Instant, nullable=False),
    sa.Index(None, "user_id"),
)

api_tokens: Final = sa.Table(
    "api_token",
    metadata,
    id_column(),
    id_column("user_id", nullable=False),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("name", sa.String(50), nullable=False),
    sa.Column("digest", sa.LargeBinary(32), nullable=False, unique=True),
    sa.Column("last4", sa.String(4), nullable=False),
    sa.Column("permissions", Json(frozenset[Permission])),
    sa.Column("space_ids", Json(frozenset[int])),
    sa.Column("agent_ids", Json(frozenset[int])),
    sa.Column("end_user_id", sa.String(256), nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Column("expires_at", Instant),
    sa.Column("revoked_at", Instant),
    sa.Column("last_used_at", Instant),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Index(None, "user_id", "kind", "id"),
)

audit_log: Final = sa.Table(
    "audit_log",
    metadata,
    id_column(),
    sa.Column("event_id", sa.String(32), nullable=False, unique=True),
    id_column("space_id", nullable=False),
    id_column("actor_id", nullable=False),
    sa.Column("action", sa.String(100), nullable=False),
    sa.Column("resource", sa.String(200), nullable=False),
    sa.Column("result", sa.String(20), nullable=False),
    sa.Column("detail", sa.Text, nullable=False),
    sa.Column("log_id", sa.String(64), nullable=False),
    sa.Column("at", Instant, nullable=False),
    sa.Index(None, "space_id", "id"),
)
