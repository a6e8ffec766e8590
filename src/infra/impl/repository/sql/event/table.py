"""Table of the outbox."""

from typing import Final

import sqlalchemy as sa

from infra.impl.repository.sql.mapping.column import Instant, metadata, only_where
from infra.impl.repository.sql.mapping.tenancy import OF_PROCESSES, TENANCY

outbox: Final = sa.Table(
    "outbox",
    metadata,
    sa.Column(
        "position",
        sa.BigInteger().with_variant(sa.Integer, "sqlite"),
        primary_key=True,
        autoincrement=True,
    ),
    sa.Column("event_id", sa.String(32), nullable=False, unique=True),
    sa.Column("topic", sa.String(100), nullable=False),
    sa.Column("key", sa.String(64), nullable=False),
    sa.Column("space_id", sa.BigInteger, nullable=False),
    sa.Column("payload", sa.LargeBinary, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("published_at", Instant),
    sa.Column("relay_until", Instant),
    sa.Column("relayed_at", Instant),
    sa.Column("relay_owner", sa.String(32)),
    sa.Column("traceparent", sa.String(55)),
)
TENANCY.outlive(OF_PROCESSES, outbox)
_is_unrelayed: Final = outbox.c.relayed_at.is_(None)
sa.Index(
    "ix_outbox_unrelayed",
    outbox.c.position,
    **only_where(_is_unrelayed),
)
sa.Index(
    "ix_outbox_unpublished",
    outbox.c.position,
    **only_where(outbox.c.published_at.is_(None)),
)
sa.Index("ix_outbox_published_at", outbox.c.published_at)
