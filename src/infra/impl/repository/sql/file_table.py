"""Tables of files and of idempotency keys of uploads."""

from typing import Final

import sqlalchemy as sa

from infra.impl.repository.sql.schema import Instant, id_column, metadata

files: Final = sa.Table(
    "file",
    metadata,
    id_column(),
    sa.Column("space_id", sa.BigInteger, nullable=False),
    sa.Column("creator_id", sa.BigInteger, nullable=False),
    sa.Column("end_user_id", sa.String(256), nullable=False),
    sa.Column("name", sa.String(255), nullable=False),
    sa.Column("object_key", sa.String(512), nullable=False, unique=True),
    sa.Column("media_type", sa.String(128), nullable=False),
    sa.Column("size", sa.BigInteger, nullable=False),
    sa.Column("sha256", sa.String(64), nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("ready_at", Instant),
    sa.Column("deleted_at", Instant),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Index("ix_file_space_id_created_at", "space_id", "created_at"),
    sa.Index("ix_file_status_created_at", "status", "created_at"),
)

upload_keys: Final = sa.Table(
    "file_upload_key",
    metadata,
    id_column("principal_id", primary_key=True),
    sa.Column("key", sa.String(255), primary_key=True),
    sa.Column("file_id", sa.BigInteger, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Index("ix_file_upload_key_created_at", "created_at"),
)
